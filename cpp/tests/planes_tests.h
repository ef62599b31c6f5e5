// What the tests of planes share, and what the planes of every game promise: planes of positions, places of moves and
// maps of owners, against what the rules say, in random games.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "games/game.h"
#include "nets/all_planes.h"
#include "nets/planes.h"
#include "tests/check.h"

namespace purlieu {

using Bytes = std::vector<std::uint8_t>;

template <Game G>
std::vector<Move> moves_of(const G& game) {
  auto list = std::make_unique<MoveList<G::kMostMoves>>();
  game.legal_moves(*list);
  return {list->begin(), list->end()};
}

template <Game G>
Bytes planes_of(const G& game, std::uint8_t before = 0xAA) {
  Bytes planes(Planes<G>::kInputs * game.size() * game.size(), before);
  Planes<G>::write(game, planes.data());
  return planes;
}

template <Game G>
Bytes owners_of(const G& game, Seat seat) {
  Bytes owners(Planes<G>::kMaps * game.size() * game.size(), 0xAA);
  Planes<G>::owners(game, seat, owners.data());
  return owners;
}

template <Game G>
int plane_called(std::string_view name) {
  for (int i = 0; i < Planes<G>::kInputs; ++i)
    if (Planes<G>::kPlanes[i].name == name) return i;
  CHECK(!"there is a plane of that name");
  return 0;
}

// A cell of a plane of a position, by the plane's name.
template <Game G>
int value_at(const G& game, const Bytes& planes, std::string_view name, int column, int row) {
  return planes[(plane_called<G>(name) * game.size() + row) * game.size() + column];
}

// The side of what a plane shows: a plane of Pyloff whose name ends in 1 shows a grid that is smaller by one.
inline int side_of(std::string_view name, int size) { return name.ends_with('1') ? size - 1 : size; }

// A plane has a direction if turning the board does not just turn the plane.
inline bool has_direction(std::string_view name) {
  return name.starts_with("connected") || name.starts_with("captures to");
}

// Where a cell of a square of that side goes.
inline int turned_cell(int column, int row, int side, int size, int symmetry) {
  if (symmetry & 1) column = side - 1 - column;
  if (symmetry & 2) row = side - 1 - row;
  if (symmetry & 4) std::swap(column, row);
  return row * size + column;
}

// The turns by 90 degrees undo each other, all others undo themselves.
inline int inverse(int symmetry) { return symmetry == 5 ? 6 : symmetry == 6 ? 5 : symmetry; }

// Every plane has its own name, and the net sees numbers of about 0 to 1.
template <Game G>
void names_and_scales() {
  std::set<std::string_view> names;
  for (const Plane& plane : Planes<G>::kPlanes) {
    CHECK(!plane.name.empty() && names.insert(plane.name).second);
    CHECK(plane.scale > 0 && plane.scale <= 1);
  }
}

template <Game G>
void every_byte_is_written(const G& game) {
  const Bytes planes = planes_of(game, 0xAA);
  CHECK(planes == planes_of(game, 0x55));
  const int cells = game.size() * game.size();
  for (int i = 0; i < Planes<G>::kInputs; ++i) {
    const auto plane = planes.begin() + i * cells;
    CHECK(*std::max_element(plane, plane + cells) * Planes<G>::kPlanes[i].scale <= 4);
  }
}

template <Game G>
void every_move_has_its_place(const G& game) {
  std::set<int> places;
  for (const Move move : moves_of(game)) {
    if (move == kPass) continue;
    const int place = Planes<G>::index(game, move);
    CHECK(0 <= place && place < Planes<G>::kPolicy * game.size() * game.size());
    CHECK(places.insert(place).second);
  }
}

template <Game G>
void turning_back_gives_the_move(const G& game) {
  for (const Move move : {kPass, kSwap})
    for (int symmetry = 0; symmetry < 8; ++symmetry) CHECK(Planes<G>::turned(game, move, symmetry) == move);
  for (const Move move : moves_of(game)) {
    CHECK(Planes<G>::turned(game, move, 0) == move);
    for (int symmetry = 0; symmetry < 8; ++symmetry)
      CHECK(Planes<G>::turned(game, Planes<G>::turned(game, move, symmetry), inverse(symmetry)) == move);
  }
}

// The legal moves, the planes and the maps of the turned game are those of the game, turned.
template <Game G>
void stay_in_step(const G& game, const G& turned, int symmetry) {
  const int size = game.size(), cells = size * size;
  CHECK(turned.is_over() == game.is_over() && turned.to_move() == game.to_move() && turned.score() == game.score());
  const std::vector<Move> moves = moves_of(game), turned_moves = moves_of(turned);
  std::set<int> codes;
  for (const Move move : moves) codes.insert(Planes<G>::turned(game, move, symmetry).code());
  CHECK(moves.size() == turned_moves.size() && codes.size() == moves.size());
  for (const Move move : turned_moves) CHECK(codes.contains(move.code()));

  const Bytes owners = owners_of(game, game.to_move()), turned_owners = owners_of(turned, game.to_move());
  for (int map = 0; map < Planes<G>::kMaps; ++map) {
    const int side = G::kName == "pyloff" ? size - map : size;
    for (int cell = 0; cell < side * side; ++cell) {
      const int column = cell % side, row = cell / side;
      CHECK(owners[map * cells + row * size + column] ==
            turned_owners[map * cells + turned_cell(column, row, side, size, symmetry)]);
    }
  }
  if (game.is_over()) return;
  const Bytes planes = planes_of(game), turned_planes = planes_of(turned);
  for (int i = 0; i < Planes<G>::kInputs; ++i) {
    const std::string_view name = Planes<G>::kPlanes[i].name;
    if (has_direction(name)) continue;
    const int side = side_of(name, size);
    int wrong = 0;
    for (int cell = 0; cell < side * side; ++cell) {
      const int column = cell % side, row = cell / side;
      wrong += planes[i * cells + row * size + column] !=
               turned_planes[i * cells + turned_cell(column, row, side, size, symmetry)];
    }
    for (int cell = 0; cell < cells; ++cell)
      if (std::max(cell % size, cell / size) >= side) wrong += planes[i * cells + cell] != 0;
    CHECK(wrong == 0);
  }
}

template <Game G>
std::vector<Move> random_game(int size, Random& random) {
  std::vector<Move> moves;
  G game = G::start(size);
  game.playout(random, [&](Seat, Move move) { moves.push_back(move); });
  return moves;
}

// Calls f(game) for every so-manyth position of random games, and for the last ones.
template <Game G, class F>
void in_random_games(int size, int games, int every, F&& f) {
  Random random(7);
  for (int i = 0; i < games; ++i) {
    G game = G::start(size);
    for (const Move move : random_game<G>(size, random)) {
      if (game.ply() % every == 0) f(game);
      game.play(move);
    }
    f(game);
  }
}

// A game and its turned games, played to the end.
template <Game G>
void turned_games(int size, int games, int every) {
  Random random(11);
  for (int i = 0; i < games; ++i) {
    G game = G::start(size);
    std::vector<G> turned(8, game);
    const auto compare = [&] {
      for (int symmetry = 0; symmetry < 8; ++symmetry) stay_in_step(game, turned[symmetry], symmetry);
    };
    for (const Move move : random_game<G>(size, random)) {
      if (game.ply() % every == 0) compare();
      for (int symmetry = 0; symmetry < 8; ++symmetry) {
        const Move turned_move = Planes<G>::turned(game, move, symmetry);
        const bool is_legal = turned[symmetry].is_legal(turned_move);
        CHECK(is_legal);
        if (!is_legal) return;
        turned[symmetry].play(turned_move);
      }
      game.play(move);
    }
    compare();
    for (const G& other : turned) CHECK(other.is_over() && other.result() == game.result());
  }
}

template <Game G>
void what_every_game_promises(int size, int games, int every) {
  names_and_scales<G>();
  turned_games<G>(size, games, every);
  in_random_games<G>(size, games, every, [](const G& game) {
    every_move_has_its_place(game);
    turning_back_gives_the_move(game);
    if (!game.is_over()) every_byte_is_written(game);
  });
}

}  // namespace purlieu
