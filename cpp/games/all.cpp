#include "games/all.h"

#include <type_traits>
#include <utility>

namespace purlieu {
namespace {

// Calls f with a null pointer of each class in turn, until one answers.
template <class F, class... G>
std::optional<AnyGame> first_answer(F&& f, std::type_identity<std::variant<G...>>) {
  static_assert((Game<G> && ...));
  std::optional<AnyGame> answer;
  (void)((answer = f(std::type_identity<G>()), answer.has_value()) || ...);
  return answer;
}

}  // namespace

std::optional<AnyGame> start_game(std::string_view name, int size) {
  return first_answer(
      [&]<class G>(std::type_identity<G>) -> std::optional<AnyGame> {
        if (name != G::kName || !G::supports(size)) return std::nullopt;
        return G::start(size);
      },
      std::type_identity<AnyGame>());
}

std::optional<AnyGame> parse_position(std::string_view text) {
  return first_answer(
      [&]<class G>(std::type_identity<G>) -> std::optional<AnyGame> {
        auto parsed = G::parse(text);
        if (!parsed) return std::nullopt;
        return *std::move(parsed);
      },
      std::type_identity<AnyGame>());
}

}  // namespace purlieu
