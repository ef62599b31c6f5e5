// Perft: exact counts of move sequences. Two implementations of the rules that agree on it agree.
#pragma once

#include <atomic>
#include <cstdint>

#include "games/game.h"

namespace purlieu {

// The number of move sequences of that length; meaningless once `stop` is set.
template <Game G>
std::uint64_t perft(const G& game, int depth, const std::atomic<bool>& stop) {
  if (depth == 0) return 1;
  MoveList<G::kMostMoves> moves;
  game.legal_moves(moves);
  if (depth == 1) return static_cast<std::uint64_t>(moves.size());
  std::uint64_t sum = 0;
  for (Move move : moves) {
    if (stop.load(std::memory_order_relaxed)) return 0;
    G after = game;
    after.play(move);
    sum += perft(after, depth - 1, stop);
  }
  return sum;
}

}  // namespace purlieu
