// All that works on several threads: searches, nets that are asked, games in batches, and the solver. Made to be run
// under the thread sanitizer too, which sees a race even where nothing came of it.
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "games/petrify.h"
#include "games/pyloff.h"
#include "nets/batch_env.h"
#include "nets/net_evaluator.h"
#include "nets/replay.h"
#include "search/mcts.h"
#include "search/solve.h"
#include "tests/check.h"
#include "tests/play_games.h"

namespace purlieu {
namespace {

using Net = NetEvaluator<PetrifySmall>;

Limits simulations(std::int64_t number) { return {std::nullopt, number, std::nullopt}; }

Settings four_threads(Settings settings = {}) {
  settings.threads = 4;
  settings.memory_mb = 16;
  return settings;
}

template <Game G, class E>
void play_best(Mcts<G, E>& search) {
  const std::string best = search.report().best_move;
  search.advance(best == "swap" ? kSwap : best == "pass" ? kPass : search.position().read_move(best).value());
}

// None of their simulations is lost, and what they say in the meantime is whole.
template <Game G>
void threads_share_a_tree(int size) {
  const std::atomic<bool> stop = false;
  Mcts<G> search(G::start(size), four_threads());
  for (int i = 0; i < 4; ++i) {
    search.run(simulations(5'000), stop, [&] { return !search.report().best_move.empty(); });
    const Report report = search.report();
    CHECK(report.simulations == 5'000 || report.proven != Proven::no);
    play_best(search);
  }
}

void threads_prove_a_whole_game() {
  const std::atomic<bool> stop = false;
  for (const bool endgame : {true, false}) {
    Settings settings = four_threads();
    settings.endgame = endgame;
    Mcts<PetrifySmall> search(PetrifySmall::start(3), settings);
    search.run(simulations(2'000'000), stop);
    CHECK(search.report().proven == Proven::loss);
  }
}

// A tree with room for few nodes: all threads find it full at once.
void threads_share_a_full_tree() {
  const std::atomic<bool> stop = false;
  Settings settings = four_threads();
  settings.memory_mb = 1;
  Mcts<PetrifySmall> search(PetrifySmall::start(8), settings);
  search.run(simulations(20'000), stop);
  CHECK(search.report().simulations == 20'000);
  CHECK(search.bytes_used() <= 1 << 20);
}

// Runs come and go while another thread asks how things stand, as a server does.
void anyone_may_ask_for_a_report() {
  const std::atomic<bool> stop = false;
  std::atomic<bool> over = false;
  Mcts<PetrifySmall> search(PetrifySmall::start(5), four_threads());
  int asked = 0;
  bool whole = true;
  std::thread asks([&] {
    do {
      const Report report = search.report();
      whole &= !report.line.empty() && report.seconds >= 0 && search.bytes_used() > 0;
      ++asked;
    } while (!over);
  });
  for (int i = 0; i < 200; ++i) search.run(simulations(20), stop);
  over = true;
  asks.join();
  CHECK(whole && asked > 0);
}

// Whoever cancels gets the search back, with what it knows by then, and may go on with it.
void a_search_is_cancelled_while_it_runs() {
  std::atomic<bool> stop = false, runs = false;
  Mcts<PetrifySmall> search(PetrifySmall::start(6), four_threads());
  for (int i = 0; i < 3; ++i) {
    stop = runs = false;
    std::thread cancels([&] {
      runs.wait(false);
      stop = true;
    });
    search.run({3600, std::nullopt, std::nullopt}, stop, [&] {
      runs = true;
      runs.notify_one();
      return true;
    });
    cancels.join();
    const Report report = search.report();
    CHECK(report.simulations > 0 && report.seconds < 600 && !report.best_move.empty());
  }
}

// Several games are thought about at once in one process, and none minds the others.
void searches_side_by_side_find_what_each_finds_alone() {
  const auto think = [] {
    const std::atomic<bool> stop = false;
    Mcts<PyloffSmall> search(PyloffSmall::start(4), {});
    search.run(simulations(1'000), stop, [] { return true; });
    const Report report = search.report();
    return std::tuple(report.best_move, report.nodes, report.win_chance);
  };
  std::vector<decltype(think())> found(3);
  {
    std::vector<std::thread> threads;
    for (auto& one : found) threads.emplace_back([&] { one = think(); });
    for (auto& thread : threads) thread.join();
  }
  for (const auto& one : found) CHECK(one == think());
}

// An answer that is as good as any, of the position alone.
void answer(std::span<const float> planes, NetOutput& output) {
  std::uint64_t key = 0;
  for (const float plane : planes) key = mix(key ^ static_cast<std::uint64_t>(plane));
  Random random(key);
  output.policy.resize(planes.size() / Planes<PetrifySmall>::kInputs * Planes<PetrifySmall>::kPolicy);
  for (float& logit : output.policy) logit = static_cast<float>(2 * random.unit());
  output.win_chance = static_cast<float>(random.unit());
  output.margin = 0;
}

// They share what it said: a position is looked at about once, whoever comes to it.
void threads_ask_one_net() {
  const std::atomic<bool> stop = false;
  std::atomic<int> asked = 0;
  const AskNet ask = [&](std::span<const float> planes, NetOutput& output) {
    ++asked;
    answer(planes, output);
  };
  Settings settings = four_threads(net_settings("petrify"));
  Mcts<PetrifySmall, Net> search(PetrifySmall::start(5), settings, Net(ask, 5));
  for (int i = 0; i < 3; ++i) {
    asked = 0;
    search.run(simulations(1'000), stop, [&] { return !search.report().best_move.empty(); });
    CHECK(asked > 0 && asked <= 1'004);
    CHECK(search.report().simulations == 1'000 || search.report().proven != Proven::no);
    play_best(search);
  }
  // Near the end all threads prove leaves in one table.
  PetrifySmall game = PetrifySmall::start(4);
  Random random(1);
  MoveList<PetrifySmall::kMostMoves> moves;
  while (game.empties() > 6) {
    game.legal_moves(moves);
    game.play(moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))]);
  }
  settings.endgame = false;
  Mcts<PetrifySmall, Net> end(game, settings, Net(ask, 4));
  end.run(simulations(2'000), stop);
  CHECK(end.report().proven != Proven::no);
}

// Whatever fails on one thread ends them all, and is told to who asked.
void a_net_that_fails_ends_all_threads() {
  const std::atomic<bool> stop = false;
  std::atomic<int> asked = 0;
  const AskNet ask = [&](std::span<const float> planes, NetOutput& output) {
    if (++asked > 100) throw std::runtime_error("the net is gone");
    answer(planes, output);
  };
  Mcts<PetrifySmall, Net> search(PetrifySmall::start(5), four_threads(net_settings("petrify")), Net(ask, 5));
  bool told = false;
  try {
    search.run({3600, std::nullopt, std::nullopt}, stop);
  } catch (const std::runtime_error&) {
    told = true;
  }
  CHECK(told && asked <= 104);
}

// Self-play, with ends that are proved in one table for all threads; someone counts the games in the meantime.
void threads_play_games_in_batches() {
  SelfPlaySettings settings = small_settings(4);
  settings.slots = 64;
  settings.end_nodes = 3'000;
  SelfPlay<PetrifySmall> play(4, settings);
  const auto slots = static_cast<std::size_t>(settings.slots);
  const std::vector<float> policy(slots * static_cast<std::size_t>(play.outputs())), value(slots * 2, 0.5f);
  std::vector<std::uint8_t> planes(slots * static_cast<std::size_t>(play.inputs()));
  std::atomic<bool> over = false;
  std::string records;
  std::thread counts([&] {
    do records += play.take();
    while (play.counts().games < 100 && !over);
  });
  while (play.counts().games < 100) play.step(policy.data(), value.data(), planes.data());
  over = true;
  counts.join();
  records += play.take();
  Replay replay;
  for (RecordReader reader(records); !reader.at_end();) {
    const auto record = reader.next();
    CHECK(record && fault_in<PetrifySmall>(*record) == nullptr);
    if (!record) return;
    replay.add(*record);
  }
  CHECK(replay.games() == play.counts().games);
}

// Rows to learn from are the same, however many threads draw them.
void threads_draw_one_batch() {
  const std::string bytes = play_games<PetrifySmall>(4, small_settings(1), 5);
  Replay replay;
  for (RecordReader reader(bytes); !reader.at_end();) replay.add(reader.next().value());
  using P = Planes<PetrifySmall>;
  constexpr int kRows = 200, kCells = 16;
  const auto draw = [&](int threads) {
    std::vector<std::uint8_t> planes(kRows * P::kInputs * kCells), owners(kRows * P::kMaps * kCells);
    std::vector<float> policy(kRows * P::kPolicy * kCells), value(kRows * 3), margin(kRows), weight(kRows);
    Crew crew(threads);
    for (std::uint64_t seed : {1, 2})
      replay.sample<PetrifySmall>(
          4, {kRows, planes.data(), policy.data(), value.data(), margin.data(), owners.data(), weight.data()}, seed, 0,
          crew);
    return std::tuple(planes, policy, value, margin, owners, weight);
  };
  CHECK(draw(4) == draw(1));
}

// Games in step are the same, however many threads play them; an action that is not legal changes none.
void threads_play_games_in_step() {
  using Env = BatchEnv<PetrifySmall>;
  const auto shape = Env::shape(4, 200, true);
  Env many(shape, 4), one(shape, 1);
  std::vector<std::int32_t> actions(200);
  for (std::uint64_t step = 0; step < 30; ++step) {
    one.random_actions(step, actions.data());
    CHECK(!many.step(actions.data()) && !one.step(actions.data()));
    CHECK(many.arrays().planes == one.arrays().planes && many.arrays().mask == one.arrays().mask);
    CHECK(many.arrays().reward == one.arrays().reward);
  }
  one.random_actions(99, actions.data());
  actions[70] = actions[140] = -1;
  const auto before = many.arrays().planes;
  CHECK(many.step(actions.data()) == 70 && many.arrays().planes == before);
}

// The threads of the exact solver meet in its table; one that asks for the nodes and one that ends it are welcome.
void threads_solve_together() {
  Solver solver(std::size_t{1} << 20);
  const auto together = solver.solve(PetrifySmall::start(3), {.margin = true, .threads = 4});
  Solver alone(std::size_t{1} << 20);
  const auto by_one = alone.solve(PetrifySmall::start(3), {.margin = true});
  CHECK(together && by_one && together->value == by_one->value);
  std::thread ends([&] {
    const std::uint64_t before = solver.nodes();
    while (solver.nodes() < before + 10'000) std::this_thread::yield();
    solver.stop();
  });
  CHECK(!solver.solve(PetrifySmall::start(6), {.threads = 4}));
  ends.join();
}

}  // namespace

void threads_tests() {
  threads_share_a_tree<PetrifySmall>(6);
  threads_share_a_tree<PyloffSmall>(4);
  threads_prove_a_whole_game();
  threads_share_a_full_tree();
  anyone_may_ask_for_a_report();
  a_search_is_cancelled_while_it_runs();
  searches_side_by_side_find_what_each_finds_alone();
  threads_ask_one_net();
  a_net_that_fails_ends_all_threads();
  threads_play_games_in_batches();
  threads_draw_one_batch();
  threads_play_games_in_step();
  threads_solve_together();
}

}  // namespace purlieu
