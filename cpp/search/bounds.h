// What has been proven about a position: that its value lies between two numbers.
//
// Values are for the first colour: twice the margin of the final score; if the margin is 0, then 1 for a win and -1
// for a loss by the game's tie rule, and 0 for a draw. So the sign is the result.
#pragma once

#include <algorithm>
#include <cstdint>

#include "games/game.h"

namespace purlieu {

struct Bounds {
  static constexpr std::int16_t kMost = 32000;
  std::int16_t low = -kMost;
  std::int16_t high = kMost;

  bool win() const { return low > 0; }    // For the first colour.
  bool loss() const { return high < 0; }  // For the first colour.
  bool draw() const { return low == 0 && high == 0; }
  bool decided() const { return win() || loss() || draw(); }
  bool known() const { return low != -kMost || high != kMost; }
  bool exact() const { return low == high; }
  // The same, seen by the other colour.
  Bounds turned() const { return {static_cast<std::int16_t>(-high), static_cast<std::int16_t>(-low)}; }
  // As the first colour's result, 1, 0.5 or 0. Precondition: decided().
  float value() const { return win() ? 1.0f : loss() ? 0.0f : 0.5f; }
  // Of the final score: exactly, where that is known, else what is expected of it, as far as the bounds allow that.
  float margin(float expected) const {
    if (exact()) return static_cast<float>(low / 2);
    return std::clamp(expected, static_cast<float>(low) / 2, static_cast<float>(high) / 2);
  }

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

inline Bounds exactly(int value) { return {static_cast<std::int16_t>(value), static_cast<std::int16_t>(value)}; }

template <Game G>
Bounds final_bounds(const G& over) {
  const Score score = over.score();
  const int margin = score.first - score.second;
  if (margin) return exactly(2 * margin);
  const Result result = over.result();
  return exactly(result == Result::draw ? 0 : result == win_for(over.first_colour()) ? 1 : -1);
}

}  // namespace purlieu
