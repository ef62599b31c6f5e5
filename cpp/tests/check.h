// The smallest test kit: CHECK says where and what, and counts.
#pragma once

#include <cstdio>

inline int checks_made = 0;
inline int checks_failed = 0;

#define CHECK(condition)                                                        \
  do {                                                                          \
    ++checks_made;                                                              \
    if (!(condition)) {                                                         \
      ++checks_failed;                                                          \
      std::printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
    }                                                                           \
  } while (false)
