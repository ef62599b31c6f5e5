#include "games/pyloff.h"

#include <type_traits>

#include "games/pyloff_bits.h"

namespace purlieu {
namespace pyloff {

// -- Board ------------------------------------------------------------------------------------------------------------

template <class Shape>
Board<Shape>::Board(int size)
    : occupied_{}, black_{}, top_{}, valid_{}, free_{}, covered_{}, right_{}, up_{},
      size_(static_cast<std::int16_t>(size)), suspects_{} {
  level(-2) = level(-1) = ~Bits{};
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) valid_[0] |= OneBit<Bits>::of(point(0, column, row).line);
}

template <class Shape>
Point Board<Shape>::point(int code) const {
  int at = 0, side = size_;
  for (; code >= side * side; ++at, --side) code -= side * side;
  return point(at, code % side, code / side);
}

template <class Shape>
[[gnu::always_inline]] inline bool Board<Shape>::place(Point p, Colour colour, Placed& placed) {
  return p.grid() == 0 ? place_on<0>(p, static_cast<int>(colour), placed)
                       : place_on<1>(p, static_cast<int>(colour), placed);
}

template <class Shape>
template <int Grid>
bool Board<Shape>::place_on(Point p, int colour, Placed& placed) {
  const int enemy = 1 - colour;
  placed.lifted = 0;
  placed.suspects = suspects_;
  put<Grid>(p, colour);

  // Whoever lost a freedom, a neighbour to burial or a connection to a cut is near.
  const auto at = View<Shape, Grid, Bits>::at(p.line);
  for (Lines& suspects : suspects_) {
    View<Shape, Grid, Bits>(suspects[Grid], p.line) |= at | beside<Grid, Shape>(at);
    View<Shape, Grid, Bits>(suspects[1 - Grid], p.line) |= touching<Grid, Shape>(at);
  }

  // Flood the enemy from where it has freedom, until all suspects are reached or all that could be lifted.
  const Lines& enemies = top_[enemy];
  const Lines asked = {suspects_[enemy][0] & enemies[0], suspects_[enemy][1] & enemies[1]};
  Lines reached = {free_[0] & enemies[0], free_[1] & enemies[1]};
  Lines left = {asked[0] & ~reached[0], asked[1] & ~reached[1]};
  while (any(left[0] | left[1])) {
    const Lines grown = spread(reached, enemy);
    left = {asked[0] & ~grown[0], asked[1] & ~grown[1]};
    const Lines unreached = {enemies[0] & ~grown[0], enemies[1] & ~grown[1]};
    if (!any((unreached[0] & ~covered_[0]) | (unreached[1] & ~covered_[1]))) break;
    if (grown == reached) {
      left = capture(enemy, unreached, placed);
      break;
    }
    reached = grown;
  }
  suspects_[enemy] = left;

  Lines group{};
  group[Grid] = OneBit<Bits>::of(p.line);
  return has_freedom(group, colour);
}

// Lifts the dead, and gives the lines where the victim may have groups without freedom then. Lifting from the highest
// level down is the same as lifting whatever carries nothing for as long as there is such.
template <class Shape>
typename Board<Shape>::Lines Board<Shape>::capture(int victim, const Lines& dead, Placed& placed) {
  Lines left = dead, lost{};
  for (bool again = true; again;) {
    again = false;
    for (int grid = 0; grid < 2; ++grid) {
      Bits now = left[grid] & ~covered_[grid];
      if (!any(now)) continue;
      again = true;
      left[grid] &= ~now;
      while (any(now)) {
        const int line = pop_lowest(now);
        const Point p{static_cast<std::uint16_t>(next_level(grid, line) - 2), static_cast<std::uint16_t>(line)};
        placed.points[placed.lifted++] = p;
        grid == 0 ? take<0>(p, victim, lost) : take<1>(p, victim, lost);
      }
    }
  }
  for (int grid = 0; grid < 2; ++grid) suspects_[1 - victim][grid] |= lost[grid];
  return {left[0] | lost[0], left[1] | lost[1]};
}

// Whether a part of a group is connected to a marble with freedom.
template <class Shape>
bool Board<Shape>::has_freedom(Lines group, int colour) const {
  for (;;) {
    if (any((group[0] & free_[0]) | (group[1] & free_[1]))) return true;
    const Lines grown = spread(group, colour);
    if (grown == group) return false;
    group = grown;
  }
}

template <class Shape>
typename Board<Shape>::Lines Board<Shape>::below_tops(Colour colour) const {
  Lines found{};
  for (int k = 0; k + 2 < size_; ++k) {
    const Bits here = colour == Colour::black ? black_[k] : level(k) & ~black_[k];
    found[k & 1] |= here & level(k + 2) & ~level(k + 4);
  }
  return found;
}

template <class Shape>
std::array<typename Board<Shape>::Lines, 3> Board<Shape>::short_of_freedom() const {
  // The levels that have valid points, with those and the marbles beside them.
  struct Level {
    int grid;
    Bits valid, beside_valid;
  };
  std::array<Level, kLevels> levels;
  int number = 0;
  for (int k = 0; k < size_; ++k) {
    const Bits valid = valid_points(k);
    if (!any(valid)) continue;
    const Bits near = (k & 1) == 0 ? beside<0, Shape>(valid) : beside<1, Shape>(valid);
    levels[number++] = {k & 1, valid, near & level(k)};
  }
  std::array<Lines, 3> found{};
  for (int colour = 0; colour < 2; ++colour) {
    Lines left = top_[colour];
    while (any(left[0] | left[1])) {
      Lines group{};
      const int grid = any(left[0]) ? 0 : 1;
      Bits lines = left[grid];
      group[grid] = OneBit<Bits>::of(pop_lowest(lines));
      for (Lines grown; (grown = spread(group, colour)) != group;) group = grown;
      left = {left[0] & ~group[0], left[1] & ~group[1]};
      int freedoms = 0;
      for (int i = 0; i < number && freedoms < 3; ++i) {
        const Bits members = group[levels[i].grid] & levels[i].beside_valid;
        if (!any(members)) continue;
        freedoms += count((levels[i].grid == 0 ? beside<0, Shape>(members) : beside<1, Shape>(members)) &
                          levels[i].valid);
      }
      if (freedoms < 3)
        for (int g = 0; g < 2; ++g) found[freedoms][g] |= group[g];
    }
  }
  return found;
}

// These top marbles and some that they are connected to; all of them, if called until nothing is added.
template <class Shape>
typename Board<Shape>::Lines Board<Shape>::spread(Lines reached, int colour) const {
  constexpr int kStride = Shape::kStride;
  Bits a = reached[0], b = reached[1];
  a |= (a & right_[0]) << 1 | (a >> 1 & right_[0]);
  a |= (a & up_[0]) << kStride | (a >> kStride & up_[0]);
  b |= touching<0, Shape>(a) & top_[colour][1];
  b |= (b & right_[1]) << 1 | (b >> 1 & right_[1]);
  b |= (b & up_[1]) << kStride | (b >> kStride & up_[1]);
  a |= touching<1, Shape>(b) & top_[colour][0];
  return {a, b};
}

// Puts a marble on a valid point. Nothing rests on it, and its supports are the tops of their lines.
template <class Shape>
template <int Grid>
[[gnu::always_inline]] inline void Board<Shape>::put(Point p, int colour) {
  using Window = typename Shape::Window;
  constexpr int kStride = Shape::kStride, kOther = 1 - Grid;
  const auto in = [&](auto& set) { return View<Shape, Grid, std::remove_reference_t<decltype(set)>>(set, p.line); };
  const int enemy = 1 - colour;
  const Window at = View<Shape, Grid, Bits>::at(p.line);
  const Window square = touching<Grid, Shape>(at);
  Window occupied = in(level(p.level));
  const Window neighbours = beside<Grid, Shape>(at) & occupied;  // None is buried, as this point was empty.

  in(top_[enemy][Grid]) &= ~at;
  in(top_[colour][Grid]) |= at;
  const Window friends = neighbours & in(top_[colour][Grid]);
  in(right_[Grid]) = (in(right_[Grid]) & ~(at | at >> 1)) | (friends >> 1 & at) | (friends & at >> 1);
  in(up_[Grid]) = (in(up_[Grid]) & ~(at | at >> kStride)) | (friends >> kStride & at) | (friends & at >> kStride);

  // With each friend beside it, the marble passes over a pair of supports: enemies there are cut.
  const Window enemies = in(top_[enemy][kOther]);
  Window over_up = (friends & at << 1) | (friends << 1 & at);
  Window over_right = (friends & at << kStride) | (friends << kStride & at);
  if constexpr (Grid == 0) {
    over_up = over_up >> (kStride + 1);
    over_right = over_right >> (kStride + 1);
  }
  in(up_[kOther]) &= ~(over_up & enemies);
  in(right_[kOther]) &= ~(over_right & enemies);

  occupied |= at;
  in(level(p.level)) = occupied;
  in(black_[p.level]) |= colour ? Window{} : at;
  const Window valid = in(valid_[Grid]) & ~at;
  in(valid_[Grid]) = valid;
  const Window made_valid = square & carried<Grid, Shape>(occupied);
  in(valid_[kOther]) |= made_valid;
  const Window valid_here = valid & in(level(p.level - 2)) & ~occupied;
  assign(in(free_[Grid]), neighbours | at, beside<Grid, Shape>(valid_here));
  in(free_[kOther]) |= in(level(p.level + 1)) & beside<kOther, Shape>(made_valid);
  in(covered_[Grid]) &= ~at;
  in(covered_[kOther]) |= square & (enemies | in(top_[colour][kOther]));

  key_ ^= kMarbleKeys[code(p)][colour];
  ++marbles_[colour];
}

// Lifts a marble that carries none: undoes put. Adds the lines whose top marble is new or may have lost a freedom.
template <class Shape>
template <int Grid>
void Board<Shape>::take(Point p, int colour, Lines& lost) {
  using Window = typename Shape::Window;
  constexpr int kStride = Shape::kStride, kOther = 1 - Grid;
  const auto in = [&](auto& set) { return View<Shape, Grid, std::remove_reference_t<decltype(set)>>(set, p.line); };
  const Window at = View<Shape, Grid, Bits>::at(p.line);
  const Window square = touching<Grid, Shape>(at);
  const Window around = beside<Grid, Shape>(at);
  const Window occupied = in(level(p.level)) & ~at;

  in(level(p.level)) = occupied;
  in(black_[p.level]) &= ~at;
  in(top_[colour][Grid]) &= ~at;
  in(right_[Grid]) &= ~(at | at >> 1);
  in(up_[Grid]) &= ~(at | at >> kStride);

  const Window made_invalid = in(valid_[kOther]) & square;
  const Window valid = in(valid_[kOther]) & ~square;
  in(valid_[kOther]) = valid;
  in(valid_[Grid]) |= at;
  in(free_[Grid]) = (in(free_[Grid]) & ~at) | (around & occupied);
  const Window above = in(level(p.level + 1));
  const Window less_free = above & beside<kOther, Shape>(made_invalid);
  const Window valid_above = valid & in(level(p.level - 1)) & ~above;
  assign(in(free_[kOther]), less_free, beside<kOther, Shape>(valid_above));
  in(lost[Grid]) |= at;
  in(lost[kOther]) |= less_free;

  // The four supports are not cut any more, nor covered unless by others.
  const Window black = in(top_[0][kOther]), white = in(top_[1][kOther]);
  assign(in(covered_[kOther]), square & (black | white), touching<Grid, Shape>(occupied));
  const Window corner = Grid == 0 ? at >> (kStride + 1) : at;
  in(right_[kOther]) |= (corner | corner << kStride) & ((black & black >> 1) | (white & white >> 1));
  in(up_[kOther]) |= (corner | corner << 1) & ((black & black >> kStride) | (white & white >> kStride));

  if (p.level >= 2) {
    // The marble straight below is the top of the line now. It carries the four supports, and has no freedom among
    // their other supports.
    const int below = has(black_[p.level - 2], p.line) ? 0 : 1;
    const Window friends = around & in(level(p.level - 2)) & ~occupied & in(top_[below][Grid]);
    in(top_[below][Grid]) |= at;
    in(covered_[Grid]) |= at;
    Window over = below ? black : white;
    if constexpr (Grid == 0) over = over << (kStride + 1);
    const Window over_left = over & over >> kStride, over_low = over & over >> 1;
    const Window over_right = over_left >> 1, over_high = over_low >> kStride;
    in(right_[Grid]) |= (friends >> 1 & at & ~over_right) | (friends & (at & ~over_left) >> 1);
    in(up_[Grid]) |= (friends >> kStride & at & ~over_high) | (friends & (at & ~over_low) >> kStride);
  }

  key_ ^= kMarbleKeys[code(p)][colour];
  --marbles_[colour];
}

template <class Shape>
void Board<Shape>::take_back(Point p, const Placed& placed) {
  const int mine = static_cast<int>(colour(p));
  for (int i = placed.lifted - 1; i >= 0; --i) {
    const Point lifted = placed.points[i];
    lifted.grid() == 0 ? put<0>(lifted, 1 - mine) : put<1>(lifted, 1 - mine);
  }
  Lines lost{};
  p.grid() == 0 ? take<0>(p, mine, lost) : take<1>(p, mine, lost);
  suspects_ = placed.suspects;
}

template <class Shape>
void Board<Shape>::set_up(Point p, Colour colour) {
  p.grid() == 0 ? put<0>(p, static_cast<int>(colour)) : put<1>(p, static_cast<int>(colour));
  suspects_[0] = suspects_[1] = {~Bits{}, ~Bits{}};
}

}  // namespace pyloff

// -- Pyloff -----------------------------------------------------------------------------------------------------------

using namespace pyloff;

template <class Shape>
Pyloff<Shape>::Pyloff(const Board& board, int begun_at, int passes)
    : board_(board), begun_at_(begun_at), passes_(passes), history_(board.key(), board.marbles()) {
  if (board.marbles() || begun_at) begun_from_ = std::make_shared<const std::string>(board_text(board));
}

template <class Shape>
[[gnu::always_inline]] inline bool Pyloff<Shape>::try_play(Board& board, Point p, Placed& placed) const {
  if (board.place(p, colour_to_move(), placed) && !history_.contains(board.key(), board.marbles())) return true;
  board.take_back(p, placed);
  return false;
}

template <class Shape>
void Pyloff<Shape>::legal_moves(MoveList<kMostMoves>& list) const {
  list.clear();
  if (is_over()) return;
  Board board = board_;
  Placed placed;
  for (int level = 0; level < size(); ++level) {
    auto points = board_.valid_points(level);
    while (any(points)) {
      const Point p{static_cast<std::uint16_t>(level), static_cast<std::uint16_t>(pop_lowest(points))};
      if (!try_play(board, p, placed)) continue;
      board.take_back(p, placed);
      list.push(Move(static_cast<std::uint16_t>(board.code(p))));
    }
  }
  if (list.empty()) list.push(kPass);
}

template <class Shape>
bool Pyloff<Shape>::has_play() const {
  Board board = board_;
  Placed placed;
  for (int grid = 0; grid < 2; ++grid) {
    auto lines = board_.valid_lines()[grid];
    while (any(lines)) {
      const int line = pop_lowest(lines);
      const int level = board_.next_level(grid, line);
      if (try_play(board, {static_cast<std::uint16_t>(level), static_cast<std::uint16_t>(line)}, placed)) return true;
    }
  }
  return false;
}

template <class Shape>
bool Pyloff<Shape>::is_legal(Move move) const {
  if (is_over()) return false;
  if (move == kPass) return !has_play();
  if (move.code() >= points_in(size())) return false;
  const Point p = board_.point(move.code());
  if (!board_.is_valid(p)) return false;
  Board board = board_;
  Placed placed;
  return try_play(board, p, placed);
}

template <class Shape>
void Pyloff<Shape>::play(Move move) {
  assert(is_legal(move));
  if (move == kPass) {
    ++passes_;
    history_.push_pass();
    return;
  }
  Placed placed;
  board_.place(board_.point(move.code()), colour_to_move(), placed);
  history_.push(move, board_.key(), board_.marbles());
  passes_ = 0;
}

// Tries valid points in random order, so the first legal one is any legal one with the same chance.
template <class Shape>
Move Pyloff<Shape>::play_random(Random& random) {
  auto lines = board_.valid_lines();
  int number[2] = {count(lines[0]), count(lines[1])};
  Placed placed;
  while (number[0] + number[1]) {
    const int chosen = static_cast<int>(random.below(static_cast<std::uint32_t>(number[0] + number[1])));
    const int grid = chosen >= number[0];
    const int line = nth(lines[grid], grid ? chosen - number[0] : chosen);
    const Point p{static_cast<std::uint16_t>(board_.next_level(grid, line)), static_cast<std::uint16_t>(line)};
    if (try_play(board_, p, placed)) {
      const Move move(static_cast<std::uint16_t>(board_.code(p)));
      history_.push(move, board_.key(), board_.marbles());
      passes_ = 0;
      return move;
    }
    lines[grid] &= ~OneBit<typename Shape::Set>::of(line);
    --number[grid];
  }
  ++passes_;
  history_.push_pass();
  return kPass;
}

template <class Shape>
Result Pyloff<Shape>::result() const {
  const Score found = score();
  if (found.first == found.second) return Result::draw;
  return found.first > found.second ? Result::first_wins : Result::second_wins;
}

template <class Shape>
std::uint64_t Pyloff<Shape>::key() const {
  return board_.key() ^ mix(static_cast<std::uint64_t>(0x9A55E5 + 3 * (ply() % 2) + passes_));
}

template class pyloff::Board<SmallShape>;
template class pyloff::Board<MediumShape>;
template class pyloff::Board<LargeShape>;
template class Pyloff<SmallShape>;
template class Pyloff<MediumShape>;
template class Pyloff<LargeShape>;

}  // namespace purlieu
