#include "games/pilo.h"

#include "games/game.h"

namespace purlieu {

template <class Board>
auto Pilo<Board>::captures() const -> std::array<Bits, 4> {
  const Bits mine = this->mine(), theirs = this->theirs(), passable = this->empty() | mine;
  std::array<Bits, 4> captures{};
  for (int h = 1; h <= kTallest; ++h) {
    const Bits stacks = of_height(h);
    if (!(stacks & mine) || !(stacks & theirs)) continue;
    const auto starts = Base::seeing(stacks & theirs, passable);
    for (int way = 0; way < 4; ++way) captures[way] |= starts[way] & stacks & mine;
  }
  return captures;
}

template <class Board>
auto Pilo<Board>::of_height(int height) const -> Bits {
  Bits stacks = this->men_[0] | this->men_[1];
  for (int i = 0; i < kPlanes; ++i) stacks &= height >> i & 1 ? height_[i] : ~height_[i];
  return stacks;
}

template <class Board>
void Pilo<Board>::set_height(int square, int height) {
  for (int i = 0; i < kPlanes; ++i) {
    height_[i] &= ~bit<Bits>(square);
    height_[i] |= static_cast<Bits>(height >> i & 1) << square;
  }
}

template <class Board>
void Pilo<Board>::place(int square) {
  this->men_[this->turn_.colour_to_move()] |= bit<Bits>(square);
  height_[0] |= bit<Bits>(square);
}

template <class Board>
void Pilo<Board>::capture(int start, int target) {
  const int colour = this->turn_.colour_to_move();
  this->men_[colour] ^= bit<Bits>(start) | bit<Bits>(target);
  this->men_[1 - colour] ^= bit<Bits>(target);
  this->blocks_ |= bit<Bits>(start);
  set_height(target, height(start) + 1);
  set_height(start, 0);
}

template <class Board>
std::string Pilo<Board>::token(int square) const {
  if (this->blocks_ >> square & 1) return "#";
  const int height = this->height(square);
  if (height == 0) return "";
  return std::string(1, this->men_[0] >> square & 1 ? 'b' : 'o').append(std::to_string(height));
}

template <class Board>
std::size_t Pilo<Board>::token_length(std::string_view rest) {
  if (rest[0] == '#') return 1;
  return (rest[0] == 'b' || rest[0] == 'o') && rest.size() > 1 && '1' <= rest[1] && rest[1] <= '7' ? 2 : 0;
}

template <class Board>
void Pilo<Board>::read_token(int square, std::string_view token) {
  if (token[0] == '#') {
    this->blocks_ |= bit<Bits>(square);
  } else {
    this->men_[token[0] == 'o'] |= bit<Bits>(square);
    set_height(square, token[1] - '0');
  }
}

template <class Board>
std::uint64_t Pilo<Board>::board_key() const {
  std::uint64_t key = 0, number = 0;
  for (const Bits set : {this->men_[0], this->blocks_, height_[0], height_[1], height_[2], height_[3]})
    for (int at = 0; at < Board::kIndices; at += 64) key += mix(static_cast<Bits64>(set >> at) ^ mix(++number));
  return key;
}

template <class Board>
bool Pilo<Board>::check() const {
  const Bits stacks = height_[0] | height_[1] | height_[2] | height_[3];
  return this->is_consistent(Run(*this).captures().count()) && stacks == (this->men_[0] | this->men_[1]);
}

template class Blocks<PiloSmall, SmallBoard, 4>;
template class Blocks<PiloLarge, LargeBoard, 4>;
template class Pilo<SmallBoard>;
template class Pilo<LargeBoard>;
static_assert(Game<PiloSmall> && Game<PiloLarge>);

}  // namespace purlieu
