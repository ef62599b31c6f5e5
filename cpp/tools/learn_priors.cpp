// Plays games against itself and writes what the weights of move priors are fitted to:
//
//   g++ -std=c++20 -O3 -march=x86-64-v3 -pthread -Icpp cpp/tools/learn_priors.cpp cpp/games/*.cpp -o build/learn_priors
//   build/learn_priors GAME SIZE[,SIZE…] GAMES SIMULATIONS FILE [SEED]
//   python3 scripts/fit_priors.py GAME TRUST FILE
//
// For each position of a game the file has the features of every move, RAVE's value early in the search, and the visits
// at its end. In the machine's byte order: the number of features and the most that a move has; then for each position
// the number of moves, and for each of them visits, value and features, filled up with the number of features.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "search/mcts.h"

namespace purlieu {
namespace {

struct Task {
  std::vector<int> sizes;
  int games;
  std::int64_t simulations;
  std::FILE* file;
  std::uint64_t seed;
};

template <class T>
void write(std::FILE* file, T value) {
  std::fwrite(&value, sizeof value, 1, file);
}

template <Game G>
void run(const Task& task) {
  using Features = typename PriorsOf<G>::Features;
  constexpr bool kFewPlies = G::kName == "pentwall";
  // RAVE's values as they are when they matter; with thousands of moves they take longer to mean anything.
  const std::int64_t early = kFewPlies ? task.simulations / 10 : 400;
  const std::atomic<bool> stop = false;
  const Limits first{std::nullopt, early, std::nullopt}, rest{std::nullopt, task.simulations - early, std::nullopt};
  auto moves = std::make_unique<MoveList<G::kMostMoves>>();
  Random random(mix(task.seed));
  const auto any_move = [&] {
    Move move;
    do move = (*moves)[static_cast<int>(random.below(static_cast<std::uint32_t>(moves->size())))];
    while (move == kSwap);
    return move;
  };
  write(task.file, std::int32_t{Features::kCount});
  write(task.file, std::int32_t{Features::kMost});
  for (int n = 0; n < task.games; ++n) {
    G game = G::start(task.sizes[static_cast<std::size_t>(n) % task.sizes.size()]);
    // Games begin at random, beyond the swap, and now and then a random move leads them elsewhere.
    const int opening = static_cast<int>(kFewPlies ? random.below(2) : 2 + random.below(5));
    while (!game.is_over()) {
      game.legal_moves(*moves);
      if (game.ply() < opening || moves->size() == 1) {
        game.play(any_move());
        continue;
      }
      Settings settings = full_settings(G::kName);
      settings.seed = random.next();
      settings.memory_mb = 64;
      settings.rate_at = 0;  // Without the old weights: the same comes out, whatever they are.
      Mcts<G> search(game, settings);
      search.run(first, stop);
      std::vector<float> values;
      for (const Move move : *moves) values.push_back(search.rave_value(move));
      search.run(rest, stop);
      const Report report = search.report();
      if (report.proven != Proven::no) break;  // The rest teaches nothing.

      Features features(game);
      write(task.file, static_cast<std::int32_t>(moves->size()));
      for (int i = 0; i < moves->size(); ++i) {
        write(task.file, static_cast<std::uint32_t>(report.moves[static_cast<std::size_t>(i)].visits));
        write(task.file, values[static_cast<std::size_t>(i)]);
        int room = Features::kMost;
        features.each((*moves)[i], [&](int feature) {
          write(task.file, static_cast<std::uint16_t>(feature));
          --room;
        });
        while (room-- > 0) write(task.file, std::uint16_t{Features::kCount});
      }
      game.play(random.below(12) == 0 ? any_move() : game.read_move(report.best_move).value());
    }
    std::fflush(task.file);
    std::printf("\r%d games", n + 1);
    std::fflush(stdout);
  }
  std::printf("\n");
}

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  const bool known = name == "petrify" || name == "pilo" || name == "pyloff" || name == "pentwall";
  Task task{};
  if (argc >= 6) {
    for (const std::string_view size : split(argv[2], ',')) task.sizes.push_back(std::atoi(std::string(size).c_str()));
    task.games = std::atoi(argv[3]);
    task.simulations = std::atoll(argv[4]);
    task.seed = argc > 6 ? std::strtoull(argv[6], nullptr, 10) : 1;
  }
  for (const int size : task.sizes)
    if (size < 3 || size > 8) task.simulations = name == "pentwall" && size == 10 ? task.simulations : 0;
  if (!known || task.sizes.empty() || task.games < 1 || task.simulations < 1000) {
    std::printf(
        "usage: learn_priors GAME SIZE[,SIZE…] GAMES SIMULATIONS FILE [SEED]; sizes are 3 to 8 (Pentwall 10), "
        "simulations 1000 or more\n");
    return 2;
  }
  task.file = std::fopen(argv[5], "wb");
  if (!task.file) {
    std::printf("%s cannot be written\n", argv[5]);
    return 1;
  }
  if (name == "petrify") run<PetrifySmall>(task);
  else if (name == "pilo") run<PiloSmall>(task);
  else if (name == "pyloff") run<PyloffSmall>(task);
  else run<Pentwall>(task);
  std::fclose(task.file);
  return 0;
}

}  // namespace
}  // namespace purlieu

int main(int argc, char** argv) { return purlieu::main(argc, argv); }
