// A net that is a function of Python's.
#pragma once

#include <nanobind/nanobind.h>

#include "games/all.h"
#include "nets/net_evaluator.h"

namespace purlieu {

// The caller keeps the function alive. What it raises becomes std::runtime_error.
AskNet ask_python(nanobind::handle net, const AnyGame& position);

}  // namespace purlieu
