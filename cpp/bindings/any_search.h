// A search over any game, by playouts or by a net, behind one door.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "bindings/moves.h"
#include "games/all.h"
#include "nets/net_evaluator.h"
#include "search/mcts.h"

namespace purlieu {

// A search over some game.
class AnySearch {
 public:
  virtual ~AnySearch() = default;
  virtual void run(const Limits& limits, const std::atomic<bool>& stop, const std::function<bool()>& tick) = 0;
  virtual Report report() const = 0;
  virtual void advance(std::string_view text) = 0;
  virtual AnyGame position() const = 0;
  virtual bool is_over() const = 0;
  virtual bool is_whole() const = 0;
  virtual std::size_t bytes_used() const = 0;
};

template <Game G, Evaluator<G> E = Playouts>
class SearchOf final : public AnySearch {
 public:
  SearchOf(const G& position, const Settings& settings, E evaluator = E()) : search_(position, settings, evaluator) {}
  void run(const Limits& limits, const std::atomic<bool>& stop, const std::function<bool()>& tick) override {
    search_.run(limits, stop, tick);
  }
  Report report() const override { return search_.report(); }
  void advance(std::string_view text) override {
    search_.advance(legal_move(search_.position(), text));
  }
  AnyGame position() const override { return search_.position(); }
  bool is_over() const override { return search_.position().is_over(); }
  bool is_whole() const override { return search_.is_whole(); }
  std::size_t bytes_used() const override { return search_.bytes_used(); }

 private:
  Mcts<G, E> search_;
};

// In a file of its own, so that the two kinds compile side by side.
std::unique_ptr<AnySearch> make_net_search(const AnyGame& position, const Settings& settings, const AskNet& ask);

}  // namespace purlieu
