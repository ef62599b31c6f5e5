#include "games/pyloff.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <type_traits>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "base/text.h"

namespace purlieu {
namespace pyloff {
namespace {

constexpr int kMostPlies = 100'000;            // What a text may claim.
constexpr std::size_t kLongestText = 200'000;  // Nothing longer is a position.
constexpr int kLargest = 19;

// A hash key for each marble: by its point's code and its colour.
constexpr auto kMarbleKeys = [] {
  std::array<std::array<std::uint64_t, 2>, points_in(kLargest)> keys{};
  std::uint64_t n = 0x9710FF;
  for (auto& point : keys)
    for (auto& key : point) key = mix(n++);
  return keys;
}();

// All columns of a full board but the last.
template <class Shape>
constexpr typename Shape::Set kNotLast = [] {
  typename Shape::Set result{};
  for (int line = 0; line < Shape::kStride * Shape::kStride; ++line)
    if (line % Shape::kStride != Shape::kStride - 1) result |= OneBit<typename Shape::Set>::of(line);
  return result;
}();

// The lines beside these on their own grid. Next to the last column lies the first, a row on. So either one column is
// always empty, as on grid 1, or the last is masked.
template <int Grid, class Shape, class Bits>
inline Bits beside(const Bits& lines) {
  const Bits vertical = lines << Shape::kStride | lines >> Shape::kStride;
  if constexpr (Grid == 1 || Shape::kStride > Shape::kLargest) return vertical | lines << 1 | lines >> 1;
  else return vertical | (lines & kNotLast<Shape>) << 1 | (lines >> 1 & kNotLast<Shape>);
}

// The lines of the other grid that touch at least one of these; where there is no line, anything.
template <int Grid, class Shape, class Bits>
inline Bits touching(const Bits& lines) {
  if constexpr (Grid == 0) {
    const Bits pairs = lines | lines >> 1;
    return pairs | pairs >> Shape::kStride;
  } else {
    const Bits pairs = lines | lines << 1;
    return pairs | pairs << Shape::kStride;
  }
}

// The lines of the other grid whose four touching lines are all among these.
template <int Grid, class Shape, class Bits>
inline Bits carried(const Bits& lines) {
  if constexpr (Grid == 0) {
    Bits pairs = lines & lines >> 1;
    if constexpr (Shape::kStride == Shape::kLargest) pairs &= kNotLast<Shape>;
    return pairs & pairs >> Shape::kStride;
  } else {
    const Bits pairs = lines & lines << 1;
    return pairs & pairs << Shape::kStride;
  }
}

// What put and take see of a set: all of it, or of a wide set what lies round one line. The farthest that they look are
// the points beside the points beside those that touch the line: three rows one way, and two the other.
template <class Shape, int Grid, class Set>
class View {
 public:
  using Window = typename Shape::Window;
  static constexpr bool kWhole = std::is_same_v<Window, typename Shape::Set>;

  View(Set& set, int line) : set_(set), line_(line) {}

  // The line itself.
  static Window at(int line) { return Window{1} << (kWhole ? line : kBefore); }

  operator Window() const {
    if constexpr (kWhole) return set_;
    else return load() >> shift();
  }
  void operator=(const Window& value) {
    if constexpr (kWhole) {
      set_ = value;
    } else {
      const Window before = load();
      const Window after = before ^ (value ^ before >> shift()) << shift();
      std::memcpy(bytes(), &after, sizeof after);
    }
  }
  void operator|=(const Window& value) { *this = *this | value; }
  void operator&=(const Window& value) { *this = *this & value; }

 private:
  static constexpr int kBefore = (Grid == 0 ? 3 : 2) * Shape::kStride + 1;
  static constexpr int kBehind = (Grid == 0 ? 2 : 3) * Shape::kStride + 1;
  static_assert(kWhole || (std::endian::native == std::endian::little && kBefore <= Shape::kFirst &&
                           kBefore + kBehind + 8 <= static_cast<int>(8 * sizeof(Window))));
  int shift() const { return (line_ - kBefore) % 8; }
  auto* bytes() const { return set_.bytes() + (line_ - kBefore) / 8; }
  Window load() const {
    Window value;
    std::memcpy(&value, bytes(), sizeof value);
    return value;
  }

  Set& set_;
  int line_;
};

// Takes from a view what is in `where`, and puts what is also in `what` back.
template <class View, class Window>
inline void assign(View to, const Window& where, const Window& what) {
  to = (to & ~where) | (where & what);
}

}  // namespace

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

template <class Shape>
bool Board<Shape>::check() const {
  const auto inside = [&](int column, int row, int at_level) {
    const int side = size_ - at_level;
    return at_level >= 0 && 0 <= column && column < side && 0 <= row && row < side;
  };
  const auto make = [](int column, int row, int at_level) { return point(at_level, column, row); };
  // 0 for none, 1 for black, 2 for white.
  const auto marble = [&](int column, int row, int at_level) {
    if (!inside(column, row, at_level) || !is_occupied(make(column, row, at_level))) return 0;
    return colour(make(column, row, at_level)) == Colour::black ? 1 : 2;
  };
  const auto rests = [&](int column, int row, int at_level) {
    if (at_level == 0) return true;
    return marble(column, row, at_level - 1) && marble(column + 1, row, at_level - 1) &&
           marble(column, row + 1, at_level - 1) && marble(column + 1, row + 1, at_level - 1);
  };
  const auto valid = [&](int column, int row, int at_level) {
    return inside(column, row, at_level) && !marble(column, row, at_level) && rests(column, row, at_level);
  };
  const auto unburied = [&](int column, int row, int at_level) {
    return marble(column, row, at_level) && !marble(column - 1, row - 1, at_level + 2);
  };

  Board found(size_);
  found.valid_ = {};
  struct Place {
    int column, row, level;
  };
  std::vector<Place> tops;
  for (int k = 0; k < size_; ++k) {
    Bits all{};
    for (int row = 0; row < size_ - k; ++row) {
      for (int column = 0; column < size_ - k; ++column) {
        const Point p = make(column, row, k);
        if (point(code(p)) != p) return false;
        const Bits at = OneBit<Bits>::of(p.line);
        all |= at;
        const int grid = p.grid();
        if (valid(column, row, k)) found.valid_[grid] |= at;
        if (valid(column, row, k) != is_valid(p)) return false;
        const int here = marble(column, row, k);
        if (!here) continue;
        if (!rests(column, row, k)) return false;
        found.key_ ^= kMarbleKeys[code(p)][here - 1];
        ++found.marbles_[here - 1];
        if (is_buried(p) == unburied(column, row, k)) return false;
        if (!unburied(column, row, k)) continue;
        tops.push_back({column, row, k});
        found.top_[here - 1][grid] |= at;
        if (valid(column - 1, row, k) || valid(column + 1, row, k) || valid(column, row - 1, k) ||
            valid(column, row + 1, k))
          found.free_[grid] |= at;
        if (marble(column, row, k + 1) || marble(column - 1, row, k + 1) || marble(column, row - 1, k + 1) ||
            marble(column - 1, row - 1, k + 1))
          found.covered_[grid] |= at;
        const int enemy = 3 - here;
        const auto is_friend = [&](int c, int r, int l) { return marble(c, r, l) == here && unburied(c, r, l); };
        const bool cut_right = marble(column, row, k + 1) == enemy && marble(column, row - 1, k + 1) == enemy;
        if (is_friend(column + 1, row, k) && !cut_right) found.right_[grid] |= at;
        const bool cut_up = marble(column, row, k + 1) == enemy && marble(column - 1, row, k + 1) == enemy;
        if (is_friend(column, row + 1, k) && !cut_up) found.up_[grid] |= at;
        for (int i = 0; i < 4; ++i) {
          const int right = i & 1, above = i >> 1;
          const bool below_it = is_friend(column + right, row + above, k - 1);
          const bool on_it = is_friend(column - 1 + right, row - 1 + above, k + 1);
          const int line = p.line + (right + grid - 1) + (above + grid - 1) * Shape::kStride;
          const bool beyond = line < 0 || line > point(0, size_ - 1, size_ - 1).line;
          if ((below_it || on_it) != (!beyond && has(top_[here - 1][1 - grid], line))) return false;
        }
      }
    }
    if (any(level(k) & ~all) || any(black_[k] & ~level(k))) return false;
  }
  for (int k = size_; k < kLevels + 2; ++k)
    if (any(level(k))) return false;
  if (found.top_ != top_ || found.valid_ != valid_ || found.free_ != free_ || found.covered_ != covered_ ||
      found.right_ != right_ || found.up_ != up_ || found.key_ != key_ || found.marbles_ != marbles_)
    return false;

  for (const Place& top : tops) {
    const Point p = make(top.column, top.row, top.level);
    const int mine = static_cast<int>(colour(p));
    Lines group{};
    group[p.grid()] = OneBit<Bits>::of(p.line);
    for (Lines grown; (grown = spread(group, mine)) != group;) group = grown;
    const bool suspect = any((group[0] & suspects_[mine][0]) | (group[1] & suspects_[mine][1]));
    if (!has_freedom(group, mine) && !suspect) return false;
  }
  return true;
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

// -- text -------------------------------------------------------------------------------------------------------------

template <class Shape>
std::string Pyloff<Shape>::board_text(const Board& board) {
  std::string text;
  int left = board.marbles();
  for (int level = 0; level < board.size() && (level == 0 || left); ++level) {
    if (level) text += ';';
    text += rows_text(board.size() - level, [&](int column, int row) -> std::string {
      const Point p = Board::point(level, column, row);
      if (!board.is_occupied(p)) return "";
      --left;
      return board.colour(p) == Colour::black ? "b" : "w";
    });
  }
  return text;
}

template <class Shape>
auto Pyloff<Shape>::read_board(std::string_view text) -> std::optional<Board> {
  std::optional<Board> board;
  int level = 0;
  for (std::string_view part : split(text, ';')) {
    const auto rows = read_rows(part, Shape::kLargest, [](std::string_view rest) -> std::size_t {
      return rest[0] == 'b' || rest[0] == 'w';
    });
    if (!rows) return std::nullopt;
    const int side = static_cast<int>(rows->size());
    if (!board) {
      if (!supports(side)) return std::nullopt;
      board.emplace(side);
    }
    if (side == 0 || side != board->size() - level) return std::nullopt;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const std::string_view token = (*rows)[side - 1 - row][column];
        if (token.empty()) continue;
        const Point p = Board::point(level, column, row);
        if (!board->is_valid(p)) return std::nullopt;
        board->set_up(p, token == "b" ? Colour::black : Colour::white);
      }
    }
    ++level;
  }
  return board;
}

template <class Shape>
std::string Pyloff<Shape>::text() const {
  std::string text(kName);
  text += ' ' + board_text(board_) + " ply=" + std::to_string(ply()) + " passes=" + std::to_string(passes_);
  if (history_.turns() == 0) return text;
  if (begun_from_) text += " from=" + *begun_from_;
  for (int turn = 1; turn <= history_.turns(); ++turn) {
    text += turn == 1 ? " moves=" : ",";
    text += move_text(history_.move(turn));
  }
  return text;
}

namespace {

// A whole number without leading zeros, from 0 to `most`.
std::optional<int> read_number(std::string_view text, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || text[0] < '0' || text[0] > '9' || (text[0] == '0' && text.size() > 1) || error != std::errc() ||
      end != text.data() + text.size() || number > most)
    return std::nullopt;
  return number;
}

}  // namespace

template <class Shape>
std::optional<Pyloff<Shape>> Pyloff<Shape>::parse(std::string_view text) {
  if (text.size() > kLongestText) return std::nullopt;
  const auto parts = split(text, ' ');
  if (parts.size() < 2 || parts[0] != kName) return std::nullopt;
  const auto board = read_board(parts[1]);
  if (!board) return std::nullopt;
  std::optional<int> ply, passes;
  std::optional<Board> begun_from;
  std::optional<std::vector<std::string_view>> moves;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view key = parts[i].substr(0, equals), value = parts[i].substr(equals + 1);
    if (key == "ply" && !ply) {
      if (!(ply = read_number(value, kMostPlies))) return std::nullopt;
    } else if (key == "passes" && !passes) {
      if (!(passes = read_number(value, 2))) return std::nullopt;
    } else if (key == "from" && !begun_from) {
      if (!(begun_from = read_board(value)) || begun_from->size() != board->size()) return std::nullopt;
    } else if (key == "moves" && !moves) {
      moves = split(value, ',');
    } else {
      return std::nullopt;
    }
  }
  const int turns = moves ? static_cast<int>(moves->size()) : 0;
  if (turns > ply.value_or(0)) return std::nullopt;
  if (!begun_from) begun_from = turns ? Board(board->size()) : *board;
  const bool only_passes =
      !moves || std::all_of(moves->begin(), moves->end(), [](std::string_view move) { return move == "pass"; });
  Pyloff position(*begun_from, ply.value_or(0) - turns, only_passes ? std::max(0, passes.value_or(0) - turns) : 0);
  for (int i = 0; i < turns; ++i) {
    const auto move = position.read_move((*moves)[i]);
    if (!move || !position.is_legal(*move)) return std::nullopt;
    position.play(*move);
  }
  if (position.passes_ != passes.value_or(0) || board_text(position.board_) != board_text(*board)) return std::nullopt;
  return position;
}

template <class Shape>
std::string Pyloff<Shape>::move_text(Move move) const {
  if (move == kPass) return "pass";
  const Point p = board_.point(move.code());
  const int shift = p.level / 2;
  std::string text = p.level ? std::to_string(p.level + 1) : std::string();
  const int line = p.line - Shape::kFirst;
  return text += square_name(line % Shape::kStride - shift, line / Shape::kStride - shift);
}

template <class Shape>
std::optional<Move> Pyloff<Shape>::read_move(std::string_view text) const {
  if (text == "pass") return kPass;
  if (text == "swap") return kSwap;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto level = digits ? read_number(text.substr(0, digits), size()) : 1;
  if (!level || *level < 1) return std::nullopt;
  text.remove_prefix(digits);
  const int side = size() - *level + 1;
  const auto square = take_square(text, side);
  if (!square || !text.empty()) return std::nullopt;
  return Move(static_cast<std::uint16_t>(board_.code(Board::point(*level - 1, square->column, square->row))));
}

template <class Shape>
bool Pyloff<Shape>::check() const {
  return board_.check() && history_.key() == board_.key() && history_.contains(board_.key(), board_.marbles()) &&
         0 <= passes_ && passes_ <= 2;
}

template class pyloff::Board<SmallShape>;
template class pyloff::Board<MediumShape>;
template class pyloff::Board<LargeShape>;
template class Pyloff<SmallShape>;
template class Pyloff<MediumShape>;
template class Pyloff<LargeShape>;

}  // namespace purlieu
