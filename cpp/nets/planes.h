// How a net sees a position, and which of its outputs stands for which move.
//
// Planes<G> is specialised for each game and has:
//   kInputs, kPlanes      the planes of a position: their number, and what each is called and scaled by;
//   kPolicy               the planes of moves;
//   kMaps                 the maps of who owns what;
//   write(game, out)      the planes, kInputs × n × n bytes, all of them. Precondition: the game is not over;
//   index(game, move)     which output stands for a move that is neither pass nor swap: plane × n² + row × n + column,
//                         different for different legal moves;
//   owners(game, seat, out)  kMaps × n × n: who owns each cell as the board stands: 0 nobody, 1 that seat, 2 the other
//                         seat, kNoCell where there is no such cell;
//   turned(game, move, symmetry)  the same move on the board turned by one of the eight symmetries of the square; bit 0
//                         mirrors the columns, bit 1 the rows, bit 2 then exchanges columns and rows.
//
// All is seen by the side to move. Rows and columns count from the lower left corner. Values are whole numbers from 0
// to 255, so that they travel in bytes; a net multiplies each plane by its scale.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace purlieu {

struct Plane {
  std::string_view name;
  float scale;
};

inline constexpr std::uint8_t kNoCell = 255;
inline constexpr int kSymmetries = 8;

template <class G>
struct Planes;

// Where a symmetry takes a cell of a board of that side.
constexpr std::pair<int, int> turned_cell(int column, int row, int side, int symmetry) {
  if (symmetry & 1) column = side - 1 - column;
  if (symmetry & 2) row = side - 1 - row;
  return symmetry & 4 ? std::pair(row, column) : std::pair(column, row);
}

}  // namespace purlieu
