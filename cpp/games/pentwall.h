// Pentwall: two colours paint twelve pentominoes onto a 10×10 sheet.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bits.h"
#include "base/random.h"
#include "base/types.h"
#include "games/pentwall_tables.h"

namespace purlieu {

// A move's code is its index among the 4,096 placements, in the order of purlieu.rules.
class Pentwall {
 public:
  static constexpr std::string_view kName = "pentwall";
  static constexpr int kSide = pentominoes::kSide;
  static constexpr int kMostMoves = pentominoes::kPlacements;
  static constexpr int kMoveCodes = pentominoes::kPlacements;
  static constexpr bool kAcyclic = true;

  static bool supports(int size) { return size == kSide; }
  static Pentwall start(int) { return Pentwall(); }

  int size() const { return kSide; }
  int ply() const { return ply_; }
  Seat to_move() const { return ply_ % 2 ? Seat::second : Seat::first; }
  Seat first_colour() const { return Seat::first; }

  bool is_over() const;
  void legal_moves(MoveList<kMostMoves>& list) const;
  bool is_legal(Move move) const {
    return move.code() < kMoveCodes && !(pentominoes::tables().mask[move.code()] & taken_);
  }
  void play(Move move);
  Score score() const;
  Result result() const;
  std::uint64_t key() const { return key_; }
  template <class Visit>
  void playout(Random& random, Visit&& visit);

  // The number of pentominoes that are still unused.
  int unused() const { return 12 - ply_; }

  std::string text() const;
  static std::optional<Pentwall> parse(std::string_view text);
  std::string move_text(Move move) const;
  std::optional<Move> read_move(std::string_view text) const;
  bool check() const;

 private:
  struct Territories {
    Score total;
    int sizes[2][50];  // Of each colour's territories; at most 50 squares are no neighbours.
    int number[2];
  };
  Territories territories() const;
  template <class F>
  bool for_each_fit(int letter, F&& f) const;
  void paint(int code, int colour);

  // Squares stand at row * 11 + column: the eleventh column is always empty and stops every shift. Above the 110
  // bits of the sheet, one bit for each pentomino says that it is used, so that legality is one AND.
  Bits128 taken_ = 0;
  Bits128 painted_[2] = {0, 0};
  std::uint64_t key_ = mix(0x9E47);
  // The code of each placement, and its colour in the top bit; only the text asks for them.
  std::uint16_t played_[12] = {};
  std::int8_t ply_ = 0;
};

// Calls f(code) for every placement of that pentomino that fits, in order, until it returns false.
template <class F>
bool Pentwall::for_each_fit(int letter, F&& f) const {
  const auto& t = pentominoes::tables();
  pentominoes::LetterSet covered;
  for (Bits128 squares = taken_ & t.sheet; squares;) covered.add(t.covering[letter][pop_lowest(squares)]);
  for (int i = 0; i < covered.kWords; ++i)
    for (Bits64 fit = t.all_of[letter].words[i] & ~covered.words[i]; fit;)
      if (!f(t.first_of[letter] + 64 * i + pop_lowest(fit))) return false;
  return true;
}

template <class Visit>
void Pentwall::playout(Random& random, Visit&& visit) {
  const auto& t = pentominoes::tables();
  // While several pentominoes are left, guessing a placement until it fits is cheaper than listing all. Five guesses
  // come from one random number and are judged together, since a branch for each would mostly be mispredicted.
  for (int tries = 0; unused() > 3 && tries < 64; ++tries) {
    const std::uint64_t guesses = random.next();
    unsigned fitting = 0;
    for (int i = 0; i < 5; ++i) fitting |= unsigned{!(t.mask[guesses >> (12 * i) & 0xFFF] & taken_)} << i;
    if (!fitting) continue;
    const Move move(static_cast<std::uint16_t>(guesses >> (12 * lowest(Bits64{fitting})) & 0xFFF));
    visit(to_move(), move);
    play(move);
    tries = 0;
  }
  // Then the list of all that fits, filtered after each play: what does not fit now never fits again.
  std::uint16_t fits[kMostMoves];
  int size = 0;
  for (int letter = 0; letter < 12; ++letter) {
    if (taken_ & pentominoes::pentomino_bit(letter)) continue;
    for_each_fit(letter, [&](int code) {
      fits[size++] = static_cast<std::uint16_t>(code);
      return true;
    });
  }
  while (size > 0) {
    const Move move(fits[random.below(static_cast<std::uint32_t>(size))]);
    visit(to_move(), move);
    play(move);
    int kept = 0;
    for (int i = 0; i < size; ++i) {
      fits[kept] = fits[i];
      kept += !(t.mask[fits[i]] & taken_);
    }
    size = kept;
  }
}

}  // namespace purlieu
