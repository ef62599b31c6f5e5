// Exact search in the middle of another one: when it is worth asking, and what it answers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
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

// What the solver's value of a position says, for the first colour: only who wins, or the margin as well.
template <Game G>
Bounds proved_bounds(const G& game, int value, bool margin) {
  const int sign = (value > 0) - (value < 0);
  Bounds bounds;
  if (margin) {
    bounds = exactly(value);
  } else {
    if (sign >= 0) bounds.low = static_cast<std::int16_t>(sign);
    if (sign <= 0) bounds.high = static_cast<std::int16_t>(sign);
  }
  return game.to_move() == game.first_colour() ? bounds : bounds.turned();
}

// One thread's proofs of leaves: many small ones, each cheaper than what a net takes to look. In games with cycles
// there are none.
template <Game G>
class LeafProver {
 public:
  explicit LeafProver(ProofTable&) {}
  bool is_cheap(const G&, double) const { return false; }
  std::optional<Bounds> prove(const G&, double, std::uint64_t = 0) { return std::nullopt; }
  Move best_move() const { return kPass; }
};

template <Game G>
  requires Solvable<G>
class LeafProver<G> {
 public:
  explicit LeafProver(ProofTable& table) : shared_(table), solver_(shared_) {}

  // Whether it is likely to take no more than `most` nodes to prove who wins.
  bool is_cheap(const G& game, double most) const { return nodes_to_prove(game) <= most; }

  // Who wins; nullopt if that is not cheap, or takes more than `nodes` in the end: an estimate may be far off. What was
  // found by then is remembered, so that asking again goes on from there.
  std::optional<Bounds> prove(const G& game, double most, std::uint64_t nodes = kMostNodes) {
    if (!is_cheap(game, most)) return std::nullopt;
    shared_.node_limit = shared_.nodes + nodes;
    const auto value = solver_.search(game, -1, 1);
    return value ? std::optional(proved_bounds(game, *value, false)) : std::nullopt;
  }

  // A move that keeps what was just proved, if the side to move does not lose.
  Move best_move() const { return solver_.best_move(); }

 private:
  static constexpr std::uint64_t kMostNodes = 1 << 14;

  SolveShared shared_;
  ExactSolver<G> solver_;
};

// Keeps what it proves from one position of a game to the next.
template <Game G>
class Endgame {
 public:
  explicit Endgame(std::size_t bytes) : bytes_(bytes) {}

  std::size_t bytes_used() const { return bytes_used_; }

  // Any thread may ask.
  ProofTable& table() {
    std::call_once(made_, [&] {
      table_ = std::make_unique<ProofTable>(bytes_);
      bytes_used_ = table_->bytes();
    });
    return *table_;
  }

  // Who wins and, if there is work left for that, by how much. nullopt if it takes more than `most` nodes or is likely
  // to, or stopped() came first.
  std::optional<EndgameProof> prove(const G& game, double most, const std::function<bool()>& stopped) {
    if constexpr (G::kAcyclic) {
      if (most < kLeastNodes || nodes_to_prove(game) > most) return std::nullopt;
      SolveShared shared(table());
      shared.stopped = stopped;
      ExactLimits limits{.nodes = static_cast<std::uint64_t>(most)};
      auto result = solve_exact(game, limits, shared);
      if (!result) return std::nullopt;
      limits.nodes -= std::min(limits.nodes, result->nodes);
      limits.margin = true;
      auto exact = result->value ? solve_exact(game, limits, shared) : std::nullopt;
      const bool margin = exact.has_value();
      if (margin) result = std::move(exact);
      return EndgameProof{proved_bounds(game, result->value, margin), std::move(result->line)};
    } else {
      return std::nullopt;
    }
  }

 private:
  static constexpr double kLeastNodes = 1024;  // The solver looks up no more often.

  std::size_t bytes_;
  std::once_flag made_;
  std::unique_ptr<ProofTable> table_;
  std::atomic<std::size_t> bytes_used_ = 0;  // For who asks while another thread makes the table.
};

}  // namespace purlieu
