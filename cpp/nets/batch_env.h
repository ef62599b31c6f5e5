// Many games of one kind at once, as an environment to learn in: an action for each, and what became of it in arrays.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.h"
#include "games/game.h"
#include "nets/actions.h"
#include "nets/crew.h"
#include "nets/planes.h"

namespace purlieu {

struct BatchShape {
  int envs = 0, side = 0, inputs = 0, actions = 0;
  bool has_planes = true;
};

// What the outside sees; one row for each game.
struct BatchArrays {
  explicit BatchArrays(const BatchShape& shape)
      : planes(shape.has_planes ? rows(shape) * inputs(shape) : 0),
        mask(rows(shape) * static_cast<std::size_t>(shape.actions)),
        to_move(rows(shape)),
        reward(2 * rows(shape)),
        margin(rows(shape)),
        done(std::make_unique<bool[]>(rows(shape))) {}

  static std::size_t rows(const BatchShape& shape) { return static_cast<std::size_t>(shape.envs); }
  static std::size_t inputs(const BatchShape& shape) {
    return static_cast<std::size_t>(shape.inputs) * static_cast<std::size_t>(shape.side * shape.side);
  }

  std::vector<std::uint8_t> planes, mask;
  std::vector<std::int8_t> to_move;  // The seat: 0 or 1.
  std::vector<float> reward;         // By seat; of a game that has just ended 1, -1 or 0, else 0.
  std::vector<std::int32_t> margin;  // The first seat's points less the second's where a game has just ended, else 0.
  std::unique_ptr<bool[]> done;      // The last step ended a game, and a new one has begun.
};

template <Game G>
class BatchEnv {
 public:
  static BatchShape shape(int size, int envs, bool has_planes) {
    return {envs, size, Planes<G>::kInputs, Actions<G>::count(size), has_planes};
  }

  BatchEnv(const BatchShape& shape, int threads)
      : shape_(shape),
        arrays_(shape),
        start_(G::start(shape.side)),
        crew_(threads),
        lists_(static_cast<std::size_t>(threads)),
        slots_(BatchArrays::rows(shape), Slot{start_, {}, {}}) {
    reset();
  }

  BatchArrays& arrays() { return arrays_; }
  const G& game(int env) const { return slots_[static_cast<std::size_t>(env)].game; }

  void reset() {
    for_each_slot([&](std::size_t env, MoveList<G::kMostMoves>& list) {
      slots_[env].game = start_;
      tell(env, start_);
      show(env, list);
    });
  }

  // Plays an action in each game, and begins those anew that are over. Returns the first game in which its action is
  // not legal; then nothing has changed.
  template <class Number>
  std::optional<int> step(const Number* actions) {
    std::atomic<int> refused = shape_.envs;
    for_each_slot([&](std::size_t env, MoveList<G::kMostMoves>&) {
      Slot& slot = slots_[env];
      // The mask is not asked: it is in the hands of others.
      const auto found = std::find_if(slot.legal.begin(), slot.legal.end(),
                                      [&](const Legal& legal) { return legal.action == actions[env]; });
      if (found != slot.legal.end()) {
        slot.chosen = found->move;
        return;
      }
      int first = refused;
      while (static_cast<int>(env) < first && !refused.compare_exchange_weak(first, static_cast<int>(env))) {
      }
    });
    if (refused < shape_.envs) return refused;
    for_each_slot([&](std::size_t env, MoveList<G::kMostMoves>& list) {
      G& game = slots_[env].game;
      game.play(slots_[env].chosen);
      tell(env, game);
      if (game.is_over()) game = start_;
      show(env, list);
    });
    return std::nullopt;
  }

  // A legal action for each game, all equally likely. The same for the same seed, whatever the number of threads.
  void random_actions(std::uint64_t seed, std::int32_t* actions) const {
    for (std::size_t env = 0; env < slots_.size(); ++env) {
      const auto& legal = slots_[env].legal;
      Random random(mix(seed) + env);
      actions[env] = legal[random.below(static_cast<std::uint32_t>(legal.size()))].action;
    }
  }

 private:
  struct Legal {  // Small, as Pentwall has thousands of them in a position.
    std::uint16_t action;
    Move move;
  };
  struct Slot {
    G game;
    std::vector<Legal> legal;
    Move chosen;
  };

  // Calls f(env, list) for all games, on all threads; the list is for the thread's use.
  template <class F>
  void for_each_slot(F&& f) {
    constexpr int kPiece = 32;
    crew_.run((shape_.envs + kPiece - 1) / kPiece, [&](int piece, int thread) {
      for (int i = piece * kPiece; i < std::min(shape_.envs, (piece + 1) * kPiece); ++i)
        f(static_cast<std::size_t>(i), lists_[static_cast<std::size_t>(thread)]);
    });
  }

  // Writes what the last turn brought: the end of a game, or nothing yet.
  void tell(std::size_t env, const G& game) {
    float first = 0;
    int margin = 0;
    if (game.is_over()) {
      const Result result = game.result();
      first = result == Result::draw ? 0 : result == Result::first_wins ? 1 : -1;
      const Score score = game.score();  // By colour, and colours may have been swapped.
      margin = game.first_colour() == Seat::first ? score.first - score.second : score.second - score.first;
    }
    arrays_.reward[2 * env] = first;
    arrays_.reward[2 * env + 1] = -first;
    arrays_.margin[env] = margin;
    arrays_.done[env] = game.is_over();
  }

  // Finds the legal moves and writes what the side to move sees.
  void show(std::size_t env, MoveList<G::kMostMoves>& list) {
    Slot& slot = slots_[env];
    slot.game.legal_moves(list);
    slot.legal.clear();
    const auto actions = static_cast<std::size_t>(shape_.actions);
    std::uint8_t* mask = arrays_.mask.data() + env * actions;
    std::memset(mask, 0, actions);
    for (const Move move : list) {
      const int action = Actions<G>::index(slot.game, move);
      slot.legal.push_back({static_cast<std::uint16_t>(action), move});
      mask[action] = 1;
    }
    arrays_.to_move[env] = slot.game.to_move() == Seat::second;
    if (shape_.has_planes) Planes<G>::write(slot.game, arrays_.planes.data() + env * BatchArrays::inputs(shape_));
  }

  BatchShape shape_;
  BatchArrays arrays_;
  G start_;
  Crew crew_;
  std::vector<MoveList<G::kMostMoves>> lists_;  // One a thread.
  std::vector<Slot> slots_;
};

}  // namespace purlieu
