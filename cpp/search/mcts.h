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
#include "search/endgame_share.h"
#include "search/evaluator.h"
#include "search/leaf_playouts.h"
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

  // Whether there is a root. If an evaluator throws in advance() there is none any more, and nothing else may be asked.
  bool is_whole() const { return root_node_ != kNone || position_.is_over(); }

  const G& position() const { return position_; }
  std::size_t bytes_used() const { return tree_.bytes_used() + endgame_.bytes_used(); }

 private:
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
    std::vector<Step> path;
    Moves moves;
    std::vector<Move> unopened;
    std::vector<float> priors;
    std::vector<int> ratings;
    std::vector<Candidate> candidates, top;
    std::vector<std::uint32_t> stamps = std::vector<std::uint32_t>(G::kMoveCodes + 1);
    std::uint32_t stamp = 0;
    std::unique_ptr<LeafProver<G>> prover;
  };
  struct Choice {
    Block* block = nullptr;
    int slot = 0;
  };

  // Visits are read as signed numbers, and none of a node's are more than those of the root and what was kept.
  static constexpr std::int64_t kMostVisits = std::numeric_limits<std::int32_t>::max();
  static constexpr std::int64_t kProveEvery = 64;  // Simulations.

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
  void prove_end(EndgameShare& share, const std::atomic<bool>& stop);
  void simulate(Worker& worker);
  float margin_so_far(Worker& worker) const;
  Evaluation judge_leaf(Worker& worker);
  std::optional<Bounds> prove_leaf(Worker& worker);
  Choice choose(Worker& worker, Index node, bool first, Index& table, float value);
  Index grow(Worker& worker, Block& block, int slot, Index table, float value, bool& fresh);
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
  std::atomic<Clock::time_point> begun_ = Clock::time_point();  // Atomic, as a report may come when the next run begins.
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
    const auto begun = begun_.load();
    const auto deadline = begun + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(std::min(limits.seconds.value_or(1e9), 1e9)));
    auto next_tick = begun;
    while (at_work > 0) {
      next_tick = Clock::now() + std::chrono::milliseconds(50);
      const auto until = halt_ ? next_tick : std::min(deadline, next_tick);
      if (ended.wait_until(lock, until, [&] { return at_work == 0; })) break;
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
  most_simulations_ = std::min(most, kMostVisits - std::int64_t{root.visits});
  running_ = true;
}

template <Game G, Evaluator<G> E>
void Mcts<G, E>::finish() {
  seconds_ = std::chrono::duration<double>(Clock::now() - begun_.load()).count();
  running_ = false;
}

template <Game G, Evaluator<G> E>
void Mcts<G, E>::work(Worker& worker, const Limits& limits, const std::atomic<bool>& stop) {
  const bool proves = &worker == workers_[0].get();
  EndgameShare share(limits, settings_.endgame_part);
  if (proves) prove_end(share, stop);
  const std::int64_t most = most_simulations_;
  const std::int64_t most_nodes = limits.nodes.value_or(std::numeric_limits<std::int64_t>::max());
  const auto enough = [&] { return tree_.nodes() >= most_nodes || (limits.nodes && tree_.full()); };
  for (std::int64_t turn = 1;
       !halt_.load(std::memory_order_relaxed) && !stop.load(std::memory_order_relaxed) && !resolved() && !enough() &&
       started_.fetch_add(1, std::memory_order_relaxed) < most;
       ++turn) {
    simulate(worker);
    if (proves && turn % kProveEvery == 0 && share.earned(turn)) prove_end(share, stop);
  }
}

// Near the end of a game an exact search often gets there before any other; it gets a part of the work.
template <Game G, Evaluator<G> E>
void Mcts<G, E>::prove_end(EndgameShare& share, const std::atomic<bool>& stop) {
  if (!settings_.endgame || fold_ || swap_legal(position_) || tree_[root_node_].total == 1 || resolved() || proof_)
    return;
  const auto deadline = share.begin();
  const auto stopped = [&] {
    return halt_.load(std::memory_order_relaxed) || stop.load(std::memory_order_relaxed) ||
           (deadline && Clock::now() >= *deadline);
  };
  auto proof = endgame_.prove(position_, share.nodes(), stopped);  // After a swap it knows that there is no other.
  share.end();
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
  return root.bounds.load(std::memory_order_relaxed).known() &&
         root.opened.load(std::memory_order_acquire) == root.total &&
         !select(root_node_, true, kNone, 0.5f, true).block;
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

#include "search/mcts_report.h"
#include "search/mcts_simulate.h"
