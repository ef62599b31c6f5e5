// Planes of positions, places of moves and maps of owners, against what the rules say, in random games.
#include "nets/planes.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/game.h"
#include "nets/all_planes.h"
#include "tests/check.h"

namespace purlieu {
namespace {

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
int side_of(std::string_view name, int size) { return name.ends_with('1') ? size - 1 : size; }

// A plane has a direction if turning the board does not just turn the plane.
bool has_direction(std::string_view name) {
  return name.starts_with("connected") || name.starts_with("captures to");
}

// Where a cell of a square of that side goes.
int turned_cell(int column, int row, int side, int size, int symmetry) {
  if (symmetry & 1) column = side - 1 - column;
  if (symmetry & 2) row = side - 1 - row;
  if (symmetry & 4) std::swap(column, row);
  return row * size + column;
}

// The turns by 90 degrees undo each other, all others undo themselves.
int inverse(int symmetry) { return symmetry == 5 ? 6 : symmetry == 6 ? 5 : symmetry; }

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

// -- Pentwall ---------------------------------------------------------------------------------------------------------

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

// -- Pyloff -----------------------------------------------------------------------------------------------------------

// The colour of a line's marble so many below its top, from one side: 0 for none, 1 mine, 2 theirs.
template <class G>
int marble_below(const G& game, Seat seat, int grid, int column, int row, int below) {
  const auto& board = game.board();
  const int line = G::Board::point(0, column, row).line;
  const int level = board.next_level(grid, line) - 2 - 2 * below;
  if (level < 0) return 0;
  const bool black = board.colour({static_cast<std::uint16_t>(level), static_cast<std::uint16_t>(line)}) ==
                     pyloff::Colour::black;
  return black == (seat == Seat::first) ? 1 : 2;
}

template <class G>
void planes_of_pyloff(const G& game) {
  const int n = game.size();
  for (const Seat seat : {Seat::first, Seat::second}) {
    const Bytes owners = owners_of(game, seat);
    for (int i = 0; i < 2 * n * n; ++i) {
      const int grid = i / (n * n), row = i / n % n, column = i % n;
      const bool is_line = std::max(row, column) < n - grid;
      CHECK(owners[i] == (is_line ? marble_below(game, seat, grid, column, row, 0) : 255));
    }
  }
  if (game.is_over()) return;

  const Bytes planes = planes_of(game);
  const Seat seat = game.to_move();
  const auto& board = game.board();
  std::set<int> legal;
  for (const Move move : moves_of(game))
    if (move != kPass) legal.insert(Planes<G>::index(game, move));
  int marbles = 0, points = 0;
  for (int grid = 0; grid < 2; ++grid) {
    const std::string suffix = grid ? " 1" : " 0";
    for (int row = 0; row < n - grid; ++row) {
      for (int column = 0; column < n - grid; ++column) {
        const auto value = [&](const char* name) { return value_at(game, planes, name + suffix, column, row); };
        const int line = G::Board::point(0, column, row).line;
        const pyloff::Point next{static_cast<std::uint16_t>(board.next_level(grid, line)),
                                 static_cast<std::uint16_t>(line)};
        const int top = marble_below(game, seat, grid, column, row, 0);
        const int below = marble_below(game, seat, grid, column, row, 1);
        CHECK(value("top mine") == (top == 1) && value("top theirs") == (top == 2));
        CHECK(value("below top mine") == (below == 1) && value("below top theirs") == (below == 2));
        CHECK(value("marbles") == (next.level - grid) / 2);
        marbles += value("marbles");
        points += value("marbles") + value("points above");
        CHECK(value("valid") == has(board.valid_lines()[grid], line));
        CHECK(value("legal") == legal.contains((grid * n + row) * n + column));
        CHECK(value("legal") + value("ko") <= value("valid") && value("legal for them") <= value("valid"));
        CHECK(value("captures") == 0 || value("valid"));
        CHECK(value("connected right") == has(board.connected_right()[grid], line));
        CHECK(value("connected up") == has(board.connected_up()[grid], line));
        CHECK(value("no freedom") + value("one freedom") + value("two freedoms") <= (top != 0));
        CHECK(!(value("free") && value("no freedom")));
        CHECK(!(value("carries") && !top));
        if (!value("legal")) continue;
        G after = game;
        after.play(Move(static_cast<std::uint16_t>(board.code(next))));
        CHECK(value("captures") == std::min(board.marbles() + 1 - after.board().marbles(), 16));
      }
    }
  }
  CHECK(marbles == board.marbles() && points == pyloff::points_in(n));
  const auto everywhere = [&](std::string_view name) { return value_at(game, planes, name, n - 1, n - 1); };
  const Score score = game.score();
  CHECK(everywhere("my marbles") == 255 * (seat == Seat::first ? score.first : score.second) / points);
  CHECK(everywhere("their marbles") == 255 * (seat == Seat::first ? score.second : score.first) / points);
  CHECK(everywhere("all marbles") == 255 * marbles / points);
  CHECK(everywhere("size") == n && everywhere("ones") == 1 && everywhere("lines of grid 1") == 0);
}

// The planes of freedom, marble by marble as the rules define it.
template <class G>
void freedoms_of_pyloff(const G& game) {
  using Board = typename G::Board;
  using Cell = std::array<int, 3>;  // Level, column and row.
  const Board& board = game.board();
  const int n = game.size();
  const auto inside = [&](const Cell& c) {
    return 0 <= c[0] && c[0] < n && std::min(c[1], c[2]) >= 0 && std::max(c[1], c[2]) < n - c[0];
  };
  const auto point = [](const Cell& c) { return Board::point(c[0], c[1], c[2]); };
  const auto is_top = [&](const Cell& c) {
    return inside(c) && board.is_occupied(point(c)) && !board.is_buried(point(c));
  };
  const auto is = [&](const Cell& c, pyloff::Colour colour) {
    return inside(c) && board.is_occupied(point(c)) && board.colour(point(c)) == colour;
  };
  const Bytes planes = planes_of(game);
  std::set<Cell> seen;
  for (int level = 0; level < n; ++level) {
    for (int i = 0; i < (n - level) * (n - level); ++i) {
      const Cell start = {level, i % (n - level), i / (n - level)};
      if (!is_top(start) || seen.contains(start)) continue;
      const pyloff::Colour mine = board.colour(point(start));
      const pyloff::Colour enemy = mine == pyloff::Colour::black ? pyloff::Colour::white : pyloff::Colour::black;
      std::vector<Cell> group = {start};
      seen.insert(start);
      std::set<Cell> freedoms, free;
      const auto join = [&](const Cell& c) {
        if (is_top(c) && is(c, mine) && seen.insert(c).second) group.push_back(c);
      };
      for (std::size_t at = 0; at < group.size(); ++at) {
        const auto [k, x, y] = group[at];
        for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 1), std::pair(0, -1)}) {
          const Cell next = {k, x + dx, y + dy};
          if (inside(next) && board.is_valid(point(next))) {
            freedoms.insert(next);
            free.insert(group[at]);
          }
          // The two points above that rest on both.
          const Cell one = {k + 1, std::min(x, x + dx), std::min(y, y + dy)};
          const Cell two = {k + 1, one[1] - (dy != 0), one[2] - (dx != 0)};
          if (!is(one, enemy) || !is(two, enemy)) join(next);
        }
        for (int d = 0; d < 4; ++d) {
          join({k - 1, x + d % 2, y + d / 2});
          join({k + 1, x - d % 2, y - d / 2});
        }
      }
      for (const Cell& c : group) {
        const std::string suffix = c[0] % 2 ? " 1" : " 0";
        const auto value = [&](const char* name) {
          return value_at(game, planes, name + suffix, c[1] + c[0] / 2, c[2] + c[0] / 2);
        };
        CHECK(value("no freedom") == (freedoms.size() == 0) && value("one freedom") == (freedoms.size() == 1));
        CHECK(value("two freedoms") == (freedoms.size() == 2) && value("free") == free.contains(c));
      }
    }
  }
}

// Drawn boards: groups by their freedoms, connections and cuts, ko and suicide.
void drawn_pyramids() {
  const auto value = [](const char* text, const char* name, int column, int row) {
    const auto game = PyloffSmall::parse(text);
    CHECK(game.has_value());
    return game ? value_at(*game, planes_of(*game), name, column, row) : -1;
  };
  // Points that give groups freedom; the group of a1 and b1 has b2 and c1.
  const char* corner = "pyloff 3/w2/bw1 ply=3";
  CHECK(value(corner, "no freedom 0", 0, 0) == 1 && value(corner, "top theirs 0", 0, 0) == 1);
  CHECK(value(corner, "two freedoms 0", 0, 1) == 1 && value(corner, "two freedoms 0", 1, 0) == 1);
  CHECK(value(corner, "free 0", 0, 0) == 0 && value(corner, "free 0", 1, 0) == 1);
  const char* pair = "pyloff 3/w2/bb1 ply=3";
  CHECK(value(pair, "two freedoms 0", 0, 0) == 1 && value(pair, "two freedoms 0", 1, 0) == 1);
  CHECK(value(pair, "connected right 0", 0, 0) == 1 && value(pair, "connected up 0", 0, 0) == 0);
  const char* atari = "pyloff 3/w2/b2 ply=3";
  CHECK(value(atari, "one freedom 0", 0, 0) == 1 && value(atari, "captures 0", 1, 0) == 1);
  CHECK(value(atari, "they capture 0", 1, 0) == 0 && value(atari, "legal for them 0", 1, 0) == 1);
  // A point where only the other side may play.
  const char* eye = "pyloff 3/w2/1w1 ply=2";
  CHECK(value(eye, "valid 0", 0, 0) == 1 && value(eye, "legal 0", 0, 0) == 0 && value(eye, "ko 0", 0, 0) == 0);
  CHECK(value(eye, "legal for them 0", 0, 0) == 1);
  const char* ko = "pyloff bw1/1b1/b2 ply=5 passes=0 moves=a1,a2,b2,b3,a3";
  CHECK(value(ko, "valid 0", 0, 1) == 1 && value(ko, "legal 0", 0, 1) == 0 && value(ko, "ko 0", 0, 1) == 1);
  CHECK(value(ko, "captures 0", 0, 1) == 1);
  // A marble on four others, and the points above each line of the empty pyramid.
  const char* tower = "pyloff 3/bb1/bw1;2/w1 ply=6";
  CHECK(value(tower, "carries 0", 0, 0) == 1 && value(tower, "carries 1", 0, 0) == 0);
  CHECK(value(tower, "top theirs 1", 0, 0) + value(tower, "top mine 1", 0, 0) == 1);
  CHECK(value(tower, "points above 0", 1, 1) == 1 && value(tower, "points above 0", 2, 2) == 1);
  CHECK(value(tower, "points above 1", 0, 0) == 0 && value(tower, "points above 1", 1, 1) == 1);
}

template <class G>
void pyloff_planes(int size, int games, int every) {
  what_every_game_promises<G>(size, games, every);
  in_random_games<G>(size, games, every, [](const G& game) {
    planes_of_pyloff(game);
    if (!game.is_over()) freedoms_of_pyloff(game);
  });
}

// Petrify and Pilo: captures by direction, prey, sizes of groups and patches, and the score as the owners' map has it.
template <class G>
void planes_of_blocks(const G& game) {
  const int n = game.size();
  for (const Seat seat : {Seat::first, Seat::second}) {
    const Bytes owners = owners_of(game, seat);
    const Score score = game.score();
    const bool blue = seat == game.first_colour();
    CHECK(std::count(owners.begin(), owners.end(), 1) == (blue ? score.first : score.second));
    CHECK(std::count(owners.begin(), owners.end(), 2) == (blue ? score.second : score.first));
  }
  if (game.is_over()) return;
  const Bytes planes = planes_of(game);
  const auto sum = [&](std::string_view name) {
    const auto plane = planes.begin() + plane_called<G>(name) * n * n;
    int total = 0;
    for (int i = 0; i < n * n; ++i) total += plane[i];
    return total;
  };
  int captures = 0, placements = 0;
  std::set<std::string> prey;
  for (const Move move : moves_of(game)) {
    if (move == kPass || move == kSwap) continue;
    const std::string text = game.move_text(move);
    const auto x = text.find('x');
    if (x == text.npos) {
      ++placements;
      continue;
    }
    ++captures;
    prey.insert(text.substr(x + 1));
    CHECK(planes[static_cast<std::size_t>(plane_called<G>("captures to the north") * n * n +
                                          Planes<G>::index(game, move) - n * n)] == 1);
  }
  int by_direction = 0;
  for (const Plane& plane : Planes<G>::kPlanes)
    if (plane.name.starts_with("captures to")) by_direction += sum(plane.name);
  CHECK(by_direction == captures);
  CHECK(sum("theirs that I may capture") == static_cast<int>(prey.size()));
  CHECK(sum("empty squares") == placements * n * n);
  const bool blue = game.to_move() == game.first_colour();
  const Score score = game.score();
  CHECK(sum("my score") == (blue ? score.first : score.second) * n * n);
  CHECK(sum("patches that would be mine") == (blue ? score.first : score.second));
  CHECK(sum("patches that would be theirs") == (blue ? score.second : score.first));
}

// What the other side could capture is what it captures if it were to move: after a pass of ours, say.
void a_drawn_board() {
  const auto value = [](const char* text, const char* name, int column, int row) {
    const auto game = PetrifySmall::parse(text);
    CHECK(game.has_value());
    return game ? value_at(*game, planes_of(*game), name, column, row) : -1;
  };
  const char* rows = "petrify 5/5/1o3/5/1b1b1 ply=4 blue=first passes=0 last=second";
  CHECK(value(rows, "mine", 1, 0) == 1 && value(rows, "theirs", 1, 2) == 1);
  CHECK(value(rows, "mine that they may capture", 1, 0) == 1 && value(rows, "mine that they may capture", 3, 0) == 1);
  CHECK(value(rows, "theirs that I may capture", 1, 2) == 1);
  CHECK(value(rows, "captures to the north", 1, 0) == 1 && value(rows, "captures to the north-west", 3, 0) == 1);
  CHECK(value(rows, "their lines to it", 1, 1) == 1 && value(rows, "my lines to it", 1, 1) == 1);
  CHECK(value(rows, "size of the patch", 0, 0) == 25 && value(rows, "size of my group", 1, 0) == 1);
  CHECK(value(rows, "I made the last board play", 0, 0) == 0);
}

}  // namespace

void planes_tests() {
  a_drawn_board();
  for (int size : {3, 4, 5, 6, 8}) {
    what_every_game_promises<PetrifySmall>(size, 3, 2);
    in_random_games<PetrifySmall>(size, 4, 1, planes_of_blocks<PetrifySmall>);
    what_every_game_promises<PiloSmall>(size, 3, 2);
    in_random_games<PiloSmall>(size, 4, 1, planes_of_blocks<PiloSmall>);
  }
  for (int size : {9, 10}) {
    what_every_game_promises<PetrifyLarge>(size, 1, 9);
    in_random_games<PetrifyLarge>(size, 1, 1, planes_of_blocks<PetrifyLarge>);
    what_every_game_promises<PiloLarge>(size, 1, 9);
    in_random_games<PiloLarge>(size, 1, 1, planes_of_blocks<PiloLarge>);
  }
  what_every_game_promises<Pentwall>(10, 5, 1);
  in_random_games<Pentwall>(10, 10, 1, planes_of_pentwall);
  orientations_of_pentwall();
  a_drawn_sheet();

  drawn_pyramids();
  for (int size = 3; size <= 5; ++size) pyloff_planes<PyloffSmall>(size, 4, 1);
  for (int size = 6; size <= 8; ++size) pyloff_planes<PyloffSmall>(size, 1, 7);
  for (int size = 9; size <= 11; ++size) pyloff_planes<PyloffMedium>(size, 1, 37);
  for (int size : {12, 13, 19}) pyloff_planes<PyloffLarge>(size, 1, 211);
}

}  // namespace purlieu
