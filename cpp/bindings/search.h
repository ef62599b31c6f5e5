#pragma once

#include <nanobind/nanobind.h>

namespace purlieu {

// Adds Search, Report and MoveReport. Position must be there already.
void bind_search(nanobind::module_& m);

}  // namespace purlieu
