// How much of a search an exact one gets. Nobody knows beforehand how long a search will go on, nor what a proof will
// take; so the first try is short, and each later one, twice as long, waits until it is earned. What a try has found is
// remembered in the solver's table, so the next one goes on from there.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "search/limits.h"

namespace purlieu {

class EndgameShare {
 public:
  using Clock = std::chrono::steady_clock;

  // Gets `part` of the time; where a search is not limited by time, as many nodes as there are simulations or nodes.
  EndgameShare(const Limits& limits, double part)
      : part_(part), timed_(limits.seconds || !limits.any()), begun_(Clock::now()) {
    const double first = part * std::min(limits.seconds.value_or(kFirst), kFirst) * kNodesPerSecond;
    constexpr auto kNoLimit = std::numeric_limits<std::int64_t>::max();
    const auto most = std::min(limits.simulations.value_or(kNoLimit), limits.nodes.value_or(kNoLimit));
    nodes_ = std::floor(std::min(first, static_cast<double>(most)));
  }

  // Of the next try.
  double nodes() const { return nodes_; }

  // A try begins; when it must end, if it is a matter of time.
  std::optional<Clock::time_point> begin() {
    tried_ = Clock::now();
    return timed_ ? std::optional(tried_ + as_duration(seconds())) : std::nullopt;
  }
  void end() {
    spent_ += timed_ ? since(tried_) : nodes_;
    nodes_ *= 2;
  }

  // Whether there is time for the next try, after so many simulations.
  bool earned(std::int64_t simulations) const {
    if (!timed_) return static_cast<double>(simulations) >= spent_ + nodes_;
    return part_ * (since(begun_) + seconds()) >= spent_ + seconds();
  }

 private:
  static constexpr double kNodesPerSecond = 3e5;  // A cautious guess, to turn time into nodes.
  static constexpr double kFirst = 3;             // Searches of so many seconds or less try once.

  static double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }
  static Clock::duration as_duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  double seconds() const { return nodes_ / kNodesPerSecond; }

  double part_;
  bool timed_;
  Clock::time_point begun_, tried_;
  double nodes_ = 0;
  double spent_ = 0;  // Seconds or nodes.
};

}  // namespace purlieu
