// Whether all that a board keeps beside its marbles is as the rules define it: for tests.
#include <vector>

#include "games/pyloff.h"
#include "games/pyloff_bits.h"

namespace purlieu {
namespace pyloff {

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

template bool Board<SmallShape>::check() const;
template bool Board<MediumShape>::check() const;
template bool Board<LargeShape>::check() const;

}  // namespace pyloff

using namespace pyloff;

template <class Shape>
bool Pyloff<Shape>::check() const {
  return board_.check() && history_.key() == board_.key() && history_.contains(board_.key(), board_.marbles()) &&
         0 <= passes_ && passes_ <= 2;
}

template bool Pyloff<SmallShape>::check() const;
template bool Pyloff<MediumShape>::check() const;
template bool Pyloff<LargeShape>::check() const;

}  // namespace purlieu
