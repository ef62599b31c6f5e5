// A net as the judge of a search's leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/random.h"
#include "games/game.h"
#include "nets/planes.h"
#include "search/evaluator.h"

namespace purlieu {

// What a net says about a position, for the side to move.
struct NetOutput {
  std::vector<float> policy;  // Logits by Planes::index.
  float log_sum = 0;          // Of the legal moves' exponentials: what makes shares of the logits.
  float win_chance = 0.5f;
  float margin = 0;
};

// Asks a net; the planes are kInputs × n × n whole numbers. May be called by many threads at once.
using AskNet = std::function<void(std::span<const float> planes, NetOutput& output)>;

// Remembers what a net said, by the planes it was shown: they are all it knows.
class NetCache {
 public:
  NetCache(std::size_t bytes, std::size_t logits) : slots_(bytes / (logits * sizeof(float) + 64) + 1) {}

  bool find(std::uint64_t key, NetOutput& output) const {
    const std::lock_guard lock(mutex_);
    const Slot& slot = slots_[key % slots_.size()];
    if (slot.key != key || slot.output.policy.empty()) return false;
    output = slot.output;
    return true;
  }
  void add(std::uint64_t key, const NetOutput& output) {
    const std::lock_guard lock(mutex_);
    slots_[key % slots_.size()] = {key, output};
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    NetOutput output;
  };
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
};

template <Game G>
class NetEvaluator {
 public:
  static constexpr bool kHasPriors = true;
  static constexpr std::size_t kCacheBytes = 64 << 20;

  // Copies are made for threads: they share the cache and nothing else.
  NetEvaluator(const NetEvaluator& from) : ask_(from.ask_), cache_(from.cache_) {}
  NetEvaluator& operator=(const NetEvaluator& from) {
    ask_ = from.ask_;
    cache_ = from.cache_;
    return *this;
  }
  NetEvaluator(AskNet ask, int side)
      : ask_(std::move(ask)),
        cache_(std::make_shared<NetCache>(kCacheBytes, static_cast<std::size_t>(Planes<G>::kPolicy * side * side))) {}

  // Passes are forced, so they are played and no net is asked about them.
  Evaluation evaluate(G& game, Random&, Trace&) {
    while (!game.is_over() && game.is_legal(kPass)) game.play(kPass);
    if (game.is_over()) {
      const Score score = game.score();
      return {first_colour_value(game), static_cast<float>(score.first - score.second)};
    }
    look(game);
    if (game.to_move() == game.first_colour()) return {output_.win_chance, output_.margin};
    return {1 - output_.win_chance, -output_.margin};
  }

  // Precondition: there are other legal moves, so that no pass is among these; and none is a swap.
  void priors(const G& game, std::span<const Move> moves, std::span<float> priors) {
    look(game);
    for (std::size_t i = 0; i < moves.size(); ++i) priors[i] = std::exp(logit(game, moves[i]) - output_.log_sum);
  }

 private:
  float logit(const G& game, Move move) const {
    return output_.policy[static_cast<std::size_t>(Planes<G>::index(game, move))];
  }

  void look(const G& game) {
    const auto n = static_cast<std::size_t>(game.size());
    bytes_.resize(Planes<G>::kInputs * n * n);
    Planes<G>::write(game, bytes_.data());
    std::uint64_t key = bytes_.size();
    std::size_t i = 0;
    for (std::uint64_t word; i + 8 <= bytes_.size(); i += 8) {
      std::memcpy(&word, bytes_.data() + i, 8);
      key = mix(key ^ word);
    }
    for (; i < bytes_.size(); ++i) key = mix(key ^ bytes_[i]);
    if (key == key_ || cache_->find(key, output_)) {
      key_ = key;
      return;
    }
    planes_.assign(bytes_.begin(), bytes_.end());
    key_ = 0;  // Should it fail, what it has said by then is nobody's.
    ask_(planes_, output_);
    key_ = key;
    game.legal_moves(*moves_);
    float highest = -1e30f, sum = 0;
    for (const Move move : *moves_)
      if (move != kSwap) highest = std::max(highest, logit(game, move));
    for (const Move move : *moves_)
      if (move != kSwap) sum += std::exp(logit(game, move) - highest);
    output_.log_sum = highest + std::log(sum);
    cache_->add(key, output_);
  }

  AskNet ask_;
  std::shared_ptr<NetCache> cache_;
  std::vector<std::uint8_t> bytes_;
  std::vector<float> planes_;
  std::unique_ptr<MoveList<G::kMostMoves>> moves_ = std::make_unique<MoveList<G::kMostMoves>>();
  NetOutput output_;
  std::uint64_t key_ = 0;
};

}  // namespace purlieu
