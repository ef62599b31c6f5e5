// Pyloff's positions and moves as text.
#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "games/pyloff.h"

namespace purlieu {

using namespace pyloff;

namespace {

constexpr int kMostPlies = 100'000;            // What a text may claim.
constexpr std::size_t kLongestText = 200'000;  // Nothing longer is a position.

// A whole number without leading zeros, from 0 to `most`.
std::optional<int> read_number(std::string_view text, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || text[0] < '0' || text[0] > '9' || (text[0] == '0' && text.size() > 1) || error != std::errc() ||
      end != text.data() + text.size() || number > most)
    return std::nullopt;
  return number;
}

}  // namespace

template <class Shape>
std::string Pyloff<Shape>::board_text(const Board& board) {
  std::string text;
  int left = board.marbles();
  for (int level = 0; level < board.size() && (level == 0 || left); ++level) {
    if (level) text += ';';
    text += rows_text(board.size() - level, [&](int column, int row) -> std::string {
      const Point p = Board::point(level, column, row);
      if (!board.is_occupied(p)) return "";
      --left;
      return board.colour(p) == Colour::black ? "b" : "w";
    });
  }
  return text;
}

template <class Shape>
auto Pyloff<Shape>::read_board(std::string_view text) -> std::optional<Board> {
  std::optional<Board> board;
  int level = 0;
  for (std::string_view part : split(text, ';')) {
    const auto rows = read_rows(part, Shape::kLargest, [](std::string_view rest) -> std::size_t {
      return rest[0] == 'b' || rest[0] == 'w';
    });
    if (!rows) return std::nullopt;
    const int side = static_cast<int>(rows->size());
    if (!board) {
      if (!supports(side)) return std::nullopt;
      board.emplace(side);
    }
    if (side == 0 || side != board->size() - level) return std::nullopt;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const std::string_view token = (*rows)[side - 1 - row][column];
        if (token.empty()) continue;
        const Point p = Board::point(level, column, row);
        if (!board->is_valid(p)) return std::nullopt;
        board->set_up(p, token == "b" ? Colour::black : Colour::white);
      }
    }
    ++level;
  }
  return board;
}

template <class Shape>
std::string Pyloff<Shape>::text() const {
  std::string text(kName);
  text += ' ' + board_text(board_) + " ply=" + std::to_string(ply()) + " passes=" + std::to_string(passes_);
  if (history_.turns() == 0) return text;
  if (begun_from_) text += " from=" + *begun_from_;
  for (int turn = 1; turn <= history_.turns(); ++turn) {
    text += turn == 1 ? " moves=" : ",";
    text += move_text(history_.move(turn));
  }
  return text;
}

template <class Shape>
std::optional<Pyloff<Shape>> Pyloff<Shape>::parse(std::string_view text) {
  if (text.size() > kLongestText) return std::nullopt;
  const auto parts = split(text, ' ');
  if (parts.size() < 2 || parts[0] != kName) return std::nullopt;
  const auto board = read_board(parts[1]);
  if (!board) return std::nullopt;
  std::optional<int> ply, passes;
  std::optional<Board> begun_from;
  std::optional<std::vector<std::string_view>> moves;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view key = parts[i].substr(0, equals), value = parts[i].substr(equals + 1);
    if (key == "ply" && !ply) {
      if (!(ply = read_number(value, kMostPlies))) return std::nullopt;
    } else if (key == "passes" && !passes) {
      if (!(passes = read_number(value, 2))) return std::nullopt;
    } else if (key == "from" && !begun_from) {
      if (!(begun_from = read_board(value)) || begun_from->size() != board->size()) return std::nullopt;
    } else if (key == "moves" && !moves) {
      moves = split(value, ',');
    } else {
      return std::nullopt;
    }
  }
  const int turns = moves ? static_cast<int>(moves->size()) : 0;
  if (turns > ply.value_or(0)) return std::nullopt;
  if (!begun_from) begun_from = turns ? Board(board->size()) : *board;
  const bool only_passes =
      !moves || std::all_of(moves->begin(), moves->end(), [](std::string_view move) { return move == "pass"; });
  Pyloff position(*begun_from, ply.value_or(0) - turns, only_passes ? std::max(0, passes.value_or(0) - turns) : 0);
  for (int i = 0; i < turns; ++i) {
    const auto move = position.read_move((*moves)[i]);
    if (!move || !position.is_legal(*move)) return std::nullopt;
    position.play(*move);
  }
  if (position.passes_ != passes.value_or(0) || board_text(position.board_) != board_text(*board)) return std::nullopt;
  return position;
}

template <class Shape>
std::string Pyloff<Shape>::move_text(Move move) const {
  if (move == kPass) return "pass";
  const Point p = board_.point(move.code());
  const int shift = p.level / 2;
  std::string text = p.level ? std::to_string(p.level + 1) : std::string();
  const int line = p.line - Shape::kFirst;
  return text += square_name(line % Shape::kStride - shift, line / Shape::kStride - shift);
}

template <class Shape>
std::optional<Move> Pyloff<Shape>::read_move(std::string_view text) const {
  if (text == "pass") return kPass;
  if (text == "swap") return kSwap;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto level = digits ? read_number(text.substr(0, digits), size()) : 1;
  if (!level || *level < 1) return std::nullopt;
  text.remove_prefix(digits);
  const int side = size() - *level + 1;
  const auto square = take_square(text, side);
  if (!square || !text.empty()) return std::nullopt;
  return Move(static_cast<std::uint16_t>(board_.code(Board::point(*level - 1, square->column, square->row))));
}

template std::string Pyloff<SmallShape>::text() const;
template std::optional<Pyloff<SmallShape>> Pyloff<SmallShape>::parse(std::string_view text);
template std::string Pyloff<SmallShape>::move_text(Move move) const;
template std::optional<Move> Pyloff<SmallShape>::read_move(std::string_view text) const;
template std::string Pyloff<SmallShape>::board_text(const Board& board);
template auto Pyloff<SmallShape>::read_board(std::string_view text) -> std::optional<Board>;
template std::string Pyloff<MediumShape>::text() const;
template std::optional<Pyloff<MediumShape>> Pyloff<MediumShape>::parse(std::string_view text);
template std::string Pyloff<MediumShape>::move_text(Move move) const;
template std::optional<Move> Pyloff<MediumShape>::read_move(std::string_view text) const;
template std::string Pyloff<MediumShape>::board_text(const Board& board);
template auto Pyloff<MediumShape>::read_board(std::string_view text) -> std::optional<Board>;
template std::string Pyloff<LargeShape>::text() const;
template std::optional<Pyloff<LargeShape>> Pyloff<LargeShape>::parse(std::string_view text);
template std::string Pyloff<LargeShape>::move_text(Move move) const;
template std::optional<Move> Pyloff<LargeShape>::read_move(std::string_view text) const;
template std::string Pyloff<LargeShape>::board_text(const Board& board);
template auto Pyloff<LargeShape>::read_board(std::string_view text) -> std::optional<Board>;

}  // namespace purlieu
