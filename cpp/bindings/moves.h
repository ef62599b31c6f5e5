// Moves as Python writes them.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "games/game.h"

namespace purlieu {

// The move that a canonical text names; throws unless it is legal.
template <Game G>
Move legal_move(const G& game, std::string_view text) {
  std::optional<Move> move;
  if (text == "pass") move = kPass;
  else if (text == "swap") move = kSwap;
  else move = game.read_move(text);
  if (!move) throw std::invalid_argument("'" + std::string(text.substr(0, 40)) + "' is no move in canonical notation");
  if (game.is_over() || !game.is_legal(*move)) throw std::invalid_argument(std::string(text) + " is not legal here");
  return *move;
}

}  // namespace purlieu
