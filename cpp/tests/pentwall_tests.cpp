// Pentwall: tables, and random games with every answer asked.
#include "games/pentwall.h"

#include "tests/check.h"

namespace purlieu {

void pentwall_tests() {
  const auto& t = pentominoes::tables();
  CHECK(t.first_of[12] == 4096);
  for (Bits128 mask : t.mask) CHECK(count(mask) == 6);  // Five squares and a pentomino.
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    Pentwall game = Pentwall::start(10);
    while (!game.is_over()) {
      MoveList<Pentwall::kMostMoves> moves;
      game.legal_moves(moves);
      CHECK(!moves.empty());
      if (i == 0) {
        for (int code = 0; code < 0x10000; ++code) {
          const Move move(static_cast<std::uint16_t>(code));
          CHECK(game.is_legal(move) == moves.contains(move));
        }
      }
      const Move move = moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))];
      CHECK(game.read_move(game.move_text(move)) == move);
      game.play(move);
      CHECK(game.check());
      const auto fresh = Pentwall::parse(game.text());
      CHECK(fresh && fresh->text() == game.text() && fresh->key() == game.key() && fresh->score() == game.score());
    }
    Pentwall played = Pentwall::start(10);
    int visits = 0;
    played.playout(random, [&](Seat, Move) { ++visits; });
    CHECK(played.is_over() && visits == played.ply() && played.check());
  }
  for (const char* bad : {"", "pentwall", "pentwall 10", "pentwall 10/10/10/10/10/10/10/10/10/IIII6",
                          "pentwall 10/10/10/10/10/10/10/10/10/K9", "pentwall 10/10/10/10/10/10/10/10/10/10 x"})
    CHECK(!Pentwall::parse(bad));
}

}  // namespace purlieu
