// Words that every game shares. Nothing here knows a rule.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string>

namespace purlieu {

enum class Seat : std::uint8_t { first, second };
constexpr Seat other(Seat seat) { return seat == Seat::first ? Seat::second : Seat::first; }

// A move as one number. What it means is the game's affair, but `pass` and `swap` mean the same everywhere.
class Move {
 public:
  Move() = default;  // Says nothing yet: lists of moves are made too often to be cleared first.
  constexpr explicit Move(std::uint16_t code) : code_(code) {}
  constexpr std::uint16_t code() const { return code_; }
  friend constexpr bool operator==(Move, Move) = default;

 private:
  std::uint16_t code_;
};
inline constexpr Move kPass{0xFFFF};
inline constexpr Move kSwap{0xFFFE};

// The score by colour; the first colour is the one that begins (Blue, Solid, Black).
struct Score {
  int first = 0;
  int second = 0;
  friend constexpr bool operator==(const Score&, const Score&) = default;
};

enum class Result : std::uint8_t { first_wins, second_wins, draw };
constexpr Result win_for(Seat seat) { return seat == Seat::first ? Result::first_wins : Result::second_wins; }

// A list of moves without allocation. Capacity is the game's largest number of legal moves.
template <int Capacity>
class MoveList {
 public:
  void push(Move move) {
    assert(size_ < Capacity);
    moves_[size_++] = move;
  }
  void clear() { size_ = 0; }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](int i) const {
    assert(0 <= i && i < size_);
    return moves_[i];
  }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  bool contains(Move move) const {
    for (Move m : *this)
      if (m == move) return true;
    return false;
  }

 private:
  int size_ = 0;
  std::array<Move, Capacity> moves_;
};

}  // namespace purlieu
