// The planes of Pentwall.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "games/pentwall.h"
#include "nets/plane_writer.h"
#include "nets/planes.h"

namespace purlieu {

// The 63 ways to turn the pentominoes, and what follows for the placements. Made once.
struct PentwallTurns {
  static constexpr int kNumber = 63;
  struct Orientation {
    int letter;
    std::array<std::uint8_t, 5> squares;  // As bits of the sheet, from the lower left corner of the bounding box.
  };
  // In the order in which they first occur among the placements.
  std::array<Orientation, kNumber> orientations;
  // The place of each placement in the planes of moves.
  std::array<std::uint16_t, pentominoes::kPlacements> index;
  std::array<std::array<std::uint16_t, pentominoes::kPlacements>, 8> turned;

  static const PentwallTurns& get() {
    static const std::unique_ptr<const PentwallTurns> made = make();
    return *made;
  }

 private:
  static std::unique_ptr<const PentwallTurns> make() {
    using namespace pentominoes;
    const Tables& t = tables();
    auto made = std::make_unique<PentwallTurns>();
    std::map<std::array<std::uint8_t, 5>, int> numbers;
    std::map<Bits128, int> codes;
    for (int code = 0; code < kPlacements; ++code) {
      codes[t.mask[code]] = code;
      int row = kSide, column = kSide;
      for (int at : t.squares[code]) {
        row = std::min(row, at / kStride);
        column = std::min(column, at % kStride);
      }
      auto squares = t.squares[code];
      for (auto& at : squares) at = static_cast<std::uint8_t>(at - row * kStride - column);
      const auto [entry, is_new] = numbers.try_emplace(squares, static_cast<int>(numbers.size()));
      if (is_new) made->orientations[entry->second] = {t.letter[code], squares};
      made->index[code] = static_cast<std::uint16_t>((entry->second * kSide + row) * kSide + column);
    }
    assert(numbers.size() == kNumber);
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
      for (int code = 0; code < kPlacements; ++code) {
        Bits128 mask = pentomino_bit(t.letter[code]);
        for (int at : t.squares[code]) {
          int row = at / kStride, column = at % kStride;
          if (symmetry & 1) column = kSide - 1 - column;
          if (symmetry & 2) row = kSide - 1 - row;
          if (symmetry & 4) std::swap(row, column);
          mask |= bit<Bits128>(row * kStride + column);
        }
        made->turned[symmetry][code] = static_cast<std::uint16_t>(codes.at(mask));
      }
    }
    return made;
  }
};

template <>
struct Planes<Pentwall> {
  static constexpr int kInputs = 36;
  static constexpr std::array<Plane, kInputs> kPlanes = {{
      {"my paint", 1},
      {"their paint", 1},
      {"ones", 1},
      // For each pentomino: it is unused, everywhere; and some placement of it that fits covers this square.
      {"F unused", 1},
      {"I unused", 1},
      {"L unused", 1},
      {"N unused", 1},
      {"P unused", 1},
      {"T unused", 1},
      {"U unused", 1},
      {"V unused", 1},
      {"W unused", 1},
      {"X unused", 1},
      {"Y unused", 1},
      {"Z unused", 1},
      {"F covers", 1},
      {"I covers", 1},
      {"L covers", 1},
      {"N covers", 1},
      {"P covers", 1},
      {"T covers", 1},
      {"U covers", 1},
      {"V covers", 1},
      {"W covers", 1},
      {"X covers", 1},
      {"Y covers", 1},
      {"Z covers", 1},
      {"nothing covers", 1},
      // Of the square's territory, as it stands.
      {"my territory", 1},
      {"their territory", 1},
      {"size of territory", 1 / 100.0f},
      {"my squares touch territory", 1 / 24.0f},
      {"their squares touch territory", 1 / 24.0f},
      {"my score", 1 / 50.0f},
      {"their score", 1 / 50.0f},
      {"plies played", 1 / 12.0f},
  }};
  static constexpr int kPolicy = PentwallTurns::kNumber;
  static constexpr int kMaps = 2;  // Territory, and paint.

  static void write(const Pentwall& game, std::uint8_t* out) {
    const int me = game.to_move() == Seat::first ? 0 : 1;
    const Bits128 empty = pentominoes::tables().sheet & ~(game.painted(0) | game.painted(1));
    PlaneWriter planes(out, kSide);
    write_set(planes, game.painted(me));
    write_set(planes, game.painted(1 - me));
    planes.fill(1);

    Bits128 covered[12] = {}, by_any = 0;
    for (const auto& [letter, squares] : PentwallTurns::get().orientations) {
      if (!game.is_unused(letter)) continue;
      // The corners of bounding boxes. The eleventh column does not count as empty, so none reaches over the edge.
      Bits128 fits = ~Bits128{0};
      for (int at : squares) fits &= down(empty, at);
      for (int at : squares) covered[letter] |= up(fits, at);
    }
    for (int letter = 0; letter < 12; ++letter) planes.fill(game.is_unused(letter));
    for (const Bits128 squares : covered) {
      write_set(planes, squares);
      by_any |= squares;
    }
    write_set(planes, empty & ~by_any);

    struct Territory {
      Bits128 squares;
      int touching[2];
    };
    std::array<Territory, kSide * kSide> territories;
    int number = 0;
    Bits128 owned[2] = {0, 0};
    game.for_each_territory([&](Bits128 squares, int first, int second) {
      territories[number++] = {squares, {first, second}};
      if (first != second) owned[first < second] |= squares;
    });
    write_set(planes, owned[me]);
    write_set(planes, owned[1 - me]);
    std::uint8_t* size = planes.zeros();
    std::uint8_t* mine = planes.zeros();
    std::uint8_t* theirs = planes.zeros();
    for (int i = 0; i < number; ++i) {
      const auto& [squares, touching] = territories[i];
      const int squares_in = count(squares);
      for (Bits128 left = squares; left;) {
        const int cell = cell_of(pop_lowest(left));
        size[cell] = static_cast<std::uint8_t>(squares_in);
        mine[cell] = static_cast<std::uint8_t>(touching[me]);
        theirs[cell] = static_cast<std::uint8_t>(touching[1 - me]);
      }
    }
    planes.fill(count(owned[me]));
    planes.fill(count(owned[1 - me]));
    planes.fill(game.ply());
  }

  static int index(const Pentwall&, Move move) { return PentwallTurns::get().index[move.code()]; }

  static void owners(const Pentwall& game, Seat seat, std::uint8_t* out) {
    const int me = seat == Seat::first ? 0 : 1;
    std::fill_n(out, kMaps * kCells, std::uint8_t{0});
    const auto mark = [](std::uint8_t* map, Bits128 squares, bool mine) {
      while (squares) map[cell_of(pop_lowest(squares))] = mine ? 1 : 2;
    };
    game.for_each_territory([&](Bits128 squares, int first, int second) {
      if (first != second) mark(out, squares, (first < second) == me);
    });
    for (int colour = 0; colour < 2; ++colour) mark(out + kCells, game.painted(colour), colour == me);
  }

  static Move turned(const Pentwall&, Move move, int symmetry) {
    if (move.code() >= pentominoes::kPlacements) return move;
    return Move(PentwallTurns::get().turned[symmetry][move.code()]);
  }

 private:
  static constexpr int kSide = pentominoes::kSide, kStride = pentominoes::kStride, kCells = kSide * kSide;

  static constexpr int cell_of(int at) { return at - at / kStride; }
  // Shifts by less than 64, which the general ones cannot take for granted.
  static Bits128 down(Bits128 set, int by) {
    const auto low = static_cast<Bits64>(set), high = static_cast<Bits64>(set >> 64);
    return Bits128{high >> by} << 64 | (low >> by | high << 1 << (63 - by));
  }
  static Bits128 up(Bits128 set, int by) {
    const auto low = static_cast<Bits64>(set), high = static_cast<Bits64>(set >> 64);
    return Bits128{high << by | low >> 1 >> (63 - by)} << 64 | low << by;
  }
  static void write_set(PlaneWriter& planes, Bits128 set) {
    planes.bits([&](int row) { return static_cast<std::uint32_t>(set >> row * kStride) & 0x3FF; });
  }
};

}  // namespace purlieu
