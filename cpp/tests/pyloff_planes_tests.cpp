// Planes of Pyloff.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/planes_tests.h"

namespace purlieu {
namespace {

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

}  // namespace

void pyloff_planes_tests() {
  drawn_pyramids();
  for (int size = 3; size <= 5; ++size) pyloff_planes<PyloffSmall>(size, 4, 1);
  for (int size = 6; size <= 8; ++size) pyloff_planes<PyloffSmall>(size, 1, 7);
  for (int size = 9; size <= 11; ++size) pyloff_planes<PyloffMedium>(size, 1, 37);
  for (int size : {12, 13, 19}) pyloff_planes<PyloffLarge>(size, 1, 211);
}

}  // namespace purlieu
