// Runs every C++ test. `core_tests DATA [MOST]`: the folder tests/data, and the largest perft count to verify.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/check.h"

namespace purlieu {
void blocks_planes_tests();
void blocks_tests();
void exact_tests();
void nets_tests();
void pentwall_planes_tests();
void pentwall_tests();
void priors_tests();
void pyloff_planes_tests();
void replay_tests(const std::string& data, std::uint64_t most);
void search_tests();
void threads_tests();
}  // namespace purlieu

void pyloff_tests();

int main(int argc, char** argv) {
  if (argc < 2) {
    std::printf("usage: core_tests DATA [MOST]\n");
    return 2;
  }
  const std::uint64_t most = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000'000;
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  const auto run = [](const char* name, auto&& tests) {
    const int made = checks_made, failed = checks_failed;
    tests();
    std::printf("%-10s %9d checks, %d failed\n", name, checks_made - made, checks_failed - failed);
  };
  run("pentwall", purlieu::pentwall_tests);
  run("blocks", purlieu::blocks_tests);
  run("pyloff", pyloff_tests);
  run("replay", [&] { purlieu::replay_tests(argv[1], most); });
  run("priors", purlieu::priors_tests);
  run("planes", [] {
    purlieu::blocks_planes_tests();
    purlieu::pentwall_planes_tests();
    purlieu::pyloff_planes_tests();
  });
  run("nets", purlieu::nets_tests);
  run("exact", purlieu::exact_tests);
  run("search", purlieu::search_tests);
  run("threads", purlieu::threads_tests);
  return checks_failed ? 1 : 0;
}
