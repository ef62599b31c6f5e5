// What a leaf of the search is worth: the seam between the search and whatever judges positions, random playouts or a
// net.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>

#include "games/game.h"

namespace purlieu {

// For the first colour, whoever has it.
struct Evaluation {
  float value;   // 1 for a win, 0 for a loss.
  float margin;  // Of the final score.
};

// The moves of one simulation from the root on, both sides in turn. Swaps are left out: they pass no turn between the
// colours. The search puts in its own moves, and an evaluator that plays on may put in more.
class Trace {
 public:
  void clear() { size_ = 0; }
  void push(Move move) {
    if (size_ < kCapacity - 1) moves_[size_++] = move;
  }
  int size() const { return size_; }
  Move operator[](int i) const { return moves_[i]; }
  // For those who write many moves at once: room for them, and word of where they end.
  std::span<Move> room() { return std::span(moves_).subspan(static_cast<std::size_t>(size_)); }
  void end_at(const Move* end) { size_ = static_cast<int>(end - moves_.data()); }

 private:
  static constexpr int kCapacity = 4096;  // Longer games happen in Pyloff; their ends teach little about a move now.
  int size_ = 0;
  std::array<Move, kCapacity> moves_;
};

// Each thread of a search has its own copy of the evaluator. A net computes value and priors at once: it keeps
// the outputs of its last position, by key(), for the second question.
template <class E, class G>
concept Evaluator = std::copyable<E> && requires(E e, G& leaf, const G& node, Random& random, Trace& trace,
                                                 std::span<const Move> moves, std::span<float> priors) {
  { E::kHasPriors } -> std::convertible_to<bool>;  // If not, priors is never called.
  // What a position that is not over is worth. The evaluator may play on with it.
  { e.evaluate(leaf, random, trace) } -> std::same_as<Evaluation>;
  { e.priors(node, moves, priors) } -> std::same_as<void>;  // Probabilities of these moves, from 0 to 1.
};

template <Game G>
float first_colour_value(const G& over) {
  const Result result = over.result();
  return result == Result::draw ? 0.5f : result == win_for(over.first_colour()) ? 1.0f : 0.0f;
}

// Plays one uniformly random game to its end.
struct Playouts {
  static constexpr bool kHasPriors = false;

  // With the playout inlined, board and trace stay in registers: a third faster.
  template <Game G>
  [[gnu::flatten, gnu::noinline]] Evaluation evaluate(G& game, Random& random, Trace& trace) {
    const std::span<Move> room = trace.room();
    Move* at = room.data();
    Move* const limit = at + room.size();
    game.playout(random, [&](Seat, Move move) {
      *at = move;
      at += at + 1 < limit && move != kSwap;
    });
    trace.end_at(at);
    const Score score = game.score();
    const int margin = score.first - score.second;
    const float value = margin > 0 ? 1.0f : margin < 0 ? 0.0f : first_colour_value(game);
    return {value, static_cast<float>(margin)};
  }

  template <Game G>
  void priors(const G&, std::span<const Move>, std::span<float>) {}
};

}  // namespace purlieu
