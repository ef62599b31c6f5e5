// What Python sees of the core. It only translates: no rule is decided here, and whatever Python passes is checked
// before the core, which trusts its caller, gets it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/envs.h"
#include "bindings/interrupt.h"
#include "bindings/moves.h"
#include "bindings/nets.h"
#include "bindings/search.h"
#include "bindings/solve.h"
#include "games/all.h"
#include "search/perft.h"
#include "search/playouts.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace purlieu {
namespace {

const char* seat_name(Seat seat) { return seat == Seat::first ? "first" : "second"; }

template <class F>
auto ask(const AnyGame& any, F&& f) {
  return std::visit(std::forward<F>(f), any);
}

AnyGame start(std::string_view game, int size) {
  auto position = start_game(game, size);
  if (!position) throw std::invalid_argument("there is no game of that name and size");
  return *std::move(position);
}

AnyGame parse(std::string_view text) {
  auto position = parse_position(text);
  if (!position) throw std::invalid_argument("this text describes no position");
  return *std::move(position);
}

bool runs_avx2() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v3");
#else
  return false;
#endif
}

}  // namespace
}  // namespace purlieu

NB_MODULE(PURLIEU_CORE_NAME, m) {
  using namespace purlieu;
  m.doc() = "purlieu's native core. Use purlieu.engine, which takes and gives the positions of purlieu.rules.";

  nb::class_<PlayoutTotals>(m, "PlayoutTotals")
      .def_ro("games", &PlayoutTotals::games)
      .def_ro("plies", &PlayoutTotals::plies)
      .def_ro("first_wins", &PlayoutTotals::first_wins)
      .def_ro("draws", &PlayoutTotals::draws)
      .def_ro("seconds", &PlayoutTotals::seconds);

  nb::class_<AnyGame> position(m, "Position", "A position of any game, as the core holds it. Immutable.");
  position
      .def_static("start", &start, "game"_a, "size"_a)
      .def_static("parse", &parse, "text"_a)
      .def_prop_ro("game", [](const AnyGame& p) { return ask(p, [](const auto& g) { return std::string(g.kName); }); })
      .def_prop_ro("size", [](const AnyGame& p) { return ask(p, [](const auto& g) { return g.size(); }); })
      .def_prop_ro("ply", [](const AnyGame& p) { return ask(p, [](const auto& g) { return g.ply(); }); })
      .def_prop_ro("to_move", [](const AnyGame& p) { return ask(p, [](const auto& g) { return seat_name(g.to_move()); }); },
                   nb::for_getter(nb::sig("def to_move(self, /) -> typing.Literal['first', 'second']")))
      .def_prop_ro("is_over", [](const AnyGame& p) { return ask(p, [](const auto& g) { return g.is_over(); }); })
      .def("legal_moves",
           [](const AnyGame& p) {
             return ask(p, []<class G>(const G& g) {
               MoveList<G::kMostMoves> moves;
               g.legal_moves(moves);
               std::vector<std::string> texts;
               for (Move move : moves) texts.push_back(move_name(g, move));
               return texts;
             });
           })
      .def("play",
           [](const AnyGame& p, std::string_view text) {
             return ask(p, [&](const auto& g) -> AnyGame {
               auto after = g;
               after.play(legal_move(g, text));
               return after;
             });
           },
           "move"_a)
      .def("score",
           [](const AnyGame& p) {
             return ask(p, [](const auto& g) {
               const Score score = g.score();
               return std::pair(score.first, score.second);
             });
           },
           "The score of the first colour and of the second, if the game ended here.")
      .def_prop_ro("winner",
                   [](const AnyGame& p) -> std::optional<std::string> {
                     return ask(p, [](const auto& g) -> std::optional<std::string> {
                       if (!g.is_over()) return std::nullopt;
                       const Result result = g.result();
                       return result == Result::draw ? "draw" : result == Result::first_wins ? "first" : "second";
                     });
                   },
                   nb::for_getter(nb::sig("def winner(self, /) -> typing.Literal['first', 'second', 'draw'] | None")),
                   "None while the game goes on.")
      .def("pyloff_boards",
           [](const AnyGame& p) {
             return ask(p, []<class G>(const G& g) -> std::pair<std::vector<nb::bytes>, int> {
               if constexpr (G::kName == PyloffSmall::kName) {
                 std::vector<nb::bytes> boards;
                 g.for_each_board([&](const std::string& board) { boards.emplace_back(board.data(), board.size()); });
                 return {std::move(boards), g.passes()};
               }
               throw std::invalid_argument("only a game of Pyloff remembers its boards");
             });
           },
           "Pyloff: the board that the game began from and the one after each turn, as purlieu.rules keeps them, and "
           "how many passes in a row were just made.")
      .def("text", [](const AnyGame& p) { return ask(p, [](const auto& g) { return g.text(); }); })
      .def("hash", [](const AnyGame& p) { return ask(p, [](const auto& g) { return g.key(); }); })
      .def("check", [](const AnyGame& p) { return ask(p, [](const auto& g) { return g.check(); }); })
      .def("perft",
           [](const AnyGame& p, int depth) {
             if (depth < 0 || depth > 1000) throw std::invalid_argument("a depth is from 0 to 1000");
             return interruptible([&](const std::atomic<bool>& stop) {
               return ask(p, [&](const auto& g) { return perft(g, depth, stop); });
             });
           },
           "depth"_a)
      .def("playouts",
           [](const AnyGame& p, std::optional<std::int64_t> games, std::optional<double> seconds, std::uint64_t seed) {
             if (!games && !seconds) throw std::invalid_argument("say how many games or how many seconds");
             return interruptible([&](const std::atomic<bool>& stop) {
               return ask(p, [&](const auto& g) {
                 return run_playouts(g, games.value_or(std::numeric_limits<std::int64_t>::max()),
                                     seconds.value_or(std::numeric_limits<double>::infinity()), seed, stop);
               });
             });
           },
           nb::kw_only(), "games"_a = nb::none(), "seconds"_a = nb::none(), "seed"_a = 1,
           "Uniform random games to the end, on this thread alone.");

  m.def("runs_avx2", &runs_avx2, "Whether this processor can run the build for AVX2.");
  bind_envs(m, position);
  bind_nets(m, position);
  bind_search(m);
  bind_solve(m);
}
