// Uniform random games from a position: for benchmarks and for statistics.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "games/game.h"

namespace purlieu {

struct PlayoutTotals {
  std::int64_t games = 0;
  std::int64_t plies = 0;
  std::int64_t first_wins = 0;
  std::int64_t draws = 0;
  double seconds = 0;
};

// Plays that many games, or as many as fit into the time, whichever ends first.
template <Game G>
PlayoutTotals run_playouts(const G& from, std::int64_t most, double most_seconds, std::uint64_t seed,
                           const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  Random random(seed);
  PlayoutTotals totals;
  while (totals.games < most && !stop.load(std::memory_order_relaxed)) {
    G game = from;
    game.playout(random, [](Seat, Move) {});
    ++totals.games;
    totals.plies += game.ply() - from.ply();
    const Result result = game.result();
    totals.first_wins += result == Result::first_wins;
    totals.draws += result == Result::draw;
    if (totals.games % 16 == 0 && elapsed() > most_seconds) break;
  }
  totals.seconds = elapsed();
  return totals;
}

}  // namespace purlieu
