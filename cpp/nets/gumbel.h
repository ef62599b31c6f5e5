// The search of self-play: a small tree over a net's priors and values, with the root of Gumbel AlphaZero (Danihelka
// et al., "Policy improvement by planning with Gumbel", 2022), which learns from a few dozen simulations a move.
//
// It asks for one evaluation at a time and is given it later, so that thousands of searches can share a batch:
//   search.begin(game);
//   while (auto leaf = search.next()) search.give(logits and value of *leaf);
//   search.chosen(), search.improved(), search.value()
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "games/game.h"
#include "nets/planes.h"
#include "search/evaluator.h"

namespace purlieu {

struct GumbelSettings {
  int simulations = 32;
  int considered = 16;        // Moves of the root that are tried, at most.
  float gumbel_scale = 1;     // 0 plays the move it thinks best.
  float value_scale = 0.5f;   // How much a difference of values counts beside one of logits.
  float visit_offset = 50;    // The paper's c_visit.
};

// Lists the moves but for the swap, which changes neither the board nor the colour to move. Passes are always forced:
// they are played, no net is asked about them, and their number is returned. At the end of the game the list is empty.
template <Game G>
int skip_passes(G& game, MoveList<G::kMostMoves>& list, std::vector<Move>& moves) {
  for (int passes = 0;; ++passes) {
    moves.clear();
    if (game.is_over()) return passes;
    game.legal_moves(list);
    for (const Move move : list)
      if (move != kSwap) moves.push_back(move);
    if (moves.size() != 1 || moves[0] != kPass) return passes;
    game.play(kPass);
  }
}

template <Game G>
class GumbelSearch {
 public:
  // A move and how likely the search thinks it is the best.
  struct Target {
    Move move;
    float probability;
  };

  explicit GumbelSearch(const G& game) : root_(game), leaf_(game) {}

  // Precondition: not over, and the side to move has a move on the board.
  void begin(const G& game, const GumbelSettings& settings) {
    settings_ = settings;
    root_ = game;
    nodes_.clear();
    edges_.clear();
    done_ = 0;
    path_.clear();
  }

  // The position whose evaluation is wanted, or nothing when the search is finished. `scratch` is for move lists.
  const G* next(MoveList<G::kMostMoves>& scratch) {
    if (nodes_.empty()) {
      leaf_ = root_;
      skip_passes(leaf_, scratch, moves_);
      return &leaf_;
    }
    while (done_ < simulations_)
      if (descend(scratch)) return &leaf_;
    return nullptr;
  }

  // The evaluation of the position that next() asked for: logits by Planes::index, and the win chance of the side to
  // move there.
  void give(const float* logits, float value, Random& random) {
    const int node = static_cast<int>(nodes_.size());
    open(logits, value, node == 0 ? kRootMoves : kMoves);
    if (node == 0) {
      plan(random);
      return;
    }
    back_up(node, value, leaf_.to_move());
  }

  // The rest is asked when the search is finished.
  Move chosen() const { return edges_[best_root_edge()].move; }

  // The win chance of the side to move at the root.
  float value() const {
    const Node& root = nodes_[0];
    float sum = root.value;
    int visits = 1;
    for (const Edge& edge : edges_of(root)) {
      sum += edge.sum;
      visits += edge.visits;
    }
    return sum / static_cast<float>(visits);
  }

  // The policy that the search makes of the net's, the likeliest moves first, at most `most` of them.
  void improved(std::size_t most, std::vector<Target>& targets) {
    improve(nodes_[0]);
    targets.clear();
    const auto edges = edges_of(nodes_[0]);
    for (std::size_t i = 0; i < edges.size(); ++i) targets.push_back({edges[i].move, policy_[i]});
    std::sort(targets.begin(), targets.end(),
              [](const Target& a, const Target& b) { return a.probability > b.probability; });
    if (targets.size() > most) targets.resize(most);
    float sum = 0;
    for (const Target& target : targets) sum += target.probability;
    for (Target& target : targets) target.probability /= sum;
  }

 private:
  // A node keeps its likeliest moves only: the others would hardly be tried by so few simulations.
  static constexpr std::size_t kMoves = 48, kRootMoves = 96;

  struct Edge {
    Move move;
    float logit, gumbel = 0, prior = 0;
    float sum = 0;  // Of values for the side that makes the move.
    int visits = 0, child = -1;
    int passes = 0;  // Between the move and the child.
  };
  struct Rated {
    float logit;
    Move move;
  };
  struct Node {
    std::size_t first, count;
    float value;
    Seat mover;
  };
  struct Step {
    int node;
    std::size_t edge;
  };

  std::span<Edge> edges_of(const Node& node) { return std::span(edges_).subspan(node.first, node.count); }
  std::span<const Edge> edges_of(const Node& node) const { return std::span(edges_).subspan(node.first, node.count); }

  // Makes the node of leaf_, whose moves are in moves_.
  void open(const float* logits, float value, std::size_t most) {
    Node node{edges_.size(), 0, value, leaf_.to_move()};
    // As few bytes a move as can be: a node of Pentwall may have a thousand, of which it keeps a few.
    rated_.clear();
    for (const Move move : moves_) rated_.push_back({logits[Planes<G>::index(leaf_, move)], move});
    if (rated_.size() > most) {
      std::nth_element(rated_.begin(), rated_.begin() + static_cast<std::ptrdiff_t>(most), rated_.end(),
                       [](const Rated& a, const Rated& b) { return a.logit > b.logit; });
      rated_.resize(most);
    }
    for (const auto& [logit, move] : rated_) edges_.push_back({move, logit});
    node.count = edges_.size() - node.first;
    float highest = -1e30f, sum = 0;
    for (const Edge& edge : edges_of(node)) highest = std::max(highest, edge.logit);
    for (Edge& edge : edges_of(node)) sum += edge.prior = std::exp(edge.logit - highest);
    for (Edge& edge : edges_of(node)) {
      edge.prior /= sum;
      edge.logit -= highest;
    }
    nodes_.push_back(node);
  }

  // Draws the root's noise, and lays out how often the moves under consideration are visited: all alike at first, then
  // the better half, and so on.
  void plan(Random& random) {
    const auto edges = edges_of(nodes_[0]);
    for (Edge& edge : edges)
      edge.gumbel = settings_.gumbel_scale * static_cast<float>(-std::log(-std::log(random.unit() + 1e-20) + 1e-20));
    int considered = std::min<int>(settings_.considered, static_cast<int>(edges.size()));
    simulations_ = edges.size() == 1 ? 0 : settings_.simulations;
    schedule_.clear();
    int rounds = 0;
    while (1 << rounds < considered) ++rounds;
    for (int visits = 0; static_cast<int>(schedule_.size()) < simulations_; considered = std::max(2, considered / 2)) {
      const int more = std::max(1, simulations_ / (std::max(1, rounds) * considered));
      for (int i = 0; i < more; ++i, ++visits) schedule_.insert(schedule_.end(), static_cast<std::size_t>(considered), visits);
    }
  }

  float scaled(float q, int most_visits) const {
    return (settings_.visit_offset + static_cast<float>(most_visits)) * settings_.value_scale * q;
  }

  // Scores every move of a node into policy_: logits plus values, those of untried moves filled in by the node's own.
  // Returns the number of visits.
  int score(const Node& node) {
    const auto edges = edges_of(node);
    int visits = 0, most = 0;
    float seen = 0, weighted = 0;
    for (const Edge& edge : edges) {
      if (!edge.visits) continue;
      visits += edge.visits;
      most = std::max(most, edge.visits);
      seen += edge.prior;
      weighted += edge.prior * edge.sum / static_cast<float>(edge.visits);
    }
    const float total = static_cast<float>(visits);
    const float mixed = visits ? (node.value + total * weighted / std::max(seen, 1e-12f)) / (1 + total) : node.value;
    policy_.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& edge = edges[i];
      policy_[i] = edge.logit + scaled(edge.visits ? edge.sum / static_cast<float>(edge.visits) : mixed, most);
    }
    return visits;
  }

  // Makes probabilities of the scores.
  int improve(const Node& node) {
    const int visits = score(node);
    const float highest = *std::max_element(policy_.begin(), policy_.end());
    float sum = 0;
    for (float& p : policy_) sum += p = std::exp(p - highest);
    for (float& p : policy_) p /= sum;
    return visits;
  }

  std::size_t best_root_edge() const {
    const auto edges = edges_of(nodes_[0]);
    int most = 0;
    for (const Edge& edge : edges) most = std::max(most, edge.visits);
    std::size_t best = 0;
    float best_score = -1e30f;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& edge = edges[i];
      if (edge.visits < most) continue;
      const float q = edge.visits ? edge.sum / static_cast<float>(edge.visits) : 0;
      const float score = edge.gumbel + edge.logit + scaled(q, most);
      if (score > best_score) best_score = score, best = i;
    }
    return nodes_[0].first + best;
  }

  std::size_t select_at_root() {
    const Node& root = nodes_[0];
    score(root);
    const auto edges = edges_of(root);
    const int wanted = schedule_[static_cast<std::size_t>(done_)];
    std::size_t best = 0;
    float best_score = -1e30f;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      // Those that fell out keep fewer visits; one that is not where the schedule wants it comes last.
      const float s = edges[i].gumbel + policy_[i] - (edges[i].visits == wanted ? 0 : 1e9f);
      if (s > best_score) best_score = s, best = i;
    }
    return root.first + best;
  }

  // Visits follow the improved policy as closely as whole numbers can.
  std::size_t select_below(const Node& node) {
    const int visits = improve(node);
    const auto edges = edges_of(node);
    std::size_t best = 0;
    float best_score = -1e30f;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const float s = policy_[i] - static_cast<float>(edges[i].visits) / static_cast<float>(1 + visits);
      if (s > best_score) best_score = s, best = i;
    }
    return node.first + best;
  }

  // One way down. Says whether it ended at a position to evaluate; the end of a game is backed up at once.
  bool descend(MoveList<G::kMostMoves>& scratch) {
    leaf_ = root_;
    path_.clear();
    int at = 0;
    for (;;) {
      const std::size_t edge = at == 0 ? select_at_root() : select_below(nodes_[static_cast<std::size_t>(at)]);
      path_.push_back({at, edge});
      leaf_.play(edges_[edge].move);
      const int child = edges_[edge].child;
      if (child < 0) break;
      at = child;
      for (int i = 0; i < edges_[edge].passes; ++i) leaf_.play(kPass);
    }
    edges_[path_.back().edge].passes = skip_passes(leaf_, scratch, moves_);
    if (!moves_.empty()) return true;
    const float value = first_colour_value(leaf_);
    back_up(-1, value, leaf_.first_colour());
    return false;
  }

  void back_up(int child, float value, Seat mover) {
    if (child >= 0) edges_[path_.back().edge].child = child;
    for (const auto& [node, edge] : path_) {
      Edge& e = edges_[edge];
      ++e.visits;
      e.sum += nodes_[static_cast<std::size_t>(node)].mover == mover ? value : 1 - value;
    }
    ++done_;
  }

  GumbelSettings settings_;
  G root_, leaf_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Step> path_;
  std::vector<Move> moves_;
  std::vector<Rated> rated_;
  std::vector<int> schedule_;
  std::vector<float> policy_;
  int simulations_ = 0, done_ = 0;
};

}  // namespace purlieu
