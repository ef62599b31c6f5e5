// What a move is worth at first sight, by features and learned weights. RAVE knows how a move fares whenever it is
// played; these know what is special about playing it now. The weights were fitted to the searches of the program's own
// games: see cpp/tools/learn_priors.cpp and scripts/fit_priors.py.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "games/game.h"
#include "games/pentwall.h"
#include "games/petrify.h"
#include "games/pilo.h"
#include "games/pyloff.h"
#include "priors/blocks.h"
#include "priors/pentwall.h"
#include "priors/pentwall_weights.h"
#include "priors/petrify_weights.h"
#include "priors/pilo_weights.h"
#include "priors/pyloff.h"
#include "priors/pyloff_weights.h"

namespace purlieu {

// The features of a game's moves, and the weight of each: how much of a win it is worth, in units of 1/65536.
template <class G>
struct PriorsOf;
template <class Board>
struct PriorsOf<Petrify<Board>> {
  using Features = BlocksFeatures<Petrify<Board>>;
  static constexpr std::span<const std::int16_t, Features::kCount> kWeights = kPetrifyWeights;
};
template <class Board>
struct PriorsOf<Pilo<Board>> {
  using Features = BlocksFeatures<Pilo<Board>>;
  static constexpr std::span<const std::int16_t, Features::kCount> kWeights = kPiloWeights;
};
template <class Shape>
struct PriorsOf<Pyloff<Shape>> {
  using Features = PyloffFeatures<Shape>;
  static constexpr std::span<const std::int16_t, Features::kCount> kWeights = kPyloffWeights;
};
template <>
struct PriorsOf<Pentwall> {
  using Features = PentwallFeatures;
  static constexpr std::span<const std::int16_t, Features::kCount> kWeights = kPentwallWeights;
};

// How much better than their average each of these moves is, in units of 1/65536 of a win.
template <Game G>
void rate(const G& game, std::span<const Move> moves, std::vector<int>& ratings) {
  ratings.clear();
  typename PriorsOf<G>::Features features(game);
  int total = 0;
  for (const Move move : moves) {
    int rating = 0;
    if (move != kPass) features.each(move, [&](int feature) { rating += PriorsOf<G>::kWeights[feature]; });
    ratings.push_back(rating);
    total += rating;
  }
  for (int& rating : ratings) rating -= total / static_cast<int>(ratings.size());
}

}  // namespace purlieu
