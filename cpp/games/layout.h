// The two ways in which the boards of Petrify and Pilo stand in the bits of a word.
#pragma once

#include <array>

#include "base/bits.h"

namespace purlieu {

// The eight directions, clockwise from north.
inline constexpr int kNorth = 0, kNorthEast = 1, kEast = 2, kSouthEast = 3, kSouth = 4, kSouthWest = 5, kWest = 6,
                     kNorthWest = 7;
inline constexpr int kAcross[8] = {0, 1, 1, 1, 0, -1, -1, -1};
inline constexpr int kUp[8] = {1, 1, 0, -1, -1, -1, 0, 1};

// What follows from where the squares stand: a board is the lower left corner of the largest one of its layout, and
// square (column, row), both from 0, is bit row * kStride + column.
template <class BitsType, int Stride, int Smallest, int Largest>
struct Layout {
  using Bits = BitsType;
  static constexpr int kStride = Stride;
  static constexpr int kSmallest = Smallest, kLargest = Largest;  // Sides of boards.
  static constexpr int kIndices = Stride * Largest;               // Every square's index is below this.

  static constexpr bool supports(int size) { return Smallest <= size && size <= Largest; }
  static constexpr int index(int column, int row) { return row * Stride + column; }
  static constexpr int column(int index) { return index % Stride; }
  static constexpr int row(int index) { return index / Stride; }

  // The squares of a board of that side.
  static constexpr Bits board(int size) { return kBoards[static_cast<std::size_t>(size - Smallest)]; }
  static constexpr Bits left_edge(int size) { return board(size) & kLeftEdge; }
  static constexpr Bits right_edge(int size) { return left_edge(size) << (size - 1); }
  static constexpr Bits bottom_edge(int size) { return (Bits{1} << size) - 1; }
  static constexpr Bits top_edge(int size) { return bottom_edge(size) << (size - 1) * Stride; }

  // The set moved by that many steps in a direction, as bits: what leaves the board may come in elsewhere.
  static constexpr Bits shift(Bits set, int direction, int steps = 1) {
    const int by = (kUp[direction] * Stride + kAcross[direction]) * steps;
    return by > 0 ? set << by : set >> -by;
  }
  // The set moved by one step: no square comes in elsewhere on the board, but what leaves it may stand beside it.
  static constexpr Bits step(Bits set, int direction) {
    if constexpr (Stride > Largest) return shift(set, direction);
    else return shift(set, direction) & kArrivals[static_cast<std::size_t>(direction)];
  }
  // Every square one step from the set by an edge; as with step(), some may stand beside the board.
  static constexpr Bits touching(Bits set) {
    return step(set, kNorth) | step(set, kEast) | step(set, kSouth) | step(set, kWest);
  }

  // The squares of `targets`, and those from which one of them is the first thing in that direction that does not
  // stand on a passable square. In doubling steps: the run of passable squares behind each target.
  template <int Direction>
  static constexpr Bits sees(Bits targets, Bits passable) {
    constexpr int kBack = (Direction + 4) % 8;
    const Bits one = passable & kArrivals[kBack];
    targets |= one & shift(targets, kBack, 1);
    const Bits two = one & shift(one, kBack, 1);
    targets |= two & shift(targets, kBack, 2);
    const Bits four = two & shift(two, kBack, 2);
    targets |= four & shift(targets, kBack, 4);
    if constexpr (Largest > 8) targets |= two & shift(targets, kBack, 2);
    return targets;
  }

 private:
  static constexpr auto kBoards = [] {
    std::array<Bits, Largest - Smallest + 1> boards{};
    for (int size = Smallest; size <= Largest; ++size)
      for (int i = 0; i < size * size; ++i)
        boards[static_cast<std::size_t>(size - Smallest)] |= Bits{1} << index(i % size, i / size);
    return boards;
  }();
  static constexpr Bits kLeftEdge = kBoards.back() / ((Bits{1} << Largest) - 1);
  // The squares of the largest board that a step in each direction can end on.
  static constexpr auto kArrivals = [] {
    std::array<Bits, 8> arrivals{};
    for (std::size_t direction = 0; direction < 8; ++direction)
      for (int i = 0; i < Largest * Largest; ++i) {
        const int column = i % Largest + kAcross[direction], row = i / Largest + kUp[direction];
        if (0 <= column && column < Largest && 0 <= row && row < Largest)
          arrivals[direction] |= Bits{1} << index(column, row);
      }
    return arrivals;
  }();
  static_assert(Largest <= 10, "sees() looks nine squares far");
};

// Sides 3 to 8: eight columns fill a word, so shifts must be masked.
using SmallBoard = Layout<Bits64, 8, 3, 8>;
// Sides 9 and 10: an eleventh column is always empty and stops every shift.
using LargeBoard = Layout<Bits128, 11, 9, 10>;

}  // namespace purlieu
