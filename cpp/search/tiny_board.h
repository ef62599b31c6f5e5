// Petrify and Pilo on boards of 3 and 4, for the solver alone. The same rules as in games/, which the tests hold it
// to, with three differences: it is smaller and faster; its key is the position itself, not a hash, and the same for
// all eight ways to look at the board and for both colours; and passes, being forced, are left out.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/bits.h"
#include "base/random.h"
#include "base/text.h"
#include "base/types.h"

namespace purlieu {

namespace tiny {

using Squares = std::uint16_t;  // Row by row from the bottom, four to a row, on boards of 3 too.

constexpr Squares board(int side) { return side == 4 ? 0xFFFF : 0x0777; }

// One step; what leaves the frame of four is gone.
constexpr Squares step(Squares s, int columns, int rows) {
  unsigned x = s;
  if (columns > 0) x = (x & 0x7777) << 1;
  if (columns < 0) x = (x & 0xEEEE) >> 1;
  if (rows > 0) x <<= 4;
  if (rows < 0) x >>= 4;
  return static_cast<Squares>(x);
}

struct Direction {
  int columns, rows;
};
inline constexpr Direction kDirections[8] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};

constexpr Squares touching(Squares s) {
  return static_cast<Squares>((s & 0x7777) << 1 | (s & 0xEEEE) >> 1 | s << 4 | s >> 4);
}

// The part of `region` that hangs together with `from`.
constexpr Squares flood(Squares from, Squares region) {
  for (;;) {
    const Squares grown = static_cast<Squares>((from | touching(from)) & region);
    if (grown == from) return from;
    from = grown;
  }
}

// Sets of blocks that, with the ring, complete a mound or a barricade with a block on that square.
struct Formations {
  Squares others[10];
  int number = 0;
};
constexpr Formations formations(int side, int square) {
  Formations found;
  const int column = square % 4, row = square / 4;
  const auto look = [&](std::initializer_list<Direction> shape) {
    unsigned others = 0;
    for (const auto [dc, dr] : shape) {
      const int c = column + dc, r = row + dr;
      if (c < -1 || r < -1 || c > side || r > side) return;
      if (0 <= c && c < side && 0 <= r && r < side) others |= 1u << (4 * r + c);
    }
    found.others[found.number++] = static_cast<Squares>(others);
  };
  for (int dc : {-1, 1})
    for (int dr : {-1, 1}) look({{dc, 0}, {0, dr}, {dc, dr}});
  for (int dc : {-1, 1}) {
    look({{-dc, -1}, {dc, 1}});
    look({{dc, 1}, {2 * dc, 2}});
    look({{-dc, -1}, {-2 * dc, -2}});
  }
  return found;
}
template <int kSide>
inline constexpr auto kFormations = [] {
  std::array<Formations, 16> all{};
  for (int square = 0; square < 16; ++square)
    if (board(kSide) >> square & 1) all[square] = formations(kSide, square);
  return all;
}();

// Four sets of squares in a word, turned and mirrored together.
template <int kSide>
constexpr std::uint64_t mirror(std::uint64_t x) {
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  return kSide == 4 ? x : x >> 1;
}
template <int kSide>
constexpr std::uint64_t flip(std::uint64_t x) {
  x = (x >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (x & 0x0F0F0F0F0F0F0F0Fu) << 4;
  x = (x >> 8 & 0x00FF00FF00FF00FFu) | (x & 0x00FF00FF00FF00FFu) << 8;
  return kSide == 4 ? x : x >> 4;
}
constexpr std::uint64_t transpose(std::uint64_t x) {
  std::uint64_t t = (x ^ x >> 3) & 0x0A0A0A0A0A0A0A0Au;
  x ^= t ^ t << 3;
  t = (x ^ x >> 6) & 0x00CC00CC00CC00CCu;
  return x ^ t ^ t << 6;
}

// The sum of 12^i over the squares i of a set.
inline constexpr auto kPowers = [] {
  std::array<std::uint64_t, 256> sums{};
  std::uint64_t power = 1;
  for (int i = 0; i < 8; ++i, power *= 12)
    for (unsigned set = 0; set < 256; ++set)
      if (set >> i & 1) sums[set] += power;
  return sums;
}();
constexpr std::uint64_t digits(Squares set) { return kPowers[set & 255] + kPowers[set >> 8] * 429981696u; }

}  // namespace tiny

// kStacks: Pilo. Seats are colours here: the first is Blue.
template <bool kStacks, int kSide>
class TinyBoard {
 public:
  using Squares = tiny::Squares;
  static constexpr int kMostMoves = 128;
  static constexpr int kMoveCodes = 256;  // From square + 16 × to square; equal for a placement.
  static constexpr bool kAcyclic = true;
  static constexpr Squares kBoard = tiny::board(kSide);

  Seat to_move() const { return mover_; }
  static Seat first_colour() { return Seat::first; }
  bool is_over() const { return over_; }

  void legal_moves(MoveList<kMostMoves>& list) const {
    list.clear();
    if (over_) return;
    for (Squares empty = vacant(); empty; empty &= empty - 1) {
      const int at = std::countr_zero(empty);
      list.push(Move(static_cast<std::uint16_t>(at | at << 4)));
    }
    captures([&](int start, int target) {
      list.push(Move(static_cast<std::uint16_t>(start | target << 4)));
      return false;
    });
  }

  void play(Move move) {
    const int start = move.code() & 15, target = move.code() >> 4;
    const auto to = static_cast<Squares>(1u << target);
    mine_ |= to;
    if (start != target) {
      const auto from = static_cast<Squares>(1u << start);
      mine_ &= ~from;
      theirs_ &= ~to;
      blocks_ |= from;
      if constexpr (kStacks) {
        // One higher than it was, and than what stood there; heights count from 0.
        Squares carry = to;
        for (Squares& plane : heights_) {
          plane &= ~from;
          const Squares both = plane & carry;
          plane ^= carry;
          carry = both;
        }
      }
    }
    exchange();
    if (vacant() || can_capture()) return;
    exchange();
    if (can_capture()) return;
    exchange();
    over_ = true;
  }

  Score score() const {
    int points[2] = {0, 0};
    for (Squares open = kBoard & ~blocks_; open;) {
      const Squares patch = tiny::flood(open & -open, open);
      open &= ~patch;
      std::int8_t more[17] = {};
      count_groups(mine_ & patch, more, 1);
      count_groups(theirs_ & patch, more, -1);
      int size = 16;
      while (size && !more[size]) --size;
      if (size) points[more[size] < 0] += std::popcount(patch);
    }
    return mover_ == Seat::first ? Score{points[0], points[1]} : Score{points[1], points[0]};
  }
  // On equal totals whoever made the last board play loses: the side that would be to move wins.
  Result result() const {
    const Score s = score();
    if (s.first != s.second) return s.first > s.second ? Result::first_wins : Result::second_wins;
    return win_for(mover_);
  }

  // Different positions have different keys, up to symmetry: each square is a digit from 0 to 11, and mix() is a
  // bijection.
  std::uint64_t key() const {
    const std::uint64_t men = mine_ | std::uint64_t{theirs_} << 16 | std::uint64_t{blocks_} << 32 |
                              std::uint64_t{heights_[0]} << 48;
    const std::uint64_t more = kStacks ? heights_[1] | std::uint64_t{heights_[2]} << 16 : 0;
    std::uint64_t least = men, least_more = more;
    const auto see = [&](std::uint64_t a, std::uint64_t b) {
      if (a < least || (a == least && b < least_more)) least = a, least_more = b;
    };
    const auto mirror = tiny::mirror<kSide>;
    const auto flip = tiny::flip<kSide>;
    const auto all_of = [&](std::uint64_t a, std::uint64_t b) {
      see(a, b);
      const std::uint64_t ma = mirror(a), mb = kStacks ? mirror(b) : 0;
      see(ma, mb);
      see(flip(a), kStacks ? flip(b) : 0);
      see(flip(ma), kStacks ? flip(mb) : 0);
    };
    all_of(men, more);
    all_of(tiny::transpose(men), kStacks ? tiny::transpose(more) : 0);
    const auto lane = [](std::uint64_t word, int i) { return static_cast<Squares>(word >> 16 * i); };
    std::uint64_t number = digits(lane(least, 2)) + 2 * digits(lane(least, 0)) + 7 * digits(lane(least, 1));
    if constexpr (kStacks)
      number += digits(lane(least, 3)) + 2 * digits(lane(least_more, 0)) + 4 * digits(lane(least_more, 1));
    return mix(number);
  }

  // From the text of a position of purlieu.rules. nullopt if it is of another game or size, is over, may be swapped,
  // or must be passed, or if its stacks could grow higher than 5.
  static std::optional<TinyBoard> read(std::string_view text);

  static std::string move_text(Move move) {
    const auto name = [](int square) { return square_name(square % 4, square / 4); };
    const int start = move.code() & 15, target = move.code() >> 4;
    return start == target ? name(start) : name(start) + "x" + name(target);
  }

  int board_plays() const {
    int number = std::popcount(vacant());
    captures([&](int, int) { return ++number, false; });
    return number;
  }

  Squares vacant() const { return kBoard & ~(mine_ | theirs_ | blocks_); }

 private:
  static constexpr auto digits = tiny::digits;

  void exchange() {
    std::swap(mine_, theirs_);
    mover_ = other(mover_);
  }

  int height(int square) const {
    return (heights_[0] >> square & 1) | (heights_[1] >> square & 1) << 1 | (heights_[2] >> square & 1) << 2;
  }

  bool is_forbidden(int square) const {
    const auto& formations = tiny::kFormations<kSide>[square];
    for (int i = 0; i < formations.number; ++i)
      if ((formations.others[i] & ~blocks_) == 0) return true;
    return false;
  }

  // Calls visit(start, target) for each legal capture until it returns true.
  template <class Visit>
  bool captures(Visit&& visit) const {
    const Squares passable = kBoard & ~(theirs_ | blocks_);
    Squares allowed = mine_;
    if constexpr (!kStacks) {
      for (Squares left = mine_; left; left &= left - 1)
        if (is_forbidden(std::countr_zero(left))) allowed &= ~(left & -left);
      if (!allowed) return false;
    }
    for (int i = 0; i < (kStacks ? 4 : 8); ++i) {
      const auto [columns, rows] = tiny::kDirections[i];
      Squares reach = theirs_;
      for (int distance = 1; distance < kSide; ++distance) {
        reach = tiny::step(reach, -columns, -rows) & passable;
        if (!reach) break;
        for (Squares starts = reach & allowed; starts; starts &= starts - 1) {
          const int start = std::countr_zero(starts);
          const int target = start + distance * (columns + 4 * rows);
          if (kStacks && height(start) != height(target)) continue;
          if (visit(start, target)) return true;
        }
      }
    }
    return false;
  }
  bool can_capture() const {
    return captures([](int, int) { return true; });
  }

  static void count_groups(Squares men, std::int8_t* more, int sign) {
    while (men) {
      const Squares group = tiny::flood(men & -men, men);
      men &= ~group;
      more[std::popcount(group)] = static_cast<std::int8_t>(more[std::popcount(group)] + sign);
    }
  }

  Squares mine_ = 0, theirs_ = 0, blocks_ = 0;
  Squares heights_[3] = {0, 0, 0};  // Bit planes of the height less one.
  Seat mover_ = Seat::first;
  bool over_ = false;
};

template <bool kStacks, int kSide>
auto TinyBoard<kStacks, kSide>::read(std::string_view text) -> std::optional<TinyBoard> {
  const auto words = split(text, ' ');
  if (words.size() != 6 || words[0] != (kStacks ? "pilo" : "petrify")) return std::nullopt;
  const auto field = [&](std::size_t word, std::string_view name) {
    return words[word].starts_with(name) ? words[word].substr(name.size()) : std::string_view();
  };
  const std::string_view ply = field(2, "ply="), blue = field(3, "blue=");
  if (ply.empty() || blue.empty() || ply == "1") return std::nullopt;
  const auto token_length = [](std::string_view rest) -> std::size_t {
    if (rest[0] == '#') return 1;
    if (rest[0] != 'b' && rest[0] != 'o') return 0;
    return kStacks && rest.size() > 1 ? 2 : 1;
  };
  const auto rows = read_rows(words[1], kSide, token_length);
  if (!rows || rows->size() != kSide) return std::nullopt;
  TinyBoard board;
  const bool first_to_move = (ply.back() - '0') % 2 == 0;
  board.mover_ = first_to_move == (blue == "first") ? Seat::first : Seat::second;
  int room = 0;  // A stack of height h was 2^(h-1) disks on as many squares, so on 16 squares none grows above 5.
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const std::string_view token = (*rows)[kSide - 1 - row][column];
      const auto at = static_cast<Squares>(1u << (4 * row + column));
      if (token == "#") {
        board.blocks_ |= at;
        continue;
      }
      int height = 1;
      if (!token.empty()) {
        const bool mine = (token[0] == 'b') == (board.mover_ == Seat::first);
        (mine ? board.mine_ : board.theirs_) |= at;
        if (kStacks) height = token[1] - '0';
      }
      if (height < 1 || height > 5) return std::nullopt;
      room += 1 << (height - 1);
      for (int i = 0; i < 3; ++i)
        if ((height - 1) >> i & 1) board.heights_[i] |= at;
    }
  }
  if (room > 16 || !(board.vacant() || board.can_capture())) return std::nullopt;
  return board;
}

}  // namespace purlieu
