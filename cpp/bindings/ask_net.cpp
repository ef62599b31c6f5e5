#include "bindings/ask_net.h"

#include <nanobind/ndarray.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>

#include "nets/all_planes.h"

namespace nb = nanobind;

namespace purlieu {
namespace {

using Logits = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

[[noreturn]] void refuse() {
  throw std::runtime_error("a net must answer with float32 logits for every output, a win chance and a margin");
}

}  // namespace

AskNet ask_python(nb::handle net, const AnyGame& position) {
  const auto [inputs, outputs, side] = std::visit(
      []<Game G>(const G& g) {
        const auto n = static_cast<std::size_t>(g.size());
        return std::tuple(std::size_t{Planes<G>::kInputs}, Planes<G>::kPolicy * n * n, n);
      },
      position);
  return [=](std::span<const float> planes, NetOutput& output) {
    nb::gil_scoped_acquire locked;
    try {
      const std::size_t shape[4] = {1, inputs, side, side};
      nb::ndarray<nb::numpy, const float> view(planes.data(), 4, shape, nb::handle());
      const nb::object answer = net(view);
      nb::tuple parts;
      Logits logits;
      double win_chance = 0, margin = 0;
      if (!nb::try_cast(answer, parts) || parts.size() != 3 || !nb::try_cast(parts[0], logits, false) ||
          logits.size() != outputs || !nb::try_cast(parts[1], win_chance) || !nb::try_cast(parts[2], margin))
        refuse();
      if (!(win_chance >= 0 && win_chance <= 1) || !(margin >= -1e6 && margin <= 1e6)) refuse();
      output.policy.assign(logits.data(), logits.data() + outputs);
      for (const float logit : output.policy)
        if (!(logit >= -1e6f && logit <= 1e6f)) refuse();
      output.win_chance = static_cast<float>(win_chance);
      output.margin = static_cast<float>(margin);
    } catch (const nb::python_error& error) {
      if (error.matches(PyExc_KeyboardInterrupt)) throw;  // Nobody's fault.
      throw std::runtime_error(std::string("the net failed: ") + error.what());
    }
  };
}

}  // namespace purlieu
