// Pilo: Petrify with stacks. Only stacks of equal height capture each other, along rows and columns.
#pragma once

#include "games/blocks.h"

namespace purlieu {

template <class Board>
class Pilo : public Blocks<Pilo<Board>, Board, 4> {
 public:
  using Base = Blocks<Pilo<Board>, Board, 4>;
  using typename Base::Bits;
  static constexpr std::string_view kName = "pilo";

  // The squares from which the side to move may capture, by direction: north, east, south, west.
  std::array<Bits, 4> captures() const;
  // The height of the stack on a square, given by its index; 0 where none stands.
  int height(int square) const;
  // The squares with a stack of that height.
  Bits of_height(int height) const;

  template <class Visit>
  void playout(Random& random, Visit&& visit);

  // Incremental state agrees with what is rebuilt from the board.
  bool check() const;

 private:
  friend Base;
  using Lines = purlieu::Lines<Board, 4>;
  using Set = typename Lines::Set;
  struct Run;

  // A capture makes one stack of twice the worth out of two if height h is worth 2^(h-1) disks, and a disk is put on
  // each square but once. So a game's highest stack is of 7, and no text may let a higher one grow.
  static constexpr int kTallest = 7;
  static constexpr int kPlanes = 4;

  void begin() {}
  void place(int square);
  void capture(int start, int target);
  std::string token(int square) const;
  static std::size_t token_length(std::string_view rest);
  void read_token(int square, std::string_view token);
  // Whether no stack can grow higher than those that a text can name.
  bool is_sound() const {
    int disks = this->empties();
    for (int h = 1; h <= kTallest; ++h) disks += (1 << (h - 1)) * count(of_height(h));
    return disks < 1 << kTallest;
  }
  std::uint64_t board_key() const;

  void set_height(int square, int height);

  Bits height_[kPlanes] = {};  // Bit i of every stack's height.
};

// The board during a random game. Stacks of another height stop a capture as blocks do, so each height has its own
// addition.
template <class Board>
struct Pilo<Board>::Run {
  struct Side {
    Set all, of_height[kTallest + 1];  // From 1; those above `tallest` hold anything.
  };
  Side sides[2];
  Side* mine = &sides[0];
  Side* theirs = &sides[1];
  Set open;         // The squares without a block.
  int tallest = 1;  // No stack is higher.
  Bits blocks;
  std::uint8_t height[Board::kIndices];  // Of the stack on each square that holds one.

  explicit Run(const Pilo& game)
      : open(Lines::all(game.size_) & ~Lines::of(game.blocks_)), blocks(game.blocks_) {
    for (Side* side : {mine, theirs}) {
      side->all = side->of_height[1] = Lines::none();
      for (Bits stacks = side == mine ? game.mine() : game.theirs(); stacks;) {
        const int square = pop_lowest(stacks), h = game.height(square);
        while (h > tallest) grow();
        height[square] = static_cast<std::uint8_t>(h);
        side->all.add(square);
        side->of_height[h].add(square);
      }
    }
  }

  [[gnu::always_inline]] Set captures() const {
    const Set passable = open & ~theirs->all;
    Set captures = Lines::none();
    for (int h = 1; h <= tallest; ++h) {
      const Set& enemies = theirs->of_height[h];
      captures = captures | Lines::meeting(mine->of_height[h], Lines::inner(passable | enemies), enemies);
    }
    return captures;
  }
  [[gnu::always_inline]] void place(int square) {
    mine->all.add(square);
    mine->of_height[1].add(square);
    height[square] = 1;
  }
  void exchange() { std::swap(mine, theirs); }
  [[gnu::always_inline]] typename Lines::Capture capture(const Set& captures, int n) {
    const auto made = Lines::nth(captures, theirs->all, n);
    const int h = height[made.start];
    if (h == tallest) grow();
    mine->all.move(made.start, made.target);
    theirs->all.remove(made.target);
    mine->of_height[h].remove(made.start);
    theirs->of_height[h].remove(made.target);
    mine->of_height[h + 1].add(made.target);
    height[made.target] = static_cast<std::uint8_t>(h + 1);
    open.remove(made.start);
    blocks |= bit<Bits>(made.start);
    return made;
  }
  void grow() {
    ++tallest;
    for (Side& side : sides) side.of_height[tallest] = Lines::none();
  }
};

template <class Board>
template <class Visit>
void Pilo<Board>::playout(Random& random, Visit&& visit) {
  this->open_at_random(random, visit);
  Run run(*this);
  this->run_to_the_end(run, random, visit);
  const int last = this->turn_.colour_to_move();
  this->men_[last] = Lines::squares(run.mine->all);
  this->men_[1 - last] = Lines::squares(run.theirs->all);
  this->blocks_ = run.blocks;
  for (Bits& plane : height_) plane = 0;
  for (int h = 1; h <= run.tallest; ++h) {
    const Bits stacks = Lines::squares(run.sides[0].of_height[h] | run.sides[1].of_height[h]);
    for (int i = 0; i < kPlanes; ++i)
      if (h >> i & 1) height_[i] |= stacks;
  }
}

template <class Board>
inline int Pilo<Board>::height(int square) const {
  int height = 0;
  for (int i = 0; i < kPlanes; ++i) height |= static_cast<int>(height_[i] >> square & 1) << i;
  return height;
}

using PiloSmall = Pilo<SmallBoard>;  // Sides 3 to 8.
using PiloLarge = Pilo<LargeBoard>;  // Sides 9 and 10.

extern template class Blocks<PiloSmall, SmallBoard, 4>;
extern template class Blocks<PiloLarge, LargeBoard, 4>;
extern template class Pilo<SmallBoard>;
extern template class Pilo<LargeBoard>;

}  // namespace purlieu
