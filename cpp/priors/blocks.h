// What speaks for and against a play of Petrify or Pilo at first sight.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "games/blocks.h"

namespace purlieu {

// How many of some sets each square is in, up to 7, for all squares at once: bit i of the numbers in plane i.
template <class Bits>
struct Counts {
  Bits planes[3] = {};

  void add(Bits set) {
    for (Bits& plane : planes) {
      const Bits carry = plane & set;
      plane ^= set;
      set = carry;
    }
    for (Bits& plane : planes) plane |= set;
  }
  int at(int square, int most) const {
    int n = 0;
    for (int i = 0; i < 3; ++i) n |= static_cast<int>(planes[i] >> square & 1) << i;
    return std::min(n, most);
  }
};

// The features of the plays of one position, which must outlive this.
template <class G>
class BlocksFeatures {
 public:
  // A play has one feature of each kind; how many there are of each kind, for placements and for captures.
  static constexpr int kKinds[2][8] = {{16, 8, 25, 10, 16, 5}, {16, 16, 25, 10, 16, 10, 25, 5}};
  static constexpr int kMost = 8;         // No play has more features.
  static constexpr int kPlacements = 80;  // So many features of placements come before those of captures.
  static constexpr int kPhases = 3;       // The first, second and last third of the empty squares' filling.
  static constexpr int kAPhase = kPlacements + 123;
  static constexpr int kCount = kPhases * kAPhase;

  explicit BlocksFeatures(const G& game)
      : game_(game), mine_(game.mine()), theirs_(game.theirs()), empty_(game.empty()), size_(game.size()) {
    const int squares = size_ * size_, left = count(empty_);
    phase_ = 3 * left > 2 * squares ? 0 : 3 * left > squares ? 1 : 2;
    for (int direction = 0; direction < 8; direction += 2) {
      own_.add(Board::step(mine_, direction));
      enemy_.add(Board::step(theirs_, direction));
      blocks_.add(Board::step(Board::board(size_) & ~game.open(), direction));
    }
  }

  // Calls f(feature) for each one of a placement or a capture.
  template <class F>
  void each(Move move, F&& f) {
    const bool captures = move.code() >= G::kFirstCapture;
    int base = phase_ * kAPhase + (captures ? kPlacements : 0);
    const int* kind = kKinds[captures];
    const auto add = [&](int feature) {
      f(base + feature);
      base += *kind++;
    };
    if (!captures) {
      const int at = move.code();
      const Sight& sight = of_height(1);
      const int attacked = sight.attacked.at(at, 3), aims = sight.aims.at(at, 3);
      add(attacked * 4 + sight.guarded.at(at, 3));
      add(aims * 2 + is_stuck(at));
      add(neighbours(at));
      add(place(at));
      add(attacked * 4 + aims);
      add(blocks_.at(at, 4));
    } else {
      const int start = (move.code() - G::kFirstCapture) / 8;
      const int at = lowest(game_.first_met(start, move.code() % 8));
      const int height = height_of(start);
      const Sight& before = of_height(height);
      const Sight& after = of_height(height + kRises);
      const int attacked = after.attacked.at(at, 3);
      // Where men do not rise, the one that captures is among the guards.
      add(attacked * 4 + (kRises ? after.guarded.at(at, 3) : std::max(after.guarded.at(at, 4) - 1, 0)));
      add(before.attacked.at(start, 3) * 4 + before.aims.at(start, 3));
      add(neighbours(at));
      add(place(at));
      add(before.threatens.at(at, 3) * 4 + attacked);
      add(place(start));
      add(neighbours(start));
      add(blocks_.at(start, 4));
    }
  }

 private:
  using Board = typename G::Layout;
  using Bits = typename G::Bits;
  static constexpr bool kRises = requires(const G& game) { game.height(0); };
  static constexpr int kHeights = kRises ? 16 : 2;

  // By how many lines a man of some height on each square
  struct Sight {
    Counts<Bits> attacked;   // of mine could be captured,
    Counts<Bits> guarded;    // of mine could be avenged,
    Counts<Bits> aims;       // of mine could capture,
    Counts<Bits> threatens;  // of theirs could capture.
  };

  int height_of(int square) const {
    if constexpr (kRises) return game_.height(square);
    else return 1;
  }
  // No block may stand here, so nothing here can capture.
  bool is_stuck(int square) const {
    if constexpr (kRises) return false;
    else return game_.forbidden() >> square & 1;
  }
  int neighbours(int square) const { return own_.at(square, 4) * 5 + enemy_.at(square, 4); }
  // The distances to the two nearest edges, each up to 3.
  int place(int square) const {
    const int column = Board::column(square), row = Board::row(square);
    const int a = std::min({column, size_ - 1 - column, 3}), b = std::min({row, size_ - 1 - row, 3});
    return std::max(a, b) * (std::max(a, b) + 1) / 2 + std::min(a, b);
  }

  const Sight& of_height(int height) {
    std::optional<Sight>& known = sights_[static_cast<std::size_t>(height)];
    if (known) return *known;
    Sight& sight = known.emplace();
    Bits mine = mine_, theirs = theirs_, my_movers, their_movers;
    if constexpr (kRises) {
      my_movers = mine &= game_.of_height(height);
      their_movers = theirs &= game_.of_height(height);
    } else {
      my_movers = mine & ~game_.forbidden();
      their_movers = theirs & ~game_.forbidden();
    }
    look(sight.attacked, their_movers, empty_ | theirs_);
    look(sight.guarded, my_movers, empty_ | mine_);
    look(sight.aims, theirs, empty_ | mine_);
    look(sight.threatens, mine, empty_ | theirs_);
    return sight;
  }
  // Counts for each square the directions in which a target is seen from it.
  static void look(Counts<Bits>& counts, Bits targets, Bits passable) {
    if (!targets) return;
    const auto add = [&]<int... Ways>(std::integer_sequence<int, Ways...>) {
      (counts.add(Board::step(Board::template sees<Ways * (8 / G::kWays)>(targets, passable),
                              (Ways * (8 / G::kWays) + 4) % 8)),
       ...);
    };
    add(std::make_integer_sequence<int, G::kWays>());
  }

  const G& game_;
  Bits mine_, theirs_, empty_;
  int size_, phase_;
  Counts<Bits> own_, enemy_, blocks_;  // Neighbours by an edge.
  std::array<std::optional<Sight>, kHeights> sights_;
};

}  // namespace purlieu
