// Sets of squares as bits of a word.
#pragma once

#include <bit>
#include <cstdint>

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

}  // namespace purlieu
