// Every line of a board laid out as bits of a word, once for each direction, so that one addition finds all captures.
//
// Take a line of squares in the direction of a capture, nearest target first, as bits of a number from the lowest.
// Add the enemies to the squares without a block: at an enemy 1 + 1 sends a carry upwards, an empty square or a friend
// (1 + 0) hands it on, a block (0 + 0) swallows it. So a carry arrives at just those squares from which the first
// thing met is an enemy, and a friend that a carry arrives at has its bit of the sum clear. All lines of all
// directions are added at once; only random games are worth keeping the board in this form for.
#pragma once

#include <bit>
#include <cstdint>

#include "base/bits.h"
#include "games/layout.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace purlieu {

// As many words as one vector register holds.
#ifdef __AVX2__
inline constexpr int kPackWords = 4;
#else
inline constexpr int kPackWords = 2;
#endif
using Pack = std::uint64_t __attribute__((vector_size(8 * kPackWords), may_alias));

// The number of bits set; std::popcount calls into a library on processors that are not known to have it.
inline int popcount(Bits64 bits) {
#if defined(__x86_64__) && !defined(__POPCNT__)
  bits -= bits >> 1 & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return static_cast<int>(bits * 0x0101010101010101u >> 56);
#else
  return std::popcount(bits);
#endif
}
inline int popcount(Bits128 bits) {
  return popcount(static_cast<Bits64>(bits)) + popcount(static_cast<Bits64>(bits >> 64));
}

// Squares in the form above. Ways is 8, or 4 for the orthogonal directions alone.
template <class Board, int Ways>
class Lines {
 public:
  static constexpr int kWordsAWay = Board::kIndices <= 64 ? 1 : 2;
  static constexpr int kWords = Ways * kWordsAWay;
  static constexpr int kPacks = kWords / kPackWords;
  static constexpr int kNoSquare = Board::kIndices;  // Adding or removing it does nothing.

  struct alignas(64) Words {
    Bits64 word[kWords];
    constexpr Bits64& operator[](int i) { return word[i]; }
    constexpr Bits64 operator[](int i) const { return word[i]; }
  };

  // A set of squares, each of them once in every direction.
  class Set {
   public:
    Set() = default;  // Holds anything.
    explicit Set(const Words& words) {
      each([&](int i) { packs_[i] = reinterpret_cast<const Pack&>(words.word[i * kPackWords]); });
    }

    void add(int square) { *this = *this | Set(kTables.of[square]); }
    void remove(int square) { *this = *this & ~Set(kTables.of[square]); }
    void move(int from, int to) { *this = *this ^ Set(kTables.of[from]) ^ Set(kTables.of[to]); }
    friend Set operator&(const Set& a, const Set& b) { return made([&](int i) { return a.packs_[i] & b.packs_[i]; }); }
    friend Set operator|(const Set& a, const Set& b) { return made([&](int i) { return a.packs_[i] | b.packs_[i]; }); }
    friend Set operator^(const Set& a, const Set& b) { return made([&](int i) { return a.packs_[i] ^ b.packs_[i]; }); }
    friend Set operator+(const Set& a, const Set& b) { return made([&](int i) { return a.packs_[i] + b.packs_[i]; }); }
    Set operator~() const { return made([&](int i) { return ~packs_[i]; }); }

    Words words() const {
      Words words;
      each([&](int i) { reinterpret_cast<Pack&>(words.word[i * kPackWords]) = packs_[i]; });
      return words;
    }

    // How many pairs of a square and a direction there are.
    [[gnu::always_inline]] int count() const {
#ifdef __AVX2__
      const __m256i low = _mm256_set1_epi8(15);
      const __m256i bits_of = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                               0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
      __m256i bytes = _mm256_setzero_si256();
      each([&](int i) {
        const __m256i pack = reinterpret_cast<const __m256i&>(packs_[i]);
        bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(bits_of, _mm256_and_si256(pack, low)));
        bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(bits_of, _mm256_and_si256(_mm256_srli_epi16(pack, 4), low)));
      });
      const __m256i words = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
      const __m128i pair = _mm_add_epi64(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
      return static_cast<int>(_mm_cvtsi128_si64(pair) + _mm_extract_epi64(pair, 1));
#else
      Pack bytes{};
      each([&](int i) {
        Pack pack = packs_[i];
        pack -= pack >> 1 & 0x5555555555555555u;
        pack = (pack & 0x3333333333333333u) + (pack >> 2 & 0x3333333333333333u);
        bytes += (pack + (pack >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
      });
      const Pack shorts = (bytes & 0x00FF00FF00FF00FFu) + (bytes >> 8 & 0x00FF00FF00FF00FFu);
      return static_cast<int>((shorts[0] + shorts[1]) * 0x0001000100010001u >> 48);
#endif
    }

   private:
    template <class F>
    static Set made(F&& f) {
      Set set;
      each([&](int i) { set.packs_[i] = f(i); });
      return set;
    }
    template <class F>
    static void each(F&& f) {
      for (int i = 0; i < kPacks; ++i) f(i);
    }
    Pack packs_[kPacks];
  };

  static Set none() { return Set(Words{}); }
  static Set of(typename Board::Bits squares) {
    Set set = none();
    while (squares) set.add(pop_lowest(squares));
    return set;
  }
  // All squares of a board of that side.
  static Set all(int size) { return Set(kTables.all[size - Board::kSmallest]); }

  // The squares of a set as one bit each: westward lines are rows from the left.
  static typename Board::Bits squares(const Set& set) {
    constexpr int kWestward = kWest / (8 / Ways) * kWordsAWay;
    const Words words = set.words();
    if constexpr (kWordsAWay == 1) return words[kWestward];
    else return words[kWestward] | typename Board::Bits{words[kWestward + 1]} << Board::kStride * 5;
  }

  // Where lines are packed without gaps, a carry could run on into the next line. So the last square of each line is
  // kept out of the addition, and the sum shows there whether a carry arrived. This is the set without them.
  static Set inner(const Set& set) {
    if constexpr (kTight) return set & Set(kTables.inner);
    else return set;
  }
  // Which of `mine` meet one of `enemies` as the first thing on their way, by direction. `open` is the inner() of the
  // enemies and of all squares that one passes over.
  [[gnu::always_inline]] static Set meeting(const Set& mine, const Set& open, const Set& enemies) {
    if constexpr (kTight) return mine & ((open + inner(enemies)) ^ Set(kTables.inner));
    else return mine & ~(open + enemies);
  }

  struct Capture {
    int start, target;  // Indices of squares.
    int direction;      // 0 to 7, clockwise from north.
  };
  // The nth capture of a set made by `meeting`. Precondition: there are more than n.
  [[gnu::always_inline]] static Capture nth(const Set& captures, const Set& enemies, int n) {
    const Words words = captures.words();
    // The word that it is in; without branches, which would be guessed wrong.
    int word = 0, before = 0, sum = 0;
    for (int i = 0; i + 1 < kWords; ++i) {
      sum += popcount(words[i]);
      word += n >= sum;
      before = n >= sum ? sum : before;
    }
    const int at = purlieu::nth(words[word], n - before);
    // The carry came from the nearest enemy below.
    const int target = 63 - std::countl_zero(enemies.words()[word] & ((Bits64{1} << at) - 1));
    const std::uint8_t* squares = kTables.square[word];
    return {squares[at], squares[target], word / kWordsAWay * (8 / Ways)};
  }

 private:
  static constexpr bool kTight = Board::kStride == Board::kLargest;

  struct Tables {
    Words of[Board::kIndices + 1] = {};  // The last is kNoSquare.
    Words all[Board::kLargest - Board::kSmallest + 1] = {};
    Words inner = {};
    std::uint8_t square[kWords][64] = {};
    bool fits = true;

    constexpr Tables() {
      constexpr int kSide = Board::kLargest;
      for (int way = 0; way < Ways; ++way) {
        const int direction = way * (8 / Ways);
        const int across = kAcross[direction], up = kUp[direction];
        int word = way * kWordsAWay, at = 0;
        for (int row = 0; row < kSide; ++row) {
          for (int column = 0; column < kSide; ++column) {
            if (on_board(column + across, row + up)) continue;  // Not the foremost square of a line.
            int length = 0;
            while (on_board(column - length * across, row - length * up)) ++length;
            if (at + length > 64) {
              ++word;
              at = 0;
            }
            for (int i = 0; i < length; ++i, ++at) {
              const int here = (row - i * up) * Board::kStride + column - i * across;
              of[here][word] = Bits64{1} << at;
              square[word][at] = static_cast<std::uint8_t>(here);
              if (i + 1 < length) inner[word] |= Bits64{1} << at;
            }
            at += !kTight;  // A gap, unless there is no room for it.
          }
        }
        fits = fits && word < (way + 1) * kWordsAWay && at <= 65;
      }
      for (int size = Board::kSmallest; size <= kSide; ++size)
        for (int i = 0; i < size * size; ++i)
          for (int word = 0; word < kWords; ++word)
            all[size - Board::kSmallest][word] |= of[i / size * Board::kStride + i % size][word];
    }
    static constexpr bool on_board(int column, int row) {
      return 0 <= column && column < Board::kLargest && 0 <= row && row < Board::kLargest;
    }
  };
  static constexpr Tables kTables{};
  static_assert(Tables().fits);
};

}  // namespace purlieu
