// What playouts add to a net's opinion of a leaf.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "games/game.h"
#include "search/evaluator.h"

namespace purlieu {

// How much playouts count beside the net: none, or more the fewer squares are empty. Pilo's games are decided late, by
// who runs out of harmless moves first and must capture: a net overlooks that, and every playout meets it. A fit to the
// results of games, see design note 8.
template <Game G>
double playout_weight(const G& game) {
  if constexpr (G::kName == "pilo")
    return std::max(0.0, 1.1 - 2.8 * game.empties() / (game.size() * game.size()));
  else
    return 0;
}

// The first colour's chance when the evidence of so many playouts is added to a chance: log odds are added up.
template <Game G>
float with_playouts(const G& game, float chance, int playouts, double weight, Random& random) {
  float wins = 0.5f;
  for (int i = 0; i < playouts; ++i) {
    G copy = game;
    copy.playout(random, [](Seat, Move) {});
    wins += first_colour_value(copy);
  }
  const auto log_odds = [](double p) { return std::log(p / (1 - p)); };
  const double sum =
      log_odds(std::clamp<double>(chance, 0.001, 0.999)) + weight * log_odds(wins / static_cast<float>(playouts + 1));
  return static_cast<float>(1 / (1 + std::exp(-sum)));
}

}  // namespace purlieu
