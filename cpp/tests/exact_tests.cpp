// The exact solver against plain minimax, and the small boards of the solver against the games.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "games/pentwall.h"
#include "games/petrify.h"
#include "games/pilo.h"
#include "search/endgame.h"
#include "search/exact.h"
#include "search/solve.h"
#include "search/tiny_board.h"
#include "tests/check.h"

namespace purlieu {
namespace {

int sign(int value) { return (value > 0) - (value < 0); }

// The value by looking at everything; nullopt if that is more than `nodes` positions.
template <Solvable G>
std::optional<int> minimax(const G& game, int& nodes) {
  if (--nodes < 0) return std::nullopt;
  MoveList<G::kMostMoves> moves;
  game.legal_moves(moves);
  if (moves.empty()) return final_value(game);
  std::optional<int> best;
  for (Move move : moves) {
    G after = game;
    after.play(move);
    const auto value = minimax(after, nodes);
    if (!value) return std::nullopt;
    const int mine = after.to_move() == game.to_move() ? *value : -*value;
    if (!best || mine > *best) best = mine;
  }
  return best;
}

// A position of a random game for which `is_wanted` says so first; nullopt if none came.
template <Game G, class Wanted>
std::optional<G> random_position(int size, Random& random, Wanted&& is_wanted) {
  G game = G::start(size);
  MoveList<G::kMostMoves> moves;
  while (!game.is_over()) {
    if (is_wanted(game)) return game;
    game.legal_moves(moves);
    game.play(moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))]);
  }
  return std::nullopt;
}

template <Game G, class Wanted>
void exact_is_minimax(int size, int tries, Wanted&& is_wanted) {
  Random random(static_cast<std::uint64_t>(size));
  ProofTable table(std::size_t{1} << 16);  // Small, so that it forgets.
  SolveShared shared(table);
  int compared = 0;
  for (int i = 0; i < tries; ++i) {
    const auto game = random_position<G>(size, random, is_wanted);
    if (!game) continue;
    int nodes = 30'000;
    const auto value = minimax(*game, nodes);
    if (!value) continue;
    ++compared;
    for (const bool margin : {false, true}) {
      const auto solved = solve_exact(*game, {.margin = margin}, shared);
      CHECK(solved.has_value());
      if (!solved) continue;
      CHECK(margin ? solved->value == *value : sign(solved->value) == sign(*value));
      CHECK(!solved->line.empty() && solved->line.front() == solved->best);
      G at = *game;
      for (Move move : solved->line) {
        CHECK(at.is_legal(move));
        at.play(move);
      }
      CHECK(at.is_over());
      const int end = at.to_move() == game->to_move() ? final_value(at) : -final_value(at);
      CHECK(margin ? end == *value : sign(end) == sign(*value));
    }
    // With work left over it finds the margin, too.
    if (const auto proof = Endgame<G>(std::size_t{1} << 20).prove(*game, 1e6, [] { return false; })) {
      const int for_first = game->to_move() == game->first_colour() ? *value : -*value;
      CHECK(proof->bounds == exactly(for_first) && !proof->line.empty());
    }
  }
  CHECK(compared > tries / 4);
}

// The board of a text, seen in the eight ways, men to move written in the same letter: the least of these texts.
std::string seen_in_all_ways(const std::string& text, int size) {
  const auto words = split(text, ' ');
  const bool stacks = words[0] == "pilo";
  const auto rows = read_rows(words[1], size, [&](std::string_view rest) -> std::size_t {
    if (rest[0] == '#') return 1;
    return rest[0] == 'b' || rest[0] == 'o' ? 1 + stacks : 0;
  });
  const bool second_moves = (words[2].back() - '0') % 2, blue_is_second = words[3] == "blue=second";
  const char mover = second_moves == blue_is_second ? 'b' : 'o';
  std::string least;
  for (int way = 0; way < 8; ++way) {
    std::string seen;
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        int r = way & 1 ? size - 1 - row : row, c = way & 2 ? size - 1 - column : column;
        if (way & 4) std::swap(r, c);
        std::string token((*rows)[static_cast<std::size_t>(r)].at(static_cast<std::size_t>(c)));
        if (!token.empty() && token[0] != '#') token[0] = token[0] == mover ? 'M' : 'T';
        seen += token + ",";
      }
    }
    if (least.empty() || seen < least) least = seen;
  }
  return least;
}

template <Game G, class Tiny>
void tiny_board_is_the_game(int size, int games) {
  Random random(5);
  MoveList<G::kMostMoves> moves;
  MoveList<Tiny::kMostMoves> tiny_moves;
  std::map<std::uint64_t, std::string> board_of;
  std::map<std::string, std::uint64_t> key_of;
  for (int i = 0; i < games; ++i) {
    G game = G::start(size);
    auto tiny = Tiny::read(game.text());
    CHECK(tiny.has_value());
    while (!tiny->is_over()) {
      game.legal_moves(moves);
      if (moves[0] == kPass) {
        game.play(kPass);
        continue;
      }
      tiny->legal_moves(tiny_moves);
      std::set<std::string> texts, tiny_texts;
      for (Move move : moves)
        if (move != kSwap) texts.insert(game.move_text(move));
      for (Move move : tiny_moves) tiny_texts.insert(Tiny::move_text(move));
      CHECK(texts == tiny_texts);
      CHECK(tiny->board_plays() == static_cast<int>(texts.size()));
      CHECK(tiny->score() == game.score());
      if (game.ply() != 1) {
        const auto read = Tiny::read(game.text());
        CHECK(read && read->key() == tiny->key() && read->to_move() == tiny->to_move());
      }
      const std::string board = seen_in_all_ways(game.text(), size);
      CHECK(board_of.emplace(tiny->key(), board).first->second == board);
      CHECK(key_of.emplace(board, tiny->key()).first->second == tiny->key());
      const Move move = tiny_moves[static_cast<int>(random.below(static_cast<std::uint32_t>(tiny_moves.size())))];
      const auto same = game.read_move(Tiny::move_text(move));
      CHECK(same && game.is_legal(*same));
      if (!same) return;
      tiny->play(move);
      game.play(*same);
    }
    while (!game.is_over()) {
      CHECK(game.is_legal(kPass));
      game.play(kPass);
    }
    CHECK(tiny->score() == game.score());
    CHECK(tiny->result() == game.result());
  }
}

template <Game G>
void openings_of_3_are_blues() {
  const G start = G::start(3);
  Solver solver(std::size_t{1} << 20);
  for (const char* opening : {"a1", "b1", "b2", "c2", "c3"}) {
    G game = start;
    game.play(*game.read_move(opening));
    const auto with_pie = solver.solve(game, {});
    CHECK(with_pie && with_pie->value > 0 && with_pie->line.front() == "swap");
    game.play(kSwap);
    const auto solved = solver.solve(game, {});
    CHECK(solved && solved->value < 0);
    // The solver of any size agrees, and so do many threads.
    ProofTable table(std::size_t{1} << 22);
    SolveShared shared(table);
    const auto plain = solve_exact(game, {}, shared);
    CHECK(plain && plain->value < 0);
    const auto margin = solver.solve(game, {.margin = true});
    Solver other_solver(std::size_t{1} << 20);
    const auto by_four = other_solver.solve(game, {.margin = true, .threads = 4});
    CHECK(margin && by_four && margin->value == by_four->value && margin->value < 0);
    const auto plain_margin = solve_exact(game, {.margin = true}, shared);
    CHECK(margin && plain_margin && margin->value == plain_margin->value);
  }
  const auto all = solver.solve(start, {.margin = true});
  CHECK(all && all->value < 0);
}

void a_budget_that_runs_out_gives_nothing() {
  Solver solver(std::size_t{1} << 20);
  CHECK(!solver.solve(PetrifySmall::start(6), {.nodes = 5'000}));
  CHECK(!solver.solve(PetrifySmall::start(6), {.nodes = 5'000, .threads = 3}));
  solver.stop();
  CHECK(!solver.solve(PetrifySmall::start(6), {}));
  solver.go_on();
  CHECK(solver.solve(PetrifySmall::start(3), {}).has_value());
}

void what_is_saved_is_not_proved_again() {
  const std::string path = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/purlieu.proofs";
  auto game = PiloSmall::start(3);
  game.play(*game.read_move("a1"));
  game.play(kSwap);
  Solver one(std::size_t{1} << 22), two(std::size_t{1} << 22);
  const auto first = one.solve(game, {});
  CHECK(one.save(path, 0) > 1000);
  CHECK(two.load(path) > 1000);
  const auto second = two.solve(game, {});
  CHECK(first && second && sign(first->value) == sign(second->value) && second->nodes < first->nodes / 10);
  Solver other(std::size_t{1} << 20);
  (void)other.solve(PetrifySmall::start(3), {});
  bool refused = false;
  try {
    other.load(path);
  } catch (const std::runtime_error&) {
    refused = true;
  }
  CHECK(refused);
  std::remove(path.c_str());
}

// A byte that has changed must not become a proof, nor must a file that was cut off pass for a whole one.
void damaged_proofs_are_refused() {
  const std::string path = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/damaged.proofs";
  PetrifySmall game = PetrifySmall::start(3);
  Solver solver(std::size_t{1} << 20);
  (void)solver.solve(game, {});
  CHECK(solver.save(path, 0) > 10);
  std::stringstream whole;
  whole << std::ifstream(path, std::ios::binary).rdbuf();
  const auto is_refused = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      Solver(std::size_t{1} << 20).load(path);
    } catch (const std::runtime_error&) {
      return true;
    }
    return false;
  };
  const std::string bytes = whole.str();
  const std::size_t first = bytes.find('\n') + 1;
  CHECK(!is_refused(bytes));
  CHECK(is_refused(bytes.substr(0, bytes.size() - 3)));
  for (const std::size_t at : {9, 11, 14}) {  // The high bytes of low and high, and the low one of work.
    std::string wrong = bytes;
    wrong[first + at] = 0x7F;
    CHECK(is_refused(wrong));
  }
  std::remove(path.c_str());
}

// Wherever it fails, for want of memory or of a thread, all threads end, and who asked is told.
void a_thread_that_fails_ends_the_others() {
  ProofTable table(std::size_t{1} << 20);
  for (const bool ours : {true, false}) {
    SolveShared shared(table);
    shared.stopped = [&, here = std::this_thread::get_id()] {
      if ((std::this_thread::get_id() == here) == ours) throw std::bad_alloc();
      return false;
    };
    bool told = false;
    try {
      (void)solve_exact(PetrifySmall::start(6), {.threads = 3}, shared);
    } catch (const std::bad_alloc&) {
      told = true;
    }
    CHECK(told);
  }
}

}  // namespace

void exact_tests() {
  exact_is_minimax<Pentwall>(10, 40, [](const auto& g) { return g.unused() <= 3; });
  for (int size : {4, 6, 8})
    exact_is_minimax<PetrifySmall>(size, 40, [](const auto& g) { return g.empties() <= 3; });
  exact_is_minimax<PetrifyLarge>(9, 20, [](const auto& g) { return g.empties() <= 1; });
  for (int size : {4, 6, 8})
    exact_is_minimax<PiloSmall>(size, 40, [](const auto& g) { return g.empties() <= 1; });
  exact_is_minimax<PiloLarge>(10, 20, [](const auto& g) { return g.empties() == 0; });
  tiny_board_is_the_game<PetrifySmall, TinyBoard<false, 3>>(3, 300);
  tiny_board_is_the_game<PetrifySmall, TinyBoard<false, 4>>(4, 300);
  tiny_board_is_the_game<PiloSmall, TinyBoard<true, 3>>(3, 300);
  tiny_board_is_the_game<PiloSmall, TinyBoard<true, 4>>(4, 300);
  openings_of_3_are_blues<PetrifySmall>();
  openings_of_3_are_blues<PiloSmall>();
  a_budget_that_runs_out_gives_nothing();
  what_is_saved_is_not_proved_again();
  damaged_proofs_are_refused();
  a_thread_that_fails_ends_the_others();
}

}  // namespace purlieu
