// When a search ends. Whatever limit is reached first ends it; so does stop(), and so does a proof.
#pragma once

#include <cstdint>
#include <optional>

namespace purlieu {

struct Limits {
  std::optional<double> seconds;
  std::optional<std::int64_t> simulations;
  std::optional<std::int64_t> nodes;  // In the tree, those kept from an earlier search included.

  bool any() const { return seconds || simulations || nodes; }
};

}  // namespace purlieu
