// Games of self-play with a net of no wisdom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "nets/all_planes.h"
#include "nets/selfplay.h"

namespace purlieu {

// Its answers are made of the planes' hash.
struct FakeNet {
  static std::uint64_t hash(const std::uint8_t* planes, int count) {
    std::uint64_t key = 0;
    for (int i = 0; i < count; ++i) key = mix(key ^ planes[i]);
    return key;
  }
  static void answer(const std::uint8_t* planes, int inputs, float* policy, int outputs, float* value) {
    Random random(hash(planes, inputs));
    for (int i = 0; i < outputs; ++i) policy[i] = static_cast<float>(2 * random.unit());
    value[0] = static_cast<float>(random.unit());
    value[1] = 0;
  }
};

// The records of at least that many games.
template <Game G>
std::string play_games(int size, const SelfPlaySettings& settings, int games) {
  SelfPlay<G> play(size, settings);
  const auto slots = static_cast<std::size_t>(settings.slots);
  const auto inputs = static_cast<std::size_t>(play.inputs()), outputs = static_cast<std::size_t>(play.outputs());
  std::vector<float> policy(slots * outputs), value(slots * 2);
  std::vector<std::uint8_t> planes(slots * inputs);
  std::string records;
  for (int done = 0; done < games;) {
    done += play.step(policy.data(), value.data(), planes.data());
    records += play.take();
    for (std::size_t i = 0; i < slots; ++i)
      FakeNet::answer(&planes[i * inputs], static_cast<int>(inputs), &policy[i * outputs], static_cast<int>(outputs),
                      &value[i * 2]);
  }
  return records;
}

inline SelfPlaySettings small_settings(int threads) {
  SelfPlaySettings settings;
  settings.slots = 12;
  settings.threads = threads;
  settings.search.simulations = 12;
  settings.search.considered = 4;
  settings.fast_simulations = 3;
  settings.full_share = 0.5;
  settings.fewest_random = 1;
  settings.most_random = 3;
  return settings;
}

}  // namespace purlieu
