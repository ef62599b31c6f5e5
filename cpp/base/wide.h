// Sets of squares too many for one machine word or two, and some more names for sets of any width.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/bits.h"

namespace purlieu {

// Words in pairs, as vector registers of every machine hold two. Loops over single words would be turned into vector
// code that loads at odd words what was just stored at even ones, and waits for it.
template <int Words>
class WideBits {
 public:
  static_assert(Words % 2 == 0);

  WideBits() : pairs_{} {}

  Bits64 word(int i) const { return pairs_[i / 2][i % 2]; }
  void set_word(int i, Bits64 word) { pairs_[i / 2][i % 2] = word; }
  unsigned char* bytes() { return reinterpret_cast<unsigned char*>(pairs_.data()); }
  const unsigned char* bytes() const { return reinterpret_cast<const unsigned char*>(pairs_.data()); }

  friend bool operator==(const WideBits& a, const WideBits& b) {
    Pair difference = a.pairs_[0] ^ b.pairs_[0];
    for (int i = 1; i < kPairs; ++i) difference |= a.pairs_[i] ^ b.pairs_[i];
    return !(difference[0] | difference[1]);
  }
  friend WideBits operator&(WideBits a, const WideBits& b) { return a &= b; }
  friend WideBits operator|(WideBits a, const WideBits& b) { return a |= b; }
  WideBits& operator&=(const WideBits& b) {
    for (int i = 0; i < kPairs; ++i) pairs_[i] &= b.pairs_[i];
    return *this;
  }
  WideBits& operator|=(const WideBits& b) {
    for (int i = 0; i < kPairs; ++i) pairs_[i] |= b.pairs_[i];
    return *this;
  }
  WideBits operator~() const {
    WideBits result;
    for (int i = 0; i < kPairs; ++i) result.pairs_[i] = ~pairs_[i];
    return result;
  }
  // Precondition of both shifts: 0 < by < 64.
  WideBits operator<<(int by) const {
    WideBits result;
    Pair before = {0, 0};
    for (int i = 0; i < kPairs; ++i) {
      result.pairs_[i] = pairs_[i] << by | Pair{before[1], pairs_[i][0]} >> (64 - by);
      before = pairs_[i];
    }
    return result;
  }
  WideBits operator>>(int by) const {
    WideBits result;
    Pair after = {0, 0};
    for (int i = kPairs - 1; i >= 0; --i) {
      result.pairs_[i] = pairs_[i] >> by | Pair{pairs_[i][1], after[0]} << (64 - by);
      after = pairs_[i];
    }
    return result;
  }
  friend bool any(const WideBits& bits) { return !(bits == WideBits()); }

 private:
  static constexpr int kPairs = Words / 2;
  typedef Bits64 Pair __attribute__((vector_size(16)));
  std::array<Pair, kPairs> pairs_;
};

template <int Words>
int count(const WideBits<Words>& bits) {
  int sum = 0;
  for (int i = 0; i < Words; ++i) sum += count(bits.word(i));
  return sum;
}

template <int Words>
int pop_lowest(WideBits<Words>& bits) {
  int i = 0;
  while (!bits.word(i)) ++i;
  Bits64 word = bits.word(i);
  const int at = pop_lowest(word);
  bits.set_word(i, word);
  return 64 * i + at;
}

constexpr bool any(Bits64 bits) { return bits != 0; }
constexpr bool any(Bits128 bits) { return bits != 0; }

constexpr bool has(Bits64 bits, int at) { return bits >> at & 1; }
constexpr bool has(Bits128 bits, int at) { return static_cast<Bits64>(at < 64 ? bits : bits >> 64) >> at % 64 & 1; }
template <int Words>
bool has(const WideBits<Words>& bits, int at) {
  return bits.word(at / 64) >> at % 64 & 1;
}

// The set of one square.
template <class Bits>
struct OneBit {
  static constexpr Bits of(int at) { return Bits{1} << at; }
};
template <int Words>
struct OneBit<WideBits<Words>> {
  static WideBits<Words> of(int at) {
    WideBits<Words> result;
    result.set_word(at / 64, Bits64{1} << at % 64);
    return result;
  }
};

template <int Words>
inline int nth(const WideBits<Words>& bits, int n) {
  int i = 0;
  for (int below; n >= (below = count(bits.word(i))); ++i) n -= below;
  return 64 * i + nth(bits.word(i), n);
}

}  // namespace purlieu
