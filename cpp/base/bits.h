// Sets of squares as bits of a word.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace purlieu {

using Bits64 = std::uint64_t;
using Bits128 = unsigned __int128;

constexpr int count(Bits64 bits) { return std::popcount(bits); }
constexpr int count(Bits128 bits) {
  return std::popcount(static_cast<Bits64>(bits)) + std::popcount(static_cast<Bits64>(bits >> 64));
}

// The lowest square of a set that is not empty.
constexpr int lowest(Bits64 bits) { return std::countr_zero(bits); }
constexpr int lowest(Bits128 bits) {
  const auto low = static_cast<Bits64>(bits);
  return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<Bits64>(bits >> 64));
}

// Takes the lowest square out of a set that is not empty.
template <class Bits>
constexpr int pop_lowest(Bits& bits) {
  const int at = lowest(bits);
  bits &= bits - 1;
  return at;
}

template <class Bits>
constexpr Bits bit(int at) {
  return Bits{1} << at;
}

// The n-th square of a set, counted from 0. Precondition: n < count(bits).
inline int nth(Bits64 bits, int n) {
#if defined(__BMI2__)
  return std::countr_zero(_pdep_u64(Bits64{1} << n, bits));
#else
  int at = 0;
  for (int half = 32; half >= 8; half /= 2) {
    const int below = count(bits >> at & ((Bits64{1} << half) - 1));
    const bool high = n >= below;
    at += high ? half : 0;
    n -= high ? below : 0;
  }
  Bits64 rest = bits >> at;
  for (; n; --n) rest &= rest - 1;
  return at + lowest(rest);
#endif
}
inline int nth(Bits128 bits, int n) {
  const auto low = static_cast<Bits64>(bits);
  const int below = count(low);
  return n < below ? nth(low, n) : 64 + nth(static_cast<Bits64>(bits >> 64), n - below);
}

}  // namespace purlieu
