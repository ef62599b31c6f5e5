#include "bindings/any_search.h"
#include "nets/all_planes.h"

namespace purlieu {

std::unique_ptr<AnySearch> make_net_search(const AnyGame& position, const Settings& settings, const AskNet& ask) {
  return std::visit(
      [&]<Game G>(const G& game) -> std::unique_ptr<AnySearch> {
        return std::make_unique<SearchOf<G, NetEvaluator<G>>>(game, settings, NetEvaluator<G>(ask, game.size()));
      },
      position);
}

}  // namespace purlieu
