// Runs the tests of what several threads share, and no others: `threads_tests`, for the thread sanitizer.
#include <cstdio>

#include "tests/check.h"

namespace purlieu {
void threads_tests();
}

int main() {
  purlieu::threads_tests();
  std::printf("%-10s %9d checks, %d failed\n", "threads", checks_made, checks_failed);
  return checks_failed ? 1 : 0;
}
