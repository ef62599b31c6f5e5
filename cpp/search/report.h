// What a search has to say. All numbers are for the side to move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace purlieu {

enum class Proven : std::uint8_t { no, win, loss, draw };

struct MoveReport {
  std::string move;
  std::int64_t visits = 0;  // The swap is judged by the whole search: it has all visits if it is best, else none.
  double share = 0;         // Of the visits of all moves.
  double win_chance = 0.5;  // With half a win for a draw. Before the first visit, what other simulations suggest.
  double expected_score = 0;
  Proven proven = Proven::no;
};

struct Report {
  std::int64_t simulations = 0;  // Of the last run.
  std::int64_t nodes = 0;        // In the tree now.
  double seconds = 0;            // Of the last run.
  std::string best_move;
  double win_chance = 0.5;
  double expected_score = 0;
  Proven proven = Proven::no;
  std::vector<std::string> line;  // What the search expects both sides to play; begins with the best move.
  std::vector<MoveReport> moves;  // Every legal move, in the order of purlieu.rules.
};

}  // namespace purlieu
