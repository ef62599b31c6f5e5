// How Mcts makes a simulation: nodes and their moves, the way down, and the way back. Included by mcts.h.
#pragma once

#include "search/mcts.h"

namespace purlieu {

template <Game G, Evaluator<G> E>
Index Mcts<G, E>::make_node(Worker& worker, const G& game, Index table, float value) {
  const std::uint64_t key = game.key();
  list_moves(game, worker.moves, worker.unopened);
  const Index index = tree_.new_node(key, static_cast<int>(worker.unopened.size()));
  if (index != kNone) open_moves(worker, tree_[index], game, table, value);
  return index;
}

// Opens the first moves of a new node, or one more block of an old one: those that look best by the table. `value` is
// the node's, for the side to move.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::open_moves(Worker& worker, Block& node, const G& game, Index table, float value) {
  Block* last = &node;
  if (node.count) list_moves(game, worker.moves, worker.unopened);
  const bool rated = node.rated.load(std::memory_order_relaxed);
  if (rated) rate(game, worker.unopened, worker.ratings);
  if (node.count) {
    ++worker.stamp;
    for (;; last = &tree_[last->next.load(std::memory_order_acquire)]) {
      for (int i = 0; i < last->count; ++i) worker.stamps[tree_.slot(last->move[i])] = worker.stamp;
      if (last->next.load(std::memory_order_relaxed) == kNone) break;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < worker.unopened.size(); ++i) {
      if (worker.stamps[tree_.slot(worker.unopened[i])] == worker.stamp) continue;
      if (rated) worker.ratings[kept] = worker.ratings[i];
      worker.unopened[kept++] = worker.unopened[i];
    }
    worker.unopened.resize(kept);
  }
  auto& candidates = worker.candidates;
  candidates.clear();
  if constexpr (E::kHasPriors) {
    worker.priors.resize(worker.unopened.size());
    if (node.total == 1) worker.priors[0] = 1;  // No evaluator is asked about a forced move. The last of many is none.
    else worker.evaluator.priors(game, worker.unopened, worker.priors);
    for (std::size_t i = 0; i < worker.unopened.size(); ++i)
      candidates.push_back({worker.priors[i], worker.unopened[i],
                            static_cast<std::uint16_t>(65535 * std::clamp(worker.priors[i], 0.0f, 1.0f))});
  } else {
    // Among equals chance decides.
    for (std::size_t i = 0; i < worker.unopened.size(); ++i) {
      Candidate& candidate = candidates.emplace_back();
      candidate.move = worker.unopened[i];
      candidate.score = 1e-3f * static_cast<float>(worker.random.unit());
      if (table != kNone) {
        const auto [plays, wins] = tree_.table(table)[tree_.slot(candidate.move)].counts();
        candidate.score += (wins + value) / (plays + 1);
      }
      if (!rated) continue;
      candidate.score += static_cast<float>(worker.ratings[i]) / 65536;
      candidate.prior = as_prior(worker.ratings[i]);
    }
  }
  const int blocks = node.count ? 1 : std::max(1, static_cast<int>(settings_.open_base) / Block::kMoves);
  auto& top = worker.top;
  top.resize(std::min(candidates.size(), static_cast<std::size_t>(blocks * Block::kMoves)));
  std::partial_sort_copy(candidates.begin(), candidates.end(), top.begin(), top.end(),
                         [](const Candidate& a, const Candidate& b) { return a.score > b.score; });

  for (std::size_t done = 0; done < top.size();) {
    Index fresh = kNone;
    Block* block = &node;
    if (node.count) {
      fresh = tree_.new_block();
      if (fresh == kNone) return;
      block = &tree_[fresh];
    }
    for (; block->count < Block::kMoves && done < top.size(); ++done, ++block->count) {
      block->move[block->count] = top[done].move;
      block->prior[block->count].store(top[done].prior, std::memory_order_relaxed);
    }
    if (fresh != kNone) {
      last->next.store(fresh, std::memory_order_release);
      last = block;
    }
    // Whoever sees that all are open must see them all, too.
    node.opened.store(static_cast<std::uint16_t>(node.opened.load(std::memory_order_relaxed) + block->count),
                      std::memory_order_release);
  }
}

template <Game G, Evaluator<G> E>
std::uint16_t Mcts<G, E>::as_prior(int rating) {
  return static_cast<std::uint16_t>(std::clamp(Block::kNoPrior + rating, 0, 65535));
}

// Rates the open moves of a node, whose position the worker is at. Those that open later are rated then.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::rate_moves(Worker& worker, Index node) const {
  auto& moves = worker.unopened;
  moves.clear();
  for_each_move(node, [&](const Block& block, int i) { moves.push_back(block.move[i]); });
  rate(worker.game, moves, worker.ratings);
  std::size_t n = 0;
  for_each_move(node, [&](Block& block, int i) {
    block.prior[i].store(as_prior(worker.ratings[n++]), std::memory_order_relaxed);
  });
  tree_[node].rated.store(true, std::memory_order_relaxed);
}

// From the root down to a move without a node, and back.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::simulate(Worker& worker) {
  G& game = worker.game;
  game = root_;
  worker.trace.clear();
  worker.path.clear();
  const auto evaluate = [&] { return judge_leaf(worker); };
  const auto known = [&](Bounds bounds) { return Evaluation{bounds.value(), bounds.margin(margin_so_far(worker))}; };
  Index tables[2] = {kNone, kNone};  // The nearest on the path, for each side to move.
  Index node = root_node_;
  float value = 0.5f;  // The node's, for the side to move.
  for (bool grown = false;;) {
    const bool first = first_moves(game);
    const Choice choice = choose(worker, node, first, tables[first], value);
    if (!choice.block) {
      // Nothing is left to look at. What was proved below along another path may not have come up here yet.
      bool tighter = tighten(tree_[node].bounds, bounds_below(node, first));
      const Bounds bounds = tree_[node].bounds.load(std::memory_order_relaxed);
      if (!worker.path.empty()) {
        const Step& last = worker.path.back();
        tighter |= tighten(last.block->move_bounds[last.slot], bounds);
      }
      return bounds.decided() ? back_up(worker, known(bounds), true) : back_up(worker, evaluate(), tighter);
    }
    const auto [block, slot] = choice;
    Index child = block->child[slot].load(std::memory_order_acquire);
    tree_.prefetch(child);
    const double mean = block->value[slot].load(std::memory_order_relaxed);
    const std::uint32_t visits = block->enter(slot);
    // Where another order of moves made the node, this move may have no mean yet. With a net its value counts as a
    // visit; playouts only begin with it, and are no better for another one.
    value = 1 - (E::kHasPriors && visits == 1 ? value : static_cast<float>(mean));
    worker.path.push_back({node, block, slot, first});
    worker.trace.push(block->move[slot]);
    game.play(block->move[slot]);

    const Bounds before = block->move_bounds[slot].load(std::memory_order_relaxed);
    if (before.decided()) return back_up(worker, known(before), false);
    if (child == kNone) {
      const bool grows = !grown && visits >= static_cast<std::uint32_t>(settings_.expand_at);
      if ((visits == 1 || grows) && game.is_over()) {
        const Bounds result = final_bounds(game);
        const bool proved = settings_.solver && tighten(block->move_bounds[slot], result);
        return back_up(worker, known(result), proved);
      }
      if (!grows) return back_up(worker, evaluate(), false);
      if constexpr (E::kHasPriors) {
        if (const auto proof = prove_leaf(worker)) {
          const bool tighter = tighten(block->move_bounds[slot], *proof);
          return back_up(worker, known(*proof), tighter);
        }
      }
      bool fresh = false;
      child = grow(worker, *block, slot, tables[!first], value, fresh);
      if (child == kNone) return back_up(worker, evaluate(), false);
      grown = tree_[child].total > 1;  // A forced move is no growth: go on past it.
      if constexpr (E::kHasPriors) {
        // Its priors came with its value. Where another order of moves led before, there is more to learn below.
        if (grown && fresh) return back_up(worker, evaluate(), false);
        grown = false;
      }
    }
    // Along another move order more may have been proved.
    const Bounds bounds = tree_[child].bounds.load(std::memory_order_relaxed);
    if (bounds.known() && tighten(block->move_bounds[slot], bounds) && bounds.decided())
      return back_up(worker, known(bounds), true);
    node = child;
  }
}

// By how much the first colour is expected to win where the worker is at: as the nearest move on its path has it that
// was tried before, or else as the net says of the root, or the score stands. Who wins may be proved, and this is still
// the best guess by how much.
template <Game G, Evaluator<G> E>
float Mcts<G, E>::margin_so_far(Worker& worker) const {
  for (auto step = worker.path.rbegin(); step != worker.path.rend(); ++step) {
    if (step->block->move_visits[step->slot].load(std::memory_order_relaxed) < 2) continue;  // One is this visit.
    const float margin = step->block->margin[step->slot].load(std::memory_order_relaxed);
    return step->first ? margin : -margin;
  }
  if constexpr (E::kHasPriors) {
    G root = root_;  // The net remembers it, as the search began there.
    return worker.evaluator.evaluate(root, worker.random, worker.trace).margin;
  } else {
    const Score now = worker.game.score();
    return static_cast<float>(now.first - now.second);
  }
}

// What the evaluator says about the position that the worker is at, and with a net, where they help, playouts too.
template <Game G, Evaluator<G> E>
Evaluation Mcts<G, E>::judge_leaf(Worker& worker) {
  G& game = worker.game;
  Evaluation found = worker.evaluator.evaluate(game, worker.random, worker.trace);
  if constexpr (E::kHasPriors) {
    const double weight = settings_.leaf_playouts > 0 && !game.is_over() ? playout_weight(game) : 0;
    if (weight > 0) found.value = with_playouts(game, found.value, settings_.leaf_playouts, weight, worker.random);
  }
  return found;
}

// What an exact search says about the position that the worker is at, if it takes little.
template <Game G, Evaluator<G> E>
std::optional<Bounds> Mcts<G, E>::prove_leaf(Worker& worker) {
  if (!settings_.solver || settings_.leaf_nodes <= 0) return std::nullopt;
  if (worker.game.ply() == 1 && swap_legal(worker.game)) return std::nullopt;  // The tree knows no swap.
  if (!worker.prover) worker.prover = std::make_unique<LeafProver<G>>(endgame_.table());
  return worker.prover->prove(worker.game, settings_.leaf_nodes);
}

// The move to try at a node, which gets a table and more open moves when it is time. `table` is the one used for its
// side so far, and becomes the node's own.
template <Game G, Evaluator<G> E>
auto Mcts<G, E>::choose(Worker& worker, Index node, bool first, Index& table, float value) -> Choice {
  Block& head = tree_[node];
  const std::uint32_t visits = head.visits.fetch_add(1, std::memory_order_relaxed) + 1;
  // One thread at a time; the others go on with what is there.
  const auto alone = [&](auto&& work) {
    if (head.opening.exchange(true, std::memory_order_acquire)) return;
    const struct Done {  // Also where an evaluator throws.
      std::atomic<bool>& opening;
      ~Done() { opening.store(false, std::memory_order_release); }
    } done{head.opening};
    work();
  };
  const auto open = [&] { open_moves(worker, head, worker.game, table, value); };

  if (settings_.rave_k > 0) {
    const auto bare = [&] { return head.table.load(std::memory_order_relaxed) == kNone; };
    if (visits >= static_cast<std::uint32_t>(settings_.rave_reference) && bare())
      alone([&] {
        if (bare()) head.table.store(tree_.new_table(table, settings_.rave_inherit), std::memory_order_release);
      });
    if (const Index own = head.table.load(std::memory_order_acquire)) table = own;
  }
  if constexpr (!E::kHasPriors) {
    const auto unrated = [&] { return !head.rated.load(std::memory_order_relaxed); };
    if (settings_.rate_at > 0 && visits >= static_cast<std::uint32_t>(settings_.rate_at) && unrated())
      alone([&] {
        if (unrated()) rate_moves(worker, node);
      });
  }
  const std::uint16_t opened = head.opened.load(std::memory_order_relaxed);
  const bool fold = fold_ && node == root_node_;
  if (opened < head.total && (visits >= open_at_[opened / Block::kMoves] || (E::kHasPriors && fold))) alone(open);

  Choice choice = select(node, first, table, value, fold);
  // If all that is open is lost, there may be more.
  while (!choice.block && head.opened.load(std::memory_order_relaxed) < head.total && !tree_.full() &&
         !head.opening.load(std::memory_order_relaxed)) {
    alone(open);
    choice = select(node, first, table, value, fold);
  }
  return choice;
}

// Makes the node behind a move, or finds it, if another order of moves led there before: then it is not `fresh`. kNone
// if there is no room.
template <Game G, Evaluator<G> E>
Index Mcts<G, E>::grow(Worker& worker, Block& block, int slot, Index table, float value, bool& fresh) {
  if (tree_.full()) return kNone;
  const bool merge = G::kAcyclic && settings_.graph;
  Index child = merge ? tree_.find(worker.game.key()) : kNone;
  const bool found = child != kNone;
  if (!found) child = make_node(worker, worker.game, table, value);
  if (child == kNone) return kNone;
  fresh = !found;
  Index before = kNone;
  if (!block.child[slot].compare_exchange_strong(before, child, std::memory_order_acq_rel)) return before;
  if (merge && !found) tree_.remember(child);
  return child;
}

// `proved`: the bounds of the last move have just become tighter.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::back_up(Worker& worker, Evaluation leaf, bool proved) {
  const int depth = static_cast<int>(worker.path.size());
  const Trace& trace = worker.trace;
  const int end = depth + static_cast<int>(settings_.rave_horizon * (trace.size() - depth));
  for (int d = depth - 1; d >= 0; --d) {
    const auto [node, block, slot, first] = worker.path[static_cast<std::size_t>(d)];
    Block& head = tree_[node];
    const float value = first ? leaf.value : 1 - leaf.value;
    const float margin = first ? leaf.margin : -leaf.margin;
    block->leave(slot, value, margin);
    if (const Index index = head.table.load(std::memory_order_acquire)) {
      Tally* table = tree_.table(index);
      for (int i = d; i < end; i += 2) table[tree_.slot(trace[i])].add(value);
    }
    if (proved) {
      const Bounds bounds = bounds_below(node, first);
      proved = tighten(head.bounds, bounds);
      if (proved && bounds.decided()) leaf = {bounds.value(), bounds.margin(leaf.margin)};
      if (proved && d > 0) {
        const Step& above = worker.path[static_cast<std::size_t>(d - 1)];
        tighten(above.block->move_bounds[above.slot], bounds);
      }
    }
  }
}

template <Game G, Evaluator<G> E>
bool Mcts<G, E>::tighten(std::atomic<Bounds>& bounds, Bounds by) {
  Bounds old = bounds.load(std::memory_order_relaxed);
  for (;;) {
    const Bounds now = {std::max(old.low, by.low), std::min(old.high, by.high)};
    if (now == old) return false;
    if (bounds.compare_exchange_weak(old, now, std::memory_order_relaxed)) return true;
  }
}

// Calls f(block, slot) for each open move.
template <Game G, Evaluator<G> E>
template <class F>
void Mcts<G, E>::for_each_move(Index node, F&& f) const {
  for (Index at = node; at != kNone; at = tree_[at].next.load(std::memory_order_acquire))
    for (int i = 0; i < tree_[at].count; ++i) f(tree_[at], i);
}

// What the bounds of a node's moves prove about the node.
template <Game G, Evaluator<G> E>
Bounds Mcts<G, E>::bounds_below(Index node, bool first) const {
  // An unopened move may be as good as any for the side to move.
  const bool all_open = tree_[node].opened.load(std::memory_order_acquire) == tree_[node].total;
  Bounds best = {-Bounds::kMost, all_open ? std::int16_t{-Bounds::kMost} : Bounds::kMost};
  for_each_move(node, [&](const Block& block, int i) {
    const Bounds bounds = block.move_bounds[i].load(std::memory_order_relaxed);
    const Bounds mine = first ? bounds : bounds.turned();
    best = {std::max(best.low, mine.low), std::max(best.high, mine.high)};
  });
  return first ? best : best.turned();
}

// The move to look at next; none if all open moves are lost or cannot better what is proved. `value` is the node's,
// for the side to move.
template <Game G, Evaluator<G> E>
auto Mcts<G, E>::select(Index node, bool first, Index table, float value, bool fold) const -> Choice {
  constexpr int kMoves = Block::kMoves;
  const Block& head = tree_[node];
  if (head.total == 1) return {&tree_[node], 0};
  const Bounds proved = head.bounds.load(std::memory_order_relaxed);
  const std::int16_t low = std::max<std::int16_t>((first ? proved : proved.turned()).low, -1);
  const Tally* tallies = table == kNone ? nullptr : tree_.table(table);
  const auto visits = static_cast<float>(head.visits.load(std::memory_order_relaxed));
  const auto c = static_cast<float>(settings_.exploration);
  const float explore = E::kHasPriors ? c * std::sqrt(visits) : c * std::sqrt(std::log(visits + 1));
  const float per_k = settings_.rave_k > 0 ? static_cast<float>(1 / settings_.rave_k) : 0;
  float untried = value;  // What a move is thought worth that has no visit.
  if constexpr (E::kHasPriors) {
    float n = node != root_node_, w = n * value, seen = 0;  // Nobody has said what the root is worth.
    for_each_move(node, [&](const Block& block, int i) {
      const auto tries = static_cast<float>(block.move_visits[i].load(std::memory_order_relaxed));
      if (tries == 0) return;
      n += tries;
      w += tries * static_cast<float>(block.value[i].load(std::memory_order_relaxed));
      seen += block.prior[i].load(std::memory_order_relaxed) / 65535.0f;
    });
    if (n > 0) untried = w / n - static_cast<float>(settings_.reduction) * std::sqrt(seen);
  }
  Choice choice;
  float best = -1e30f;
  for (Index at = node; at != kNone; at = tree_[at].next.load(std::memory_order_acquire)) {
    Block& block = tree_[at];
    tree_.prefetch(block.next.load(std::memory_order_acquire));
    float n[kMoves], w[kMoves], prior[kMoves], plays[kMoves], wins[kMoves], score[kMoves];
    const int count = block.count;
    for (int i = 0; i < kMoves; ++i) {
      n[i] = static_cast<float>(static_cast<std::int32_t>(block.move_visits[i].load(std::memory_order_relaxed)));
      w[i] = n[i] * static_cast<float>(block.value[i].load(std::memory_order_relaxed));
      prior[i] = block.prior[i].load(std::memory_order_relaxed);
    }
    if constexpr (E::kHasPriors) {
      for (int i = 0; i < kMoves; ++i)
        score[i] = n[i] > 0 ? w[i] / n[i] : untried;
      // Where a swap follows, the net's likeliest moves are too good to offer: all are tried, and the evenest most.
      for (int i = 0; i < kMoves; ++i)
        score[i] = fold ? (n[i] > 0 ? std::min(score[i], 1 - score[i]) : 0.5f) + explore / (n[i] + 1) / head.total
                        : score[i] + explore * prior[i] / 65535.0f / (n[i] + 1);
    } else if (tallies) {
      for (int i = 0; i < kMoves; ++i) {
        const auto counts = tallies[tree_.slot(block.move[i])].counts();
        plays[i] = counts.plays + 1;
        // A rating weighs as much as the table does; not where a swap follows, as there the better move is no better.
        wins[i] = counts.wins + value + (fold ? 0 : plays[i] * (prior[i] - Block::kNoPrior) / 65536);
      }
      // With b = plays / (n + plays + n * plays / k), this is (1 - b) * w / n + b * wins / plays.
      for (int i = 0; i < kMoves; ++i) {
        const float mean = (w[i] * (1 + plays[i] * per_k) + wins[i]) / (n[i] + plays[i] + n[i] * plays[i] * per_k);
        score[i] = (fold ? std::min(mean, 1 - mean) : mean) + explore / std::sqrt(n[i] + 1);
      }
    } else {
      for (int i = 0; i < kMoves; ++i) {
        const float mean = n[i] > 0 ? w[i] / n[i] : value;
        score[i] = (fold ? std::min(mean, 1 - mean) : mean) + explore / std::sqrt(std::max(n[i], 1.0f));
        if (settings_.try_all && n[i] == 0) score[i] = 1e9f;
      }
    }
    for (int i = 0; i < count; ++i) {
      if (!(score[i] > best)) continue;
      const Bounds bounds = block.move_bounds[i].load(std::memory_order_relaxed);
      if (bounds.known() && (fold ? bounds.decided() : (first ? bounds : bounds.turned()).high <= low)) continue;
      best = score[i];
      choice = {&block, i};
    }
  }
  return choice;
}

}  // namespace purlieu
