// Environments to learn in, as Python sees them: the numbers of actions, and many games in one batch.
#include "bindings/envs.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nets/all_planes.h"
#include "nets/batch_env.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace purlieu {
namespace {

template <class Number>
using ActionArray = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T, int Dimensions>
using NumpyArray = nb::ndarray<nb::numpy, T, nb::ndim<Dimensions>>;

std::vector<std::pair<int, std::string>> actions_of(const AnyGame& position) {
  return std::visit(
      []<Game G>(const G& game) {
        auto list = std::make_unique<MoveList<G::kMostMoves>>();
        game.legal_moves(*list);
        std::vector<std::pair<int, std::string>> actions;
        for (const Move move : *list) actions.emplace_back(Actions<G>::index(game, move), move_name(game, move));
        return actions;
      },
      position);
}

// A batch of some game.
class AnyBatch {
 public:
  virtual ~AnyBatch() = default;
  virtual BatchArrays& arrays() = 0;
  virtual void reset() = 0;
  virtual std::optional<int> step(const std::int32_t* actions) = 0;
  virtual std::optional<int> step(const std::int64_t* actions) = 0;
  virtual void random_actions(std::uint64_t seed, std::int32_t* actions) const = 0;
  virtual std::string text(int env) const = 0;
};

template <Game G>
class BatchOf final : public AnyBatch {
 public:
  BatchOf(const BatchShape& shape, int threads) : batch_(shape, threads) {}
  BatchArrays& arrays() override { return batch_.arrays(); }
  void reset() override { batch_.reset(); }
  std::optional<int> step(const std::int32_t* actions) override { return batch_.step(actions); }
  std::optional<int> step(const std::int64_t* actions) override { return batch_.step(actions); }
  void random_actions(std::uint64_t seed, std::int32_t* actions) const override {
    batch_.random_actions(seed, actions);
  }
  std::string text(int env) const override { return batch_.game(env).text(); }

 private:
  BatchEnv<G> batch_;
};

class PyBatchEnv {
 public:
  PyBatchEnv(std::string_view game, int size, int envs, int threads, bool planes) {
    if (envs < 1 || envs > 1 << 20) throw std::invalid_argument("a batch has from 1 to 1048576 games");
    if (threads < 1 || threads > 1024) throw std::invalid_argument("a batch has from 1 to 1024 threads");
    const auto start = start_game(game, size);
    if (!start) throw std::invalid_argument("there is no game of that name and size");
    nb::gil_scoped_release unlocked;
    batch_ = std::visit(
        [&]<Game G>(const G&) -> std::unique_ptr<AnyBatch> {
          shape_ = BatchEnv<G>::shape(size, envs, planes);
          return std::make_unique<BatchOf<G>>(shape_, threads);
        },
        *start);
  }

  const BatchShape& shape() const { return shape_; }
  BatchArrays& arrays() { return batch_->arrays(); }

  void reset() {
    nb::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex_);
    batch_->reset();
  }

  template <class Number>
  void step(const ActionArray<Number>& actions) {
    if (actions.shape(0) != BatchArrays::rows(shape_))
      throw std::invalid_argument("there are " + std::to_string(actions.shape(0)) + " actions for " +
                                  std::to_string(shape_.envs) + " games");
    nb::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex_);
    if (const auto refused = batch_->step(actions.data()))
      throw std::invalid_argument("action " + std::to_string(actions.data()[*refused]) + " is not legal in game " +
                                  std::to_string(*refused) + ", so no game was played on; its row of mask says what is");
  }

  NumpyArray<std::int32_t, 1> random_actions(std::uint64_t seed) {
    auto actions = std::make_unique<std::int32_t[]>(BatchArrays::rows(shape_));
    {
      nb::gil_scoped_release unlocked;
      const std::lock_guard lock(mutex_);
      batch_->random_actions(seed, actions.get());
    }
    std::int32_t* data = actions.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    return NumpyArray<std::int32_t, 1>(data, {BatchArrays::rows(shape_)}, owner);
  }

  std::string text(int env) {
    if (env < 0 || env >= shape_.envs)
      throw std::invalid_argument("the games are numbered from 0 to " + std::to_string(shape_.envs - 1));
    const std::lock_guard lock(mutex_);
    return batch_->text(env);
  }

 private:
  BatchShape shape_;
  std::mutex mutex_;  // One step at a time.
  std::unique_ptr<AnyBatch> batch_;
};

// An array inside the batch, which lives as long as the array does.
template <class T, int Dimensions>
NumpyArray<T, Dimensions> view(PyBatchEnv& batch, T* data, std::initializer_list<std::size_t> shape) {
  return NumpyArray<T, Dimensions>(data, shape, nb::find(batch));
}

}  // namespace

void bind_envs(nb::module_& m, nb::class_<AnyGame>& position) {
  position.def("actions", &actions_of, "The legal moves, each with the number of its action: docs/research.md.");

  const auto rows = [](PyBatchEnv& b) { return BatchArrays::rows(b.shape()); };
  nb::class_<PyBatchEnv>(m, "BatchEnv",
                         "Many games of one kind at once. The arrays stay the same ones; each step writes into them.")
      .def(nb::init<std::string_view, int, int, int, bool>(), "game"_a, "size"_a, "envs"_a, nb::kw_only(),
           "threads"_a = 1, "planes"_a = true)
      .def("reset", &PyBatchEnv::reset, "Begins all games anew.")
      .def("step", &PyBatchEnv::step<std::int32_t>, "actions"_a.noconvert(),
           "Plays an action in each game, and begins those anew that are over. If any is not legal, plays none.")
      .def("step", &PyBatchEnv::step<std::int64_t>, "actions"_a.noconvert())
      .def("random_actions", &PyBatchEnv::random_actions, "seed"_a, "A legal action for each game, by chance.")
      .def("text", &PyBatchEnv::text, "env"_a, "The position of a game, as purlieu.rules writes it.")
      .def_prop_ro("actions", [](const PyBatchEnv& b) { return b.shape().actions; }, "The number of actions.")
      .def_prop_ro("planes",
                   [](PyBatchEnv& b) {
                     const auto side = static_cast<std::size_t>(b.shape().side);
                     const std::size_t games = b.shape().has_planes ? BatchArrays::rows(b.shape()) : 0;
                     return view<std::uint8_t, 4>(b, b.arrays().planes.data(),
                                                  {games, static_cast<std::size_t>(b.shape().inputs), side, side});
                   },
                   "What the sides to move see: games × planes × rows × columns. Empty if made without planes.")
      .def_prop_ro("mask",
                   [rows](PyBatchEnv& b) {
                     return view<std::uint8_t, 2>(b, b.arrays().mask.data(),
                                                  {rows(b), static_cast<std::size_t>(b.shape().actions)});
                   },
                   "1 for each legal action.")
      .def_prop_ro("to_move",
                   [rows](PyBatchEnv& b) { return view<std::int8_t, 1>(b, b.arrays().to_move.data(), {rows(b)}); },
                   "The seat whose turn it is: 0 or 1.")
      .def_prop_ro("reward",
                   [rows](PyBatchEnv& b) { return view<float, 2>(b, b.arrays().reward.data(), {rows(b), 2}); },
                   "By seat: 1 and -1 where the last step ended a game, 0 in a draw and elsewhere.")
      .def_prop_ro("margin",
                   [rows](PyBatchEnv& b) { return view<std::int32_t, 1>(b, b.arrays().margin.data(), {rows(b)}); },
                   "The first seat's points less the second's where the last step ended a game, 0 elsewhere.")
      .def_prop_ro("done", [rows](PyBatchEnv& b) { return view<bool, 1>(b, b.arrays().done.get(), {rows(b)}); },
                   "Whether the last step ended a game; a new one has begun there.");
}

}  // namespace purlieu
