#pragma once

#include <nanobind/nanobind.h>

namespace purlieu {

// Adds Solver and Solved. Position must be there already.
void bind_solve(nanobind::module_& m);

}  // namespace purlieu
