// What Petrify and Pilo have in common, as in purlieu.rules.blocks: board plays, passes, the pie rule, the count.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "base/random.h"
#include "base/text.h"
#include "base/types.h"
#include "games/layout.h"
#include "games/lines.h"

namespace purlieu {

// What the games remember beside the board.
struct Turn {
  std::int32_t ply = 0;                 // Turns taken; the swap is open at ply 1 only.
  Seat blue = Seat::first;              // The seat that plays Blue.
  std::uint8_t passes = 0;              // How many in a row have just been made; two end the game.
  std::optional<Seat> last_board_play;  // Who loses if the totals are equal.

  Seat to_move() const { return ply % 2 ? Seat::second : Seat::first; }
  bool may_swap() const { return ply == 1; }
  int colour_to_move() const { return to_move() != blue; }  // 0 for Blue, 1 for Orange.

  Turn after_board_play() const { return {ply + 1, blue, 0, to_move()}; }
  Turn after_pass() const { return {ply + 1, blue, static_cast<std::uint8_t>(passes + 1), last_board_play}; }
  Turn after_swap() const { return {ply + 1, other(blue), 0, last_board_play}; }

  // "ply=3 blue=first passes=0 last=first".
  std::string text() const;
  friend bool operator==(const Turn&, const Turn&) = default;
};

// A position's text in parts: the tokens of its rows from the top, and its turn.
struct BlocksText {
  std::vector<std::vector<std::string_view>> rows;
  Turn turn;
};
// Reads what purlieu.rules writes, with or without the parts that may be left out. token_length is read_rows'.
std::optional<BlocksText> read_blocks_text(std::string_view name, std::string_view text,
                                           std::size_t (*token_length)(std::string_view));

// The count of a board: `open` are its squares without a block.
template <class Board>
Score count_patches(typename Board::Bits blue, typename Board::Bits orange, typename Board::Bits open);

// The part of a game that does not depend on what a capture is. `Self` is the game, `Board` a Layout, `Ways` the
// number of directions in which it captures, 8 or 4. The game has, besides what concept Game asks and is not here:
//   std::array<Bits, Ways> captures() const    the squares from which the side to move may capture, by direction;
//   void begin()                               sets up an empty board, whose size is known;
//   void place(int square)                     what a placement does to the board; squares are given by their indices;
//   void capture(int start, int target)        what a capture does to it;
//   std::string token(int square) const        how the text writes what stands there, "" for nothing;
//   static std::size_t token_length(std::string_view), void read_token(int square, std::string_view token)
//                                              the inverse; read_token only sees what token_length let through;
//   bool is_sound() const                      whether the rules let such a board arise;
//   std::uint64_t board_key() const            a hash of what stands on the board.
template <class Self, class Board, int Ways>
class Blocks {
 public:
  using Layout = Board;
  using Bits = typename Board::Bits;
  static constexpr int kWays = Ways;
  // A placement's code is the index of its square; a capture's is 128 + 8 * start + direction, clockwise from north.
  static constexpr int kFirstCapture = 128;
  static constexpr int kMoveCodes = kFirstCapture + 8 * 128;
  static constexpr int kMostMoves = Ways * Board::kLargest * Board::kLargest + 1;
  static constexpr bool kAcyclic = true;  // Plays fill empty squares or add blocks, and no pass follows two.

  static bool supports(int size) { return Board::supports(size); }
  static Self start(int size);

  int size() const { return size_; }
  int ply() const { return turn_.ply; }
  Seat to_move() const { return turn_.to_move(); }
  Seat first_colour() const { return turn_.blue; }
  bool is_over() const { return turn_.passes == 2; }
  // Who would lose if the totals were equal.
  std::optional<Seat> last_board_play() const { return turn_.last_board_play; }
  // The number of empty squares; so many placements are legal.
  int empties() const { return count(empty()); }
  // The number of legal placements and captures; at 0 a side must pass.
  int board_plays() const;

  void legal_moves(MoveList<kMostMoves>& list) const;
  bool is_legal(Move move) const;
  void play(Move move);
  Score score() const { return count_patches<Board>(men_[0], men_[1], open()); }
  Result result() const;
  std::uint64_t key() const;

  std::string text() const;
  static std::optional<Self> parse(std::string_view text);
  std::string move_text(Move move) const;
  // A capture of anything but the first thing that is neither empty nor a friend's is no move.
  std::optional<Move> read_move(std::string_view text) const;

  // Squares by what stands there: men of the side to move and of the other, no block, nothing.
  Bits mine() const { return men_[turn_.colour_to_move()]; }
  Bits theirs() const { return men_[1 - turn_.colour_to_move()]; }
  Bits open() const { return Board::board(size_) & ~blocks_; }
  Bits empty() const { return open() & ~men_[0] & ~men_[1]; }
  // The first square beyond `start` that does not hold an empty square or a friend; 0 if that is off the board.
  Bits first_met(int start, int direction) const;

 protected:
  // By direction, the squares from which a target is the first thing that is not passable; and the targets.
  static std::array<Bits, Ways> seeing(Bits targets, Bits passable);

  // Whether no square holds two things, nothing stands off the board, and captures() finds as many captures as lines.h
  // does.
  bool is_consistent(int captures_by_lines) const;

  template <class Visit>
  void open_at_random(Random& random, Visit&& visit);
  // Plays a random game to its end on the board in the form of lines.h. `Run` has:
  //   Set captures() const                       those of the side to move;
  //   Capture capture(const Set&, int n)         makes the nth of them;
  //   void place(int square)                     for the side to move;
  //   void exchange()                            the other side is to move.
  template <class Run, class Visit>
  void run_to_the_end(Run& run, Random& random, Visit&& visit);

  Bits men_[2] = {0, 0};  // Blue's, Orange's.
  Bits blocks_ = 0;
  Turn turn_;
  std::int8_t size_ = 0;

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
  Self& self() { return static_cast<Self&>(*this); }
  static Move capture_move(int start, int direction) {
    return Move(static_cast<std::uint16_t>(kFirstCapture + 8 * start + direction));
  }
};

template <class Self, class Board, int Ways>
Self Blocks<Self, Board, Ways>::start(int size) {
  assert(supports(size));
  Self game;
  game.size_ = static_cast<std::int8_t>(size);
  game.begin();
  return game;
}

template <class Self, class Board, int Ways>
int Blocks<Self, Board, Ways>::board_plays() const {
  int plays = empties();
  for (const Bits starts : self().captures()) plays += count(starts);
  return plays;
}

template <class Self, class Board, int Ways>
void Blocks<Self, Board, Ways>::legal_moves(MoveList<kMostMoves>& list) const {
  list.clear();
  if (is_over()) return;
  for (Bits squares = empty(); squares;) list.push(Move(static_cast<std::uint16_t>(pop_lowest(squares))));
  const auto captures = self().captures();
  Bits starts = 0;
  for (const Bits some : captures) starts |= some;
  while (starts) {
    const int start = pop_lowest(starts);
    unsigned ways = 0;
    for (int way = 0; way < Ways; ++way) ways |= static_cast<unsigned>(captures[way] >> start & 1) << way;
    while (ways) {
      list.push(capture_move(start, std::countr_zero(ways) * (8 / Ways)));
      ways &= ways - 1;
    }
  }
  if (list.empty()) list.push(kPass);
  if (turn_.may_swap()) list.push(kSwap);
}

template <class Self, class Board, int Ways>
bool Blocks<Self, Board, Ways>::is_legal(Move move) const {
  if (is_over()) return false;
  if (move == kPass) return board_plays() == 0;
  if (move == kSwap) return turn_.may_swap();
  if (move.code() < kFirstCapture) return move.code() < Board::kIndices && (empty() >> move.code() & 1);
  const int start = (move.code() - kFirstCapture) / 8, direction = move.code() % 8;
  if (start >= Board::kIndices || direction % (8 / Ways)) return false;
  return self().captures()[direction / (8 / Ways)] >> start & 1;
}

template <class Self, class Board, int Ways>
void Blocks<Self, Board, Ways>::play(Move move) {
  assert(is_legal(move));
  if (move == kPass) {
    turn_ = turn_.after_pass();
  } else if (move == kSwap) {
    turn_ = turn_.after_swap();
  } else {
    if (move.code() < kFirstCapture) {
      self().place(move.code());
    } else {
      const int start = (move.code() - kFirstCapture) / 8;
      self().capture(start, lowest(first_met(start, move.code() % 8)));
    }
    turn_ = turn_.after_board_play();
  }
}

template <class Self, class Board, int Ways>
Result Blocks<Self, Board, Ways>::result() const {
  assert(is_over());
  const Score totals = score();
  if (totals.first != totals.second) return win_for(totals.first > totals.second ? turn_.blue : other(turn_.blue));
  return win_for(other(turn_.last_board_play.value()));  // Without a board play there are empty squares.
}

template <class Self, class Board, int Ways>
std::uint64_t Blocks<Self, Board, Ways>::key() const {
  const auto last = turn_.last_board_play ? 1 + static_cast<std::uint64_t>(*turn_.last_board_play) : 0;
  const std::uint64_t turn = static_cast<std::uint64_t>(turn_.to_move()) | static_cast<std::uint64_t>(turn_.blue) << 1 |
                             std::uint64_t{turn_.may_swap()} << 2 | std::uint64_t{turn_.passes} << 3 | last << 5 |
                             static_cast<std::uint64_t>(size_) << 7;
  return mix(self().board_key() + turn);
}

template <class Self, class Board, int Ways>
std::string Blocks<Self, Board, Ways>::text() const {
  const auto token = [&](int column, int row) { return self().token(Board::index(column, row)); };
  return std::string(Self::kName) + ' ' + rows_text(size_, token) + ' ' + turn_.text();
}

template <class Self, class Board, int Ways>
std::optional<Self> Blocks<Self, Board, Ways>::parse(std::string_view text) {
  const auto read = read_blocks_text(Self::kName, text, Self::token_length);
  if (!read) return std::nullopt;
  const int size = static_cast<int>(read->rows.size());
  if (!supports(size)) return std::nullopt;
  Self game = start(size);
  game.turn_ = read->turn;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) {
      const std::string_view token = read->rows[size - 1 - row][column];
      if (!token.empty()) game.read_token(Board::index(column, row), token);
    }
  if (!game.is_sound()) return std::nullopt;
  for (int back = 1; back <= game.turn_.passes; ++back) {  // Nobody passes who can capture.
    Self before = game;
    before.turn_.ply += back;  // Of the ply only counts whose turn it is.
    if (before.board_plays()) return std::nullopt;
  }
  return game;
}

template <class Self, class Board, int Ways>
std::string Blocks<Self, Board, Ways>::move_text(Move move) const {
  if (move == kPass) return "pass";
  if (move == kSwap) return "swap";
  const auto name = [](int square) { return square_name(Board::column(square), Board::row(square)); };
  if (move.code() < kFirstCapture) return name(move.code());
  const int start = (move.code() - kFirstCapture) / 8;
  return name(start) + 'x' + name(lowest(first_met(start, move.code() % 8)));
}

template <class Self, class Board, int Ways>
std::optional<Move> Blocks<Self, Board, Ways>::read_move(std::string_view text) const {
  if (text == "pass") return kPass;
  if (text == "swap") return kSwap;
  const auto from = take_square(text, size_);
  if (!from) return std::nullopt;
  const int start = Board::index(from->column, from->row);
  if (text.empty()) return Move(static_cast<std::uint16_t>(start));
  if (text[0] != 'x') return std::nullopt;
  text.remove_prefix(1);
  const auto to = take_square(text, size_);
  if (!to || !text.empty()) return std::nullopt;
  for (int direction = 0; direction < 8; direction += 8 / Ways)
    if (first_met(start, direction) == bit<Bits>(Board::index(to->column, to->row)))
      return capture_move(start, direction);
  return std::nullopt;
}

template <class Self, class Board, int Ways>
auto Blocks<Self, Board, Ways>::seeing(Bits targets, Bits passable) -> std::array<Bits, Ways> {
  if constexpr (Ways == 8) {
    return {Board::template sees<0>(targets, passable), Board::template sees<1>(targets, passable),
            Board::template sees<2>(targets, passable), Board::template sees<3>(targets, passable),
            Board::template sees<4>(targets, passable), Board::template sees<5>(targets, passable),
            Board::template sees<6>(targets, passable), Board::template sees<7>(targets, passable)};
  } else {
    return {Board::template sees<0>(targets, passable), Board::template sees<2>(targets, passable),
            Board::template sees<4>(targets, passable), Board::template sees<6>(targets, passable)};
  }
}

template <class Self, class Board, int Ways>
auto Blocks<Self, Board, Ways>::first_met(int start, int direction) const -> Bits {
  const Bits passable = empty() | mine();
  Bits at = bit<Bits>(start);
  do at = Board::step(at, direction);
  while (at & passable);
  return at & Board::board(size_);
}

template <class Self, class Board, int Ways>
bool Blocks<Self, Board, Ways>::is_consistent(int captures_by_lines) const {
  return !(men_[0] & men_[1]) && !((men_[0] | men_[1]) & blocks_) &&
         !((men_[0] | men_[1] | blocks_) & ~Board::board(size_)) && board_plays() == empties() + captures_by_lines;
}

// The first turn of a random game. It is played before the loop that plays the others, because a swap may follow it,
// and the loop is fast for knowing nothing of that.
template <class Self, class Board, int Ways>
template <class Visit>
void Blocks<Self, Board, Ways>::open_at_random(Random& random, Visit&& visit) {
  if (ply() != 0) return;
  MoveList<kMostMoves> moves;
  legal_moves(moves);
  const Move move = moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))];
  visit(to_move(), move);
  play(move);
}

template <class Self, class Board, int Ways>
template <class Run, class Visit>
void Blocks<Self, Board, Ways>::run_to_the_end(Run& run, Random& random, Visit&& visit) {
  if (is_over()) return;
  Random dice = random;  // A copy stays in registers.
  std::uint8_t squares[Board::kIndices];
  std::uint32_t empties = 0;
  for (Bits some = empty(); some;) squares[empties++] = static_cast<std::uint8_t>(pop_lowest(some));

  if (turn_.may_swap()) {
    const std::uint32_t plays = std::max(1u, empties + static_cast<std::uint32_t>(run.captures().count()));
    if (dice.below(plays + 1) == plays) {
      visit(to_move(), kSwap);
      turn_ = turn_.after_swap();  // The other seat now plays the same colour.
    }
  }

  // The square of a placement does not depend on the number of captures, so the processor can run ahead into the next
  // turn, guessing that this one is a placement, while they are counted.
  const int begun = turn_.ply;
  int ply = begun, last_board_play = -1, passes = turn_.passes;
  while (passes < 2) {
    const Seat seat = ply % 2 ? Seat::second : Seat::first;
    const auto captures = run.captures();
    const std::uint32_t plays = empties + static_cast<std::uint32_t>(captures.count());
    if (plays == 0) {
      visit(seat, kPass);
      ++passes;
    } else {
      const std::uint64_t draw = dice.next();
      const auto n = static_cast<std::uint32_t>((draw >> 32) * plays >> 32);
      if (n < empties) {
        const std::uint64_t i = (draw & 0xFFFFFFFFu) * empties >> 32;
        const int square = squares[i];
        squares[i] = squares[--empties];
        run.place(square);
        visit(seat, Move(static_cast<std::uint16_t>(square)));
      } else {
        const auto made = run.capture(captures, static_cast<int>(n - empties));
        visit(seat, capture_move(made.start, made.direction));
      }
      passes = 0;
      last_board_play = ply;
    }
    run.exchange();
    ++ply;
  }
  turn_.ply = ply;
  turn_.passes = 2;
  if (last_board_play >= begun) turn_.last_board_play = last_board_play % 2 ? Seat::second : Seat::first;
  random = dice;
}

}  // namespace purlieu
