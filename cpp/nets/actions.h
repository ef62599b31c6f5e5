// The actions of an environment, numbered alike in every position of a board: a net's outputs, then pass, then swap.
#pragma once

#include "base/types.h"
#include "nets/planes.h"

namespace purlieu {

template <class G>
struct Actions {
  static int count(int side) { return Planes<G>::kPolicy * side * side + 2; }
  static int index(const G& game, Move move) {
    if (move == kPass) return count(game.size()) - 2;
    if (move == kSwap) return count(game.size()) - 1;
    return Planes<G>::index(game, move);
  }
};

}  // namespace purlieu
