// What can be tuned about a search, and the values that won their matches: see benchmarks/results/search.md.
#pragma once

#include <cstdint>
#include <string_view>

namespace purlieu {

struct Settings {
  int threads = 1;
  std::uint64_t seed = 1;
  double memory_mb = 256;  // The tree never takes more. When it is full, the search goes on without new nodes.

  // Weight of the exploration term sqrt(ln N / n), on values from 0 to 1.
  double exploration = 0.1;
  // With a net: what a move that was never tried is thought worth is the node's own value less this, the more so the
  // likelier the moves that were (AlphaZero's "first play urgency").
  double reduction = 0;
  // RAVE: how a move fared whenever its side played it later, counted in tables. With k visits a move's own results
  // weigh as much as any number of those. 0 turns it off.
  double rave_k = 300;
  // A node gets a table of its own after this many visits; until then it uses that of its nearest forebear with the
  // same side to move (GRAVE).
  int rave_reference = 50;
  // A new table begins with the numbers of the one used so far, scaled down to this many each.
  int rave_inherit = 20;
  // The part of a playout, from its beginning, that the tables learn from.
  double rave_horizon = 0.5;

  // A node rates its moves by learned weights at this visit: earlier, that costs more time than it is worth. The
  // ratings are added to RAVE's values. 0 turns them off.
  int rate_at = 8;

  // A move becomes a node at this visit.
  int expand_at = 2;
  // A node with N visits opens about open_base + open_factor * N ^ open_power of its moves, the most promising first.
  double open_base = 16;
  double open_factor = 4;
  double open_power = 0.5;
  // Every open move is tried once before any is tried twice.
  bool try_all = false;

  // Positions reached by different move orders are one node, in games where no position returns.
  bool graph = true;
  // Proven results are kept and passed on (MCTS-Solver with score bounds).
  bool solver = true;
  // Near the end of the game an exact search gets this part of the time, or as many nodes as there are simulations to
  // make: some of it first, and more as the search goes on.
  bool endgame = true;
  double endgame_part = 0.2;
  // With a net: a leaf that an exact search is likely to prove with so many nodes is proved, and no net is asked.
  double leaf_nodes = 0;
  // With a net: so many playouts a leaf, where the game says that they tell what a net overlooks.
  int leaf_playouts = 0;
};

// Plain UCT with uniform playouts, most visits: what everything else is measured against.
inline Settings uct_settings() {
  Settings s;
  s.exploration = 0.7;
  s.rave_k = 0;
  s.rate_at = 0;
  s.open_base = 0;
  s.open_factor = 1;
  s.open_power = 1;
  s.try_all = true;
  s.graph = false;
  s.solver = false;
  s.endgame = false;
  return s;
}

// With a net in place of playouts: every evaluation is dear, so each makes a node, and every move has a prior.
inline Settings net_settings(std::string_view game) {
  Settings s;
  s.exploration = game == "pentwall" ? 0.7 : 0.3;  // Pentwall has moves without end, and little to tell them apart.
  s.rave_k = 0;
  s.rate_at = 0;
  s.expand_at = 1;
  s.open_base = 64;
  s.leaf_nodes = 1300;
  s.leaf_playouts = 64;
  return s;
}

// The best settings known for each game.
inline Settings full_settings(std::string_view game) {
  Settings s;
  if (game == "pentwall") {
    // A node costs much here, and has moves without end.
    s.expand_at = 4;
    s.open_power = 0.4;
    s.rave_reference = 500;
    s.rave_horizon = 1;
  }
  return s;
}

}  // namespace purlieu
