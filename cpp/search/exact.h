// Exact search: what a position is worth when both sides play perfectly. Alpha-beta with proved bounds in a table, for
// games in which no position returns. It answers with a proof or not at all.
//
// Values are for the side to move: twice the margin of the final score; if the margin is 0, then 1 for a win and -1
// for a loss by the game's tie rule, and 0 for a draw. So the sign is the result, whether or not the margin was asked
// for, and a bound proved in a search for the result holds in a search for the margin.
//
// A proof here is as good as the key: two positions with one key would be taken for one. A key of purlieu's games is a
// 64-bit hash; that of TinyBoard is the position itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "games/game.h"
#include "search/proof_table.h"

namespace purlieu {

// What exact search asks of a game: part of what Game asks.
template <class G>
concept Solvable = std::copyable<G> && G::kAcyclic &&
                   requires(G g, const G& c, Move move, MoveList<G::kMostMoves>& list) {
                     { G::kMoveCodes } -> std::convertible_to<int>;
                     { c.to_move() } -> std::same_as<Seat>;
                     { c.first_colour() } -> std::same_as<Seat>;
                     { c.legal_moves(list) } -> std::same_as<void>;
                     { g.play(move) } -> std::same_as<void>;
                     { c.score() } -> std::same_as<Score>;
                     { c.result() } -> std::same_as<Result>;
                     { c.key() } -> std::same_as<std::uint64_t>;
                   };

// The margin of the score for the side to move.
template <Solvable G>
int margin_now(const G& game) {
  const Score score = game.score();
  return game.to_move() == game.first_colour() ? score.first - score.second : score.second - score.first;
}

// The value of a position that is over.
template <Solvable G>
int final_value(const G& game) {
  if (const int margin = margin_now(game)) return 2 * margin;
  const Result result = game.result();
  return result == Result::draw ? 0 : result == win_for(game.to_move()) ? 1 : -1;
}

// How good a position looks for the side to move, to order the moves that lead there. Only speed depends on it.
template <class G>
struct ExactOrder {
  static int look(const G& game) {
    // Where a side has few plays, few lines are to be refuted: that beats any look at the score by far.
    if constexpr (requires { game.board_plays(); }) return 4096 * game.board_plays();
    // Next to the end, a look at the score costs more than the line that it may save.
    else if constexpr (requires { game.unused(); }) return game.unused() > 2 ? 64 * margin_now(game) : 0;
    else return 64 * margin_now(game);
  }
};

// What all threads of one solve share.
struct SolveShared {
  explicit SolveShared(ProofTable& t) : table(t) {}
  ProofTable& table;
  std::uint64_t node_limit = std::numeric_limits<std::uint64_t>::max();
  std::atomic<std::uint64_t> nodes = 0;  // Each thread adds its own in steps.
  std::function<bool()> stopped = [] { return false; };  // Asked now and then; true ends the solve, without a result.
  int threads = 1;
  std::atomic<bool> abandoned = false;  // A thread has failed: the others end, too.
  // Children under search, by key: other threads look at their siblings first (Kerrigan's simplified ABDADA).
  static constexpr int kBusyBits = 15;
  std::vector<std::atomic<std::uint64_t>> busy;
};

// One thread's search.
template <Solvable G>
class ExactSolver {
 public:
  // Threads with different seeds look at equally good moves in different order.
  explicit ExactSolver(SolveShared& shared, std::uint64_t seed = 0) : shared_(shared), seed_(seed) {
    for (auto& of_seat : history_) of_seat.resize(G::kMoveCodes);
  }

  // The value if it lies between alpha and beta; else a bound on it that is outside, too. nullopt if out of nodes or
  // stopped.
  std::optional<int> search(const G& root, int alpha, int beta) {
    unwind_to_ = kNowhere;
    children_.clear();
    path_.clear();
    const int value = node(root, root.key(), alpha, beta);
    add_nodes();
    return unwind_to_ == kNowhere ? std::optional(value) : std::nullopt;
  }

  // After a search that gave a value, and of a position that is not over: a move that proves a lower bound; if the
  // search only found an upper bound, the move that was hardest to refute.
  Move best_move() const { return best_; }

 private:
  static constexpr std::uint64_t kStep = 1024;
  static constexpr int kNowhere = 1 << 20;
  static constexpr int kSharedLevels = 16;  // Nodes further from the root are not worth the trouble of sharing.
  static constexpr int kRefuted = -(1 << 30), kLater = -(1 << 29);
  static constexpr int kMostHistory = 1 << 20;

  struct Child {
    std::uint64_t key;
    int order;
    Move move;
    bool same_mover;  // As at the parent: TinyBoard leaves passes out.
  };
  struct Step {
    std::uint64_t key;
    int alpha, beta;
  };

  void add_nodes() {
    shared_.nodes.fetch_add(pending_, std::memory_order_relaxed);
    pending_ = 0;
  }

  // Counts a node; now and then sees whether to go on, and whether another thread has settled one of our ancestors.
  bool count_node() {
    if (++pending_ < kStep) return true;
    total_ += pending_;
    add_nodes();
    if (shared_.abandoned.load(std::memory_order_relaxed) || shared_.stopped() ||
        shared_.nodes.load(std::memory_order_relaxed) >= shared_.node_limit) {
      unwind_to_ = -1;
      return false;
    }
    if (shared_.threads > 1) {
      const int levels = std::min(static_cast<int>(path_.size()), kSharedLevels);
      for (int level = 0; level < levels; ++level) {
        if (!settled(path_[level])) continue;
        unwind_to_ = level;
        return false;
      }
    }
    return true;
  }

  std::optional<int> settled(const Step& step) const {
    Proved known;
    if (!shared_.table.find(step.key, known)) return std::nullopt;
    if (known.low >= step.beta || known.low == known.high) return known.low;
    if (known.high <= step.alpha) return known.high;
    return std::nullopt;
  }

  int node(const G& game, std::uint64_t key, int alpha, int beta) {
    if (!count_node()) return 0;
    Proved known{-kBeyond, kBeyond, Move(), 0};
    const bool remembered = shared_.table.find(key, known);
    // At the root we want the move as well, and that of the table may be one of a mirrored board.
    if (remembered && !path_.empty()) {
      if (known.low >= beta || known.low == known.high) return known.low;
      if (known.high <= alpha) return known.high;
      alpha = std::max(alpha, known.low);
      beta = std::min(beta, known.high);
    }
    if constexpr (requires { game.unused(); })
      if (game.unused() == 1 && !path_.empty()) return last_move(game, key, beta);
    const std::size_t first = children_.size();
    expand(game);
    int value;
    const std::size_t number = children_.size() - first;
    if (number == 0) {
      value = final_value(game);
    } else if (number == 1) {
      const Child only = children_[first];
      value = below(game, only, alpha, beta);
      if (path_.empty()) best_ = only.move;
    } else {
      const std::size_t level = path_.size();
      path_.push_back({key, alpha, beta});
      value = choose(game, remembered && level ? std::optional(known) : std::nullopt, first);
      path_.resize(level);
    }
    children_.resize(first);
    return value;
  }

  // The value where one move, or none, ends the game: no order is worth its price, as every look is a score.
  int last_move(const G& game, std::uint64_t key, int beta) {
    MoveList<G::kMostMoves> moves;
    game.legal_moves(moves);
    if (moves.empty()) return final_value(game);
    int value = -kBeyond;
    Move best = moves[0];
    for (Move move : moves) {
      G after = game;
      after.play(move);
      const int here = -final_value(after);
      if (here > value) value = here, best = move;
      if (value >= beta) break;
    }
    shared_.table.store(key, {value, value >= beta ? kBeyond : value, best, 1});
    return value;
  }

  // The value of a child, for the side to move at its parent.
  int below(const G& game, const Child& child, int alpha, int beta) {
    G after = game;
    after.play(child.move);
    return after.to_move() == game.to_move() ? node(after, child.key, alpha, beta)
                                             : -node(after, child.key, -beta, -alpha);
  }

  // Lists the children at the end of children_.
  [[gnu::noinline]] void expand(const G& game) {
    MoveList<G::kMostMoves> moves;
    game.legal_moves(moves);
    const Seat mover = game.to_move();
    const auto& history = history_[static_cast<int>(mover)];
    for (Move move : moves) {
      G after = game;
      after.play(move);
      const std::uint64_t key = after.key();
      shared_.table.prefetch(key);
      const bool same_mover = after.to_move() == mover;
      int order = 0;
      if (moves.size() > 1) {
        order = same_mover ? ExactOrder<G>::look(after) : -ExactOrder<G>::look(after);
        if (move.code() < G::kMoveCodes) order += history[move.code()];
        if (seed_) order += static_cast<int>(mix(key ^ seed_) & 31);
      }
      children_.push_back({key, order, move, same_mover});
    }
  }

  // Searches the children from `first` on, two or more, of the node at the end of the path.
  int choose(const G& game, const std::optional<Proved>& before, std::size_t first) {
    const int level = static_cast<int>(path_.size()) - 1;
    const auto [key, alpha_before, beta] = path_.back();
    const std::uint64_t begun = total_ + pending_;
    int low = -kBeyond, high = -kBeyond;  // The best of the children's bounds.
    Move best = children_[first].move;
    std::uint64_t hardest = 0;
    std::size_t left = children_.size() - first;
    const auto refuted = [&](const Child& child, int at_most, std::uint64_t work) {
      high = std::max(high, at_most);
      if (low <= alpha_before && work >= hardest) hardest = work, best = child.move;
    };
    const auto raise = [&](const Child& child, int at_least) {
      if (at_least <= low) return;
      low = at_least;
      if (low > alpha_before) best = child.move;
    };

    // What is known of the children already?
    for (std::size_t i = first; i < children_.size(); ++i) {
      Child& child = children_[i];
      if (before && child.move == before->best) child.order += 1 << 28;
      Proved known;
      if (!shared_.table.find(child.key, known)) continue;
      raise(child, child.same_mover ? known.low : -known.high);
      if (low >= beta) return settle(key, low, kBeyond, best, begun);
      const int at_most = child.same_mover ? known.high : -known.low;
      if (at_most > std::max(alpha_before, low)) continue;
      refuted(child, at_most, std::uint64_t{1} << known.work);
      child.order = kRefuted;
      --left;
    }

    const bool shared = shared_.threads > 1 && level < kSharedLevels;
    for (bool is_first = true; left;) {
      Child* next = &children_[first];
      for (Child& child : std::span(children_).subspan(first))
        if (child.order > next->order) next = &child;
      if (shared && !is_first && next->order > kLater && busy(next->key).load(std::memory_order_relaxed) == next->key) {
        next->order = kLater + std::min(next->order, 1 << 28);
        continue;
      }
      const Child child = *next;
      const std::size_t at = static_cast<std::size_t>(next - children_.data());
      const std::uint64_t so_far = total_ + pending_;
      const int alpha = std::max(alpha_before, low);
      if (shared) busy(child.key).store(child.key, std::memory_order_relaxed);
      // After the first child we expect no better one, and only ask whether it is.
      int value;
      int top = is_first ? beta : alpha + 1;
      value = below(game, child, alpha, top);
      if (unwind_to_ == kNowhere && alpha < value && value < beta && top < beta) {
        top = beta;
        value = below(game, child, alpha, beta);
      }
      if (shared) busy(child.key).store(0, std::memory_order_relaxed);
      if (unwind_to_ < level) return 0;
      if (unwind_to_ == level) {
        // Another thread was faster; if the table has lost its answer, this child comes again.
        unwind_to_ = kNowhere;
        if (const auto answer = settled(path_.back())) return *answer;
        continue;
      }
      is_first = false;
      children_[at].order = kRefuted;
      --left;
      if (value > alpha) raise(child, value);
      if (low >= beta) {
        reward(game, child.move, total_ + pending_ - so_far);
        return settle(key, low, kBeyond, best, begun);
      }
      if (value < top) refuted(child, value, total_ + pending_ - so_far);
      if (shared)
        if (const auto answer = settled(path_.back())) return *answer;
    }
    if (low > alpha_before) return settle(key, low, high, best, begun);
    // None is better than what was known; the move that is as good as that was known, too.
    return settle(key, -kBeyond, high, before && before->low > -kBeyond ? before->best : best, begun);
  }

  std::atomic<std::uint64_t>& busy(std::uint64_t key) { return shared_.busy[key >> (64 - SolveShared::kBusyBits)]; }

  // Remembers what was proved of the node at the end of the path.
  int settle(std::uint64_t key, int low, int high, Move best, std::uint64_t begun) {
    if (path_.size() == 1) best_ = best;
    shared_.table.store(key, {low, high, best, static_cast<int>(std::bit_width(total_ + pending_ - begun))});
    return low > -kBeyond ? low : high;
  }

  void reward(const G& game, Move move, std::uint64_t work) {
    if (move.code() >= G::kMoveCodes) return;
    auto& history = history_[static_cast<int>(game.to_move())];
    const int gain = static_cast<int>(std::bit_width(work));
    history[move.code()] += gain * gain;
    if (history[move.code()] < kMostHistory) return;
    for (int& count : history) count /= 2;
  }

  SolveShared& shared_;
  std::uint64_t seed_;
  std::uint64_t pending_ = 0;  // Nodes not yet added to the shared count.
  std::uint64_t total_ = 0;    // Nodes that were.
  int unwind_to_ = kNowhere;   // The level to return to at once; -1 ends the search.
  std::vector<Child> children_;
  std::vector<Step> path_;
  Move best_ = kPass;
  std::vector<int> history_[2];
};

// What is proved of a position.
struct ExactResult {
  int value = 0;           // For the side to move, as above; without the margin, only its sign is right.
  Move best = kPass;       // Means nothing if the game is over.
  std::vector<Move> line;  // Perfect play for both, as far as the proof still remembers it.
  std::uint64_t nodes = 0;
};

struct ExactLimits {
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  bool margin = false;  // Prove the margin as well, not only who wins.
  bool line = true;     // Find the line of perfect play, not only its first move.
  int threads = 1;
};

// Searches one root with `own` on this thread and more solvers on others. Whatever fails in one, be it for memory or
// for want of a thread, ends all of them and is thrown here.
template <Solvable G>
std::optional<int> search_together(const G& root, int alpha, int beta, ExactSolver<G>& own, int threads,
                                   SolveShared& shared) {
  std::mutex mutex;
  std::exception_ptr failure;
  shared.abandoned = false;
  const auto try_to = [&](auto&& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      shared.abandoned = true;
    }
  };
  std::optional<int> value;
  std::vector<std::thread> helpers;
  try_to([&] {
    helpers.reserve(static_cast<std::size_t>(threads));
    for (int i = 1; i < threads; ++i)
      helpers.emplace_back([&, i] {
        try_to([&] { ExactSolver<G>(shared, static_cast<std::uint64_t>(i)).search(root, alpha, beta); });
      });
    value = own.search(root, alpha, beta);
  });
  for (auto& helper : helpers) helper.join();
  shared.abandoned = false;
  if (failure) std::rethrow_exception(failure);
  return value;
}

// Proves what the position is worth; nullopt if the limit or `shared.stopped` came first.
template <Solvable G>
std::optional<ExactResult> solve_exact(const G& game, const ExactLimits& limits, SolveShared& shared) {
  const std::uint64_t begun = shared.nodes;
  shared.node_limit = begun + std::min(limits.nodes, std::numeric_limits<std::uint64_t>::max() - begun);
  shared.threads = limits.threads;
  if (limits.threads > 1 && shared.busy.empty())
    shared.busy = std::vector<std::atomic<std::uint64_t>>(std::size_t{1} << SolveShared::kBusyBits);
  ExactResult result;
  MoveList<G::kMostMoves> moves;
  game.legal_moves(moves);
  if (moves.empty()) {
    result.value = final_value(game);
    return result;
  }
  ExactSolver<G> own(shared);
  // All threads search the same root and meet in the table; the first answer is the answer.
  const auto search = [&](const G& root, int alpha, int beta) -> std::optional<std::pair<int, Move>> {
    std::optional<int> value;
    if (limits.threads == 1) value = own.search(root, alpha, beta);
    else value = search_together(root, alpha, beta, own, limits.threads, shared);
    if (!value) return std::nullopt;
    if (limits.threads == 1) return std::pair(*value, own.best_move());
    // Whoever was first has left the proof in the table, but perhaps not the move.
    shared.threads = 1;
    const auto again = own.search(root, alpha, beta);
    shared.threads = limits.threads;
    if (!again) return std::nullopt;
    return std::pair(*again, own.best_move());
  };
  auto found = search(game, -1, 1);
  if (found && limits.margin && found->first) {
    found = found->first > 0 ? search(game, 0, kBeyond) : search(game, -kBeyond, 0);
  }
  if (!found) return std::nullopt;
  result.value = found->first;
  result.best = found->second;
  result.nodes = shared.nodes - begun;
  if (!limits.line) return result;
  // The proof knows the rest of the line, but where the table forgot it, search again within reason.
  const std::uint64_t reserve = result.nodes / 4 + 100'000;
  shared.node_limit = std::min(shared.node_limit, shared.nodes + reserve);
  shared.threads = 1;
  G at = game;
  int value = result.value;
  Move move = result.best;
  for (;;) {
    result.line.push_back(move);
    const Seat mover = at.to_move();
    at.play(move);
    if (at.to_move() != mover) value = -value;
    at.legal_moves(moves);
    if (moves.empty()) break;
    if (moves.size() == 1) {
      move = moves[0];
      continue;
    }
    const auto next = limits.margin ? own.search(at, value - 1, value + 1) : own.search(at, -1, 1);
    if (!next) break;
    move = own.best_move();
  }
  return result;
}

// The same with a table of its own.
template <Solvable G>
std::optional<ExactResult> solve_exact(const G& game, const ExactLimits& limits, std::size_t table_bytes) {
  ProofTable table(table_bytes);
  SolveShared shared(table);
  return solve_exact(game, limits, shared);
}

}  // namespace purlieu
