#include "games/pentwall.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace purlieu {
namespace {

using pentominoes::kLetters;
using pentominoes::kStride;
using pentominoes::tables;

// The code of the placement of that pentomino on just these squares.
std::optional<int> placement(int letter, Bits128 squares) {
  const auto& t = tables();
  for (int i = t.first_of[letter]; i < t.first_of[letter + 1]; ++i)
    if ((t.mask[i] & t.sheet) == squares) return i;
  return std::nullopt;
}

// The same paint means another future when the other side is to move.
std::uint64_t side_key(int ply) { return ply % 2 ? mix(0x51DE) : 0; }

Bits128 square_bit(int column, int row) { return bit<Bits128>(row * kStride + column); }

}  // namespace

bool Pentwall::is_over() const {
  for (int letter = 0; letter < 12; ++letter) {
    if (taken_ & pentominoes::pentomino_bit(letter)) continue;
    if (!for_each_fit(letter, [](int) { return false; })) return false;
  }
  return true;
}

void Pentwall::legal_moves(MoveList<kMostMoves>& list) const {
  list.clear();
  for (int letter = 0; letter < 12; ++letter) {
    if (taken_ & pentominoes::pentomino_bit(letter)) continue;
    for_each_fit(letter, [&](int code) {
      list.push(Move(static_cast<std::uint16_t>(code)));
      return true;
    });
  }
}

void Pentwall::play(Move move) {
  assert(is_legal(move));
  paint(move.code(), ply_ % 2);
}

Score Pentwall::score() const {
  int totals[3] = {0, 0, 0};  // The second colour's, nobody's, the first's.
  for_each_territory([&](Bits128 squares, int first, int second) {
    totals[1 + (first > second) - (first < second)] += count(squares);
  });
  return {totals[2], totals[0]};
}

Result Pentwall::result() const {
  const Score total = score();
  if (total.first != total.second) return total.first > total.second ? Result::first_wins : Result::second_wins;
  std::vector<int> sizes[2];
  for_each_territory([&](Bits128 squares, int first, int second) {
    if (first != second) sizes[first < second].push_back(count(squares));
  });
  for (auto& of_colour : sizes) std::sort(of_colour.begin(), of_colour.end(), std::greater<>());
  for (std::size_t i = 0; i < std::min(sizes[0].size(), sizes[1].size()); ++i) {
    const int difference = sizes[0][i] - sizes[1][i];
    if (difference) return difference > 0 ? Result::first_wins : Result::second_wins;
  }
  return Result::draw;
}

std::string Pentwall::text() const {
  std::string cells(kSide * kSide, '.');
  for (int i = 0; i < ply_; ++i) {
    const int code = played_[i] & 0x7FFF;
    const char letter = kLetters[tables().letter[code]];
    Bits128 squares = tables().mask[code] & tables().sheet;
    while (squares) {
      const int at = pop_lowest(squares);
      cells[at / kStride * kSide + at % kStride] = played_[i] >> 15 ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
  }
  return "pentwall " + rows_text(kSide, [&](int column, int row) {
           const char cell = cells[row * kSide + column];
           return cell == '.' ? std::string() : std::string(1, cell);
         });
}

std::optional<Pentwall> Pentwall::parse(std::string_view text) {
  constexpr std::string_view kPrefix = "pentwall ";
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  const auto is_token = [](std::string_view rest) -> std::size_t {
    const char letter = static_cast<char>(rest[0] & ~0x20);
    return 'A' <= letter && letter <= 'Z' && std::string_view(kLetters).find(letter) != std::string_view::npos;
  };
  const auto rows = read_rows(text, kSide, is_token);
  if (!rows || rows->size() != kSide) return std::nullopt;
  Bits128 squares_of[2][12] = {};
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const std::string_view token = (*rows)[kSide - 1 - row][column];
      if (token.empty()) continue;
      const bool striped = token[0] >= 'a';
      const auto letter = std::string_view(kLetters).find(static_cast<char>(token[0] & ~0x20));
      squares_of[striped][letter] |= square_bit(column, row);
    }
  }
  Pentwall position;
  for (int letter = 0; letter < 12; ++letter) {
    for (int colour = 0; colour < 2; ++colour) {
      const Bits128 squares = squares_of[colour][letter];
      if (!squares) continue;
      const auto code = placement(letter, squares);
      if (!code || squares_of[1 - colour][letter]) return std::nullopt;
      position.paint(*code, colour);
    }
  }
  return position;
}

std::string Pentwall::move_text(Move move) const {
  std::string text(1, kLetters[tables().letter[move.code()]]);
  Bits128 squares = tables().mask[move.code()] & tables().sheet;
  while (squares) {
    const int at = pop_lowest(squares);
    text += square_name(at % kStride, at / kStride);
  }
  return text;
}

std::optional<Move> Pentwall::read_move(std::string_view text) const {
  if (text.empty()) return std::nullopt;
  const auto letter = std::string_view(kLetters).find(text[0]);
  if (letter == std::string_view::npos) return std::nullopt;
  text.remove_prefix(1);
  Bits128 squares = 0;
  while (!text.empty()) {
    const auto square = take_square(text, kSide);
    if (!square || squares & square_bit(square->column, square->row)) return std::nullopt;
    squares |= square_bit(square->column, square->row);
  }
  const auto code = placement(static_cast<int>(letter), squares);
  return code ? std::optional(Move(static_cast<std::uint16_t>(*code))) : std::nullopt;
}

bool Pentwall::check() const {
  Pentwall rebuilt;
  for (int i = 0; i < ply_; ++i) rebuilt.paint(played_[i] & 0x7FFF, played_[i] >> 15);
  return rebuilt.taken_ == taken_ && rebuilt.painted_[0] == painted_[0] && rebuilt.painted_[1] == painted_[1] &&
         rebuilt.key_ == key_ && !(painted_[0] & painted_[1]);
}

void Pentwall::paint(int code, int colour) {
  const Bits128 mask = tables().mask[code];
  taken_ |= mask;
  painted_[colour] |= mask & tables().sheet;
  played_[ply_++] = static_cast<std::uint16_t>(code | colour << 15);
  update_key(ply_ - 1);
}

void Pentwall::update_key(int ply) {
  key_ ^= side_key(ply) ^ side_key(ply_);
  for (int i = ply; i < ply_; ++i) key_ ^= tables().key[played_[i] >> 15][played_[i] & 0x7FFF];
}

}  // namespace purlieu
