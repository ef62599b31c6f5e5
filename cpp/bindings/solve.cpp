// The exact solver, as Python sees it: one class over all games in which no position returns.
#include "bindings/solve.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "games/all.h"
#include "search/solve.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace purlieu {
namespace {

struct PySolved {
  Solved solved;
  bool with_margin;
  double seconds;

  const char* value() const { return solved.value > 0 ? "win" : solved.value < 0 ? "loss" : "draw"; }
  std::optional<int> margin() const { return with_margin ? std::optional(solved.value / 2) : std::nullopt; }
  std::optional<std::string> best_move() const {
    return solved.line.empty() ? std::nullopt : std::optional(solved.line.front());
  }
};

std::size_t bytes_of(double memory_mb) {
  if (!(memory_mb >= 1 && memory_mb <= 1 << 20)) throw std::invalid_argument("memory_mb is from 1 to 1048576");
  return static_cast<std::size_t>(memory_mb * (1 << 20));
}

/// A solver does one thing at a time. Begins and ends with the interpreter lock held, which guards the flag.
class AtWork {
 public:
  explicit AtWork(bool& running) : running_(running) {
    if (running_) throw std::runtime_error("this solver is at work");
    running_ = true;
  }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
  ~AtWork() { running_ = false; }

 private:
  bool& running_;
};

class PySolver {
 public:
  explicit PySolver(double memory_mb) : solver_(bytes_of(memory_mb)) {}

  std::optional<PySolved> solve(const AnyGame& position, std::optional<double> seconds,
                                std::optional<std::int64_t> nodes, bool score, int threads, const nb::object& callback,
                                double interval) {
    if (seconds && !(*seconds >= 0)) throw std::invalid_argument("seconds is a number from 0");
    if (nodes && *nodes < 0) throw std::invalid_argument("nodes is a number from 0");
    if (threads < 1 || threads > 1024) throw std::invalid_argument("threads is from 1 to 1024");
    if (!(interval >= 0)) throw std::invalid_argument("interval is a number from 0");
    if (!callback.is_none() && !PyCallable_Check(callback.ptr())) throw nb::type_error("callback must be callable");
    const AtWork at_work(running_);
    ExactLimits limits;
    if (nodes) limits.nodes = static_cast<std::uint64_t>(*nodes);
    limits.margin = score;
    limits.threads = threads;

    solver_.go_on();
    using Clock = std::chrono::steady_clock;
    const auto begun = Clock::now();
    const auto since = [](Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); };
    const std::uint64_t nodes_before = solver_.nodes();
    std::optional<Solved> solved;
    std::exception_ptr failure, python_failure;
    {
      nb::gil_scoped_release unlocked;
      std::mutex mutex;
      std::condition_variable finished;
      bool done = false;
      std::thread worker([&] {
        try {
          solved = std::visit(
              [&]<Game G>(const G& game) -> std::optional<Solved> {
                if constexpr (G::kAcyclic) return solver_.solve(game, limits);
                else throw std::invalid_argument(std::string(G::kName) + " cannot be solved: positions return in it");
              },
              position);
        } catch (...) {
          failure = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        done = true;
        finished.notify_one();
      });
      auto last = begun;
      std::unique_lock lock(mutex);
      while (!finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
        lock.unlock();
        if (seconds && since(begun) >= *seconds) solver_.stop();
        {
          nb::gil_scoped_acquire locked;
          bool failed = PyErr_CheckSignals() != 0;
          if (!failed && !callback.is_none() && since(last) >= interval) {
            last = Clock::now();
            PyObject* answer =
                PyObject_CallFunction(callback.ptr(), "Kd",
                                      static_cast<unsigned long long>(solver_.nodes() - nodes_before), since(begun));
            failed = answer == nullptr;
            Py_XDECREF(answer);
          }
          if (failed) {
            python_failure = std::make_exception_ptr(nb::python_error());
            solver_.stop();
          }
        }
        lock.lock();
        if (python_failure) {
          finished.wait(lock, [&] { return done; });
          break;
        }
      }
      lock.unlock();
      worker.join();
    }
    if (python_failure) std::rethrow_exception(python_failure);
    if (failure) std::rethrow_exception(failure);
    if (!solved) return std::nullopt;
    return PySolved{*std::move(solved), score, since(begun)};
  }

  std::uint64_t save(const std::string& path, int least_work) {
    const AtWork at_work(running_);
    nb::gil_scoped_release unlocked;  // A large table takes a while.
    return solver_.save(path, least_work);
  }
  std::uint64_t load(const std::string& path) {
    const AtWork at_work(running_);
    nb::gil_scoped_release unlocked;
    return solver_.load(path);
  }
  void stop() { solver_.stop(); }
  std::uint64_t nodes() const { return solver_.nodes(); }

 private:
  Solver solver_;
  bool running_ = false;  // Only touched with the interpreter lock.
};

}  // namespace

void bind_solve(nb::module_& m) {
  nb::class_<PySolved>(m, "Solved", "What is proved of a position, for the side to move.")
      .def_prop_ro("value", &PySolved::value,
                   nb::for_getter(nb::sig("def value(self, /) -> typing.Literal['win', 'loss', 'draw']")))
      .def_prop_ro("margin", &PySolved::margin, "Of the final score with perfect play, if that was asked for.")
      .def_prop_ro("best_move", &PySolved::best_move, "None if the game is over.")
      .def_prop_ro("line", [](const PySolved& s) { return s.solved.line; },
                   "Perfect play for both, as far as the solver still remembers it.")
      .def_prop_ro("nodes", [](const PySolved& s) { return s.solved.nodes; })
      .def_ro("seconds", &PySolved::seconds);

  nb::class_<PySolver>(m, "Solver", "An exact solver. Keeps its table from one position to the next.")
      .def(nb::init<double>(), nb::kw_only(), "memory_mb"_a = 1024)
      .def("solve", &PySolver::solve, "position"_a, nb::kw_only(), "seconds"_a = nb::none(), "nodes"_a = nb::none(),
           "score"_a = false, "threads"_a = 1, "callback"_a = nb::none(), "interval"_a = 0.5,
           nb::sig("def solve(self, position: Position, *, seconds: float | None = None, nodes: int | None = None, "
                   "score: bool = False, threads: int = 1, "
                   "callback: collections.abc.Callable[[int, float], object] | None = None, "
                   "interval: float = 0.5) -> Solved | None"),
           "What the position is worth with perfect play, or None if a limit came first. With score, the margin too. "
           "callback(nodes, seconds) is called now and then.")
      .def("save", &PySolver::save, "path"_a, nb::kw_only(), "least_work"_a = 10,
           "Writes what took at least 2^(least_work - 1) nodes to prove; returns the number of positions.")
      .def("load", &PySolver::load, "path"_a, "Adds what save() wrote; returns the number of positions.")
      .def("stop", &PySolver::stop, "Ends a solve from another thread, without a result.")
      .def_prop_ro("nodes", &PySolver::nodes, "Of all solves so far.");
}

}  // namespace purlieu
