// What speaks for and against a play of Pyloff at first sight.
#pragma once

#include <algorithm>

#include "games/pyloff.h"

namespace purlieu {

// The features of the plays of one position, which must outlive this.
template <class Shape>
class PyloffFeatures {
 public:
  // A play has one feature of each kind; how many there are of each.
  static constexpr int kKinds[] = {20, 25, 25, 12, 15, 25};
  static constexpr int kMost = 6;    // So many features has a play.
  static constexpr int kPhases = 3;  // Until a quarter of the pyramid stands, until half of it does, and then.
  static constexpr int kAPhase = 122;
  static constexpr int kCount = kPhases * kAPhase;

  explicit PyloffFeatures(const Pyloff<Shape>& game)
      : board_(game.board()), mine_(game.to_move() == Seat::first ? pyloff::Colour::black : pyloff::Colour::white) {
    const int points = pyloff::points_in(board_.size()), marbles = board_.marbles();
    phase_ = 4 * marbles < points ? 0 : 2 * marbles < points ? 1 : 2;
  }

  // Calls f(feature) for each one of a play.
  template <class F>
  void each(Move move, F&& f) {
    const Point p = board_.point(move.code());
    const int level = p.level, side = board_.size() - level, line = p.line - Shape::kFirst;
    const int column = line % Shape::kStride - level / 2, row = line / Shape::kStride - level / 2;

    // What is beside it on its level.
    int own = 0, enemy = 0, free = 0, edges = 0;
    constexpr int kAcross[] = {1, -1, 0, 0}, kUp[] = {0, 0, 1, -1};
    for (int i = 0; i < 4; ++i) {
      const int x = column + kAcross[i], y = row + kUp[i];
      if (std::min(x, y) < 0 || std::max(x, y) >= side) {
        ++edges;
        continue;
      }
      const Point q = Board::point(level, x, y);
      if (board_.is_occupied(q)) ++(is_mine(q) ? own : enemy);
      else free += board_.is_valid(q);
    }
    // What it rests on, and whom it buries: nobody, mine or theirs.
    int carried_by_mine = 0, buried = 0;
    if (level > 0)
      for (int i = 0; i < 4; ++i) carried_by_mine += is_mine(Board::point(level - 1, column + i % 2, row + i / 2));
    if (level > 1) buried = is_mine(Board::point(level - 2, column + 1, row + 1)) ? 1 : 2;
    // The squares of four that it completes, for someone to build on, and my marbles in them.
    int squares = 0, mine = 0;
    for (int i = 0; i < 4; ++i) {
      const int x = column - i % 2, y = row - i / 2;
      if (std::min(x, y) < 0 || std::max(x, y) + 1 >= side) continue;
      int others = 0, mine_here = 0;
      for (int k = 0; k < 4; ++k) {
        const Point q = Board::point(level, x + k % 2, y + k / 2);
        if (q == p || !board_.is_occupied(q)) continue;
        ++others;
        mine_here += is_mine(q);
      }
      if (others < 3) continue;
      ++squares;
      mine += mine_here;
    }
    Board after = board_;
    typename Board::Placed placed;
    after.place(p, mine_, placed);

    int base = phase_ * kAPhase;
    const int* kind = kKinds;
    const auto add = [&](int feature) {
      f(base + feature);
      base += *kind++;
    };
    add(std::min(placed.lifted, 4) * 4 + std::min(level, 3));
    add(own * 5 + enemy);
    add(free * 5 + own);
    add(std::min(level, 3) * 3 + std::min(edges, 2));
    add(buried * 5 + carried_by_mine);
    add(squares * 5 + (squares ? (4 * mine + squares) / (3 * squares) : 0));
  }

 private:
  using Board = pyloff::Board<Shape>;
  using Point = pyloff::Point;
  bool is_mine(Point p) const { return board_.colour(p) == mine_; }

  const Board& board_;
  pyloff::Colour mine_;
  int phase_;
};

}  // namespace purlieu
