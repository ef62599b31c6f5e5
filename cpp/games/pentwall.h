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
  bool is_unused(int letter) const { return !(taken_ & pentominoes::pentomino_bit(letter)); }
  // The squares of a colour: 0 for Solid, 1 for Striped.
  Bits128 painted(int colour) const { return painted_[colour]; }
  // Calls f(squares, first, second) for each territory: how many squares of each colour touch it.
  template <class F>
  void for_each_territory(F&& f) const;

  std::string text() const;
  static std::optional<Pentwall> parse(std::string_view text);
  std::string move_text(Move move) const;
  std::optional<Move> read_move(std::string_view text) const;
  bool check() const;

 private:
  // The placements of one unused pentomino that fit.
  struct Fits {
    pentominoes::LetterSet set;
    int letter, number;

    void cover(const pentominoes::Tables& t, std::size_t code) {
      if (number == 0) return;
      t.remove_covering(set, letter, code);
      count_all();
    }
    int nth(const pentominoes::Tables& t, int n) const {
      int word = 0;
      for (int below; n >= (below = count(set.words[word])); ++word) n -= below;
      return t.first_of[letter] + 64 * word + purlieu::nth(set.words[word], n);
    }
    void count_all() {
      number = 0;
      for (Bits64 word : set.words) number += count(word);
    }
  };
  static constexpr int kGuessAbove = 4;

  pentominoes::LetterSet fitting(const pentominoes::Tables& t, int letter) const {
    pentominoes::LetterSet set = t.all_of[letter];
    for (int i = 0; i < ply_; ++i) t.remove_covering(set, letter, played_[i] & 0x7FFF);
    return set;
  }
  template <class F>
  bool for_each_fit(int letter, F&& f) const;
  void paint(int code, int colour);
  // Paints for the side to move, and leaves the key to update_key().
  void mark(const pentominoes::Tables& t, int code) {
    const Bits128 mask = t.mask[static_cast<std::size_t>(code)];
    const int colour = ply_ % 2;
    taken_ |= mask;
    painted_[colour] |= mask & t.sheet;
    played_[ply_++] = static_cast<std::uint16_t>(code | colour << 15);
  }
  // Brings in what was marked since the game had that many plies.
  void update_key(int ply);

  // Squares stand at row * 11 + column: the eleventh column is always empty and stops every shift. Above the 110
  // bits of the sheet, one bit for each pentomino says that it is used, so that legality is one AND.
  Bits128 taken_ = 0;
  Bits128 painted_[2] = {0, 0};
  std::uint64_t key_ = mix(0x9E47);
  // The code of each placement, and its colour in the top bit; only the text asks for them.
  std::uint16_t played_[12] = {};
  std::int8_t ply_ = 0;
};

template <class F>
[[gnu::always_inline]] inline void Pentwall::for_each_territory(F&& f) const {
  const auto& t = pentominoes::tables();
  for (Bits128 unpainted = t.sheet & ~taken_; unpainted;) {
    Bits128 territory = unpainted & -unpainted, before;
    do {
      before = territory;
      territory = (territory | t.touching(territory)) & unpainted;
    } while (territory != before);
    unpainted &= ~territory;
    const Bits128 around = t.touching(territory);
    f(territory, count(around & painted_[0]), count(around & painted_[1]));
  }
}

// Calls f(code) for every placement of that pentomino that fits, in order, until it returns false.
template <class F>
bool Pentwall::for_each_fit(int letter, F&& f) const {
  const auto& t = pentominoes::tables();
  const pentominoes::LetterSet set = fitting(t, letter);
  for (int i = 0; i < set.kWords; ++i)
    for (Bits64 fit = set.words[i]; fit;)
      if (!f(t.first_of[letter] + 64 * i + pop_lowest(fit))) return false;
  return true;
}

template <class Visit>
void Pentwall::playout(Random& random, Visit&& visit) {
  const auto& t = pentominoes::tables();
  const int begun = ply_;
  const auto make = [&](int code) {
    visit(to_move(), Move(static_cast<std::uint16_t>(code)));
    mark(t, code);
  };
  // While many pentominoes are left, guessing a placement until it fits is cheaper than knowing all that do. Five
  // guesses come from one random number and are judged together, since a branch for each would mostly be mispredicted.
  for (int tries = 0; unused() > kGuessAbove && tries < 64; ++tries) {
    const std::uint64_t guesses = random.next();
    unsigned good = 0;
    for (int i = 0; i < 5; ++i) good |= unsigned{!(t.mask[guesses >> (12 * i) & 0xFFF] & taken_)} << i;
    if (!good) continue;
    make(static_cast<int>(guesses >> (12 * lowest(Bits64{good})) & 0xFFF));
    tries = 0;
  }
  // Then the sets of all that fit, from which each play takes what covers one of its squares.
  Fits fits[12];
  int letters = 0;
  for (int letter = 0; letter < 12; ++letter) {
    if (taken_ & pentominoes::pentomino_bit(letter)) continue;
    fits[letters] = {fitting(t, letter), letter, 0};
    fits[letters++].count_all();
  }
  for (;;) {
    int total = 0;
    for (int i = 0; i < letters; ++i) total += fits[i].number;
    if (total == 0) break;
    int n = static_cast<int>(random.below(static_cast<std::uint32_t>(total)));
    int chosen = 0;
    while (n >= fits[chosen].number) n -= fits[chosen++].number;
    const int code = fits[chosen].nth(t, n);
    make(code);
    fits[chosen] = fits[--letters];
    for (int i = 0; i < letters; ++i) fits[i].cover(t, static_cast<std::size_t>(code));
  }
  update_key(begun);
}

}  // namespace purlieu
