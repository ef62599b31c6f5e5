// Petrify and Pilo by drawn positions, random games, and what their random games must be like.
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.h"
#include "games/petrify.h"
#include "games/pilo.h"
#include "tests/check.h"

namespace purlieu {
namespace {

template <Game G>
std::vector<std::string> legal_texts(const G& game) {
  MoveList<G::kMostMoves> list;
  game.legal_moves(list);
  std::vector<std::string> texts;
  for (const Move move : list) texts.push_back(game.move_text(move));
  return texts;
}

template <Game G>
bool may(std::string_view position, std::string_view move) {
  const auto game = G::parse(position);
  CHECK(game.has_value());
  if (!game) return false;
  const auto read = game->read_move(move);
  return read && game->is_legal(*read);
}

// -- mounds and barricades -------------------------------------------------------------------------------------------

void nothing_stands_in_a_corner() {
  for (const char* corner : {"a1", "h1", "a8", "h8"})
    CHECK(!may<PetrifySmall>("petrify b6b/8/8/3o4/8/8/8/b6b ply=2", std::string(corner) + "xd5"));
  CHECK(!may<PetrifySmall>("petrify 8/8/8/8/8/8/8/b6o ply=2", "a1xh1"));
  CHECK(!may<PetrifyLarge>("petrify 10/10/10/10/10/10/10/10/10/b8o ply=2", "a1xj1"));
  CHECK(!may<PetrifyLarge>("petrify 9b/10/10/10/10/10/10/10/10/o9 ply=2", "j10xa1"));
  CHECK(may<PetrifySmall>("petrify 8/8/8/8/8/8/8/1b5o ply=2", "b1xh1"));
  CHECK(!PetrifySmall::parse("petrify #2/3/3"));
  CHECK(!PetrifyLarge::parse("petrify 8#/9/9/9/9/9/9/9/9"));
}

void a_mound_is_refused() {
  // c3 would complete the mound with c4, d3 and d4.
  CHECK(!may<PetrifySmall>("petrify 6/6/2##2/2b#2/6/2o3 ply=2", "c3xc1"));
  CHECK(may<PetrifySmall>("petrify 6/6/2##2/2b3/6/2o3 ply=2", "c3xc1"));
  CHECK(!PetrifySmall::parse("petrify 6/6/2##2/2##2/6/6 ply=2"));
  CHECK(!PetrifyLarge::parse("petrify 10/10/10/10/2##6/2##6/10/10/10/10 ply=2"));
  // Two blocks side by side along an edge are a mound with the ring.
  CHECK(!may<PetrifySmall>("petrify 6/6/6/2o3/6/2b#2 ply=2", "c1xc3"));
  CHECK(!may<PetrifySmall>("petrify 6/6/#5/b1o3/6/6 ply=2", "a3xc3"));
  CHECK(!may<PetrifyLarge>("petrify 9/9/8#/6o1b/9/9/9/9/9 ply=2", "i6xg6"));
  CHECK(may<PetrifySmall>("petrify 6/6/1#4/1bo3/6/6 ply=2", "b3xc3"));
}

void a_barricade_is_refused() {
  // The end and the middle of three in a diagonal, both diagonals.
  CHECK(!may<PetrifySmall>("petrify 6/3#2/2#3/1b1o2/6/6 ply=2", "b3xd3"));
  CHECK(!may<PetrifySmall>("petrify 6/3#2/2b1o1/1#4/6/6 ply=2", "c4xe4"));
  CHECK(!may<PetrifySmall>("petrify 6/1#4/2#3/1o1b2/6/6 ply=2", "d3xb3"));
  CHECK(!may<PetrifySmall>("petrify 6/1#4/2b1o1/3#2/6/6 ply=2", "c4xe4"));
  CHECK(may<PetrifySmall>("petrify 6/3#2/6/1b1o2/6/6 ply=2", "b3xd3"));
  // An edge block is never diagonal to a block one row in: the ring stands behind it.
  CHECK(!may<PetrifySmall>("petrify 6/6/6/6/1#4/2b2o ply=2", "c1xf1"));
  CHECK(!may<PetrifySmall>("petrify 6/6/6/6/2b2o/1#4 ply=2", "c2xf2"));
  CHECK(!PetrifySmall::parse("petrify 6/6/6/6/1#4/2#3 ply=2"));
  // Beyond the ring there is nothing: an edge block alone, and one two steps from an edge, are sound.
  CHECK(may<PetrifySmall>("petrify 6/6/6/6/6/2b2o ply=2", "c1xf1"));
  CHECK(may<PetrifySmall>("petrify 6/6/6/6/2b2o/6 ply=2", "c2xf2"));
}

// A block next to the right edge, and one next to the left edge two rows up, are no neighbours, though in the bits of a
// word they stand a diagonal apart. On every size, and for all four edges.
template <Game G>
void nothing_wraps() {
  for (int size = G::supports(8) ? 5 : 9; G::supports(size); ++size) {
    const auto last = static_cast<char>('a' + size - 1);
    for (int row = 2; row < size - 1; ++row) {
      for (int other = 2; other < size; ++other) {
        if (other == row) continue;
        // A blue disk on the right edge of `row`, an orange one to its left, a block on the left edge of `other`.
        std::string text(G::kName), mirrored(G::kName);
        for (int r = size; r > 0; --r) {
          const char joint = r == size ? ' ' : '/';
          const std::string gap = std::to_string(size - 2), most = std::to_string(size - 1);
          const std::string bare = joint + std::to_string(size);
          text += r == row ? joint + gap + "ob" : r == other ? std::string{joint, '#'} + most : bare;
          mirrored += r == row ? std::string{joint, 'b', 'o'} + gap : r == other ? joint + most + "#" : bare;
        }
        const std::string number = std::to_string(row), left(1, static_cast<char>(last - 1));
        CHECK(may<G>(text + " ply=2", last + number + 'x' + left + number));
        CHECK(may<G>(mirrored + " ply=2", "a" + number + "xb" + number));
        CHECK(!may<G>(text + " ply=2", last + number + "xa" + std::to_string(row + 1)));
      }
    }
    // Enemies across the edge are not met.
    G game = G::start(size);
    for (const std::string& move : {std::string(1, last) + "2", std::string("a3")}) game.play(*game.read_move(move));
    for (const std::string& text : legal_texts(game)) CHECK(text.find('x') == std::string::npos);
  }
}

// -- captures --------------------------------------------------------------------------------------------------------

void lines_are_free_or_not() {
  const char* position = "petrify 6o/7/4o2/7/2b4/1b5/b6 ply=2";
  CHECK(may<PetrifySmall>(position, "b2xe5"));  // Over a friend and an empty square.
  CHECK(may<PetrifySmall>(position, "c3xe5"));
  CHECK(!may<PetrifySmall>(position, "c3xg7"));  // Behind the first enemy.
  CHECK(!may<PetrifySmall>(position, "a1xe5"));  // From a corner.
  CHECK(!may<PetrifySmall>("petrify 7/7/4o2/3#3/2b4/7/7 ply=2", "c3xe5"));
  CHECK(may<PetrifyLarge>("petrify 10/9o/10/10/10/10/10/10/10/1b8 ply=2", "b1xj9"));
  CHECK(may<PetrifyLarge>("petrify 10/10/10/10/10/10/10/10/o8b/10 ply=2", "j2xa2"));
  CHECK(may<PetrifyLarge>("petrify 1o8/10/10/10/10/10/10/10/10/1b8 ply=2", "b1xb10"));
}

void only_equal_heights_capture() {
  CHECK(may<PiloSmall>("pilo 6/2o23/6/2b23/6/6 ply=2", "c3xc5"));
  CHECK(!may<PiloSmall>("pilo 6/2o13/6/2b23/6/6 ply=2", "c3xc5"));
  CHECK(!may<PiloSmall>("pilo 6/2o33/6/2b23/6/6 ply=2", "c3xc5"));
  CHECK(!may<PiloSmall>("pilo 6/6/4o21/6/2b23/6 ply=2", "c2xe4"));  // Never diagonally.
  auto game = PiloSmall::parse("pilo 6/2o23/6/2b23/6/6 ply=2");
  CHECK(game.has_value());
  game->play(*game->read_move("c3xc5"));
  CHECK(game->text() == "pilo 6/2b33/6/2#3/6/6 ply=3 blue=first passes=0 last=first");
  // An enemy of another height stops the way to one of the right height; a friend does not.
  CHECK(!may<PiloLarge>("pilo 10/10/10/10/10/10/10/10/10/b14o22o11 ply=2", "a1xi1"));
  CHECK(may<PiloLarge>("pilo 10/10/10/10/10/10/10/10/10/b14b22o11 ply=2", "a1xi1"));
  // Any block is legal: a corner, a mound.
  CHECK(may<PiloSmall>("pilo 3/3/b11o1 ply=2", "a1xc1"));
  CHECK(may<PiloSmall>("pilo 4/1##1/1#b1o1/4 ply=2", "c2xd2"));
}

// No game has stacks of 8 and more, and no text may lead there.
void no_text_leads_to_a_stack_that_none_can_name() {
  CHECK(!PiloSmall::parse("pilo b7o71/3/3 ply=2") && !PiloSmall::parse("pilo b7b61/o62/3 ply=2"));
  auto game = PiloSmall::parse("pilo b6o62/4/4/4 ply=2").value();
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    PiloSmall copy = game, shadow = game;
    copy.playout(random, [&](Seat, Move move) {
      CHECK(shadow.is_legal(move));
      shadow.play(move);
    });
    CHECK(copy.text() == shadow.text() && copy.check());
  }
  game.play(*game.read_move("a4xb4"));
  CHECK(game.text() == "pilo #b72/4/4/4 ply=3 blue=first passes=0 last=first");
}

// -- passes, swap, score ---------------------------------------------------------------------------------------------

void the_swap_is_open_once() {
  PetrifySmall game = PetrifySmall::start(3);
  CHECK(!game.is_legal(kSwap));
  game.play(*game.read_move("b2"));
  CHECK(game.is_legal(kSwap) && legal_texts(game).back() == "swap");
  game.play(kSwap);
  CHECK(!game.is_legal(kSwap) && game.to_move() == Seat::first && game.first_colour() == Seat::second);
  CHECK(game.text() == "petrify 3/1b1/3 ply=2 blue=second passes=0 last=first");
}

void groups_strike_each_other_out() {
  const auto points = [](std::string_view text) { return PetrifySmall::parse(text).value().score(); };
  CHECK((points("petrify 3/3/3") == Score{0, 0}));
  CHECK((points("petrify bbo/1o1/3 ply=2") == Score{9, 0}));
  CHECK((points("petrify bb1/3/1oo ply=2") == Score{0, 0}));
  CHECK((points("petrify bb1/3/ooo ply=2") == Score{0, 9}));
  CHECK((points("petrify bb1o/4/4/b1oo ply=2") == Score{0, 0}));
  CHECK((points("petrify bb1o/4/b1b1/2oo ply=2") == Score{16, 0}));
  const auto in_patches = [](std::string_view text) { return PiloSmall::parse(text).value().score(); };
  CHECK((in_patches("pilo b1#o1/###/o11b1 ply=2") == Score{1, 1}));
  CHECK((in_patches("pilo b1b1#/##o1/o1o1o1 ply=2") == Score{2, 4}));
  CHECK((in_patches("pilo b7#1/###/1o11 ply=2") == Score{1, 3}));
  const auto far = PetrifyLarge::parse("petrify 9o/10/10/10/10/10/10/10/10/b9 ply=2");
  CHECK((far.value().score() == Score{0, 0}));
}

void the_last_board_play_loses_a_tie() {
  const auto even = PetrifySmall::parse("petrify oob/###/bbo ply=14 passes=2 last=second");
  CHECK(even && (even->score() == Score{3, 3}) && even->result() == Result::first_wins);
  MoveList<PetrifySmall::kMostMoves> list;
  even->legal_moves(list);
  CHECK(list.empty() && !even->is_legal(kPass));
}

void odd_texts() {
  CHECK(PetrifySmall::parse("petrify b2/3/3 ply=1")->text() == "petrify b2/3/3 ply=1 blue=first passes=0 last=first");
  CHECK(PetrifySmall::parse("petrify b2/3/3 last=first ply=7")->ply() == 7);
  for (const char* text :
       {"petrify", "petrify ", "petrify 3/3", "petrify 2/2", "petrify 3/3/4", "petrify 3/3/3/", "petrify 3/3/3 ply=",
        "petrify 3/3/3 ply=01", "petrify 3/3/3 ply=100001", "petrify 3/3/3 ply=1 ply=1", "petrify 3/3/3 last=first",
        "petrify b2/3/3 last=none", "petrify b2/3/3 passes=1", "petrify b2/3/3 ply=4 last=first",
        "petrify b2/3/3 ply=2 blue=second last=second", "petrify ooo/obo/ooo ply=30 passes=2", "petrify b2/3/3 ply=1 blue=second", "petrify 3/3/x2",
        "petrify 3/3/3 blue=none", "petrify 3/3/3 sort", "pilo 3/3/3", "petrify b12/3/3"})
    CHECK(!PetrifySmall::parse(text));
  for (const char* text : {"pilo b2/3/3", "pilo b82/3/3", "pilo b02/3/3", "pilo 3/3/2b", "petrify 3/3/3"})
    CHECK(!PiloSmall::parse(text));
  CHECK(!PetrifySmall::parse("petrify 9/9/9/9/9/9/9/9/9") && PetrifyLarge::parse("petrify 9/9/9/9/9/9/9/9/9"));
  CHECK(!PetrifyLarge::parse("petrify 3/3/3"));
  const PetrifySmall game = PetrifySmall::start(5);
  for (const char* text :
       {"", "a", "a0", "f1", "a6", "A1", "a1x", "a1xa1", "a1xc2", "a1xb2x", " a1", "a1 ", "Pass", "a01"})
    CHECK(!game.read_move(text));
}

// -- whole games -----------------------------------------------------------------------------------------------------

// is_legal says of every code what the list says.
template <Game G>
void list_and_is_legal_agree(const G& game) {
  MoveList<G::kMostMoves> list;
  game.legal_moves(list);
  int legal = 0;
  for (int code = 0; code < 65'536; ++code) legal += game.is_legal(Move(static_cast<std::uint16_t>(code)));
  CHECK(legal == list.size());
  for (const Move move : list) {
    CHECK(game.is_legal(move));
    CHECK(game.read_move(game.move_text(move)) == move);
    CHECK(move == kPass || move == kSwap || move.code() < G::kMoveCodes);
  }
}

template <Game G>
void random_games(int size, std::uint64_t seed) {
  Random random(seed);
  for (int number = 0; number < 6; ++number) {
    G game = G::start(size);
    MoveList<G::kMostMoves> list;
    while (!game.is_over()) {
      CHECK(game.check());
      const auto again = G::parse(game.text());
      CHECK(again && again->text() == game.text() && again->key() == game.key());
      if (number == 0 && game.ply() % 8 == 1) list_and_is_legal_agree(game);
      game.legal_moves(list);
      const std::uint64_t before = game.key();
      game.play(list[static_cast<int>(random.below(static_cast<std::uint32_t>(list.size())))]);
      CHECK(game.key() != before);
    }
    CHECK(game.check() && game.empties() == 0 && game.result() != Result::draw);
    list_and_is_legal_agree(game);

    // A playout is a game of legal moves, and leaves what playing them leaves. From the start and from later.
    G from = G::start(size);
    for (int ply = 0; ply < number * size && !from.is_over(); ++ply) {
      from.legal_moves(list);
      from.play(list[static_cast<int>(random.below(static_cast<std::uint32_t>(list.size())))]);
    }
    G shadow = from;
    bool legal = true;
    from.playout(random, [&](Seat seat, Move move) {
      legal = legal && seat == shadow.to_move() && shadow.is_legal(move);
      if (legal) shadow.play(move);
    });
    CHECK(legal && from.is_over() && from.check());
    CHECK(from.text() == shadow.text() && from.key() == shadow.key());
  }
}

// The first moves of many playouts from a position are uniform over its legal moves, by a chi-square test that a sound
// generator fails once in a million times or less.
template <Game G>
void playouts_are_uniform(const G& from) {
  const int games = 5'000;
  std::map<std::string, int> seen;
  const auto legal = legal_texts(from);
  for (const std::string& text : legal) seen[text] = 0;
  Random random(from.key());
  for (int i = 0; i < games; ++i) {
    G game = from;
    bool first = true;
    game.playout(random, [&](Seat, Move move) {
      if (first) ++seen[from.move_text(move)];
      first = false;
    });
  }
  CHECK(seen.size() == legal.size());
  const double expected = static_cast<double>(games) / static_cast<double>(legal.size());
  double chi_square = 0;
  for (const auto& [text, number] : seen) chi_square += (number - expected) * (number - expected) / expected;
  const double freedom = static_cast<double>(legal.size()) - 1;
  CHECK(chi_square < freedom + 7 * std::sqrt(2 * freedom) + 15);
}

// Of the second turns of games from the empty board, one in size² is a swap.
template <Game G>
void some_playouts_swap(int size) {
  const int games = 20'000;
  int swaps = 0;
  Random random(static_cast<std::uint64_t>(size));
  for (int i = 0; i < games; ++i) {
    G game = G::start(size);
    game.playout(random, [&](Seat, Move move) { swaps += move == kSwap; });
  }
  const double expected = static_cast<double>(games) / (size * size);
  CHECK(std::abs(swaps - expected) < 5 * std::sqrt(expected));
}

template <Game G>
void uniform_at_the_start_and_later(int size) {
  some_playouts_swap<G>(size);
  G game = G::start(size);
  playouts_are_uniform(game);
  Random random(7);
  MoveList<G::kMostMoves> list;
  for (int ply = 0; ply < size * size * 4 / 3 && !game.is_over(); ++ply) {
    game.legal_moves(list);
    Move move = list[static_cast<int>(random.below(static_cast<std::uint32_t>(list.size())))];
    if (move == kSwap) move = list[0];
    game.play(move);
    if (ply == 0 || ply % size == 0) playouts_are_uniform(game);
  }
}

}  // namespace

void blocks_tests() {
  nothing_stands_in_a_corner();
  a_mound_is_refused();
  a_barricade_is_refused();
  nothing_wraps<PetrifySmall>();
  nothing_wraps<PetrifyLarge>();
  lines_are_free_or_not();
  only_equal_heights_capture();
  no_text_leads_to_a_stack_that_none_can_name();
  the_swap_is_open_once();
  groups_strike_each_other_out();
  the_last_board_play_loses_a_tie();
  odd_texts();
  for (int size = 3; size <= 8; ++size) {
    random_games<PetrifySmall>(size, static_cast<std::uint64_t>(size));
    random_games<PiloSmall>(size, static_cast<std::uint64_t>(size));
  }
  for (int size = 9; size <= 10; ++size) {
    random_games<PetrifyLarge>(size, static_cast<std::uint64_t>(size));
    random_games<PiloLarge>(size, static_cast<std::uint64_t>(size));
  }
  uniform_at_the_start_and_later<PetrifySmall>(3);
  uniform_at_the_start_and_later<PiloSmall>(3);
  uniform_at_the_start_and_later<PetrifySmall>(5);
  uniform_at_the_start_and_later<PetrifyLarge>(9);
  uniform_at_the_start_and_later<PiloLarge>(9);
}

}  // namespace purlieu
