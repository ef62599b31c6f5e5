// The 4,096 ways to paint a pentomino on the empty sheet, made once.
#pragma once

#include <array>
#include <cstdint>

#include "base/bits.h"

namespace purlieu::pentominoes {

inline constexpr int kSide = 10;
inline constexpr int kStride = 11;
inline constexpr int kSquareBits = kSide * kStride;
inline constexpr int kPlacements = 4096;
inline constexpr char kLetters[13] = "FILNPTUVWXYZ";

// A set of placements of one pentomino, a bit for each in their order. P has the most: 576.
struct LetterSet {
  static constexpr int kWords = 9;
  Bits64 words[kWords] = {};
  void add(int i) { words[i / 64] |= bit<Bits64>(i % 64); }
};

struct Tables {
  // The five squares, and above them the bit of the pentomino.
  std::array<Bits128, kPlacements> mask;
  std::array<std::uint8_t, kPlacements> letter;
  std::array<std::array<std::uint8_t, 5>, kPlacements> squares;
  // Placements of pentomino p are first_of[p] to first_of[p + 1].
  std::array<int, 13> first_of;
  std::array<std::uint64_t, kPlacements> key[2];
  // Of each pentomino's placements, those that cover each square, and all of them.
  LetterSet covering[12][kSquareBits];
  LetterSet all_of[12];
  Bits128 sheet;

  // Takes from a set of placements of a pentomino those that cover a square of another placement.
  void remove_covering(LetterSet& set, int of, std::size_t code) const {
    const auto* c = covering[of];
    const auto& s = squares[code];
    for (int i = 0; i < LetterSet::kWords; ++i)
      set.words[i] &= ~(c[s[0]].words[i] | c[s[1]].words[i] | c[s[2]].words[i] | c[s[3]].words[i] | c[s[4]].words[i]);
  }
  // Every square one step from the set by an edge, on the sheet.
  Bits128 touching(Bits128 set) const {
    return (set << 1 | set >> 1 | set << kStride | set >> kStride) & sheet;
  }
};

const Tables& tables();

constexpr Bits128 pentomino_bit(int letter) { return bit<Bits128>(kSquareBits + letter); }

}  // namespace purlieu::pentominoes
