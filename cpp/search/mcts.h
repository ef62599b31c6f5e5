// Monte-Carlo tree search over any game: RAVE with GRAVE's tables and learned ratings, proven results with score
// bounds, nodes opened bit by bit, move orders merged where no position can return, all threads in one tree.
//
// The tree knows colours, not seats. A swap changes neither the board nor the colour to move, so no swap is in the
// tree: what it is worth follows from the value of the position itself (see report()).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "games/game.h"
#include "priors/priors.h"
#include "search/bounds.h"
#include "search/endgame.h"
#include "search/evaluator.h"
#include "search/limits.h"
#include "search/report.h"
#include "search/settings.h"
#include "search/tree.h"

namespace purlieu {

template <Game G, Evaluator<G> E = Playouts>
class Mcts {
 public:
  // Precondition: the position is not over.
  Mcts(const G& position, const Settings& settings, E evaluator = E());

  // Searches until a limit is reached, the result is proven, `stop` is set, or tick(), which is called about every 50
  // milliseconds on this thread, says false. What is in the tree already stays and counts. Precondition: not over.
  template <class Tick>
  void run(const Limits& limits, const std::atomic<bool>& stop, Tick&& tick);

  // The same without ticks; a single thread with no time limit then works on this one.
  void run(const Limits& limits, const std::atomic<bool>& stop);

  // What is known now; also while run() is at work on another thread. Precondition: not over.
  Report report() const;

  // What RAVE says about a move of the root's, from 0 to 1. Precondition: rave_k > 0.
  float rave_value(Move move) const;

  // Plays a move and keeps what is known about the position after it. Precondition: legal, and nothing is running.
  void advance(Move move);

  const G& position() const { return position_; }
  std::size_t bytes_used() const { return tree_.bytes_used() + endgame_.bytes_used(); }

 private:
  static constexpr std::uint32_t kBusyVisits = 1000;

  using Clock = std::chrono::steady_clock;
  using Moves = MoveList<G::kMostMoves>;

  // A move that a simulation makes in the tree.
  struct Step {
    Index node;
    Block* block;
    int slot;
    bool first;  // The first colour moves.
  };
  // A move that might be opened next.
  struct Candidate {
    float score = 0;
    Move move;
    std::uint16_t prior = Block::kNoPrior;
  };
  // What a thread has for itself.
  struct Worker {
    Worker(const G& g, std::uint64_t seed, const E& e) : game(g), random(seed), evaluator(e) {}
    G game;
    Random random;
    E evaluator;
    Trace trace;
    std::uint32_t simulations = 0;
    std::vector<Step> path;
    Moves moves;
    std::vector<Move> unopened;
    std::vector<float> priors;
    std::vector<int> ratings;
    std::vector<Candidate> candidates, top;
    std::vector<std::uint32_t> stamps = std::vector<std::uint32_t>(G::kMoveCodes + 1);
    std::uint32_t stamp = 0;
  };
  struct Choice {
    Block* block = nullptr;
    int slot = 0;
  };

  // The exact solver takes a small part of the memory, if the game has one.
  static constexpr double kEndgamePart = G::kAcyclic ? 1.0 / 16 : 0;
  static std::size_t endgame_bytes(const Settings& s) {
    return static_cast<std::size_t>(s.endgame ? s.memory_mb * kEndgamePart * (1 << 20) : 0);
  }
  static std::size_t tree_bytes(const Settings& s) {
    return static_cast<std::size_t>(s.memory_mb * (1 << 20)) - endgame_bytes(s);
  }

  static bool first_moves(const G& game) { return game.to_move() == game.first_colour(); }
  static bool swap_legal(const G& game) { return game.is_legal(kSwap); }
  static bool swap_comes(const G& game);
  void prepare(const Limits& limits);
  void finish();
  void list_moves(const G& game, Moves& all, std::vector<Move>& moves) const;

  void make_root();
  Index make_node(Worker& worker, const G& game, Index table, float value);
  void open_moves(Worker& worker, Block& node, const G& game, Index table, float value);
  void rate_moves(Worker& worker, Index node) const;
  static std::uint16_t as_prior(int rating);
  void work(Worker& worker, const Limits& limits, const std::atomic<bool>& stop);
  void prove_end(const Limits& limits, const std::atomic<bool>& stop);
  void simulate(Worker& worker);
  Choice choose(Worker& worker, Index node, bool first, Index& table, float value);
  Index grow(Worker& worker, Block& block, int slot, Index table, float value);
  void back_up(Worker& worker, Evaluation leaf, bool proved);
  Choice select(Index node, bool first, Index table, float value, bool fold) const;
  Bounds bounds_below(Index node, bool first) const;
  static bool tighten(std::atomic<Bounds>& bounds, Bounds by);
  bool resolved() const;
  template <class F>
  void for_each_move(Index node, F&& f) const;
  Choice best(Index node, bool first, bool fold) const;
  static void state(Bounds bounds, MoveReport& report);
  MoveReport judge(const Block& block, int slot, bool first, bool fold) const;
  std::vector<Move> line() const;

  Settings settings_;
  G position_;  // With the swap, if it was played;
  G root_;      // and without: the tree's root.
  Tree tree_;
  Index root_node_ = kNone;
  bool fold_ = false;  // The opponent may swap next: a move is worth the worse of its two sides.
  std::vector<std::uint32_t> open_at_;  // The number of visits at which a node opens its i-th block of moves.
  std::vector<std::unique_ptr<Worker>> workers_;

  Endgame<G> endgame_;
  std::optional<EndgameProof> proof_;  // Of the root.
  mutable std::mutex proof_mutex_;     // For report(), which may be asked in the meantime.

  std::atomic<bool> halt_ = false;
  std::atomic<std::int64_t> most_simulations_ = 0;
  alignas(64) std::atomic<std::int64_t> started_ = 0;
  alignas(64) std::atomic<double> seconds_ = 0;
  Clock::time_point begun_;
  std::atomic<bool> running_ = false;
};

template <Game G, Evaluator<G> E>
Mcts<G, E>::Mcts(const G& position, const Settings& settings, E evaluator)
    : settings_(settings),
      position_(position),
      root_(position),
      tree_(tree_bytes(settings), G::kMoveCodes),
      endgame_(endgame_bytes(settings)) {
  for (int i = 0; i <= G::kMostMoves / Block::kMoves + 1; ++i) {
    const double more = (i * Block::kMoves - settings_.open_base) / settings_.open_factor;
    const double visits = more <= 0 ? 0 : std::pow(more, 1 / settings_.open_power);
    open_at_.push_back(static_cast<std::uint32_t>(std::min(visits, 4e9)));
  }
  for (int i = 0; i < settings_.threads; ++i) {
    const std::uint64_t seed = mix(settings_.seed) + static_cast<std::uint64_t>(i);
    workers_.push_back(std::make_unique<Worker>(position, seed, evaluator));
  }
  make_root();
}

// The moves of the tree: all but the swap.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::list_moves(const G& game, Moves& all, std::vector<Move>& moves) const {
  game.legal_moves(all);
  moves.clear();
  for (Move move : all)
    if (move != kSwap) moves.push_back(move);
}

// Whether the opponent may swap after the next move.
template <Game G, Evaluator<G> E>
bool Mcts<G, E>::swap_comes(const G& game) {
  if (game.ply() != 0) return false;
  auto moves = std::make_unique<Moves>();
  game.legal_moves(*moves);
  G after = game;
  after.play((*moves)[0]);
  return after.is_legal(kSwap);
}

template <Game G, Evaluator<G> E>
void Mcts<G, E>::make_root() {
  Worker& worker = *workers_[0];
  if (root_node_ == kNone) {
    tree_.clear();
    root_node_ = make_node(worker, root_, kNone, 0.5f);
  }
  Block& root = tree_[root_node_];
  if (settings_.rave_k > 0 && root.table == kNone) root.table = tree_.new_table(kNone, 0);
  fold_ = swap_comes(root_);
}

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
    worker.evaluator.priors(game, worker.unopened, worker.priors);
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
    node.opened.store(static_cast<std::uint16_t>(node.opened.load(std::memory_order_relaxed) + block->count),
                      std::memory_order_relaxed);
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

template <Game G, Evaluator<G> E>
template <class Tick>
void Mcts<G, E>::run(const Limits& limits, const std::atomic<bool>& stop, Tick&& tick) {
  prepare(limits);
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t at_work = workers_.size();
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  const auto end = [&] {
    halt_ = true;
    for (auto& thread : threads) thread.join();
    finish();
  };
  try {
    for (auto& worker : workers_)
      threads.emplace_back([&, &mine = *worker] {
        std::exception_ptr thrown;
        try {
          work(mine, limits, stop);
        } catch (...) {
          thrown = std::current_exception();
          halt_ = true;
        }
        const std::lock_guard lock(mutex);
        if (thrown) failure = thrown;
        if (--at_work == 0) ended.notify_one();
      });
    std::unique_lock lock(mutex);
    const auto deadline = begun_ + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(std::min(limits.seconds.value_or(1e9), 1e9)));
    auto next_tick = begun_;
    while (at_work > 0) {
      next_tick = Clock::now() + std::chrono::milliseconds(50);
      if (ended.wait_until(lock, std::min(deadline, next_tick), [&] { return at_work == 0; })) break;
      if (Clock::now() >= deadline) halt_ = true;
      lock.unlock();
      if (!tick()) halt_ = true;
      lock.lock();
    }
  } catch (...) {
    end();
    throw;
  }
  end();
  if (failure) std::rethrow_exception(failure);
}

template <Game G, Evaluator<G> E>
void Mcts<G, E>::run(const Limits& limits, const std::atomic<bool>& stop) {
  if (limits.seconds || workers_.size() > 1) return run(limits, stop, [] { return true; });
  prepare(limits);
  work(*workers_[0], limits, stop);
  finish();
}

template <Game G, Evaluator<G> E>
void Mcts<G, E>::prepare(const Limits& limits) {
  halt_ = false;
  started_ = 0;
  begun_ = Clock::now();
  std::int64_t most = limits.simulations.value_or(std::numeric_limits<std::int64_t>::max());
  // With nothing to choose, a few simulations tell how things stand.
  const Block& root = tree_[root_node_];
  if (root.total == 1 && !swap_legal(position_))
    most = std::min(most, std::max<std::int64_t>(0, 100 - std::int64_t{root.visits}));
  most_simulations_ = most;
  running_ = true;
}

template <Game G, Evaluator<G> E>
void Mcts<G, E>::finish() {
  seconds_ = std::chrono::duration<double>(Clock::now() - begun_).count();
  running_ = false;
}

template <Game G, Evaluator<G> E>
void Mcts<G, E>::work(Worker& worker, const Limits& limits, const std::atomic<bool>& stop) {
  if (&worker == workers_[0].get()) prove_end(limits, stop);
  const std::int64_t most = most_simulations_;
  const std::int64_t most_nodes = limits.nodes.value_or(std::numeric_limits<std::int64_t>::max());
  while (!halt_.load(std::memory_order_relaxed) && !stop.load(std::memory_order_relaxed) && !resolved() &&
         tree_.nodes() < most_nodes && started_.fetch_add(1, std::memory_order_relaxed) < most)
    simulate(worker);
}

// Near the end of a game an exact search often gets there before any other; it gets a part of the work.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::prove_end(const Limits& limits, const std::atomic<bool>& stop) {
  if (!settings_.endgame || fold_ || swap_legal(position_) || tree_[root_node_].total == 1 || resolved()) return;
  const double seconds = settings_.endgame_part * std::min(limits.seconds.value_or(1e9), 1e9);
  const auto deadline = begun_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const double most = std::min(seconds * Endgame<G>::kNodesPerSecond,
                               static_cast<double>(limits.simulations.value_or(std::numeric_limits<int>::max())));
  const auto stopped = [&] {
    return halt_.load(std::memory_order_relaxed) || stop.load(std::memory_order_relaxed) || Clock::now() >= deadline;
  };
  auto proof = endgame_.prove(root_, most, stopped);
  if (!proof) return;
  // Where all is lost the search goes on, to find the move against which the other side errs most easily.
  const Bounds mine = first_moves(root_) ? proof->bounds : proof->bounds.turned();
  if (!mine.loss()) tighten(tree_[root_node_].bounds, proof->bounds);
  const std::lock_guard lock(proof_mutex_);
  proof_ = std::move(proof);
}

// Whether more simulations cannot change the result.
template <Game G, Evaluator<G> E>
bool Mcts<G, E>::resolved() const {
  if (!fold_) return tree_[root_node_].bounds.load(std::memory_order_relaxed).decided();
  const Block& root = tree_[root_node_];
  return root.bounds.load(std::memory_order_relaxed).known() && root.opened == root.total &&
         !select(root_node_, true, kNone, 0.5f, true).block;
}

// From the root down to a move without a node, and back.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::simulate(Worker& worker) {
  G& game = worker.game;
  game = root_;
  worker.trace.clear();
  worker.path.clear();
  const auto evaluate = [&] { return worker.evaluator.evaluate(game, worker.random, worker.trace); };
  const auto known = [](Bounds bounds) { return Evaluation{bounds.value(), bounds.margin()}; };
  Index tables[2] = {kNone, kNone};  // The nearest on the path, for each side to move.
  Index node = root_node_;
  float value = 0.5f;  // The node's, for the side to move.
  for (bool grown = false;;) {
    const bool first = first_moves(game);
    const Choice choice = choose(worker, node, first, tables[first], value);
    if (!choice.block) {
      const Bounds bounds = tree_[node].bounds.load(std::memory_order_relaxed);
      return bounds.decided() ? back_up(worker, known(bounds), true) : back_up(worker, evaluate(), false);
    }
    const auto [block, slot] = choice;
    Index child = block->child[slot].load(std::memory_order_acquire);
    tree_.prefetch(child);
    value = 1 - block->value[slot].load(std::memory_order_relaxed);
    const std::uint32_t visits = block->enter(slot);
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
      child = grow(worker, *block, slot, tables[!first], value);
      if (child == kNone) return back_up(worker, evaluate(), false);
      grown = tree_[child].total > 1;  // A forced move is no growth: go on past it.
    }
    // Along another move order more may have been proved.
    const Bounds bounds = tree_[child].bounds.load(std::memory_order_relaxed);
    if (bounds.known() && tighten(block->move_bounds[slot], bounds) && bounds.decided())
      return back_up(worker, known(bounds), true);
    node = child;
  }
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
    work();
    head.opening.store(false, std::memory_order_release);
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
  if (opened < head.total && visits >= open_at_[opened / Block::kMoves]) alone(open);

  const bool fold = fold_ && node == root_node_;
  Choice choice = select(node, first, table, value, fold);
  // If all that is open is lost, there may be more.
  while (!choice.block && head.opened.load(std::memory_order_relaxed) < head.total && !tree_.full() &&
         !head.opening.load(std::memory_order_relaxed)) {
    alone(open);
    choice = select(node, first, table, value, fold);
  }
  return choice;
}

// Makes the node behind a move, or finds it, if another order of moves led there before. kNone if there is no room.
template <Game G, Evaluator<G> E>
Index Mcts<G, E>::grow(Worker& worker, Block& block, int slot, Index table, float value) {
  if (tree_.full()) return kNone;
  const bool merge = G::kAcyclic && settings_.graph;
  Index child = merge ? tree_.find(worker.game.key()) : kNone;
  const bool found = child != kNone;
  if (!found) child = make_node(worker, worker.game, table, value);
  if (child == kNone) return kNone;
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
  // Near the root all threads write to the same tables, and would wait for each other's cache lines most of the time.
  // There each simulation teaches only if it is its thread's turn: a part of so many is enough.
  const bool teaches = ++worker.simulations % static_cast<std::uint32_t>(settings_.threads) == 0;
  for (int d = depth - 1; d >= 0; --d) {
    const auto [node, block, slot, first] = worker.path[static_cast<std::size_t>(d)];
    Block& head = tree_[node];
    const float value = first ? leaf.value : 1 - leaf.value;
    const float margin = first ? leaf.margin : -leaf.margin;
    block->leave(slot, value, margin);
    const bool busy = head.visits.load(std::memory_order_relaxed) > kBusyVisits;
    if (const Index index = head.table.load(std::memory_order_acquire); index && (teaches || !busy)) {
      Tally* table = tree_.table(index);
      for (int i = d; i < end; i += 2) table[tree_.slot(trace[i])].add(value);
    }
    if (proved) {
      const Bounds bounds = bounds_below(node, first);
      proved = tighten(head.bounds, bounds);
      if (proved && bounds.decided()) leaf = {bounds.value(), bounds.margin()};
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
  const bool all_open = tree_[node].opened.load(std::memory_order_relaxed) == tree_[node].total;
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
  Choice choice;
  float best = -1e30f;
  for (Index at = node; at != kNone; at = tree_[at].next.load(std::memory_order_acquire)) {
    Block& block = tree_[at];
    tree_.prefetch(block.next.load(std::memory_order_acquire));
    float n[kMoves], w[kMoves], prior[kMoves], plays[kMoves], wins[kMoves], score[kMoves];
    const int count = block.count;
    for (int i = 0; i < kMoves; ++i) {
      n[i] = static_cast<float>(static_cast<std::int32_t>(block.move_visits[i].load(std::memory_order_relaxed)));
      w[i] = n[i] * block.value[i].load(std::memory_order_relaxed);
      prior[i] = block.prior[i].load(std::memory_order_relaxed);
    }
    if constexpr (E::kHasPriors) {
      for (int i = 0; i < kMoves; ++i)
        score[i] = (w[i] + value) / (n[i] + 1) + explore * prior[i] / 65535.0f / (n[i] + 1);
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

// Says what these bounds, of the side that makes the move, prove about it.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::state(Bounds bounds, MoveReport& report) {
  if (!bounds.decided()) return;
  report.win_chance = bounds.value();
  if (bounds.exact()) report.expected_score = bounds.margin();
  report.proven = bounds.win() ? Proven::win : bounds.loss() ? Proven::loss : Proven::draw;
}

// What is known about a move, for the side that makes it.
template <Game G, Evaluator<G> E>
MoveReport Mcts<G, E>::judge(const Block& block, int slot, bool first, bool fold) const {
  MoveReport report;
  report.visits = block.move_visits[slot].load(std::memory_order_relaxed);
  if (report.visits > 0) {
    report.win_chance = std::clamp(block.value[slot].load(std::memory_order_relaxed), 0.0f, 1.0f);
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

// The move to play: a proven win; else the most visited of those not lost; else the most visited.
template <Game G, Evaluator<G> E>
auto Mcts<G, E>::best(Index node, bool first, bool fold) const -> Choice {
  const auto rank = [](const MoveReport& r, double draw_chance) {
    const int proven = r.proven == Proven::win ? 2 : r.proven == Proven::loss ? 0 : 1;
    // A sure draw is better than what looks worse, however often that was visited.
    const bool drawn = r.proven == Proven::draw;
    const double visits = drawn ? (draw_chance < 0.5 ? 1e18 : -1) : static_cast<double>(r.visits);
    return std::tuple(proven, visits, r.win_chance, r.expected_score);
  };
  double chance = 0;
  std::int64_t most = -1;
  for_each_move(node, [&](const Block& block, int i) {
    const MoveReport r = judge(block, i, first, fold);
    if (r.proven == Proven::no && r.visits > most) {
      most = r.visits;
      chance = r.win_chance;
    }
  });
  Choice choice;
  std::tuple<int, double, double, double> top;
  for_each_move(node, [&](const Block& block, int i) {
    const auto here = rank(judge(block, i, first, fold), chance);
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
  report.seconds = running_ ? std::chrono::duration<double>(Clock::now() - begun_).count() : seconds_.load();
  const bool first = first_moves(root_);
  const Block& root = tree_[root_node_];

  auto legal = std::make_unique<Moves>();
  position_.legal_moves(*legal);
  std::vector<int> place(G::kMoveCodes + 1, -1);
  const Index table = root.table.load(std::memory_order_acquire);
  std::int64_t visits = 0;
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

template <Game G, Evaluator<G> E>
void Mcts<G, E>::advance(Move move) {
  position_.play(move);
  started_ = 0;
  seconds_ = 0;
  if (move == kSwap) return;
  root_.play(move);
  proof_.reset();
  Index child = kNone;
  for_each_move(root_node_, [&](const Block& block, int i) {
    if (block.move[i] == move) child = block.child[i].load(std::memory_order_relaxed);
  });
  root_node_ = child == kNone || position_.is_over() ? kNone : tree_.keep(child);
  if (!position_.is_over()) make_root();
}

}  // namespace purlieu
