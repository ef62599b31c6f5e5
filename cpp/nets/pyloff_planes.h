// The planes of Pyloff. Cells are vertical lines: those of grid 0 fill the n×n cells, those of grid 1 all but the last
// row and column, which stay 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "games/pyloff.h"
#include "nets/plane_writer.h"
#include "nets/planes.h"

namespace purlieu {

// The same for boards of every shape, as one net plays on all.
inline constexpr std::array<Plane, 44> kPyloffPlanes = {{
    {"top mine 0", 1},
    {"top theirs 0", 1},
    {"below top mine 0", 1},
    {"below top theirs 0", 1},
    {"marbles 0", 1 / 4.0f},           // Of the line.
    {"points above 0", 1 / 4.0f},      // Empty points of the line.
    {"carries 0", 1},                  // A marble rests on the top.
    {"free 0", 1},                     // The top itself has freedom.
    {"no freedom 0", 1},               // Of the top's group: so many points give it freedom.
    {"one freedom 0", 1},
    {"two freedoms 0", 1},
    {"connected right 0", 1},
    {"connected up 0", 1},
    {"valid 0", 1},
    {"legal 0", 1},
    {"ko 0", 1},
    {"captures 0", 1 / 4.0f},          // Marbles that a play here lifts, at most 16, also where it is illegal.
    {"legal for them 0", 1},           // If they were to move.
    {"they capture 0", 1 / 4.0f},
    {"top mine 1", 1},
    {"top theirs 1", 1},
    {"below top mine 1", 1},
    {"below top theirs 1", 1},
    {"marbles 1", 1 / 4.0f},
    {"points above 1", 1 / 4.0f},
    {"carries 1", 1},
    {"free 1", 1},
    {"no freedom 1", 1},
    {"one freedom 1", 1},
    {"two freedoms 1", 1},
    {"connected right 1", 1},
    {"connected up 1", 1},
    {"valid 1", 1},
    {"legal 1", 1},
    {"ko 1", 1},
    {"captures 1", 1 / 4.0f},
    {"legal for them 1", 1},
    {"they capture 1", 1 / 4.0f},
    {"lines of grid 1", 1},
    {"ones", 1},
    {"my marbles", 1 / 255.0f},        // Of all points, as a share of 255.
    {"their marbles", 1 / 255.0f},
    {"all marbles", 1 / 255.0f},
    {"size", 1 / 19.0f},
}};

template <class Shape>
struct Planes<Pyloff<Shape>> {
  using G = Pyloff<Shape>;
  static constexpr int kInputs = static_cast<int>(kPyloffPlanes.size());
  static constexpr std::array<Plane, kInputs> kPlanes = kPyloffPlanes;
  static constexpr int kPolicy = 2;  // One for each grid.
  static constexpr int kMaps = 2;    // The top marbles of each grid.
  static constexpr int kMostCaptures = 16;

  static void write(const G& game, std::uint8_t* out) {
    const auto& board = game.board();
    const int n = board.size();
    const auto cells = static_cast<std::size_t>(n * n);
    const pyloff::Colour mine = colour_of(game.to_move()), theirs = colour_of(other(game.to_move()));

    Trials of_mine, of_theirs;
    try_all(game, mine, of_mine);
    try_all(game, theirs, of_theirs);
    const Lines below_mine = board.below_tops(mine), below_theirs = board.below_tops(theirs);
    const std::array<Lines, 3> short_of_freedom = board.short_of_freedom();

    PlaneWriter planes(out, n);
    for (int grid = 0; grid < 2; ++grid) {
      const auto write_lines = [&](const Lines& lines) {
        planes.bits([&](int row) { return row_of(lines[grid], row); });
      };
      write_lines(board.tops(mine));
      write_lines(board.tops(theirs));
      write_lines(below_mine);
      write_lines(below_theirs);
      const int levels = (n - grid + 1) / 2;
      planes.sums(levels, [&](int row, int i) { return row_of(board.marbles_of(grid + 2 * i), row); });
      planes.sums(levels, [&](int row, int i) {
        const int level = grid + 2 * i;
        return points_of(n, level, row) & ~row_of(board.marbles_of(level), row);
      });
      write_lines(board.covered_lines());
      write_lines(board.free_lines());
      for (const Lines& lines : short_of_freedom) write_lines(lines);
      write_lines(board.connected_right());
      write_lines(board.connected_up());
      write_lines(board.valid_lines());
      write_lines(of_mine.legal);
      write_lines(of_mine.ko);
      std::memcpy(planes.take(), of_mine.captures[grid], cells);
      write_lines(of_theirs.legal);
      std::memcpy(planes.take(), of_theirs.captures[grid], cells);
    }
    planes.bits([&](int row) { return points_of(n, 1, row); });
    planes.fill(1);
    const int points = pyloff::points_in(n);
    planes.fill(255 * board.marbles(mine) / points);
    planes.fill(255 * board.marbles(theirs) / points);
    planes.fill(255 * board.marbles() / points);
    planes.fill(n);
  }

  static int index(const G& game, Move move) {
    const pyloff::Point p = game.board().point(move.code());
    const int n = game.size();
    return p.grid() * n * n + cell_of(p.line, n);
  }

  static void owners(const G& game, Seat seat, std::uint8_t* out) {
    const int n = game.size();
    for (int grid = 0; grid < 2; ++grid) {
      const Bits mine = game.board().tops(colour_of(seat))[grid];
      const Bits theirs = game.board().tops(colour_of(other(seat)))[grid];
      for (int row = 0; row < n; ++row) {
        for (int column = 0; column < n; ++column) {
          const int line = pyloff::Board<Shape>::point(0, column, row).line;
          const bool is_line = std::max(row, column) < n - grid;
          *out++ = !is_line ? kNoCell : has(mine, line) ? 1 : has(theirs, line) ? 2 : 0;
        }
      }
    }
  }

  static Move turned(const G& game, Move move, int symmetry) {
    if (move == kPass || move == kSwap) return move;
    const pyloff::Point p = game.board().point(move.code());
    const int line = p.line - Shape::kFirst, last = game.size() - p.level - 1;
    int column = line % Shape::kStride - p.level / 2, row = line / Shape::kStride - p.level / 2;
    if (symmetry & 1) column = last - column;
    if (symmetry & 2) row = last - row;
    if (symmetry & 4) std::swap(row, column);
    return Move(static_cast<std::uint16_t>(game.board().code(pyloff::Board<Shape>::point(p.level, column, row))));
  }

 private:
  using Bits = typename pyloff::Board<Shape>::Bits;
  using Lines = typename pyloff::Board<Shape>::Lines;

  // What the plays of one colour on all valid points would do.
  struct Trials {
    Lines legal{}, ko{};
    std::uint8_t captures[2][Shape::kLargest * Shape::kLargest];
  };
  static void try_all(const G& game, pyloff::Colour colour, Trials& found) {
    const int n = game.size();
    for (auto& of_grid : found.captures) std::memset(of_grid, 0, static_cast<std::size_t>(n * n));
    game.for_each_valid(colour, [&](pyloff::Point p, int lifted, typename G::Verdict verdict) {
      const Bits at = OneBit<Bits>::of(p.line);
      if (verdict == G::Verdict::legal) found.legal[p.grid()] |= at;
      if (verdict == G::Verdict::ko) found.ko[p.grid()] |= at;
      found.captures[p.grid()][cell_of(p.line, n)] = static_cast<std::uint8_t>(std::min(lifted, kMostCaptures));
    });
  }

  static pyloff::Colour colour_of(Seat seat) {
    return seat == Seat::first ? pyloff::Colour::black : pyloff::Colour::white;
  }
  static int cell_of(int line, int n) {
    return (line - Shape::kFirst) / Shape::kStride * n + (line - Shape::kFirst) % Shape::kStride;
  }
  // A row of a set of lines, column by column from bit 0.
  static std::uint32_t row_of(const Bits& lines, int row) {
    constexpr std::uint32_t kRow = (std::uint32_t{1} << Shape::kStride) - 1;
    const int at = Shape::kFirst + row * Shape::kStride;
    if constexpr (requires { lines.bytes(); }) {
      std::uint32_t four;  // Bytes from the row's first on: at most seven bits before it, and all of it.
      std::memcpy(&four, lines.bytes() + at / 8, 4);
      return four >> at % 8 & kRow;
    } else {
      return static_cast<std::uint32_t>(lines >> at) & kRow;
    }
  }
  // The lines of a row that have a point of that level.
  static std::uint32_t points_of(int n, int level, int row) {
    const int first = level / 2, side = n - level;
    return first <= row && row < first + side ? ((std::uint32_t{1} << side) - 1) << first : 0;
  }
};

}  // namespace purlieu
