// Patches and groups of Petrify's and Pilo's boards, and who owns them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "games/lines.h"

namespace purlieu {

// All of `within` that is connected to the set, which lies in it.
template <class Board>
typename Board::Bits flood(typename Board::Bits set, typename Board::Bits within) {
  for (;;) {
    const auto once = (set | Board::touching(set)) & within;
    const auto twice = (once | Board::touching(once)) & within;
    if (twice == set) return set;
    set = twice;
  }
}

// 1 if Blue owns the patch, -1 if Orange does, 0 if nobody. Pairs of a blue and an orange group of equal size are
// struck out, so the owner is who has more groups of the largest size at which the two numbers differ. Most often that
// is the size of the largest group of all: once one is larger than anything the enemy can still have, it is clear.
template <class Board>
int owner(typename Board::Bits blue, typename Board::Bits orange) {
  using Bits = typename Board::Bits;
  std::int8_t surplus[Board::kLargest * Board::kLargest + 1] = {};  // Of blue groups over orange ones, by size.
  const Bits lone[2] = {blue & ~Board::touching(blue), orange & ~Board::touching(orange)};
  surplus[1] = static_cast<std::int8_t>(popcount(lone[0]) - popcount(lone[1]));
  Bits left[2] = {blue & ~lone[0], orange & ~lone[1]};
  int squares_left[2] = {popcount(left[0]), popcount(left[1])}, largest[2] = {lone[0] != 0, lone[1] != 0};
  while (left[0] | left[1]) {
    const int ahead = largest[0] < largest[1], behind = 1 - ahead;
    if (largest[ahead] > std::max(largest[behind], squares_left[behind])) return ahead == 0 ? 1 : -1;
    const int colour = left[behind] ? behind : ahead;
    const Bits group = flood<Board>(left[colour] & -left[colour], left[colour]);
    const int size = popcount(group);
    left[colour] &= ~group;
    squares_left[colour] -= size;
    largest[colour] = std::max(largest[colour], size);
    surplus[size] = static_cast<std::int8_t>(surplus[size] + (colour == 0 ? 1 : -1));
  }
  for (int size = std::max(largest[0], largest[1]); size > 0; --size)
    if (surplus[size]) return surplus[size] > 0 ? 1 : -1;
  return 0;
}

}  // namespace purlieu
