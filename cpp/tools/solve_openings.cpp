// Solves the openings of a small board on a machine without Python, in steps of limited time:
//
//   g++ -std=c++20 -O3 -march=x86-64-v3 -pthread -static -Icpp cpp/tools/solve_openings.cpp
//       cpp/games/{blocks,petrify,pilo}.cpp -o build/solve_openings
//   build/solve_openings pilo 4 THREADS MEMORY_GB SECONDS FILE.proofs [OPENING…]
//
// FILE.proofs is read first, if it is there, and written at the end: run the same command again to go on. It is the
// file of purlieu.engine.solve, which writes the table once the openings are proved.
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "games/petrify.h"
#include "games/pilo.h"
#include "search/solve.h"

namespace purlieu {
namespace {

using Clock = std::chrono::steady_clock;

struct Task {
  int size, threads;
  double gigabytes, seconds;
  std::string path;
  std::vector<std::string> openings;
};

template <Game G>
int run(const Task& task) {
  const auto begun = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  Solver solver(static_cast<std::size_t>(task.gigabytes * (1u << 30)));
  if (std::ifstream(task.path)) std::printf("%llu positions read\n", static_cast<unsigned long long>(solver.load(task.path)));

  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::thread clock([&] {
    std::unique_lock lock(mutex);
    while (!finished.wait_for(lock, std::chrono::seconds(10), [&] { return done; })) {
      std::printf("%7.0f s %15llu nodes\n", elapsed(), static_cast<unsigned long long>(solver.nodes()));
      std::fflush(stdout);
      if (elapsed() > task.seconds) solver.stop();
    }
  });
  int unsolved = 0;
  for (const std::string& opening : task.openings) {
    G game = G::start(task.size);
    const auto move = game.read_move(opening);
    if (!move || !game.is_legal(*move)) continue;
    game.play(*move);
    game.play(kSwap);  // The same board with the pie rule out of the way.
    const auto solved = solver.solve(game, {.threads = task.threads});
    unsolved += !solved;
    if (!solved) continue;
    std::printf("%s %d after %s: %s wins, %llu nodes;", G::kName.data(), task.size, opening.c_str(),
                solved->value > 0 ? "Orange" : "Blue", static_cast<unsigned long long>(solved->nodes));
    for (const std::string& text : solved->line) std::printf(" %s", text.c_str());
    std::printf("\n");
    std::fflush(stdout);
  }
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  finished.notify_one();
  clock.join();
  std::printf("%llu positions kept\n", static_cast<unsigned long long>(solver.save(task.path, 14)));
  return unsolved != 0;
}

}  // namespace
}  // namespace purlieu

int main(int count, char** words) {
  using namespace purlieu;
  if (count < 7) {
    std::printf("solve_openings petrify|pilo SIZE THREADS MEMORY_GB SECONDS FILE.proofs [OPENING...]\n");
    return 2;
  }
  Task task{std::atoi(words[2]), std::atoi(words[3]), std::atof(words[4]), std::atof(words[5]), words[6], {}};
  for (int i = 7; i < count; ++i) task.openings.push_back(words[i]);
  if (task.openings.empty()) task.openings = {"b2", "b1", "a1"};
  if ((task.size != 3 && task.size != 4) || task.threads < 1 || !(task.gigabytes > 0)) return 2;
  return words[1] == std::string("pilo") ? run<PiloSmall>(task) : run<PetrifySmall>(task);
}
