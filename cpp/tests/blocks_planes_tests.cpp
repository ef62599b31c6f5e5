// Planes of Petrify and Pilo.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "tests/planes_tests.h"

namespace purlieu {
namespace {

// Petrify and Pilo: captures by direction, prey, sizes of groups and patches, and the score as the owners' map has it.
template <class G>
void planes_of_blocks(const G& game) {
  const int n = game.size();
  for (const Seat seat : {Seat::first, Seat::second}) {
    const Bytes owners = owners_of(game, seat);
    const Score score = game.score();
    const bool blue = seat == game.first_colour();
    CHECK(std::count(owners.begin(), owners.end(), 1) == (blue ? score.first : score.second));
    CHECK(std::count(owners.begin(), owners.end(), 2) == (blue ? score.second : score.first));
  }
  if (game.is_over()) return;
  const Bytes planes = planes_of(game);
  const auto sum = [&](std::string_view name) {
    const auto plane = planes.begin() + plane_called<G>(name) * n * n;
    int total = 0;
    for (int i = 0; i < n * n; ++i) total += plane[i];
    return total;
  };
  int captures = 0, placements = 0;
  std::set<std::string> prey;
  for (const Move move : moves_of(game)) {
    if (move == kPass || move == kSwap) continue;
    const std::string text = game.move_text(move);
    const auto x = text.find('x');
    if (x == text.npos) {
      ++placements;
      continue;
    }
    ++captures;
    prey.insert(text.substr(x + 1));
    CHECK(planes[static_cast<std::size_t>(plane_called<G>("captures to the north") * n * n +
                                          Planes<G>::index(game, move) - n * n)] == 1);
  }
  int by_direction = 0;
  for (const Plane& plane : Planes<G>::kPlanes)
    if (plane.name.starts_with("captures to")) by_direction += sum(plane.name);
  CHECK(by_direction == captures);
  CHECK(sum("theirs that I may capture") == static_cast<int>(prey.size()));
  CHECK(sum("empty squares") == placements * n * n);
  const bool blue = game.to_move() == game.first_colour();
  const Score score = game.score();
  CHECK(sum("my score") == (blue ? score.first : score.second) * n * n);
  CHECK(sum("patches that would be mine") == (blue ? score.first : score.second));
  CHECK(sum("patches that would be theirs") == (blue ? score.second : score.first));
}

// What the other side could capture is what it captures if it were to move: after a pass of ours, say.
void a_drawn_board() {
  const auto value = [](const char* text, const char* name, int column, int row) {
    const auto game = PetrifySmall::parse(text);
    CHECK(game.has_value());
    return game ? value_at(*game, planes_of(*game), name, column, row) : -1;
  };
  const char* rows = "petrify 5/5/1o3/5/1b1b1 ply=4 blue=first passes=0 last=second";
  CHECK(value(rows, "mine", 1, 0) == 1 && value(rows, "theirs", 1, 2) == 1);
  CHECK(value(rows, "mine that they may capture", 1, 0) == 1 && value(rows, "mine that they may capture", 3, 0) == 1);
  CHECK(value(rows, "theirs that I may capture", 1, 2) == 1);
  CHECK(value(rows, "captures to the north", 1, 0) == 1 && value(rows, "captures to the north-west", 3, 0) == 1);
  CHECK(value(rows, "their lines to it", 1, 1) == 1 && value(rows, "my lines to it", 1, 1) == 1);
  CHECK(value(rows, "size of the patch", 0, 0) == 25 && value(rows, "size of my group", 1, 0) == 1);
  CHECK(value(rows, "I made the last board play", 0, 0) == 0);
}

}  // namespace

void blocks_planes_tests() {
  a_drawn_board();
  for (int size : {3, 4, 5, 6, 8}) {
    what_every_game_promises<PetrifySmall>(size, 3, 2);
    in_random_games<PetrifySmall>(size, 4, 1, planes_of_blocks<PetrifySmall>);
    what_every_game_promises<PiloSmall>(size, 3, 2);
    in_random_games<PiloSmall>(size, 4, 1, planes_of_blocks<PiloSmall>);
  }
  for (int size : {9, 10}) {
    what_every_game_promises<PetrifyLarge>(size, 1, 9);
    in_random_games<PetrifyLarge>(size, 1, 1, planes_of_blocks<PetrifyLarge>);
    what_every_game_promises<PiloLarge>(size, 1, 9);
    in_random_games<PiloLarge>(size, 1, 1, planes_of_blocks<PiloLarge>);
  }
}

}  // namespace purlieu
