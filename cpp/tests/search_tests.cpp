// The search: proofs against plain minimax, equal results from equal seeds, limits, memory, reuse.
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "games/pentwall.h"
#include "games/petrify.h"
#include "games/pilo.h"
#include "games/pyloff.h"
#include "search/mcts.h"
#include "tests/check.h"

namespace purlieu {
namespace {

constexpr auto kNoTick = [] { return true; };

Limits simulations(std::int64_t number) { return {std::nullopt, number, std::nullopt}; }
Limits seconds(double number) { return {number, std::nullopt, std::nullopt}; }
Limits nodes(std::int64_t number) { return {std::nullopt, std::nullopt, number}; }

// 1 if the side to move wins with perfect play, 0 for a draw, -1 if it loses. Gives up (the answer is then worthless)
// when `left` positions have been seen.
template <Game G>
int minimax(const G& game, int& left) {
  if (game.is_over()) {
    const Result result = game.result();
    return result == Result::draw ? 0 : result == win_for(game.to_move()) ? 1 : -1;
  }
  auto moves = std::make_unique<MoveList<G::kMostMoves>>();
  game.legal_moves(*moves);
  int best = -1;
  for (Move move : *moves) {
    if (--left <= 0) return best;
    G after = game;
    after.play(move);
    const int value = minimax(after, left);
    best = std::max(best, after.to_move() == game.to_move() ? value : -value);
    if (best == 1) break;
  }
  return best;
}

// What a move is worth to the side that makes it; nothing if that is too hard to tell.
template <Game G>
std::optional<int> value_after(const G& game, Move move) {
  G after = game;
  after.play(move);
  int left = 20'000;
  const int value = minimax(after, left);
  if (left <= 0) return std::nullopt;
  return after.to_move() == game.to_move() ? value : -value;
}

Proven as_proven(int value) { return value > 0 ? Proven::win : value < 0 ? Proven::loss : Proven::draw; }

template <Game G>
Move read(const G& game, const std::string& text) {
  return text == "pass" ? kPass : text == "swap" ? kSwap : game.read_move(text).value();
}

// A position of a random game with that many plies to go.
template <Game G>
std::optional<G> near_the_end(int size, int plies, Random& random) {
  std::vector<Move> moves;
  G game = G::start(size);
  game.playout(random, [&](Seat, Move move) { moves.push_back(move); });
  if (static_cast<int>(moves.size()) < plies) return std::nullopt;
  game = G::start(size);
  for (std::size_t i = 0; i < moves.size() - static_cast<std::size_t>(plies); ++i) game.play(moves[i]);
  return game;
}

// Stands for a net: it has priors, and judges by the score as it is.
struct Judge {
  static constexpr bool kHasPriors = true;
  template <Game G>
  Evaluation evaluate(G& game, Random&, Trace&) {
    const Score score = game.score();
    const float margin = static_cast<float>(score.first - score.second);
    return {1 / (1 + std::exp(-margin / 5)), margin};
  }
  template <Game G>
  void priors(const G& game, std::span<const Move>, std::span<float> priors) {
    auto legal = std::make_unique<MoveList<G::kMostMoves>>();
    game.legal_moves(*legal);
    std::fill(priors.begin(), priors.end(), 1.0f / static_cast<float>(legal->size()));
  }
};

// What the search proves is what minimax finds, and its move keeps it, with each of the settings.
template <Game G, class E = Playouts>
void proofs_are_right(int size, int plies, int positions, const std::vector<Settings>& each) {
  const std::atomic<bool> stop = false;
  Random random(77);
  std::size_t tried = 0, proofs = 0;
  for (int i = 0; i < positions; ++i) {
    const auto game = near_the_end<G>(size, plies, random);
    if (!game) continue;
    int left = 20'000;
    const int value = minimax(*game, left);
    if (left <= 0) continue;
    ++tried;
    std::map<std::string, std::optional<int>> values;  // Minimax takes longer than a search: once a move will do.
    const auto value_of = [&](const std::string& move) {
      const auto [at, fresh] = values.try_emplace(move);
      if (fresh) at->second = value_after(*game, read(*game, move));
      return at->second;
    };
    for (Settings settings : each) {
      settings.seed = static_cast<std::uint64_t>(i);
      Mcts<G, E> search(*game, settings);
      search.run(simulations(100'000), stop);
      const Report report = search.report();
      proofs += report.proven != Proven::no;
      if (report.proven != Proven::no) CHECK(report.proven == as_proven(value));
      const auto kept = value_of(report.best_move);
      if (kept) CHECK(*kept == value);
      for (const MoveReport& move : report.moves) {
        if (move.proven == Proven::no) continue;
        const auto here = value_of(move.move);
        if (here) CHECK(move.proven == as_proven(*here));
      }
    }
  }
  CHECK(static_cast<int>(tried) > positions / 8);
  CHECK(proofs == tried * each.size());
}

void all_proofs_are_right() {
  Settings exact;  // Asks the exact solver first; the others prove all by themselves.
  exact.memory_mb = 16;  // Enough, and each search takes its memory anew.
  Settings graph = exact;
  graph.endgame = false;
  Settings tree = graph, narrow = graph;
  tree.graph = false;
  narrow.open_base = 0;
  narrow.open_factor = 0.5;
  const std::vector<Settings> each = {exact, graph, tree, narrow};
  proofs_are_right<PetrifySmall>(4, 6, 40, each);
  proofs_are_right<PiloSmall>(4, 6, 40, each);
  proofs_are_right<Pentwall>(10, 2, 20, each);
  proofs_are_right<PyloffSmall>(3, 3, 40, each);
  Settings net = net_settings("petrify");  // Proves its leaves, where that is cheap.
  net.endgame = false;
  net.memory_mb = 16;
  proofs_are_right<PetrifySmall, Judge>(4, 6, 40, {net});
  proofs_are_right<PiloSmall, Judge>(4, 6, 40, {net});
  proofs_are_right<Pentwall, Judge>(10, 2, 20, {net});
  proofs_are_right<Pentwall, Judge>(10, 3, 20, {net});
}

void whole_small_games_are_solved() {
  const std::atomic<bool> stop = false;
  Mcts<PetrifySmall> search(PetrifySmall::start(3), Settings());
  search.run(simulations(2'000'000), stop);
  Report report = search.report();
  CHECK(report.proven == Proven::loss);  // The second seat takes the better side of any opening.
  for (const MoveReport& move : report.moves) CHECK(move.proven == Proven::loss);
  search.advance(read(search.position(), report.best_move));
  report = search.report();
  CHECK(report.proven == Proven::win);
  CHECK(report.best_move == "swap");  // Every opening wins for Blue.
  CHECK(report.moves.back().move == "swap" && report.moves.back().share >= 0.5);
  const std::int64_t before = report.nodes;
  search.advance(kSwap);
  CHECK(search.report().proven == Proven::loss);
  CHECK(search.report().nodes == before);
}

// After b2 Blue wins on 3×3, and to whom that is depends on the swap: once it was made, there is no other.
template <class E>
void a_swap_that_was_made_is_not_made_again() {
  const std::atomic<bool> stop = false;
  Settings settings = std::is_same_v<E, Playouts> ? Settings() : net_settings("petrify");
  PetrifySmall game = PetrifySmall::start(3);
  game.play(read(game, "b2"));
  Mcts<PetrifySmall, E> search(game, settings);
  search.advance(kSwap);
  search.run(seconds(60), stop);
  const Report report = search.report();
  CHECK(report.proven == Proven::loss);
  CHECK(report.best_move != "swap" && report.line[0] == report.best_move);
}

template <Game G>
bool same(const Mcts<G>& a, const Mcts<G>& b) {
  const Report x = a.report(), y = b.report();
  if (x.best_move != y.best_move || x.nodes != y.nodes || x.line != y.line) return false;
  if (x.win_chance != y.win_chance || x.expected_score != y.expected_score) return false;
  for (std::size_t i = 0; i < x.moves.size(); ++i)
    if (x.moves[i].visits != y.moves[i].visits || x.moves[i].win_chance != y.moves[i].win_chance) return false;
  return true;
}

template <Game G>
void one_seed_one_tree(int size) {
  const std::atomic<bool> stop = false;
  Settings settings;
  settings.seed = 5;
  Mcts<G> a(G::start(size), settings), b(G::start(size), settings);
  for (int i = 0; i < 3; ++i) {
    a.run(simulations(1500), stop);
    b.run(simulations(1500), stop, kNoTick);
    CHECK(same(a, b));
    const Move move = read(a.position(), a.report().best_move);
    a.advance(move);
    b.advance(move);
  }
  settings.seed = 6;
  Mcts<G> c(G::start(size), settings), d(G::start(size), {});
  c.run(simulations(1500), stop);
  d.run(simulations(1500), stop);
  CHECK(!same(c, d));
}

template <Game G>
void reports_add_up(int size) {
  const std::atomic<bool> stop = false;
  Mcts<G> search(G::start(size), {});
  for (int i = 0; i < 4; ++i) {
    search.run(simulations(300), stop);
    const Report report = search.report();
    CHECK(report.simulations == 300);
    CHECK(!report.line.empty() && report.line[0] == report.best_move);
    auto moves = std::make_unique<MoveList<G::kMostMoves>>();
    search.position().legal_moves(*moves);
    CHECK(static_cast<int>(report.moves.size()) == moves->size());
    double shares = 0;
    bool found = false;
    for (std::size_t m = 0; m < report.moves.size(); ++m) {
      CHECK(report.moves[m].move == move_name(search.position(), (*moves)[static_cast<int>(m)]));
      CHECK(report.moves[m].win_chance >= 0 && report.moves[m].win_chance <= 1);
      shares += report.moves[m].share;
      found |= report.moves[m].move == report.best_move;
    }
    CHECK(std::abs(shares - 1) < 1e-9 && found);
    // The line can be played.
    G game = search.position();
    for (const std::string& text : report.line) {
      CHECK(game.is_legal(read(game, text)));
      game.play(read(game, text));
    }
    // What the search knew about the move is there after it.
    std::int64_t before = 0, after = 0;
    for (const MoveReport& m : report.moves)
      if (m.move == report.best_move) before = m.visits;
    search.advance(read(search.position(), report.best_move));
    for (const MoveReport& m : search.report().moves) after += m.visits;
    CHECK(after > 0 && after <= before + 300);  // A node reached by many move orders has been visited more often.
  }
}

void memory_is_bounded() {
  const std::atomic<bool> stop = false;
  Settings settings;
  settings.memory_mb = 1;
  Mcts<PetrifySmall> search(PetrifySmall::start(8), settings);
  for (int i = 0; i < 5; ++i) {
    search.run(simulations(8'000), stop);
    CHECK(search.bytes_used() <= 1 << 20);
    CHECK(search.report().simulations == 8'000);
    search.advance(read(search.position(), search.report().best_move));
    CHECK(search.bytes_used() <= 1 << 20);
  }
  Mcts<Pentwall> large(Pentwall::start(10), settings);
  large.run(simulations(5'000), stop);
  CHECK(large.bytes_used() <= 1 << 20);
}

void limits_hold() {
  std::atomic<bool> stop = false;
  Mcts<PiloSmall> search(PiloSmall::start(8), {});
  search.run(seconds(0.05), stop);
  CHECK(search.report().seconds < 5 && search.report().simulations > 0);
  search.run(nodes(search.report().nodes + 10), stop);
  search.run(nodes(search.report().nodes), stop);
  CHECK(search.report().simulations == 0);
  int ticks = 0;
  search.run(seconds(1000), stop, [&] { return ++ticks < 2; });
  CHECK(ticks == 2);
  Settings small;  // Has no room for so many nodes, and ends when it is full.
  small.memory_mb = 1;
  Mcts<PiloSmall> full(PiloSmall::start(8), small);
  full.run(nodes(1'000'000), stop, [&] { return ++ticks < 1000; });
  CHECK(ticks < 1000);
  stop = true;
  search.run(seconds(1000), stop);
  CHECK(search.report().simulations <= 1);
}

void other_evaluators_fit() {
  const std::atomic<bool> stop = false;
  Settings settings;
  settings.rave_k = 0;
  settings.exploration = 1;
  Mcts<PetrifySmall, Judge> search(PetrifySmall::start(3), settings);
  search.run(simulations(2'000'000), stop);
  CHECK(search.report().proven == Proven::loss);
}

// A minute on many threads visits one move tens of millions of times.
void means_hold_after_millions_of_visits() {
  for (const double chance : {0.05, 0.6}) {
    const auto block = std::make_unique<Block>();
    Random random(1);
    const int visits = 40'000'000;
    int wins = 0;
    for (int i = 0; i < visits; ++i) {
      const bool won = random.unit() < chance;
      wins += won;
      block->enter(0);
      block->leave(0, won ? 1 : 0, won ? 10 : -10);
    }
    const double mean = static_cast<double>(wins) / visits;
    CHECK(std::abs(block->value[0] - mean) < 1e-6);
    CHECK(std::abs(block->margin[0] - (20 * mean - 10)) < 0.1);
  }
}

void tallies_hold_after_a_billion_plays() {
  Tally tally;
  for (int i = 0; i < 1'100'000'000; ++i) tally.add(1);
  const auto [plays, wins] = tally.counts();
  CHECK(plays > 1e8f && wins == plays);
}

// Where a proof may take hours, nobody knows when the search will be stopped.
void a_long_search_near_the_end_makes_simulations_too() {
  const std::atomic<bool> stop = false;
  Random random(3);
  const auto game = near_the_end<Pentwall>(10, 8, random);
  CHECK(game.has_value());
  Mcts<Pentwall> search(*game, {});
  int ticks = 0;
  search.run(seconds(1e9), stop, [&] { return search.report().simulations < 100 && ++ticks < 400; });
  CHECK(search.report().simulations >= 100 || search.report().proven != Proven::no);
}

// The exact search comes back as the other one goes on, with more time for a harder proof.
void what_a_short_try_cannot_prove_is_proved_later() {
  EndgameShare share(seconds(1e9), 0.2);
  const double first = share.nodes();
  share.begin();
  share.end();
  CHECK(share.nodes() == 2 * first && !share.earned(0));
  EndgameShare counted(simulations(1'000'000), 0.2);
  const auto most = static_cast<std::int64_t>(counted.nodes());
  counted.begin();
  counted.end();
  CHECK(!counted.earned(3 * most - 1) && counted.earned(3 * most));
  EndgameShare few(simulations(100), 0.2), small(nodes(100), 0.2);
  CHECK(few.nodes() == 100 && small.nodes() == 100);
}

void bounds_turn() {
  const Bounds bounds = {-3, 8};
  CHECK(bounds.turned() == (Bounds{-8, 3}) && bounds.turned().turned() == bounds);
  CHECK(exactly(7).win() && exactly(7).margin(9) == 3 && exactly(0).draw() && exactly(-1).loss());
  CHECK(!bounds.decided() && bounds.known() && !Bounds().known());
  const Bounds won = {1, Bounds::kMost};  // Nothing but who wins is known.
  CHECK(won.margin(8) == 8 && won.margin(-8) == 0.5f && won.turned().margin(8) == -0.5f && exactly(1).margin(5) == 0);
}

}  // namespace

void search_tests() {
  bounds_turn();
  means_hold_after_millions_of_visits();
  tallies_hold_after_a_billion_plays();
  a_long_search_near_the_end_makes_simulations_too();
  what_a_short_try_cannot_prove_is_proved_later();
  all_proofs_are_right();
  whole_small_games_are_solved();
  a_swap_that_was_made_is_not_made_again<Playouts>();
  a_swap_that_was_made_is_not_made_again<Judge>();
  one_seed_one_tree<PetrifySmall>(6);
  one_seed_one_tree<PiloSmall>(6);
  one_seed_one_tree<Pentwall>(10);
  one_seed_one_tree<PyloffSmall>(4);
  reports_add_up<PetrifySmall>(5);
  reports_add_up<PiloSmall>(6);
  reports_add_up<Pentwall>(10);
  reports_add_up<PyloffSmall>(5);
  memory_is_bounded();
  limits_hold();
  other_evaluators_fit();
}

}  // namespace purlieu
