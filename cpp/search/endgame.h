// When to ask the exact solver in the middle of another search, and how much to let it cost.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "games/game.h"
#include "search/bounds.h"
#include "search/exact.h"

namespace purlieu {

// Positions with so little left are solved at once. Nodes to prove who wins, measured on positions of random games; see
// docs/solved.md.
template <Game G>
bool is_endgame(const G& game) {
  if constexpr (!G::kAcyclic) return false;
  else if constexpr (requires { game.unused(); }) return game.unused() <= 4;
  else if constexpr (G::kName == "petrify") return game.empties() <= 4;
  else return game.empties() <= 2;
}

// An exact solver in the form that Mcts takes. Copies share one table, and may work at the same time.
template <Game G>
class EndgameSolver {
 public:
  static constexpr bool kOn = G::kAcyclic;
  explicit EndgameSolver(std::uint64_t nodes = 5'000, std::size_t table_bytes = std::size_t{16} << 20)
      : nodes_(nodes), table_(std::make_shared<ProofTable>(table_bytes)) {}

  std::optional<Bounds> operator()(const G& game, const std::atomic<bool>& stop) {
    if constexpr (kOn) {
      if (!is_endgame(game) || stop.load(std::memory_order_relaxed)) return std::nullopt;
      SolveShared shared(*table_);
      const auto solved = solve_exact(game, {.nodes = nodes_, .line = false}, shared);
      if (!solved) return std::nullopt;
      Bounds bounds;
      if (solved->value >= 0) bounds.low = static_cast<std::int16_t>(solved->value > 0);
      if (solved->value <= 0) bounds.high = static_cast<std::int16_t>(-(solved->value < 0));
      return game.to_move() == game.first_colour() ? bounds : bounds.turned();
    } else {
      return std::nullopt;
    }
  }

 private:
  std::uint64_t nodes_;
  std::shared_ptr<ProofTable> table_;
};

}  // namespace purlieu
