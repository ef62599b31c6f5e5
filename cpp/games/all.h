// All games behind one door, for those who do not care which one they hold: perft, playouts, bindings.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "games/game.h"
#include "games/pentwall.h"
#include "games/petrify.h"
#include "games/pilo.h"
#include "games/pyloff.h"

namespace purlieu {

using AnyGame = std::variant<Pentwall, PetrifySmall, PetrifyLarge, PiloSmall, PiloLarge, PyloffSmall, PyloffMedium,
                             PyloffLarge>;

// The first position of that game on a board of that side; nullopt if there is no such game or size.
std::optional<AnyGame> start_game(std::string_view name, int size);

// The position that a text of purlieu.rules describes; nullopt if it describes none.
std::optional<AnyGame> parse_position(std::string_view text);

}  // namespace purlieu
