// The planes of all games.
#pragma once

#include "nets/blocks_planes.h"
#include "nets/pentwall_planes.h"
#include "nets/pyloff_planes.h"
