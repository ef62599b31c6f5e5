#include "games/petrify.h"

#include "games/game.h"

namespace purlieu {

template <class Board>
auto Petrify<Board>::captures() const -> std::array<Bits, 8> {
  const Bits mine = this->mine();
  auto captures = Base::seeing(this->theirs(), this->empty() | mine);
  for (Bits& starts : captures) starts &= mine & ~forbidden_;
  return captures;
}

template <class Board>
void Petrify<Board>::capture(int start, int target) {
  const int colour = this->turn_.colour_to_move();
  this->men_[colour] ^= bit<Bits>(start) | bit<Bits>(target);
  this->men_[1 - colour] ^= bit<Bits>(target);
  this->blocks_ |= bit<Bits>(start);
  forbidden_ = forbidden_by(this->blocks_, this->size_);
}

template <class Board>
std::string Petrify<Board>::token(int square) const {
  if (this->men_[0] >> square & 1) return "b";
  if (this->men_[1] >> square & 1) return "o";
  return this->blocks_ >> square & 1 ? "#" : "";
}

template <class Board>
void Petrify<Board>::read_token(int square, std::string_view token) {
  Bits& set = token[0] == 'b' ? this->men_[0] : token[0] == 'o' ? this->men_[1] : this->blocks_;
  set |= bit<Bits>(square);
  forbidden_ = forbidden_by(this->blocks_, this->size_);
}

template <class Board>
std::uint64_t Petrify<Board>::board_key() const {
  std::uint64_t key = 0, number = 0;
  for (const Bits set : {this->men_[0], this->men_[1], this->blocks_})
    for (int at = 0; at < Board::kIndices; at += 64) key += mix(static_cast<Bits64>(set >> at) ^ mix(++number));
  return key;
}

template <class Board>
bool Petrify<Board>::check() const {
  return this->is_consistent(Run(*this).captures().count()) &&
         forbidden_ == forbidden_by(this->blocks_, this->size_) && is_sound();
}

template class Blocks<PetrifySmall, SmallBoard, 8>;
template class Blocks<PetrifyLarge, LargeBoard, 8>;
template class Petrify<SmallBoard>;
template class Petrify<LargeBoard>;
static_assert(Game<PetrifySmall> && Game<PetrifyLarge>);

}  // namespace purlieu
