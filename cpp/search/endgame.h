// Exact search in the middle of another one: when it is worth asking, and what it answers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "games/game.h"
#include "search/bounds.h"
#include "search/exact.h"

namespace purlieu {

// What was proved of a position that is not over.
struct EndgameProof {
  Bounds bounds;           // For the first colour. The margin is exact if it was proved, too.
  std::vector<Move> line;  // Perfect play for both, as far as it is known; at least one move.
};

// About how many nodes it takes to prove who wins: a fit to the table in docs/solved.md.
template <Game G>
double nodes_to_prove(const G& game) {
  if constexpr (requires { game.unused(); }) return 80 * std::pow(16, game.unused() - 3);
  else if constexpr (G::kName == "petrify") return 1000 * std::pow(3.3, game.empties() - 4);
  else return 20 * std::pow(4.2, game.empties());
}

// Keeps what it proves from one position of a game to the next.
template <Game G>
class Endgame {
 public:
  static constexpr double kNodesPerSecond = 3e5;  // A cautious guess, to turn time into nodes.

  explicit Endgame(std::size_t bytes) : bytes_(bytes) {}

  std::size_t bytes_used() const { return table_ ? table_->bytes() : 0; }

  // Who wins and, if there is work left for that, by how much. nullopt if it takes more than `most` nodes or is likely
  // to, or stopped() came first.
  std::optional<EndgameProof> prove(const G& game, double most, const std::function<bool()>& stopped) {
    if constexpr (G::kAcyclic) {
      if (most < kLeastNodes || nodes_to_prove(game) > most) return std::nullopt;
      if (!table_) table_ = std::make_unique<ProofTable>(bytes_);
      SolveShared shared(*table_);
      shared.stopped = stopped;
      ExactLimits limits{.nodes = static_cast<std::uint64_t>(most)};
      auto result = solve_exact(game, limits, shared);
      if (!result) return std::nullopt;
      const int sign = (result->value > 0) - (result->value < 0);
      Bounds bounds;
      if (sign >= 0) bounds.low = static_cast<std::int16_t>(sign);
      if (sign <= 0) bounds.high = static_cast<std::int16_t>(sign);
      limits.nodes -= std::min(limits.nodes, result->nodes);
      limits.margin = true;
      if (auto exact = sign ? solve_exact(game, limits, shared) : std::nullopt) {
        bounds = exactly(exact->value);
        result = std::move(exact);
      }
      return EndgameProof{game.to_move() == game.first_colour() ? bounds : bounds.turned(), std::move(result->line)};
    } else {
      return std::nullopt;
    }
  }

 private:
  static constexpr double kLeastNodes = 1024;  // The solver looks up no more often.

  std::size_t bytes_;
  std::unique_ptr<ProofTable> table_;
};

}  // namespace purlieu
