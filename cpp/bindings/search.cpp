// The search, as Python sees it: one class over all games.
#include "bindings/search.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

#include "bindings/any_search.h"
#include "bindings/ask_net.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace purlieu {
namespace {

// A setting that Python may name, and what it may be.
struct Named {
  const char* name;
  double least, most;
  void (*set)(Settings&, double);
};
constexpr Named kNamed[] = {
    {"exploration", 0, 100, [](Settings& s, double v) { s.exploration = v; }},
    {"reduction", 0, 1, [](Settings& s, double v) { s.reduction = v; }},
    {"rave_k", 0, 1e9, [](Settings& s, double v) { s.rave_k = v; }},
    {"rave_reference", 1, 1e9, [](Settings& s, double v) { s.rave_reference = static_cast<int>(v); }},
    {"rave_inherit", 0, 1e9, [](Settings& s, double v) { s.rave_inherit = static_cast<int>(v); }},
    {"rave_horizon", 0, 1, [](Settings& s, double v) { s.rave_horizon = v; }},
    {"rate_at", 0, 1e9, [](Settings& s, double v) { s.rate_at = static_cast<int>(v); }},
    {"expand_at", 1, 1e9, [](Settings& s, double v) { s.expand_at = static_cast<int>(v); }},
    {"open_base", 0, 1e6, [](Settings& s, double v) { s.open_base = v; }},
    {"open_factor", 1e-3, 1e6, [](Settings& s, double v) { s.open_factor = v; }},
    {"open_power", 0.1, 1, [](Settings& s, double v) { s.open_power = v; }},
    {"try_all", 0, 1, [](Settings& s, double v) { s.try_all = v != 0; }},
    {"graph", 0, 1, [](Settings& s, double v) { s.graph = v != 0; }},
    {"solver", 0, 1, [](Settings& s, double v) { s.solver = v != 0; }},
    {"endgame", 0, 1, [](Settings& s, double v) { s.endgame = v != 0; }},
    {"endgame_part", 0, 1, [](Settings& s, double v) { s.endgame_part = v; }},
    {"leaf_nodes", 0, 1e6, [](Settings& s, double v) { s.leaf_nodes = v; }},
    {"leaf_playouts", 0, 1e4, [](Settings& s, double v) { s.leaf_playouts = static_cast<int>(v); }},
};

void apply(Settings& settings, const nb::kwargs& named) {
  for (auto [key, value] : named) {
    const std::string name = nb::cast<std::string>(key);
    const Named* found = nullptr;
    for (const Named& candidate : kNamed)
      if (name == candidate.name) found = &candidate;
    if (!found) throw nb::type_error(("there is no setting '" + name + "'").c_str());
    double number = 0;
    if (!nb::try_cast(value, number)) throw nb::type_error((name + " is a number").c_str());
    if (!(number >= found->least && number <= found->most))
      throw std::invalid_argument(name + " is out of its range");
    found->set(settings, number);
  }
}

class PySearch {
 public:
  PySearch(const AnyGame& position, int threads, std::uint64_t seed, double memory_mb, std::string_view preset,
           const nb::object& net, const nb::kwargs& named)
      : net_(net) {
    if (threads < 1 || threads > 1024) throw std::invalid_argument("threads is from 1 to 1024");
    if (!(memory_mb >= 1 && memory_mb <= 1 << 20)) throw std::invalid_argument("memory_mb is from 1 to 1048576");
    if (preset != "full" && preset != "uct") throw std::invalid_argument("a preset is 'full' or 'uct'");
    if (!net.is_none() && !PyCallable_Check(net.ptr())) throw nb::type_error("net must be callable");
    search_ = std::visit(
        [&]<Game G>(const G& game) -> std::unique_ptr<AnySearch> {
          if (game.is_over()) throw std::invalid_argument("the game is over");
          Settings settings = !net.is_none()     ? net_settings(G::kName)
                              : preset == "full" ? full_settings(G::kName)
                                                 : uct_settings();
          settings.threads = threads;
          settings.seed = seed;
          settings.memory_mb = memory_mb;
          apply(settings, named);
          if (net.is_none()) return std::make_unique<SearchOf<G>>(game, settings);
          const AskNet ask = ask_python(net, position);
          nb::gil_scoped_release unlocked;  // The root is evaluated at once.
          return make_net_search(position, settings, ask);
        },
        position);
  }

  Report run(std::optional<double> seconds, std::optional<std::int64_t> simulations, std::optional<std::int64_t> nodes,
             const nb::object& callback, double interval) {
    if (seconds && !(*seconds >= 0)) throw std::invalid_argument("seconds is a number from 0");
    if (simulations && *simulations < 0) throw std::invalid_argument("simulations is a number from 0");
    if (nodes && *nodes < 0) throw std::invalid_argument("nodes is a number from 0");
    if (!(interval >= 0)) throw std::invalid_argument("interval is a number from 0");
    if (!callback.is_none() && !PyCallable_Check(callback.ptr())) throw nb::type_error("callback must be callable");
    const Limits limits{seconds, simulations, nodes};
    if (!limits.any()) throw std::invalid_argument("say how many seconds or simulations");
    check_idle();
    if (search_->is_over()) throw std::invalid_argument("the game is over");

    running_ = true;
    stop_ = false;
    struct Done {
      bool& running;
      ~Done() { running = false; }
    } done{running_};
    using Clock = std::chrono::steady_clock;
    auto last = Clock::now();
    std::exception_ptr failure;
    {
      nb::gil_scoped_release unlocked;
      search_->run(limits, stop_, [&] {
        if (failure) return false;  // The search is on its way out, and the first error is the one that counts.
        const bool due = !callback.is_none() && std::chrono::duration<double>(Clock::now() - last).count() >= interval;
        nb::gil_scoped_acquire locked;
        bool failed = PyErr_CheckSignals() != 0;
        if (due && !failed) {
          last = Clock::now();
          PyObject* answer = PyObject_CallOneArg(callback.ptr(), nb::cast(search_->report()).ptr());
          failed = answer == nullptr;
          Py_XDECREF(answer);
        }
        if (failed) failure = std::make_exception_ptr(nb::python_error());
        return !failed;
      });
    }
    if (failure) std::rethrow_exception(failure);
    return search_->report();
  }

  void stop() { stop_ = true; }
  Report report() const {
    check_whole();
    if (search_->is_over()) throw std::invalid_argument("the game is over");
    return search_->report();
  }
  void advance(std::string_view move) {
    check_idle();
    search_->advance(move);
  }
  AnyGame position() const { return search_->position(); }
  std::size_t bytes_used() const { return search_->bytes_used(); }
  nb::object& net() { return net_; }

 private:
  // Only report, position and stop may be asked for while a run is going on.
  void check_idle() const {
    if (running_) throw std::runtime_error("this search is running");
    check_whole();
  }
  // A net is asked about the next position: it may fail, or let other threads in.
  void check_whole() const {
    if (!search_->is_whole()) throw std::runtime_error("this search has not come to its next position");
  }

  nb::object net_;  // The search asks it, so it goes last.
  std::unique_ptr<AnySearch> search_;
  std::atomic<bool> stop_ = false;
  bool running_ = false;  // Only touched with the interpreter lock.
};

// A net may know, by its globals say, the search that asks it: the collector of cycles must see that.
int visit_net(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PySearch>(self)->net().ptr());
  return 0;
}
int clear_net(PyObject* self) {
  nb::inst_ptr<PySearch>(self)->net().reset();
  return 0;
}
PyType_Slot kSearchSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(visit_net)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_net)},
    {0, nullptr},
};

std::optional<std::string> proven_text(Proven proven) {
  switch (proven) {
    case Proven::win: return "win";
    case Proven::loss: return "loss";
    case Proven::draw: return "draw";
    case Proven::no: break;
  }
  return std::nullopt;
}

}  // namespace

void bind_search(nb::module_& m) {
  const auto proven_type =
      nb::for_getter(nb::sig("def proven(self, /) -> typing.Literal['win', 'loss', 'draw'] | None"));
  nb::class_<MoveReport>(m, "MoveReport", "What a search knows about a move, for the side to move.")
      .def_ro("move", &MoveReport::move)
      .def_ro("visits", &MoveReport::visits)
      .def_ro("share", &MoveReport::share)
      .def_ro("win_chance", &MoveReport::win_chance)
      .def_ro("expected_score", &MoveReport::expected_score)
      .def_prop_ro("proven", [](const MoveReport& r) { return proven_text(r.proven); }, proven_type);

  nb::class_<Report>(m, "Report", "What a search knows, for the side to move.")
      .def_ro("simulations", &Report::simulations)
      .def_ro("nodes", &Report::nodes)
      .def_ro("seconds", &Report::seconds)
      .def_ro("best_move", &Report::best_move)
      .def_ro("win_chance", &Report::win_chance)
      .def_ro("expected_score", &Report::expected_score)
      .def_prop_ro("proven", [](const Report& r) { return proven_text(r.proven); }, proven_type)
      .def_ro("line", &Report::line)
      .def_ro("moves", &Report::moves);

  nb::class_<PySearch>(m, "Search", nb::type_slots(kSearchSlots),
                       "A tree search from a position. Keeps its tree from run to run and move to move.")
      .def(nb::init<const AnyGame&, int, std::uint64_t, double, std::string_view, const nb::object&, const nb::kwargs&>(),
           "position"_a, nb::kw_only(), "threads"_a = 1, "seed"_a = 1, "memory_mb"_a = 256, "preset"_a = "full",
           "net"_a = nb::none(), "settings"_a,
           nb::sig("def __init__(self, position: Position, *, threads: int = 1, seed: int = 1, memory_mb: float = 256, "
                   "preset: str = 'full', net: collections.abc.Callable[[numpy.typing.NDArray[numpy.float32]], "
                   "tuple[numpy.typing.NDArray[numpy.float32], float, float]] | None = None, "
                   "**settings: float) -> None"),
           "The presets are 'full' and 'uct'; any setting of cpp/search/settings.h may be named besides. A net is asked\n"
           "with planes, 1 × planes × rows × columns, and answers with logits by output, and with the win chance and the\n"
           "margin of the side to move.")
      .def("run", &PySearch::run, nb::kw_only(), "seconds"_a = nb::none(), "simulations"_a = nb::none(),
           "nodes"_a = nb::none(), "callback"_a = nb::none(), "interval"_a = 0.25,
           nb::sig("def run(self, *, seconds: float | None = None, simulations: int | None = None, "
                   "nodes: int | None = None, callback: collections.abc.Callable[[Report], object] | None = None, "
                   "interval: float = 0.25) -> Report"),
           "Searches until a limit is reached, the result is proven, stop() is called or Ctrl-C is pressed.")
      .def("stop", &PySearch::stop, "Ends a run from another thread.")
      .def("report", &PySearch::report)
      .def("advance", &PySearch::advance, "move"_a, "Plays a move and keeps what is known about the position after it.")
      .def_prop_ro("position", &PySearch::position)
      .def_prop_ro("bytes_used", &PySearch::bytes_used, "The memory that tree and proofs take up now; a net's answers are kept beside them.");
}

}  // namespace purlieu
