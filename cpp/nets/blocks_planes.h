// How a net sees Petrify and Pilo.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "games/patches.h"
#include "games/petrify.h"
#include "games/pilo.h"
#include "nets/plane_writer.h"
#include "nets/planes.h"

namespace purlieu {

// What the two games have in common.
template <class G>
class BlocksPlanes {
 public:
  static constexpr int kWays = G::kWays;
  static constexpr int kPolicy = 1 + kWays;  // Placements, and captures by the direction from where they start.
  static constexpr int kMaps = 1;

  static int index(const G& game, Move move) {
    const int n = game.size();
    const auto at = [n](int square) { return Board::row(square) * n + Board::column(square); };
    if (move.code() < G::kFirstCapture) return at(move.code());
    const int start = (move.code() - G::kFirstCapture) / 8;
    return (1 + move.code() % 8 / (8 / kWays)) * n * n + at(start);
  }

  static void owners(const G& game, Seat seat, std::uint8_t* out) {
    const int n = game.size();
    std::memset(out, 0, static_cast<std::size_t>(n * n));
    const bool mine_first = game.to_move() == seat;
    for_each_patch(game, [&](Bits patch, int who) {
      if (who) each_cell(patch, n, [&](int cell) { out[cell] = (who > 0) == mine_first ? 1 : 2; });
    });
  }

  static Move turned(const G& game, Move move, int symmetry) {
    if (move == kPass || move == kSwap) return move;
    const int n = game.size();
    const auto square = [&](int from) {
      const auto [column, row] = turned_cell(Board::column(from), Board::row(from), n, symmetry);
      return Board::index(column, row);
    };
    if (move.code() < G::kFirstCapture) return Move(static_cast<std::uint16_t>(square(move.code())));
    const int start = (move.code() - G::kFirstCapture) / 8;
    int direction = move.code() % 8;
    if (symmetry & 1) direction = (8 - direction) % 8;
    if (symmetry & 2) direction = (12 - direction) % 8;
    if (symmetry & 4) direction = (10 - direction) % 8;
    return Move(static_cast<std::uint16_t>(G::kFirstCapture + 8 * square(start) + direction));
  }

 protected:
  using Board = typename G::Layout;
  using Bits = typename G::Bits;

  template <class F>
  static void each_cell(Bits set, int n, F&& f) {
    while (set) {
      const int square = pop_lowest(set);
      f(Board::row(square) * n + Board::column(square));
    }
  }

  // Calls f(patch, who) for the patches of the board: who is 1 if the side to move owns it, -1 if the other does.
  template <class F>
  static void for_each_patch(const G& game, F&& f) {
    const Bits mine = game.mine(), theirs = game.theirs();
    for (Bits open = game.open(); open;) {
      const Bits patch = flood<Board>(open & -open, open);
      open &= ~patch;
      f(patch, owner<Board>(mine & patch, theirs & patch));
    }
  }

  // The planes of the board that both games have; those of captures and the game's own follow, and then kLast.
  static constexpr std::array<Plane, 12> kFirst = {{
      {"mine", 1},
      {"theirs", 1},
      {"blocks", 1},
      {"size of my group", 1 / 16.0f},
      {"size of their group", 1 / 16.0f},
      {"size of the patch", 1 / 64.0f},
      {"patches that would be mine", 1},
      {"patches that would be theirs", 1},
      {"my lines to it", 1 / 4.0f},
      {"their lines to it", 1 / 4.0f},
      {"theirs that I may capture", 1},
      {"mine that they may capture", 1},
  }};
  static constexpr std::array<Plane, 6> kLast = {{
      {"one everywhere", 1},
      {"I made the last board play", 1},
      {"empty squares", 1 / 64.0f},
      {"my score", 1 / 64.0f},
      {"their score", 1 / 64.0f},
      {"side of the board", 1 / 10.0f},
  }};

  // Writes kFirst and the captures. The movers are the men that could capture a disk placed in their way, the prey the
  // men that the other side could capture. Returns the scores, mine first, if the game ended now.
  static std::pair<int, int> write_first(const G& game, PlaneWriter& writer, Bits my_movers, Bits their_movers,
                                         Bits their_prey) {
    const int n = game.size();
    const Bits mine = game.mine(), theirs = game.theirs(), empty = game.empty(), board = Board::board(n);
    write_set(writer, mine);
    write_set(writer, theirs);
    write_set(writer, board & ~game.open());
    for (Bits men : {mine, theirs}) {
      std::uint8_t* sizes = writer.zeros();
      while (men) {
        const Bits group = flood<Board>(men & -men, men);
        men &= ~group;
        const int size = count(group);
        each_cell(group, n, [&](int cell) { sizes[cell] = static_cast<std::uint8_t>(size); });
      }
    }
    std::uint8_t* const sizes = writer.zeros();
    std::uint8_t* const would_be[2] = {writer.zeros(), writer.zeros()};
    int scores[2] = {0, 0};
    for_each_patch(game, [&](Bits patch, int who) {
      const int size = count(patch);
      each_cell(patch, n, [&](int cell) { sizes[cell] = static_cast<std::uint8_t>(size); });
      if (!who) return;
      scores[who < 0] += size;
      each_cell(patch, n, [&](int cell) { would_be[who < 0][cell] = 1; });
    });
    const auto mine_to = lines_to(my_movers, empty | mine, board), theirs_to = lines_to(their_movers, empty | theirs, board);
    writer.sums(kWays, [&](int row, int way) { return row_of(mine_to[static_cast<std::size_t>(way)], row); });
    writer.sums(kWays, [&](int row, int way) { return row_of(theirs_to[static_cast<std::size_t>(way)], row); });
    const auto captures = game.captures();
    Bits my_prey = 0;
    for (int way = 0; way < kWays; ++way)
      for (Bits starts = captures[static_cast<std::size_t>(way)]; starts;)
        my_prey |= game.first_met(pop_lowest(starts), way * (8 / kWays));
    write_set(writer, my_prey);
    write_set(writer, their_prey);
    for (const Bits starts : captures) write_set(writer, starts);
    return {scores[0], scores[1]};
  }
  static void write_last(const G& game, PlaneWriter& writer, std::pair<int, int> scores) {
    writer.fill(1);
    // So it is after their pass, and only on a full board. After a swap it is not told: self-play, from which nets
    // learn, knows none.
    writer.fill(game.empties() == 0 && game.last_board_play() == game.to_move());
    writer.fill(game.empties());
    writer.fill(scores.first);
    writer.fill(scores.second);
    writer.fill(game.size());
  }

  static std::uint32_t row_of(Bits set, int row) {
    return static_cast<std::uint32_t>(set >> row * Board::kStride) & ((1u << Board::kLargest) - 1);
  }
  static void write_set(PlaneWriter& writer, Bits set) {
    writer.bits([&](int row) { return row_of(set, row); });
  }

  // By direction, the squares from which one of these men is the first thing met: where it could capture.
  static std::array<Bits, static_cast<std::size_t>(kWays)> lines_to(Bits movers, Bits passable, Bits board) {
    std::array<Bits, static_cast<std::size_t>(kWays)> lines{};
    if (!movers) return lines;
    const auto look = [&]<std::size_t... Way>(std::index_sequence<Way...>) {
      ((lines[Way] = board & Board::step(Board::template sees<static_cast<int>(Way) * (8 / kWays)>(movers, passable),
                                         (static_cast<int>(Way) * (8 / kWays) + 4) % 8)),
       ...);
    };
    look(std::make_index_sequence<static_cast<std::size_t>(kWays)>());
    return lines;
  }

  template <std::size_t N>
  static constexpr std::array<Plane, 18 + N> with(const std::array<Plane, N>& own) {
    std::array<Plane, 18 + N> planes{};
    std::copy(kLast.begin(), kLast.end(),
              std::copy(own.begin(), own.end(), std::copy(kFirst.begin(), kFirst.end(), planes.begin())));
    return planes;
  }
};

template <class Board>
struct Planes<Petrify<Board>> : BlocksPlanes<Petrify<Board>> {
  using Base = BlocksPlanes<Petrify<Board>>;
  using typename Base::Bits;
  static constexpr auto kPlanes = Base::with(std::array<Plane, 9>{{
      {"captures to the north", 1},
      {"captures to the north-east", 1},
      {"captures to the east", 1},
      {"captures to the south-east", 1},
      {"captures to the south", 1},
      {"captures to the south-west", 1},
      {"captures to the west", 1},
      {"captures to the north-west", 1},
      {"no block may stand here", 1},
  }});
  static constexpr int kInputs = static_cast<int>(kPlanes.size());

  static void write(const Petrify<Board>& game, std::uint8_t* out) {
    PlaneWriter writer(out, game.size());
    const Bits free = ~game.forbidden(), theirs = game.theirs() & free;
    Bits prey = 0;
    for (const Bits line : Base::lines_to(theirs, game.empty() | game.theirs(), Board::board(game.size()))) prey |= line;
    const auto scores = Base::write_first(game, writer, game.mine() & free, theirs, prey & game.mine());
    Base::write_set(writer, game.forbidden());
    Base::write_last(game, writer, scores);
  }
};

template <class Board>
struct Planes<Pilo<Board>> : BlocksPlanes<Pilo<Board>> {
  using Base = BlocksPlanes<Pilo<Board>>;
  using typename Base::Bits;
  static constexpr auto kPlanes = Base::with(std::array<Plane, 9>{{
      {"captures to the north", 1},
      {"captures to the east", 1},
      {"captures to the south", 1},
      {"captures to the west", 1},
      {"height of the stack", 1 / 4.0f},
      {"single disks", 1},
      {"stacks of two", 1},
      {"stacks of three", 1},
      {"stacks of four and more", 1},
  }});
  static constexpr int kInputs = static_cast<int>(kPlanes.size());

  static void write(const Pilo<Board>& game, std::uint8_t* out) {
    PlaneWriter writer(out, game.size());
    const int n = game.size();
    const Bits mine = game.mine(), theirs = game.theirs(), men = mine | theirs, board = Board::board(n);
    std::array<Bits, 16> of_height{};
    for (Bits left = men; left;) {
      const int square = pop_lowest(left);
      of_height[static_cast<std::size_t>(game.height(square))] |= bit<Bits>(square);
    }
    Bits prey = 0;
    for (const Bits stacks : of_height) {
      if (!(stacks & mine) || !(stacks & theirs)) continue;
      for (const Bits line : Base::lines_to(stacks & theirs, game.empty() | theirs, board)) prey |= line & mine & stacks;
    }
    // Only stacks of 1 could take a disk that is placed in their way.
    const auto scores = Base::write_first(game, writer, mine & of_height[1], theirs & of_height[1], prey);
    std::uint8_t* const heights = writer.zeros();
    for (std::size_t h = 1; h < of_height.size(); ++h)
      Base::each_cell(of_height[h], n, [&](int cell) { heights[cell] = static_cast<std::uint8_t>(h); });
    for (std::size_t h = 1; h <= 3; ++h) Base::write_set(writer, of_height[h]);
    Base::write_set(writer, men & ~of_height[1] & ~of_height[2] & ~of_height[3]);
    Base::write_last(game, writer, scores);
  }
};

}  // namespace purlieu
