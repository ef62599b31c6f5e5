#include "games/blocks.h"

#include <utility>

#include "games/patches.h"

namespace purlieu {
namespace {

constexpr int kMostPlies = 100'000;  // What a text may claim: more turns than any game can take.
constexpr int kLongestRow = 19;

std::string_view seat_name(Seat seat) { return seat == Seat::first ? "first" : "second"; }

std::optional<Seat> read_seat(std::string_view text) {
  if (text == "first") return Seat::first;
  if (text == "second") return Seat::second;
  return std::nullopt;
}

// A whole number from 0 to `most`, without leading zeros.
std::optional<int> read_number(std::string_view text, int most) {
  if (text.empty() || text.size() > 6 || (text[0] == '0' && text.size() > 1)) return std::nullopt;
  int number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = 10 * number + digit - '0';
  }
  return number <= most ? std::optional(number) : std::nullopt;
}

// What is left out is as if the seats had simply played in turn.
std::optional<Turn> read_turn(const std::vector<std::string_view>& parts, int empties, int squares) {
  Turn turn;
  bool has_ply = false, has_blue = false, has_passes = false, has_last = false;
  const auto once = [](bool& has) { return !std::exchange(has, true); };
  for (const std::string_view part : parts) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view key = part.substr(0, equals), value = part.substr(equals + 1);
    if (key == "ply" && once(has_ply)) {
      const auto ply = read_number(value, kMostPlies);
      if (!ply) return std::nullopt;
      turn.ply = *ply;
    } else if (key == "blue" && once(has_blue)) {
      const auto blue = read_seat(value);
      if (!blue) return std::nullopt;
      turn.blue = *blue;
    } else if (key == "passes" && once(has_passes)) {
      const auto passes = read_number(value, 2);
      if (!passes) return std::nullopt;
      turn.passes = static_cast<std::uint8_t>(*passes);
    } else if (key == "last" && once(has_last)) {
      turn.last_board_play = read_seat(value);
      if (!turn.last_board_play && value != "none") return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  if (turn.passes > 0 && empties > 0) return std::nullopt;             // Nobody passes while a square is empty.
  if (turn.ply < 2 && turn.blue == Seat::second) return std::nullopt;  // That comes of a swap.
  const bool untouched = empties == squares;
  const bool has_swapped = turn.ply == 2 && turn.blue == Seat::second;
  const Seat before = turn.passes % 2 || has_swapped ? turn.to_move() : other(turn.to_move());
  if (!has_last && !untouched) turn.last_board_play = before;
  if (untouched == turn.last_board_play.has_value()) return std::nullopt;
  if (!untouched && turn.last_board_play != before) return std::nullopt;
  return turn;
}

}  // namespace

std::string Turn::text() const {
  std::string text = "ply=" + std::to_string(ply) + " blue=";
  text += seat_name(blue);
  text += " passes=" + std::to_string(passes) + " last=";
  text += last_board_play ? seat_name(*last_board_play) : "none";
  return text;
}

std::optional<BlocksText> read_blocks_text(std::string_view name, std::string_view text,
                                           std::size_t (*token_length)(std::string_view)) {
  auto parts = split(text, ' ');
  if (parts.size() < 2 || parts[0] != name) return std::nullopt;
  auto rows = read_rows(parts[1], kLongestRow, token_length);
  if (!rows) return std::nullopt;
  int empties = 0;
  for (const auto& row : *rows)
    for (const std::string_view token : row) empties += token.empty();
  parts.erase(parts.begin(), parts.begin() + 2);
  const auto turn = read_turn(parts, empties, static_cast<int>(rows->size() * rows->size()));
  if (!turn) return std::nullopt;
  return BlocksText{*std::move(rows), *turn};
}

template <class Board>
Score count_patches(typename Board::Bits blue, typename Board::Bits orange, typename Board::Bits open) {
  using Bits = typename Board::Bits;
  // Patches of one square belong to what stands there.
  const Bits lone = open & ~Board::touching(open);
  Score score{popcount(lone & blue), popcount(lone & orange)};
  open &= ~lone;
  while (open) {
    const Bits patch = flood<Board>(open & -open, open);
    open &= ~patch;
    const int who = owner<Board>(blue & patch, orange & patch);
    if (who > 0) score.first += popcount(patch);
    if (who < 0) score.second += popcount(patch);
  }
  return score;
}

template Score count_patches<SmallBoard>(Bits64, Bits64, Bits64);
template Score count_patches<LargeBoard>(Bits128, Bits128, Bits128);

}  // namespace purlieu
