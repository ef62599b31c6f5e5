// Planes of Pentwall.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/planes_tests.h"

namespace purlieu {
namespace {

// The squares of a placement, as cells.
std::set<int> cells_of(Move move) {
  std::set<int> cells;
  for (const int at : pentominoes::tables().squares[move.code()])
    cells.insert(at / pentominoes::kStride * 10 + at % pentominoes::kStride);
  return cells;
}

// A move stands at the lower left corner of its bounding box, on a plane that is its orientation's alone.
void orientations_of_pentwall() {
  const Pentwall game = Pentwall::start(10);
  std::vector<std::set<std::set<int>>> shapes(Planes<Pentwall>::kPolicy);
  for (const Move move : moves_of(game)) {
    const std::set<int> cells = cells_of(move);
    int row = 10, column = 10;
    for (const int cell : cells) {
      row = std::min(row, cell / 10);
      column = std::min(column, cell % 10);
    }
    const int place = Planes<Pentwall>::index(game, move);
    CHECK(place % 100 == row * 10 + column);
    std::set<int> shape;
    for (const int cell : cells) shape.insert(cell - row * 10 - column);
    shapes[place / 100].insert(shape);
  }
  for (const auto& of_plane : shapes) CHECK(of_plane.size() == 1);
}

void planes_of_pentwall(const Pentwall& game) {
  // Who owns what, from the side of each seat.
  const Score score = game.score();
  for (const Seat seat : {Seat::first, Seat::second}) {
    const Bytes owners = owners_of(game, seat);
    int territory[3] = {}, paint[3] = {};
    for (int cell = 0; cell < 100; ++cell) {
      CHECK(owners[cell] <= 2 && owners[100 + cell] <= 2 && !(owners[cell] && owners[100 + cell]));
      ++territory[owners[cell]];
      ++paint[owners[100 + cell]];
    }
    const bool first = seat == Seat::first;
    CHECK(territory[1] == (first ? score.first : score.second) && territory[2] == (first ? score.second : score.first));
    CHECK(paint[first ? 1 : 2] == (game.ply() + 1) / 2 * 5 && paint[first ? 2 : 1] == game.ply() / 2 * 5);
  }
  if (game.is_over()) return;

  const Bytes planes = planes_of(game), owners = owners_of(game, game.to_move());
  std::set<int> covered[12];
  for (const Move move : moves_of(game)) covered[pentominoes::tables().letter[move.code()]].merge(cells_of(move));
  const std::string text = game.text().substr(9);
  const bool first = game.to_move() == Seat::first;
  for (int row = 0; row < 10; ++row) {
    for (int column = 0; column < 10; ++column) {
      const auto value = [&](std::string_view name) { return value_at(game, planes, name, column, row); };
      const int cell = row * 10 + column;
      const bool painted = owners[100 + cell];
      bool any_covers = false;
      for (int letter = 0; letter < 12; ++letter) {
        const std::string name(1, pentominoes::kLetters[letter]);
        const bool used = text.find(name) != text.npos || text.find(static_cast<char>(name[0] + 32)) != text.npos;
        CHECK(value(name + " unused") == !used);
        CHECK(value(name + " covers") == covered[letter].contains(cell));
        any_covers |= covered[letter].contains(cell);
      }
      CHECK(value("nothing covers") == (!painted && !any_covers));
      CHECK(value("my paint") == (owners[100 + cell] == 1) && value("their paint") == (owners[100 + cell] == 2));
      CHECK(value("my territory") == (owners[cell] == 1) && value("their territory") == (owners[cell] == 2));
      CHECK((value("size of territory") > 0) == !painted);
      const int mine = value("my squares touch territory"), theirs = value("their squares touch territory");
      CHECK((mine > theirs) == (owners[cell] == 1) && (mine < theirs) == (owners[cell] == 2));
      CHECK(value("my score") == (first ? score.first : score.second));
      CHECK(value("their score") == (first ? score.second : score.first));
      CHECK(value("plies played") == game.ply() && value("ones") == 1);
    }
  }
}

// A sheet whose territories can be counted by hand: W leaves a1 alone, which nothing can cover.
void a_drawn_sheet() {
  const auto game = Pentwall::parse("pentwall 10/10/10/10/10/10/10/W9/WW8/1WW7");
  CHECK(game.has_value());
  if (!game) return;
  const Bytes planes = planes_of(*game);
  const auto value = [&](std::string_view name, int column, int row) {
    return value_at(*game, planes, name, column, row);
  };
  CHECK(value("size of territory", 0, 0) == 1 && value("size of territory", 9, 9) == 94);
  CHECK(value("their squares touch territory", 0, 0) == 2 && value("my squares touch territory", 0, 0) == 0);
  CHECK(value("their squares touch territory", 9, 9) == 3);
  CHECK(value("nothing covers", 0, 0) == 1 && value("nothing covers", 9, 9) == 0);
  CHECK(value("their paint", 1, 0) == 1 && value("their territory", 0, 0) == 1 && value("their score", 5, 5) == 95);
}

}  // namespace

void pentwall_planes_tests() {
  what_every_game_promises<Pentwall>(10, 5, 1);
  in_random_games<Pentwall>(10, 10, 1, planes_of_pentwall);
  orientations_of_pentwall();
  a_drawn_sheet();
}

}  // namespace purlieu
