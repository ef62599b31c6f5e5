#pragma once

#include <nanobind/nanobind.h>

namespace purlieu {

// Adds Solver, Solved and solve. Position must be there already.
void bind_solve(nanobind::module_& m);

}  // namespace purlieu
