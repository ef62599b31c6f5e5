// What speaks for and against a placement of Pentwall at first sight.
#pragma once

#include <algorithm>

#include "games/pentwall.h"

namespace purlieu {

// The features of the placements of one position.
class PentwallFeatures {
 public:
  // A placement has one feature of each kind; how many there are of each.
  static constexpr int kKinds[] = {12, 63, 13, 72};
  static constexpr int kMost = 4;    // So many features has a placement.
  static constexpr int kPhases = 4;  // Two plies each, and the rest.
  static constexpr int kAPhase = 160;
  static constexpr int kCount = kPhases * kAPhase;

  explicit PentwallFeatures(const Pentwall& game)
      : mine_(game.painted(game.ply() % 2)), theirs_(game.painted(1 - game.ply() % 2)),
        phase_(std::min(game.ply() / 2, kPhases - 1)) {}

  // Calls f(feature) for each one of a placement.
  template <class F>
  void each(Move move, F&& f) {
    constexpr int kStride = pentominoes::kStride;
    const auto& t = pentominoes::tables();
    const int letter = t.letter[move.code()];
    const Bits128 squares = t.mask[move.code()] & t.sheet;
    // Sides that lie on the edge of the sheet, and squares beside the pentomino by what is there.
    int edges = 0;
    Bits128 around = 0;
    for (const Bits128 moved : {squares << 1, squares >> 1, squares << kStride, squares >> kStride}) {
      edges += 5 - count(moved & t.sheet);
      around |= moved;
    }
    around &= t.sheet & ~squares;
    const int own = count(around & mine_), enemy = count(around & theirs_), free = count(around & ~mine_ & ~theirs_);

    int base = phase_ * kAPhase;
    const int* kind = kKinds;
    const auto add = [&](int feature) {
      f(base + feature);
      base += *kind++;
    };
    add(letter);
    add(std::min(own, 6) * 9 + std::min(enemy, 8));
    add(free);  // At most 12.
    add(std::min(edges, 5) * 12 + letter);
  }

 private:
  Bits128 mine_, theirs_;
  int phase_;
};

}  // namespace purlieu
