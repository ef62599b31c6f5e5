// Pyloff: black and white marbles pile into a pyramid.
//
// A vertical line holds points of every other level, one straight above the other, and its marbles stand without a
// gap. So of each line only the top marble is unburied, and at most one point is valid. Seen from above, the lines of
// the odd and the even levels make two grids; groups live on these two, whatever the height of the pyramid.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "base/random.h"
#include "base/types.h"
#include "base/wide.h"

namespace purlieu {
namespace pyloff {

// How boards up to a largest side are laid out. A line of a grid is a bit of a set, a row of lines is kStride bits. What
// a marble changes depends on few rows round it, so wide sets are seen through a Window; kFirst bits before the first
// line spare it the bounds tests.
struct SmallShape {
  using Set = Bits64;
  using Window = Bits64;
  static constexpr int kSmallest = 3, kLargest = 8, kStride = 8, kFirst = 0, kChains = 128;
};
struct MediumShape {
  using Set = Bits128;
  using Window = Bits128;
  static constexpr int kSmallest = 9, kLargest = 11, kStride = 11, kFirst = 0, kChains = 256;
};
struct LargeShape {
  using Set = WideBits<8>;
  using Window = Bits128;
  static constexpr int kSmallest = 12, kLargest = 19, kStride = 20, kFirst = 64, kChains = 1024;
};

// A point by its level, counted from 0, and its vertical line: kFirst + row × kStride + column on the grid of the
// level's lines. Levels 0, 2, 4… have the n×n lines of grid 0, levels 1, 3, 5… the (n−1)×(n−1) lines of grid 1.
struct Point {
  std::uint16_t level;
  std::uint16_t line;
  constexpr int grid() const { return level & 1; }
  friend constexpr bool operator==(Point, Point) = default;
};

enum class Colour : std::uint8_t { black, white };

// The points of a pyramid of that side.
constexpr int points_in(int size) { return size * (size + 1) * (2 * size + 1) / 6; }

// The marbles of a game. Keeps no memory of earlier boards: see History for ko.
template <class Shape>
class Board {
 public:
  static constexpr int kLevels = Shape::kLargest;
  static constexpr int kLines = kLevels * kLevels + (kLevels - 1) * (kLevels - 1);
  using Bits = typename Shape::Set;

  // A set of lines: one set for each of the two grids.
  using Lines = std::array<Bits, 2>;

  // What place did, so that take_back can undo it.
  struct Placed {
    int lifted;
    std::array<Lines, 2> suspects;
    std::array<Point, kLines> points;  // Those lifted, in order.
  };

  explicit Board(int size);

  int size() const { return size_; }
  int marbles() const { return marbles_[0] + marbles_[1]; }
  int marbles(Colour colour) const { return marbles_[static_cast<int>(colour)]; }
  // A hash of all marbles, buried ones too.
  std::uint64_t key() const { return key_; }

  bool is_occupied(Point p) const { return has(level(p.level), p.line); }
  // Precondition: is_occupied(p).
  Colour colour(Point p) const { return has(black_[p.level], p.line) ? Colour::black : Colour::white; }
  // Empty, and on level 0 or carried by four marbles.
  bool is_valid(Point p) const { return has(valid_[p.grid()], p.line) && p.level == next_level(p.grid(), p.line); }
  // A marble stands straight above it, two levels up.
  bool is_buried(Point p) const { return has(level(p.level + 2), p.line); }
  // The lines whose lowest empty point is valid; no line has another valid point.
  const Lines& valid_lines() const { return valid_; }
  // The valid points of one level, as lines of its grid.
  Bits valid_points(int at_level) const {
    return valid_[at_level & 1] & level(at_level - 2) & ~level(at_level);
  }
  // The level of a line's lowest empty point.
  int next_level(int grid, int line) const {
    int marbles = 0;
    for (int i = grid; i < kLevels; i += 2) marbles += has(level(i), line);
    return grid + 2 * marbles;
  }

  // The lines whose top marble has that colour.
  const Lines& tops(Colour colour) const { return top_[static_cast<int>(colour)]; }
  // The lines that have a marble of that colour just below their top.
  Lines below_tops(Colour colour) const;
  // The marbles of one level, as lines of its grid.
  const Bits& marbles_of(int at_level) const { return level(at_level); }
  // The lines whose top marble has freedom by itself; carries a marble; is connected to the top of the next column; to
  // that of the next row.
  const Lines& free_lines() const { return free_; }
  const Lines& covered_lines() const { return covered_; }
  const Lines& connected_right() const { return right_; }
  const Lines& connected_up() const { return up_; }
  // The lines whose top marble is in a group with no, one or two points that give it freedom.
  std::array<Lines, 3> short_of_freedom() const;

  // Plays a marble and lifts what it captures. Says whether the marble's group has freedom then; if not, the play is
  // suicide and must be taken back. Precondition: is_valid(p).
  bool place(Point p, Colour colour, Placed& placed);
  // Undoes the last place.
  void take_back(Point p, const Placed& placed);
  // Puts a marble and captures nothing. Precondition: is_valid(p).
  void set_up(Point p, Colour colour);

  // The point's number among those of the pyramid, level by level, row by row: the code of its move.
  int code(Point p) const {
    const int line = p.line - Shape::kFirst;
    return kCodeBase[size_][p.level] + line / Shape::kStride * (size_ - p.level) + line % Shape::kStride;
  }
  // The inverse. Precondition: code < points_in(size()).
  Point point(int code) const;
  // The point of a level by its column and row, both counted from 0.
  static constexpr Point point(int level, int column, int row) {
    const int line = Shape::kFirst + (row + level / 2) * Shape::kStride + column + level / 2;
    return {static_cast<std::uint16_t>(level), static_cast<std::uint16_t>(line)};
  }

  // Finds all that is kept beside the marbles anew, one definition of the rules at a time, and compares. For tests.
  bool check() const;

 private:
  static constexpr auto kCodeBase = [] {
    std::array<std::array<std::int16_t, kLevels>, kLevels + 1> base{};
    for (int size = 1; size <= kLevels; ++size)
      for (int level = 0; level < size; ++level)
        base[size][level] = static_cast<std::int16_t>(points_in(size) - points_in(size - level) -
                                                      level / 2 * (size - level) - level / 2);
    return base;
  }();

  // Levels −2 and −1 are full, those above the top empty, so that every level has something two levels below and above.
  const Bits& level(int at) const { return occupied_[at + 2]; }
  Bits& level(int at) { return occupied_[at + 2]; }

  template <int Grid>
  bool place_on(Point p, int colour, Placed& placed);
  Lines capture(int victim, const Lines& dead, Placed& placed);
  bool has_freedom(Lines group, int colour) const;
  Lines spread(Lines reached, int colour) const;
  template <int Grid>
  void put(Point p, int colour);
  template <int Grid>
  void take(Point p, int colour, Lines& lost);

  std::array<Bits, kLevels + 4> occupied_;
  std::array<Bits, kLevels> black_;

  // All of the following follows from the above, and put and take keep it so.
  std::array<Lines, 2> top_;  // By colour: lines whose top marble has it.
  Lines valid_;               // Lines with a valid point.
  Lines free_;                // Lines whose top marble has freedom.
  Lines covered_;             // Lines whose top marble carries a marble, so that it cannot be lifted.
  // Lines whose top marble is connected to that of the next column, and of the next row. Nothing is kept for top
  // marbles of touching lines of the two grids: one rests on the other, so colour decides.
  Lines right_, up_;
  std::uint64_t key_ = 0;
  std::array<std::int16_t, 2> marbles_ = {0, 0};
  std::int16_t size_;

  // By colour: every group without freedom has a member on one of these lines. Others may be among them.
  std::array<Lines, 2> suspects_;
};

// The turns of a game: what ko and the text need. Boards are known by their 64-bit keys, in chains by the lowest bits.
template <int Chains>
class History {
 public:
  // Starts from a board with that key and number of marbles.
  History(std::uint64_t key, int marbles) : most_marbles_(-1) {
    turns_.reserve(Chains);
    push(kPass, key, marbles);
  }
  // With room for the turns to come: a copy is made to play on.
  History(const History& from) : chains_(from.chains_), most_marbles_(from.most_marbles_) {
    turns_.reserve(from.turns_.size() + Chains);
    turns_.insert(turns_.end(), from.turns_.begin(), from.turns_.end());
  }
  History(History&&) noexcept = default;
  History& operator=(const History&) = default;
  History& operator=(History&&) noexcept = default;

  int turns() const { return static_cast<int>(turns_.size()) - 1; }
  // The move of a turn, counted from 1.
  Move move(int turn) const { return turns_[turn].move; }
  std::uint64_t key() const { return turns_.back().key; }

  // Whether a board with that key and number of marbles stood before.
  bool contains(std::uint64_t key, int marbles) const {
    if (marbles > most_marbles_) return false;
    for (std::uint32_t i = chains_[key % Chains]; i; i = turns_[i - 1].next)
      if (turns_[i - 1].key == key) return true;
    return false;
  }
  void push(Move move, std::uint64_t key, int marbles) {
    if (marbles > most_marbles_) most_marbles_ = marbles;
    turns_.push_back({key, chains_[key % Chains], move});
    chains_[key % Chains] = static_cast<std::uint32_t>(turns_.size());
  }
  // A pass leaves the board, so ko has nothing new to remember.
  void push_pass() { turns_.push_back({key(), 0, kPass}); }

 private:
  struct Turn {
    std::uint64_t key;
    std::uint32_t next;  // The next turn of the chain, counted from 1; 0 ends it.
    Move move;
  };
  std::vector<Turn> turns_;
  std::array<std::uint32_t, Chains> chains_{};
  int most_marbles_;
};

}  // namespace pyloff

// The game on boards of one shape. A move's code is its point's number, level by level, row by row.
template <class Shape>
class Pyloff {
 public:
  using Board = pyloff::Board<Shape>;
  static constexpr std::string_view kName = "pyloff";
  // A valid point's four supports carry no marble, so no two valid points touch; as each line of grid 1 can be paired
  // with a line of grid 0 that it touches, there are at most as many valid points as lines in grid 0.
  static constexpr int kMostMoves = Shape::kLargest * Shape::kLargest;
  static constexpr int kMoveCodes = pyloff::points_in(Shape::kLargest);
  static constexpr bool kAcyclic = false;

  static bool supports(int size) { return Shape::kSmallest <= size && size <= Shape::kLargest; }
  static Pyloff start(int size) { return Pyloff(Board(size), 0, 0); }

  const Board& board() const { return board_; }
  int size() const { return board_.size(); }
  int ply() const { return begun_at_ + history_.turns(); }
  Seat to_move() const { return ply() % 2 ? Seat::second : Seat::first; }
  Seat first_colour() const { return Seat::first; }

  bool is_over() const { return passes_ == 2; }
  // How many passes in a row were just made.
  int passes() const { return passes_; }
  void legal_moves(MoveList<kMostMoves>& list) const;
  bool is_legal(Move move) const;
  // Calls f(bytes) for the board that the game began from and for the one after each turn. The bytes are those of
  // purlieu.rules: 0 for an empty point, 1 for a black marble, 2 for a white one, in the order of codes.
  template <class F>
  void for_each_board(F&& f) const;
  enum class Verdict : std::uint8_t { legal, suicide, ko };
  // Tries every valid point with a marble of that colour, as if it were to move, and calls f(point, lifted, verdict):
  // how many marbles the play would lift, and whether the rules allow it.
  template <class F>
  void for_each_valid(pyloff::Colour colour, F&& f) const;
  void play(Move move);
  Score score() const { return {board_.marbles(pyloff::Colour::black), board_.marbles(pyloff::Colour::white)}; }
  Result result() const;
  // Not the earlier boards, which ko remembers.
  std::uint64_t key() const;
  template <class Visit>
  void playout(Random& random, Visit&& visit) {
    while (!is_over()) {
      const Seat seat = to_move();
      visit(seat, play_random(random));
    }
  }

  std::string text() const;
  static std::optional<Pyloff> parse(std::string_view text);
  std::string move_text(Move move) const;
  std::optional<Move> read_move(std::string_view text) const;
  bool check() const;

 private:
  using Placed = typename Board::Placed;

  Pyloff(const Board& board, int begun_at, int passes);

  pyloff::Colour colour_to_move() const { return ply() % 2 ? pyloff::Colour::white : pyloff::Colour::black; }
  // Plays one move, every legal one with the same chance.
  Move play_random(Random& random);
  // Plays on a valid point unless suicide or ko forbids it; says whether it did.
  bool try_play(Board& board, pyloff::Point p, Placed& placed) const;
  bool has_play() const;
  static std::string board_text(const Board& board);
  static std::optional<Board> read_board(std::string_view text);

  Board board_;
  int begun_at_;
  int passes_;
  pyloff::History<Shape::kChains> history_;
  std::shared_ptr<const std::string> begun_from_;  // The text of the board that the game began from, unless empty.
};

template <class Shape>
template <class F>
void Pyloff<Shape>::for_each_board(F&& f) const {
  Board board = begun_from_ ? *read_board(*begun_from_) : Board(size());
  std::string bytes(pyloff::points_in(size()), '\0');
  for (int code = 0; code < pyloff::points_in(size()); ++code) {
    const pyloff::Point p = board.point(code);
    if (board.is_occupied(p)) bytes[code] = board.colour(p) == pyloff::Colour::black ? 1 : 2;
  }
  f(bytes);
  Placed placed;
  for (int turn = 1; turn <= history_.turns(); ++turn) {
    if (const Move move = history_.move(turn); move != kPass) {
      const bool is_white = (begun_at_ + turn - 1) % 2;
      board.place(board.point(move.code()), is_white ? pyloff::Colour::white : pyloff::Colour::black, placed);
      bytes[move.code()] = is_white ? 2 : 1;
      for (int i = 0; i < placed.lifted; ++i) bytes[board.code(placed.points[i])] = 0;
    }
    f(bytes);
  }
}

template <class Shape>
template <class F>
void Pyloff<Shape>::for_each_valid(pyloff::Colour colour, F&& f) const {
  Board board = board_;
  Placed placed;
  for (int grid = 0; grid < 2; ++grid) {
    auto lines = board_.valid_lines()[grid];
    while (any(lines)) {
      const int line = pop_lowest(lines);
      const int level = board_.next_level(grid, line);
      const pyloff::Point p{static_cast<std::uint16_t>(level), static_cast<std::uint16_t>(line)};
      const bool has_freedom = board.place(p, colour, placed);
      const bool stood_before = has_freedom && history_.contains(board.key(), board.marbles());
      f(p, placed.lifted, stood_before ? Verdict::ko : has_freedom ? Verdict::legal : Verdict::suicide);
      board.take_back(p, placed);
    }
  }
}

using PyloffSmall = Pyloff<pyloff::SmallShape>;
using PyloffMedium = Pyloff<pyloff::MediumShape>;
using PyloffLarge = Pyloff<pyloff::LargeShape>;

extern template class pyloff::Board<pyloff::SmallShape>;
extern template class pyloff::Board<pyloff::MediumShape>;
extern template class pyloff::Board<pyloff::LargeShape>;
extern template class Pyloff<pyloff::SmallShape>;
extern template class Pyloff<pyloff::MediumShape>;
extern template class Pyloff<pyloff::LargeShape>;

}  // namespace purlieu
