// Positions as text: rows from the top joined by '/', numbers for empty squares, as purlieu.rules writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace purlieu {

// token(column, row), both from 0 at the bottom left, gives what stands there, or "" for nothing.
template <class Token>
std::string rows_text(int side, Token&& token) {
  std::string text;
  for (int row = side - 1; row >= 0; --row) {
    int gap = 0;
    for (int column = 0; column < side; ++column) {
      const std::string here = token(column, row);
      if (here.empty()) {
        ++gap;
        continue;
      }
      if (gap) text += std::to_string(gap);
      gap = 0;
      text += here;
    }
    if (gap) text += std::to_string(gap);
    if (row) text += '/';
  }
  return text;
}

// The parts of a text between separators.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// The inverse of rows_text: rows from the top. token_length(rest) gives the length of the token that the rest of a
// row begins with, or 0 if it begins with none. nullopt unless the rows make a square of at most `most` a side.
template <class TokenLength>
std::optional<std::vector<std::vector<std::string_view>>> read_rows(std::string_view text, int most,
                                                                    TokenLength&& token_length) {
  std::vector<std::vector<std::string_view>> rows;
  for (std::string_view row : split(text, '/')) {
    auto& cells = rows.emplace_back();
    while (!row.empty()) {
      if (const std::size_t length = token_length(row)) {
        cells.push_back(row.substr(0, length));
        row.remove_prefix(length);
      } else if ('1' <= row[0] && row[0] <= '9') {
        int gap = row[0] - '0';
        row.remove_prefix(1);
        if (gap == 1 && !row.empty() && '0' <= row[0] && row[0] <= '9') {
          gap = 10 + row[0] - '0';
          row.remove_prefix(1);
        }
        cells.insert(cells.end(), static_cast<std::size_t>(gap), std::string_view());
      } else {
        return std::nullopt;
      }
      if (cells.size() > static_cast<std::size_t>(most)) return std::nullopt;
    }
    if (rows.size() > static_cast<std::size_t>(most)) return std::nullopt;
  }
  for (const auto& row : rows)
    if (row.size() != rows.size()) return std::nullopt;
  return rows;
}

// "c3" from column 2 and row 2.
inline std::string square_name(int column, int row) {
  std::string name(1, static_cast<char>('a' + column));
  name += std::to_string(row + 1);
  return name;
}

struct SquareRead {
  int column, row;
};

// Takes a canonical square off the front of the text; nullopt if there is none on a board of that side.
inline std::optional<SquareRead> take_square(std::string_view& text, int side) {
  if (text.size() < 2 || text[0] < 'a' || text[0] >= 'a' + side || text[1] < '1' || text[1] > '9') return std::nullopt;
  const int column = text[0] - 'a';
  int row = text[1] - '0';
  text.remove_prefix(2);
  if (!text.empty() && '0' <= text[0] && text[0] <= '9') {
    row = 10 * row + text[0] - '0';
    text.remove_prefix(1);
  }
  if (row > side) return std::nullopt;
  return SquareRead{column, row - 1};
}

}  // namespace purlieu
