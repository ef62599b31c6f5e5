#pragma once

#include <nanobind/nanobind.h>

#include "games/all.h"

namespace purlieu {

// Adds BatchEnv, and actions to Position, which must be there already.
void bind_envs(nanobind::module_& m, nanobind::class_<AnyGame>& position);

}  // namespace purlieu
