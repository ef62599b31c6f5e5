// Pyloff's boards: the rules on drawn positions, and what is kept beside the marbles against what they say.
#include "games/pyloff.h"

#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"
#include "tests/check.h"

using namespace purlieu;

static_assert(Game<PyloffSmall> && Game<PyloffMedium> && Game<PyloffLarge>);

namespace {

// The board after a move on a drawn board, as its text; "illegal" if it is, "no position" if the text is none.
std::string after(std::string_view board, Seat to_move, std::string_view move) {
  auto game = PyloffSmall::parse("pyloff " + std::string(board) + (to_move == Seat::first ? " ply=20" : " ply=21"));
  if (!game || !game->check()) return "no position";
  const auto read = game->read_move(move);
  if (!read || !game->is_legal(*read)) return "illegal";
  game->play(*read);
  if (!game->check()) return "check fails";
  const std::string text = game->text();
  return text.substr(7, text.find(' ', 7) - 7);
}

constexpr Seat kBlack = Seat::first, kWhite = Seat::second;

void drawn_positions() {
  // A play without freedom is suicide, unless it captures.
  CHECK(after("1w1/w2/3", kBlack, "a3") == "illegal");
  CHECK(after("b1b/1bw/2w", kWhite, "b3") == "bw1/1bw/2w");
  // What carries nothing is lifted; what still carries a marble stays.
  CHECK(after("2b/1bb/www;2/1b", kBlack, "a2") == "2b/bbb/1ww;2/1b");
  // A marble goes with the one that it carries, when both are captured.
  CHECK(after("3/bb1/bw1;2/w1", kBlack, "c1") == "3/bb1/b1b");
  // A captured group of which nothing can be lifted stays as it is.
  CHECK(after("1w1/bbw/bw1;2/w1", kWhite, "a3") == "ww1/bbw/bw1;2/w1");
  // The capture lifts a marble that carried the only freedom: suicide is judged after the lifting.
  CHECK(after("www/www/wbw;w1/b1", kBlack, "2b2") == "illegal");
  // Two marbles of the other colour that rest on both of a pair cut it.
  CHECK(after("1www/bbwb/b1bb/1b1b;2b/2w/3", kBlack, "2b3") == "1www/bbwb/b1bb/1b1b;1bb/3/3");
  CHECK(after("2b1/wbbb/bbwb/1ww1;3/wwb/3", kBlack, "a1") == "illegal");
  // A buried marble connects nothing.
  CHECK(after("bbbb/bbww/1bww/b1bw;www/1ww/3;1w/2", kBlack, "2c1") == "bbbb/bbw1/1bww/b1bw;3/3/2b");
  CHECK(after("www1/wwb1/bbbb/bbwb;wb1/bw1/bb1;b1/2", kWhite, "3a1") == "illegal");
  // Only valid points are played on.
  CHECK(after("b2/3/3", kWhite, "a3") == "illegal");
  CHECK(after("3/bb1/b2", kWhite, "2a1") == "illegal");
  CHECK(after("3/bb1/bw1", kWhite, "2a1") == "3/bb1/bw1;2/w1");
}

void ko() {
  // The same play on the same board, with and without the moves that led there.
  const auto remembers = PyloffSmall::parse("pyloff bw1/1b1/b2 ply=5 passes=0 moves=a1,a2,b2,b3,a3");
  const auto set_up = PyloffSmall::parse("pyloff bw1/1b1/b2 ply=5 passes=0");
  CHECK(remembers && set_up);
  if (!remembers || !set_up) return;
  const Move move = *remembers->read_move("a2");
  CHECK(!remembers->is_legal(move));
  CHECK(set_up->is_legal(move));
  CHECK(remembers->key() == set_up->key());
}

void text() {
  for (std::string_view good : {
           "pyloff 3/3/3 ply=0 passes=0",
           "pyloff 19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 ply=7 passes=1",
           "pyloff 3/3/b2 ply=1 passes=0 moves=a1",
           "pyloff 3/3/b2 ply=3 passes=0 from=3/3/3 moves=a1",
           "pyloff 3/bb1/bw1;2/w1 ply=6 passes=0 from=3/bb1/bw1 moves=2a1",
       }) {
    const auto small = PyloffSmall::parse(good);
    const auto large = PyloffLarge::parse(good);
    CHECK(small.has_value() != large.has_value());
    CHECK((small ? small->text() : large ? large->text() : "") == good);
  }
  for (std::string_view bad : {
           "", "pyloff", "pyloff ", "pilo 3/3/3", "pyloff 3/3", "pyloff 3/3/x2", "pyloff 2/2", "pyloff 3/3/3;",
           "pyloff 3/3/3;3/3/3", "pyloff 3/3/3;2/b1", "pyloff 3/3/3;2/2;1;1", "pyloff 3/3/3 ply", "pyloff 3/3/3 ply=",
           "pyloff 3/3/3 ply=-1", "pyloff 3/3/3 ply=01", "pyloff 3/3/3 ply=100001", "pyloff 3/3/3 ply=1 ply=1",
           "pyloff 3/3/3 passes=3", "pyloff 3/3/3 seat=1", "pyloff 3/3/3 ply=1 moves=", "pyloff 3/3/3 ply=1 moves=a1",
           "pyloff 3/3/b2 ply=0 moves=a1", "pyloff 3/3/b2 ply=1 moves=a1,a1", "pyloff 3/3/b2 ply=1 moves=2a1",
           "pyloff 3/3/b2 ply=2 moves=a1", "pyloff 3/3/b2 ply=1 moves=a4", "pyloff 3/3/b2 ply=1 moves=pass",
           "pyloff 3/3/b2 ply=1 from=4/4/4/4 moves=a1",
       }) {
    CHECK(!PyloffSmall::parse(bad));
    CHECK(!PyloffMedium::parse(bad));
    CHECK(!PyloffLarge::parse(bad));
  }
  const auto game = PyloffSmall::start(6);
  for (std::string_view bad : {"", "a", "a7", "g1", "a0", "0a1", "2f1", "7a1", "6a2", "a1 ", "A1", "a11", "2", "Pass"})
    CHECK(!game.read_move(bad));
  CHECK(game.read_move("1c3") == game.read_move("c3"));
  CHECK(game.read_move("6a1") == Move(90));
  CHECK(game.read_move("pass") == kPass);
}

// Random games, all that can be asked at every ply.
template <class G>
void random_games(int size, int games, int all_codes_every, std::uint64_t seed) {
  Random random(seed);
  MoveList<G::kMostMoves> list;
  for (int i = 0; i < games; ++i) {
    G game = G::start(size);
    CHECK(game.size() == size && game.ply() == 0 && game.to_move() == Seat::first && !game.is_over());
    while (!game.is_over()) {
      if (!game.check()) {
        CHECK(!"check() holds in a random game");
        return;
      }
      game.legal_moves(list);
      CHECK(!list.empty());
      for (int k = 1; k < list.size(); ++k) CHECK(list[k - 1].code() < list[k].code());
      for (Move move : list) CHECK(game.read_move(game.move_text(move)) == move);
      if (game.ply() % all_codes_every == 0)
        for (int code = 0; code < 65'536; ++code)
          CHECK(game.is_legal(Move(static_cast<std::uint16_t>(code))) ==
                list.contains(Move(static_cast<std::uint16_t>(code))));
      if (game.ply() % 16 == 0) {
        const auto back = G::parse(game.text());
        CHECK(back && back->text() == game.text() && back->key() == game.key());
      }
      game.play(list[static_cast<int>(random.below(static_cast<std::uint32_t>(list.size())))]);
    }
    game.legal_moves(list);
    CHECK(list.empty() && !game.is_legal(kPass));
    const Score score = game.score();
    CHECK(score.first + score.second <= pyloff::points_in(size) - 2);
    const Result result = game.result();
    CHECK((result == Result::draw) == (score.first == score.second));
    CHECK((result == Result::first_wins) == (score.first > score.second));
  }
}

// Playouts make legal moves only, each as often as any other.
template <class G>
void playouts(int size, std::uint64_t seed) {
  Random random(seed);
  G game = G::start(size);
  std::vector<Move> moves;
  G played = game;
  played.playout(random, [&](Seat, Move move) { moves.push_back(move); });
  CHECK(played.is_over() && played.check());
  for (Move move : moves) {
    CHECK(game.is_legal(move));
    game.play(move);
  }
  CHECK(game.text() == played.text());
}

void playouts_are_uniform() {
  const auto game = PyloffSmall::parse("pyloff bwb1/wbw1/1bw1/wb2;wb1/3/3 ply=11 passes=0");
  CHECK(game.has_value());
  if (!game) return;
  MoveList<PyloffSmall::kMostMoves> list;
  game->legal_moves(list);
  CHECK(list.size() > 3);
  std::vector<int> times(PyloffSmall::kMoveCodes);
  Random random(11);
  constexpr int kGames = 4'000;
  for (int i = 0; i < kGames; ++i) {
    PyloffSmall copy = *game;
    bool first = true;
    copy.playout(random, [&](Seat, Move move) {
      if (first) ++times[move.code()];
      first = false;
    });
  }
  const double expected = static_cast<double>(kGames) / list.size();
  double chi_square = 0;
  int seen = 0;
  for (Move move : list) {
    const double off = times[move.code()] - expected;
    chi_square += off * off / expected;
    seen += times[move.code()];
  }
  CHECK(seen == kGames);
  CHECK(chi_square < 3.0 * list.size() + 10);
}

}  // namespace

void pyloff_tests() {
  drawn_positions();
  ko();
  text();
  for (int size = 3; size <= 8; ++size) random_games<PyloffSmall>(size, size < 6 ? 20 : 2, 37, 100 + size);
  random_games<PyloffMedium>(9, 1, 301, 9);
  random_games<PyloffMedium>(11, 1, 401, 11);
  random_games<PyloffLarge>(12, 1, 501, 12);
  for (int size = 3; size <= 8; ++size) playouts<PyloffSmall>(size, size);
  for (int size = 9; size <= 11; ++size) playouts<PyloffMedium>(size, size);
  for (int size : {12, 13, 16, 19}) playouts<PyloffLarge>(size, size);
  playouts_are_uniform();
}
