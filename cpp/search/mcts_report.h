// What Mcts has to say about its tree. Included by mcts.h.
#pragma once

#include "search/mcts.h"

namespace purlieu {

// Says what these bounds, of the side that makes the move, prove about it.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::state(Bounds bounds, MoveReport& report) {
  if (!bounds.decided()) return;
  report.win_chance = bounds.value();
  report.expected_score = bounds.margin(static_cast<float>(report.expected_score));
  report.proven = bounds.win() ? Proven::win : bounds.loss() ? Proven::loss : Proven::draw;
}

// What is known about a move, for the side that makes it.
template <Game G, Evaluator<G> E>
MoveReport Mcts<G, E>::judge(const Block& block, int slot, bool first, bool fold) const {
  MoveReport report;
  report.visits = block.move_visits[slot].load(std::memory_order_relaxed);
  if (report.visits > 0) {
    report.win_chance = std::clamp(block.value[slot].load(std::memory_order_relaxed), 0.0, 1.0);
    report.expected_score = block.margin[slot].load(std::memory_order_relaxed);
  }
  const Bounds bounds = block.move_bounds[slot].load(std::memory_order_relaxed);
  state(first ? bounds : bounds.turned(), report);
  if (fold && report.win_chance > 0.5) {
    report.win_chance = 1 - report.win_chance;
    report.expected_score = -report.expected_score;
    if (report.proven == Proven::win) report.proven = Proven::loss;
  }
  return report;
}

// The move to play: a proven win; else the most visited of those not lost; else the most visited. Where some move draws
// at the least, none that cannot win, and may lose, is better: its mean is of the time before that was known.
template <Game G, Evaluator<G> E>
auto Mcts<G, E>::best(Index node, bool first, bool fold) const -> Choice {
  const auto bounds_of = [&](const Block& block, int i) {
    const Bounds bounds = block.move_bounds[i].load(std::memory_order_relaxed);
    return first ? bounds : bounds.turned();
  };
  bool draws = false;
  for_each_move(node, [&](const Block& block, int i) { draws |= bounds_of(block, i).low >= 0; });
  const auto is_hopeless = [&](const Block& block, int i) {
    const Bounds bounds = bounds_of(block, i);
    return draws && !fold && !bounds.decided() && bounds.high <= 0;
  };
  const auto rank = [](const MoveReport& r, bool hopeless, double draw_chance) {
    const int proven = r.proven == Proven::win ? 3 : r.proven == Proven::loss ? 0 : hopeless ? 1 : 2;
    // A sure draw is better than what looks worse, however often that was visited.
    const bool drawn = r.proven == Proven::draw;
    const double visits = drawn ? (draw_chance < 0.5 ? 1e18 : -1) : static_cast<double>(r.visits);
    return std::tuple(proven, visits, r.win_chance, r.expected_score);
  };
  double chance = 0;
  std::int64_t most = -1;
  for_each_move(node, [&](const Block& block, int i) {
    const MoveReport r = judge(block, i, first, fold);
    if (r.proven == Proven::no && r.visits > most && !is_hopeless(block, i)) {
      most = r.visits;
      chance = r.win_chance;
    }
  });
  Choice choice;
  std::tuple<int, double, double, double> top;
  for_each_move(node, [&](const Block& block, int i) {
    const auto here = rank(judge(block, i, first, fold), is_hopeless(block, i), chance);
    if (choice.block && here <= top) return;
    top = here;
    choice = {const_cast<Block*>(&block), i};
  });
  return choice;
}

template <Game G, Evaluator<G> E>
Report Mcts<G, E>::report() const {
  Report report;
  report.simulations = std::min(started_.load(), most_simulations_.load());
  report.nodes = tree_.nodes();
  report.seconds = running_ ? std::chrono::duration<double>(Clock::now() - begun_.load()).count() : seconds_.load();
  const bool first = first_moves(root_);
  const Block& root = tree_[root_node_];

  auto legal = std::make_unique<Moves>();
  position_.legal_moves(*legal);
  std::vector<int> place(G::kMoveCodes + 1, -1);
  const Index table = root.table.load(std::memory_order_acquire);
  std::int64_t visits = 0;
  double chances = 0, scores = 0;  // Sums over the visits.
  for (Move move : *legal) {
    MoveReport& r = report.moves.emplace_back();
    r.move = move_name(position_, move);
    if (move == kSwap) continue;
    place[static_cast<std::size_t>(tree_.slot(move))] = static_cast<int>(report.moves.size()) - 1;
    if (table == kNone) continue;
    const auto [plays, wins] = tree_.table(table)[tree_.slot(move)].counts();
    r.win_chance = (wins + 0.5f) / (plays + 1);
    if (fold_) r.win_chance = std::min(r.win_chance, 1 - r.win_chance);
  }
  for_each_move(root_node_, [&](const Block& block, int i) {
    MoveReport& r = report.moves[static_cast<std::size_t>(place[static_cast<std::size_t>(tree_.slot(block.move[i]))])];
    MoveReport known = judge(block, i, first, fold_);
    if (known.visits == 0 && known.proven == Proven::no) known.win_chance = r.win_chance;
    known.move = std::move(r.move);
    r = std::move(known);
    visits += r.visits;
    chances += static_cast<double>(r.visits) * r.win_chance;
    scores += static_cast<double>(r.visits) * r.expected_score;
  });

  std::unique_lock lock(proof_mutex_);
  const auto proof = proof_;
  lock.unlock();
  Bounds bounds = proof ? proof->bounds : root.bounds.load(std::memory_order_relaxed);
  if (!first) bounds = bounds.turned();
  const bool follow = proof && !bounds.loss();
  const Choice choice = best(root_node_, first, fold_);
  const Move move = follow ? proof->line[0] : choice.block->move[choice.slot];
  MoveReport& chosen = report.moves[static_cast<std::size_t>(place[static_cast<std::size_t>(tree_.slot(move))])];
  if (proof) state(bounds, chosen);
  if (chosen.visits == 0 && chosen.proven == Proven::no && visits > 0) {
    // All that was looked at is lost: of what was not we know no more than what the search has seen on the whole.
    chosen.win_chance = chances / static_cast<double>(visits);
    chosen.expected_score = scores / static_cast<double>(visits);
  }
  report.best_move = chosen.move;
  report.win_chance = chosen.win_chance;
  report.expected_score = chosen.expected_score;
  if (fold_) {
    if (resolved()) report.proven = chosen.proven;
  } else if (bounds.decided()) {
    report.proven = bounds.win() ? Proven::win : bounds.loss() ? Proven::loss : Proven::draw;
  }
  if (swap_legal(position_)) {
    // To swap is to sit on the other side of the very same position.
    for (MoveReport& r : report.moves) {
      if (r.move != "swap") continue;
      r.win_chance = 1 - report.win_chance;
      r.expected_score = -report.expected_score;
      r.proven = report.proven == Proven::win    ? Proven::loss
                 : report.proven == Proven::loss ? Proven::win
                                                 : report.proven;
      if (r.win_chance <= 0.5) continue;
      r.visits = visits;
      visits *= 2;
      report.best_move = r.move;
      report.win_chance = r.win_chance;
      report.expected_score = r.expected_score;
      report.proven = r.proven;
    }
  }
  for (MoveReport& r : report.moves) {
    if (visits > 0) r.share = static_cast<double>(r.visits) / static_cast<double>(visits);
    else r.share = r.move == report.best_move;
  }
  G game = position_;
  const auto write = [&](const std::vector<Move>& moves) {
    for (Move next : moves) {
      report.line.push_back(move_name(game, next));
      game.play(next);
    }
  };
  if (follow) write(proof->line);
  else write(line());
  return report;
}

// The best moves of both sides, as far as the tree has seen them more than once.
template <Game G, Evaluator<G> E>
std::vector<Move> Mcts<G, E>::line() const {
  std::vector<Move> moves;
  G game = position_;
  const auto play = [&](Move move) {
    moves.push_back(move);
    game.play(move);
  };
  bool fold = fold_;
  for (Index node = root_node_; node != kNone;) {
    const bool first = first_moves(game);
    const Choice choice = best(node, first, fold);
    const MoveReport report = judge(*choice.block, choice.slot, first, false);
    if (report.visits < 2 && node != root_node_) break;
    if (swap_legal(game) && report.win_chance < 0.5) play(kSwap);
    play(choice.block->move[choice.slot]);
    fold = false;
    node = choice.block->child[choice.slot].load(std::memory_order_acquire);
  }
  return moves;
}

template <Game G, Evaluator<G> E>
float Mcts<G, E>::rave_value(Move move) const {
  const Index table = tree_[root_node_].table.load(std::memory_order_acquire);
  const auto [plays, wins] = tree_.table(table)[tree_.slot(move)].counts();
  return (wins + 0.5f) / (plays + 1);
}

}  // namespace purlieu
