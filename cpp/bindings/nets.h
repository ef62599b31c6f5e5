#pragma once

#include <nanobind/nanobind.h>

#include "games/all.h"

namespace purlieu {

// Adds NetShape, SelfPlay, Replay and what nets see to Position, which must be there already.
void bind_nets(nanobind::module_& m, nanobind::class_<AnyGame>& position);

}  // namespace purlieu
