// Perft: exact counts of move sequences. Two implementations of the rules that agree on it agree.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "games/game.h"

namespace purlieu {

// One ply of the count. On a thread's stack a deep count of the largest boards would not fit.
template <Game G>
struct PerftLevel {
  explicit PerftLevel(const G& g) : game(g) {}
  G game;
  MoveList<G::kMostMoves> moves;
};

template <Game G>
std::uint64_t perft_below(std::span<const std::unique_ptr<PerftLevel<G>>> levels, const std::atomic<bool>& stop) {
  PerftLevel<G>& here = *levels[0];
  here.game.legal_moves(here.moves);
  if (levels.size() == 1) return static_cast<std::uint64_t>(here.moves.size());
  std::uint64_t sum = 0;
  for (Move move : here.moves) {
    if (stop.load(std::memory_order_relaxed)) return 0;
    levels[1]->game = here.game;
    levels[1]->game.play(move);
    sum += perft_below<G>(levels.subspan(1), stop);
  }
  return sum;
}

// The number of move sequences of that length; meaningless once `stop` is set.
template <Game G>
std::uint64_t perft(const G& game, int depth, const std::atomic<bool>& stop) {
  if (depth == 0) return 1;
  std::vector<std::unique_ptr<PerftLevel<G>>> levels;
  for (int i = 0; i < depth; ++i) levels.push_back(std::make_unique<PerftLevel<G>>(game));
  return perft_below<G>(levels, stop);
}

}  // namespace purlieu
