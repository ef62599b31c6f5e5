#include "games/pentwall_tables.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "base/random.h"

namespace purlieu::pentominoes {
namespace {

using Cell = std::pair<int, int>;  // Row, then column: sorting gives the order of purlieu.rules.
using Shape = std::vector<Cell>;

// Each pentomino as it is usually drawn, in the order of kLetters; rows from the top.
constexpr const char* kDrawn[12] = {".##/##./.#.",    "#####",       "#./#./#./##", ".#/##/#./#.", "##/##/#.",    "###/.#./.#.",
                                    "#.#/###",        "#../#../###", "#../##./.##", ".#./###/.#.", ".#/##/.#/.#", "##./.#./.##"};

Shape normal(Shape shape) {
  int bottom = shape[0].first, left = shape[0].second;
  for (auto [row, column] : shape) {
    bottom = std::min(bottom, row);
    left = std::min(left, column);
  }
  for (auto& [row, column] : shape) {
    row -= bottom;
    column -= left;
  }
  std::sort(shape.begin(), shape.end());
  return shape;
}

Shape drawn(const char* rows) {
  Shape shape;
  int row = 0, column = 0;
  for (; *rows; ++rows) {
    if (*rows == '/') {
      --row;
      column = 0;
      continue;
    }
    if (*rows == '#') shape.emplace_back(row, column);
    ++column;
  }
  return normal(shape);
}

std::set<Shape> orientations(Shape shape) {
  std::set<Shape> found;
  for (int flip = 0; flip < 2; ++flip) {
    for (int turn = 0; turn < 4; ++turn) {
      found.insert(shape);
      for (auto& [row, column] : shape) std::tie(row, column) = std::pair(-column, row);
      shape = normal(shape);
    }
    for (auto& cell : shape) cell.second = -cell.second;
    shape = normal(shape);
  }
  return found;
}

std::unique_ptr<const Tables> make() {
  auto made = std::make_unique<Tables>();
  Tables& t = *made;
  int next = 0;
  for (int letter = 0; letter < 12; ++letter) {
    t.first_of[letter] = next;
    std::vector<Shape> placements;
    for (const Shape& shape : orientations(drawn(kDrawn[letter]))) {
      for (int up = 0; up < kSide; ++up) {
        for (int across = 0; across < kSide; ++across) {
          Shape placed = shape;
          bool inside = true;
          for (auto& [row, column] : placed) {
            row += up;
            column += across;
            inside &= row < kSide && column < kSide;
          }
          if (inside) placements.push_back(placed);
        }
      }
    }
    std::sort(placements.begin(), placements.end());
    for (const Shape& placed : placements) {
      t.mask[next] = pentomino_bit(letter);
      for (std::size_t k = 0; auto [row, column] : placed) {
        t.mask[next] |= bit<Bits128>(row * kStride + column);
        t.squares[next][k++] = static_cast<std::uint8_t>(row * kStride + column);
      }
      const int i = next - t.first_of[letter];
      for (auto [row, column] : placed) t.covering[letter][row * kStride + column].add(i);
      t.all_of[letter].add(i);
      t.letter[next] = static_cast<std::uint8_t>(letter);
      for (int colour = 0; colour < 2; ++colour) t.key[colour][next] = mix(0x9E47000u + 2 * next + colour);
      ++next;
    }
  }
  t.first_of[12] = next;
  assert(next == kPlacements);
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) t.sheet |= bit<Bits128>(row * kStride + column);
  return made;
}

}  // namespace

const Tables& tables() {
  static const std::unique_ptr<const Tables> made = make();
  return *made;
}

}  // namespace purlieu::pentominoes
