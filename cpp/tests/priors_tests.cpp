// Move priors: features against what the rules say, in positions of random games.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <vector>

#include "priors/priors.h"
#include "tests/check.h"

namespace purlieu {
namespace {

template <Game G>
std::vector<Move> moves_of(const G& game) {
  auto list = std::make_unique<MoveList<G::kMostMoves>>();
  game.legal_moves(*list);
  std::vector<Move> moves;
  for (const Move move : *list)
    if (move != kSwap) moves.push_back(move);
  return moves;
}

// Calls f(game) for positions of random games.
template <Game G, class F>
void in_random_games(int size, int games, F&& f) {
  Random random(5);
  for (int i = 0; i < games; ++i) {
    std::vector<Move> moves;
    G game = G::start(size);
    game.playout(random, [&](Seat, Move move) { moves.push_back(move); });
    game = G::start(size);
    for (const Move move : moves) {
      f(game);
      game.play(move);
    }
  }
}

template <Game G>
std::vector<int> features_of(const G& game, Move move) {
  std::vector<int> found;
  typename PriorsOf<G>::Features features(game);
  features.each(move, [&](int feature) { found.push_back(feature); });
  return found;
}

// Every feature has a weight, no move has more than it may or one twice, and ratings are about an average.
template <Game G>
void features_have_weights(int size, int games) {
  using Features = typename PriorsOf<G>::Features;
  in_random_games<G>(size, games, [](const G& game) {
    const std::vector<Move> moves = moves_of(game);
    for (const Move move : moves) {
      if (move == kPass) continue;
      const auto found = features_of(game, move);
      CHECK(!found.empty() && static_cast<int>(found.size()) <= Features::kMost);
      CHECK(std::set<int>(found.begin(), found.end()).size() == found.size());
      for (const int feature : found) CHECK(0 <= feature && feature < Features::kCount);
    }
    std::vector<int> ratings;
    rate(game, moves, ratings);
    int sum = 0;
    for (const int rating : ratings) sum += rating;
    CHECK(ratings.size() == moves.size() && std::abs(sum) <= static_cast<int>(moves.size()));
  });
}

// A placement's first feature tells along how many lines it can be captured.
template <Game G>
void attacks_are_captures(int size) {
  using Features = BlocksFeatures<G>;
  in_random_games<G>(size, 4, [](const G& game) {
    for (const Move move : moves_of(game)) {
      if (move == kPass || move.code() >= G::kFirstCapture) continue;
      G after = game;
      after.play(move);
      std::set<int> lines;
      for (const Move answer : moves_of(after)) {
        if (answer == kPass || answer.code() < G::kFirstCapture) continue;
        const auto met = after.first_met((answer.code() - G::kFirstCapture) / 8, answer.code() % 8);
        if (lowest(met) == move.code()) lines.insert(answer.code() % 8);
      }
      CHECK(features_of(game, move)[0] % Features::kAPhase / 4 == std::min(static_cast<int>(lines.size()), 3));
    }
  });
}

// A play's first feature tells how many marbles it lifts.
void lifted_marbles_are_counted() {
  in_random_games<PyloffSmall>(4, 10, [](const PyloffSmall& game) {
    for (const Move move : moves_of(game)) {
      if (move == kPass) continue;
      PyloffSmall after = game;
      after.play(move);
      const int lifted = game.board().marbles() + 1 - after.board().marbles();
      CHECK(features_of(game, move)[0] % PyloffFeatures<pyloff::SmallShape>::kAPhase / 4 == std::min(lifted, 4));
    }
  });
}

// On a board that looks the same from every side, so do the moves.
template <Game G>
void corners_are_alike(int size) {
  const G game = G::start(size);
  const std::vector<Move> moves = moves_of(game);
  std::vector<int> ratings;
  rate(game, moves, ratings);
  const auto at = [&](int column, int row) { return ratings[static_cast<std::size_t>(row * size + column)]; };
  for (int a = 0; a < size; ++a)
    for (int b = 0; b < size; ++b) CHECK(at(a, b) == at(b, a) && at(a, b) == at(size - 1 - a, b));
}

}  // namespace

void priors_tests() {
  for (const int size : {3, 6, 8}) {
    features_have_weights<PetrifySmall>(size, 2);
    features_have_weights<PiloSmall>(size, 2);
    features_have_weights<PyloffSmall>(size, 1);
    corners_are_alike<PetrifySmall>(size);
    corners_are_alike<PiloSmall>(size);
    corners_are_alike<PyloffSmall>(size);
  }
  features_have_weights<PetrifyLarge>(10, 1);
  features_have_weights<PiloLarge>(10, 1);
  features_have_weights<PyloffMedium>(9, 1);
  features_have_weights<Pentwall>(10, 1);
  attacks_are_captures<PetrifySmall>(6);
  attacks_are_captures<PiloSmall>(6);
  attacks_are_captures<PetrifyLarge>(9);
  attacks_are_captures<PiloLarge>(9);
  lifted_marbles_are_counted();
}

}  // namespace purlieu
