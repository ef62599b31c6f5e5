// What nets need of the core, as Python sees it: planes, self-play in batches, and rows to learn from.
#include "bindings/nets.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "nets/all_planes.h"
#include "nets/replay.h"
#include "nets/selfplay.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace purlieu {
namespace {

template <class T, class... Shape>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu, Shape...>;
using Bytes4 = Array<std::uint8_t, nb::ndim<4>>;
using Floats1 = Array<float, nb::ndim<1>>;
using Floats2 = Array<float, nb::ndim<2>>;
using ConstFloats2 = Array<const float, nb::ndim<2>>;

struct NetShape {
  std::string game;
  int side, inputs, policy, maps;
  std::vector<std::string> names;
  std::vector<float> scales;
};

AnyGame start_of(std::string_view game, int size) {
  auto position = start_game(game, size);
  if (!position) throw std::invalid_argument("there is no game of that name and size");
  return *std::move(position);
}

template <Game G>
NetShape shape_of(const G& game) {
  using P = Planes<G>;
  NetShape shape{std::string(G::kName), game.size(), P::kInputs, P::kPolicy, P::kMaps, {}, {}};
  for (const Plane& plane : P::kPlanes) {
    shape.names.emplace_back(plane.name);
    shape.scales.push_back(plane.scale);
  }
  return shape;
}

// An array of its own for Python.
nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<3>> new_bytes(std::size_t planes, std::size_t side,
                                                            std::unique_ptr<std::uint8_t[]> bytes) {
  std::uint8_t* data = bytes.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
  return nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<3>>(data, {planes, side, side}, owner);
}

auto planes_of(const AnyGame& position) {
  return std::visit(
      []<Game G>(const G& game) {
        if (game.is_over()) throw std::invalid_argument("the game is over: no net is asked about it");
        const auto n = static_cast<std::size_t>(game.size());
        auto bytes = std::make_unique<std::uint8_t[]>(Planes<G>::kInputs * n * n);
        Planes<G>::write(game, bytes.get());
        return new_bytes(Planes<G>::kInputs, n, std::move(bytes));
      },
      position);
}

auto owners_of(const AnyGame& position) {
  return std::visit(
      []<Game G>(const G& game) {
        const auto n = static_cast<std::size_t>(game.size());
        auto bytes = std::make_unique<std::uint8_t[]>(Planes<G>::kMaps * n * n);
        Planes<G>::owners(game, game.to_move(), bytes.get());
        return new_bytes(Planes<G>::kMaps, n, std::move(bytes));
      },
      position);
}

std::vector<std::pair<int, std::string>> policy_moves(const AnyGame& position) {
  return std::visit(
      []<Game G>(const G& game) {
        auto list = std::make_unique<MoveList<G::kMostMoves>>();
        game.legal_moves(*list);
        std::vector<std::pair<int, std::string>> moves;
        for (const Move move : *list)
          if (move != kSwap && move != kPass) moves.emplace_back(Planes<G>::index(game, move), game.move_text(move));
        return moves;
      },
      position);
}

void check_shape(bool right, const char* what) {
  if (!right) throw std::invalid_argument(std::string(what) + " has not the shape that this game and size need");
}

// Self-play of some game.
class AnySelfPlay {
 public:
  virtual ~AnySelfPlay() = default;
  virtual int step(const float* policy, const float* value, std::uint8_t* planes) = 0;
  virtual std::string take() = 0;
  virtual void whose(std::uint8_t* asks) const = 0;
  virtual std::array<int, 5> pairs() const = 0;
  virtual SelfPlayCounts counts() const = 0;
};

template <Game G>
class SelfPlayOf final : public AnySelfPlay {
 public:
  SelfPlayOf(int size, const SelfPlaySettings& settings) : play_(size, settings) {}
  int step(const float* policy, const float* value, std::uint8_t* planes) override {
    return play_.step(policy, value, planes);
  }
  std::string take() override { return play_.take(); }
  void whose(std::uint8_t* asks) const override { play_.whose(asks); }
  std::array<int, 5> pairs() const override { return play_.pairs(); }
  SelfPlayCounts counts() const override { return play_.counts(); }

 private:
  SelfPlay<G> play_;
};

void check_range(const char* name, double value, double least, double most) {
  if (!(value >= least && value <= most))
    throw std::invalid_argument(std::string(name) + " is out of its range");
}

class PySelfPlay {
 public:
  PySelfPlay(std::string_view game, int size, int slots, std::uint64_t seed, int threads, int full_simulations,
             int fast_simulations, double full_share, int considered, double gumbel_scale, double value_scale,
             std::pair<int, int> random_plies, std::optional<std::string> opponent, int opponent_simulations,
             std::vector<std::vector<std::string>> openings, int games, int noisy_plies, double end_nodes) {
    check_range("slots", slots, 1, 1 << 20);
    check_range("threads", threads, 1, 1024);
    check_range("full_simulations", full_simulations, 1, 1 << 16);
    check_range("fast_simulations", fast_simulations, 1, 1 << 16);
    check_range("full_share", full_share, 0, 1);
    check_range("considered", considered, 1, 4096);
    check_range("gumbel_scale", gumbel_scale, 0, 100);
    check_range("value_scale", value_scale, 0, 100);
    const auto [fewest, most] = random_plies;
    check_range("games", games, 0, 1 << 20);
    check_range("noisy_plies", noisy_plies, 0, 1000);
    check_range("end_nodes", end_nodes, 0, 1e6);
    check_range("random_plies", fewest, 0, 1000);
    check_range("random_plies", most, fewest, 1000);
    SelfPlaySettings settings;
    settings.slots = slots;
    settings.threads = threads;
    settings.seed = seed;
    settings.search.simulations = full_simulations;
    settings.search.considered = considered;
    settings.search.gumbel_scale = static_cast<float>(gumbel_scale);
    settings.search.value_scale = static_cast<float>(value_scale);
    settings.fast_simulations = fast_simulations;
    settings.full_share = full_share;
    settings.fewest_random = fewest;
    settings.most_random = most;
    settings.openings = std::move(openings);
    settings.games = games;
    settings.noisy_plies = noisy_plies;
    settings.end_nodes = end_nodes;
    if (opponent) {
      if (*opponent != "uct" && *opponent != "net") throw std::invalid_argument("an opponent is 'uct' or 'net'");
      if (fewest < 2) throw std::invalid_argument("against an opponent a game begins with two random plies or more");
      settings.two_nets = *opponent == "net";
      if (settings.two_nets && (games != 1 || slots % 2))
        throw std::invalid_argument("two nets play one game in each of an even number of slots: games=1");
      if (!settings.two_nets) {
        check_range("opponent_simulations", opponent_simulations, 1, 1e7);
        settings.opponent = uct_settings();
        settings.opponent_simulations = opponent_simulations;
      }
    }
    const AnyGame start = start_of(game, size);
    shape_ = std::visit([](const auto& g) { return shape_of(g); }, start);
    slots_ = static_cast<std::size_t>(slots);
    two_nets_ = settings.two_nets;
    nb::gil_scoped_release unlocked;
    play_ = std::visit(
        [&]<Game G>(const G&) -> std::unique_ptr<AnySelfPlay> {
          return std::make_unique<SelfPlayOf<G>>(size, settings);
        },
        start);
  }

  int step(const ConstFloats2& policy, const ConstFloats2& value, const Bytes4& planes) {
    const auto n = static_cast<std::size_t>(shape_.side);
    check_shape(policy.shape(0) == slots_ && policy.shape(1) == static_cast<std::size_t>(shape_.policy) * n * n,
                "policy");
    check_shape(value.shape(0) == slots_ && value.shape(1) == 2, "value");
    check_shape(planes.shape(0) == slots_ && planes.shape(1) == static_cast<std::size_t>(shape_.inputs) &&
                    planes.shape(2) == n && planes.shape(3) == n,
                "planes");
    nb::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex_);
    return play_->step(policy.data(), value.data(), planes.data());
  }

  nb::bytes take() {
    const std::string bytes = play_->take();
    return nb::bytes(bytes.data(), bytes.size());
  }
  void whose(const Array<std::uint8_t, nb::ndim<1>>& asks) {
    if (!two_nets_) throw std::invalid_argument("there is one net: whose() is for opponent='net'");
    check_shape(asks.shape(0) == slots_, "asks");
    nb::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex_);
    play_->whose(asks.data());
  }
  nb::tuple pairs() {
    std::array<int, 5> found;
    {
      nb::gil_scoped_release unlocked;
      const std::lock_guard lock(mutex_);
      found = play_->pairs();
    }
    return nb::make_tuple(found[0], found[1], found[2], found[3], found[4]);
  }
  SelfPlayCounts counts() const { return play_->counts(); }

 private:
  NetShape shape_;
  std::size_t slots_ = 0;
  bool two_nets_ = false;
  std::mutex mutex_;  // One step at a time.
  std::unique_ptr<AnySelfPlay> play_;
};

class PyReplay {
 public:
  explicit PyReplay(std::string_view game, int threads) : game_(game_number_of(game)), crew_(checked(threads)) {}

  int add(const nb::bytes& data) {
    std::vector<GameRecord> records;
    {
      const std::string_view bytes(data.c_str(), data.size());
      nb::gil_scoped_release unlocked;
      RecordReader reader(bytes);
      while (!reader.at_end()) {
        auto record = reader.next();
        if (!record) throw std::invalid_argument(spoilt(records.size(), "it is cut off or damaged"));
        if (record->game != game_) throw std::invalid_argument(spoilt(records.size(), "it is of another game"));
        const auto start = start_game(kGameNames[record->game], record->size);
        if (!start) throw std::invalid_argument(spoilt(records.size(), "a board of no such size"));
        const char* fault = std::visit([&]<Game G>(const G&) { return fault_in<G>(*record); }, *start);
        if (fault) throw std::invalid_argument(spoilt(records.size(), fault));
        records.push_back(*std::move(record));
      }
      const std::lock_guard lock(mutex_);
      for (GameRecord& record : records) replay_.add(std::move(record));
    }
    return static_cast<int>(records.size());
  }

  void trim(std::int64_t rows) {
    if (rows < 0) throw std::invalid_argument("rows is a number from 0");
    const std::lock_guard lock(mutex_);
    replay_.trim(rows);
  }

  void sample(int size, const Bytes4& planes, const Floats2& policy, const Floats2& value, const Floats1& margin,
              const Bytes4& owners, const Floats1& weight, std::uint64_t seed, double value_mix) {
    check_range("value_mix", value_mix, 0, 1);
    const AnyGame start = start_of(kGameNames[game_], size);
    const NetShape shape = std::visit([](const auto& g) { return shape_of(g); }, start);
    const auto n = static_cast<std::size_t>(size), rows = planes.shape(0);
    const auto by = [](int planes_, std::size_t side) { return static_cast<std::size_t>(planes_) * side * side; };
    check_shape(planes.shape(1) == static_cast<std::size_t>(shape.inputs) && planes.shape(2) == n && planes.shape(3) == n,
                "planes");
    check_shape(policy.shape(0) == rows && policy.shape(1) == by(shape.policy, n), "policy");
    check_shape(value.shape(0) == rows && value.shape(1) == 3, "value");
    check_shape(margin.shape(0) == rows, "margin");
    check_shape(owners.shape(0) == rows && owners.shape(1) == static_cast<std::size_t>(shape.maps) &&
                    owners.shape(2) == n && owners.shape(3) == n,
                "owners");
    check_shape(weight.shape(0) == rows, "weight");
    const Batch batch{static_cast<int>(rows), planes.data(), policy.data(), value.data(), margin.data(), owners.data(),
                      weight.data()};
    nb::gil_scoped_release unlocked;
    const std::lock_guard lock(mutex_);
    if (!replay_.rows_by_size().contains(size)) throw std::invalid_argument("there are no rows of that size");
    std::visit(
        [&]<Game G>(const G&) { replay_.sample<G>(size, batch, seed, static_cast<float>(value_mix), crew_); }, start);
  }

  std::int64_t games() const {
    const std::lock_guard lock(mutex_);
    return replay_.games();
  }
  std::int64_t rows() const {
    const std::lock_guard lock(mutex_);
    return replay_.rows();
  }
  std::map<int, std::int64_t> sizes() const {
    const std::lock_guard lock(mutex_);
    return replay_.rows_by_size();
  }

 private:
  static std::uint8_t game_number_of(std::string_view game) {
    for (const std::string_view name : kGameNames)
      if (name == game) return game_number(name);
    throw std::invalid_argument("there is no game of that name");
  }
  static int checked(int threads) {
    check_range("threads", threads, 1, 1024);
    return threads;
  }
  static std::string spoilt(std::size_t number, const char* why) {
    return "game " + std::to_string(number + 1) + " of these records cannot be used: " + why;
  }

  std::uint8_t game_;
  mutable std::mutex mutex_;
  Replay replay_;
  Crew crew_;
};

}  // namespace

void bind_nets(nb::module_& m, nb::class_<AnyGame>& position) {
  position
      .def("planes", &planes_of, "What a net sees of this position: planes × rows × columns, from the lower left.")
      .def("policy_moves", &policy_moves, "The legal moves on the board, each with the net's output that stands for it.")
      .def("owners", &owners_of,
           "Who owns each cell as the board stands: 0 nobody, 1 the side to move, 2 the other, 255 no cell.");

  nb::class_<NetShape>(m, "NetShape", "What goes into a net of a game and what comes out.")
      .def_ro("game", &NetShape::game)
      .def_ro("side", &NetShape::side)
      .def_ro("inputs", &NetShape::inputs)
      .def_ro("policy", &NetShape::policy)
      .def_ro("maps", &NetShape::maps)
      .def_ro("names", &NetShape::names)
      .def_ro("scales", &NetShape::scales);
  m.def("net_shape",
        [](std::string_view game, int size) {
          return std::visit([](const auto& g) { return shape_of(g); }, start_of(game, size));
        },
        "game"_a, "size"_a);

  nb::class_<SelfPlayCounts>(m, "SelfPlayCounts")
      .def_ro("evaluations", &SelfPlayCounts::evaluations)
      .def_ro("games", &SelfPlayCounts::games)
      .def_ro("plies", &SelfPlayCounts::plies)
      .def_ro("first_wins", &SelfPlayCounts::first_wins)
      .def_ro("draws", &SelfPlayCounts::draws)
      .def_ro("net_wins", &SelfPlayCounts::net_wins)
      .def_ro("net_draws", &SelfPlayCounts::net_draws);

  nb::class_<PySelfPlay>(m, "SelfPlay", "Many games of one size at once, each waiting for one evaluation at a time.")
      .def(nb::init<std::string_view, int, int, std::uint64_t, int, int, int, double, int, double, double,
                    std::pair<int, int>, std::optional<std::string>, int, std::vector<std::vector<std::string>>, int, int,
                    double>(),
           "game"_a, "size"_a, "slots"_a, nb::kw_only(), "seed"_a = 1, "threads"_a = 1, "full_simulations"_a = 32,
           "fast_simulations"_a = 8, "full_share"_a = 1.0, "considered"_a = 16, "gumbel_scale"_a = 1.0,
           "value_scale"_a = 0.5, "random_plies"_a = std::pair(0, 0), "opponent"_a = nb::none(),
           "opponent_simulations"_a = 0, "openings"_a = std::vector<std::vector<std::string>>{}, "games"_a = 0,
           "noisy_plies"_a = 0, "end_nodes"_a = 0.0,
           "openings: moves that games begin with; places take them in turn. games: a place plays so many and then\n"
           "rests; 0 for no end. noisy_plies: before this one gumbel_scale is 1, whatever it is later. end_nodes: ends of\n"
           "games that take so many nodes to prove are proved, and no such result is given away. opponent: 'uct', plain\n"
           "search by playouts, or 'net': then whose() tells which of two nets each place asks, and neighbouring places\n"
           "begin alike with the colours exchanged.")
      .def("step", &PySelfPlay::step, "policy"_a.noconvert(), "value"_a.noconvert(), "planes"_a.noconvert(),
           "Gives the evaluations that the last step asked for, plays on, and writes the planes of the next ones.\n\n"
           "Logits by output; win chance and margin of the side to move. Returns the number of games that ended.")
      .def("take", &PySelfPlay::take, "The games that have ended since this was last asked: docs/selfplay.md.")
      .def("whose", &PySelfPlay::whose, "asks"_a.noconvert(),
           "Writes 1 for each place whose planes are a question to the other net, and 0 for the rest.")
      .def_prop_ro("pairs", &PySelfPlay::pairs,
                   nb::for_getter(nb::sig("def pairs(self, /) -> tuple[int, int, int, int, int]")),
                   "Of opponent='net': how many openings, played from both seats, gave the net 0, 0.5, 1, 1.5 and 2 points.")
      .def_prop_ro("counts", &PySelfPlay::counts);

  nb::class_<PyReplay>(m, "Replay", "Games to learn from, and rows drawn from them at random.")
      .def(nb::init<std::string_view, int>(), "game"_a, nb::kw_only(), "threads"_a = 1)
      .def("add", &PyReplay::add, "data"_a, "Adds games as SelfPlay.take gives them, after playing each through.")
      .def("trim", &PyReplay::trim, "rows"_a,
           "Forgets the oldest games until no more than that many rows are left, or only one game that has any.")
      .def("sample", &PyReplay::sample, "size"_a, "planes"_a.noconvert(), "policy"_a.noconvert(), "value"_a.noconvert(),
           "margin"_a.noconvert(), "owners"_a.noconvert(), "weight"_a.noconvert(), nb::kw_only(), "seed"_a,
           "value_mix"_a = 0.0,
           "Fills arrays with rows of that size, each turned by a random symmetry.\n\n"
           "policy: -1 for no legal move, else a probability. value: win, loss, draw; mixed with the search's by\n"
           "value_mix. margin: final. weight: 1 if the policy counts.")
      .def_prop_ro("games", &PyReplay::games)
      .def_prop_ro("rows", &PyReplay::rows)
      .def_prop_ro("sizes", &PyReplay::sizes, "The number of rows by size.");
}

}  // namespace purlieu
