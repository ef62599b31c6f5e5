// Solving a position of any game, in the words of its notation.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/game.h"
#include "search/exact.h"
#include "search/tiny_board.h"

namespace purlieu {

// What is proved of a position; moves are texts.
struct Solved {
  int value = 0;                  // For the side to move, as in exact.h; without the margin, only its sign is right.
  std::vector<std::string> line;  // Empty if the game is over.
  std::uint64_t nodes = 0;
};

// A solver with a table that it keeps from one position to the next, as long as they are of one game and size.
class Solver {
 public:
  explicit Solver(std::size_t table_bytes) : table_(table_bytes), shared_(table_) {
    shared_.stopped = [this] { return stopped_.load(std::memory_order_relaxed); };
  }

  // The nodes of all solves so far. Any thread may ask.
  std::uint64_t nodes() const { return shared_.nodes.load(std::memory_order_relaxed); }
  // Ends a solve from any thread; until go_on(), there is no other.
  void stop() { stopped_ = true; }
  void go_on() { stopped_ = false; }

  // nullopt if a limit or stop() came first. One solve at a time.
  template <Game G>
  std::optional<Solved> solve(const G& game, const ExactLimits& limits) {
    const std::uint64_t begun = nodes();
    auto solved = solve_from(game, limits);
    if (solved) solved->nodes = nodes() - begun;
    return solved;
  }

  // Writes what cost at least 2^(least_work - 1) nodes to prove, so that load() can take up the work another day.
  // Returns the number of positions. Throws std::runtime_error if the file cannot be written.
  std::uint64_t save(const std::string& path, int least_work) const {
    std::ofstream file(path, std::ios::binary);
    file << kMagic << ' ' << (kind_.empty() ? "none" : kind_) << '\n';
    std::uint64_t number = 0;
    table_.for_each([&](std::uint64_t key, const Proved& proved) {
      if (proved.work < least_work) return;
      const Record record{key,
                          static_cast<std::int16_t>(proved.low),
                          static_cast<std::int16_t>(proved.high),
                          proved.best.code(),
                          static_cast<std::uint16_t>(proved.work)};
      file.write(reinterpret_cast<const char*>(&record), sizeof record);
      ++number;
    });
    file.close();
    if (!file) throw std::runtime_error("could not write " + path);
    return number;
  }

  // Adds what save() wrote; returns the number of positions. Throws std::runtime_error unless it is such a file, whole
  // and of the game and size that this solver is at, if it is at one.
  std::uint64_t load(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string magic, kind;
    file >> magic >> kind;
    if (!file || magic != kMagic || file.get() != '\n') throw std::runtime_error(path + " holds no proofs");
    if (!kind_.empty() && kind != kind_) throw std::runtime_error(path + " holds proofs of another game or size");
    if (kind != "none") kind_ = kind;
    std::uint64_t number = 0;
    Record record;
    for (; file.read(reinterpret_cast<char*>(&record), sizeof record); ++number) {
      if (record.low < -kBeyond || record.high > kBeyond || record.low > record.high || record.work > kMostWork)
        throw std::runtime_error(path + " is damaged: it holds what no proof says");
      table_.store(record.key, {record.low, record.high, Move(record.best), record.work});
    }
    if (file.gcount()) throw std::runtime_error(path + " is damaged: it ends in the middle of a proof");
    return number;
  }

 private:
  static constexpr const char* kMagic = "purlieu-proofs-1";
  static constexpr int kMostWork = 63;  // Bits of a number of nodes.
  struct Record {
    std::uint64_t key;
    std::int16_t low, high;
    std::uint16_t best, work;
  };

  template <Game G>
  std::optional<Solved> solve_from(const G& game, const ExactLimits& limits) {
    constexpr bool kPilo = G::kName == "pilo";
    if constexpr (kPilo || G::kName == "petrify") {
      if (game.size() <= 4) {
        if (game.ply() <= 1 && !game.is_over()) return solve_opening(game, limits);
        const std::string text = game.text();
        if (const auto tiny = TinyBoard<kPilo, 4>::read(text)) return solve_tiny(game, *tiny, limits);
        if (const auto tiny = TinyBoard<kPilo, 3>::read(text)) return solve_tiny(game, *tiny, limits);
      }
    }
    use_keys_of(std::string(G::kName) + std::to_string(game.size()));
    const auto result = solve_exact(game, limits, shared_);
    if (!result) return std::nullopt;
    Solved solved{result->value, {}, 0};
    G at = game;
    for (Move move : result->line) {
      solved.line.push_back(move_name(at, move));
      at.play(move);
    }
    return solved;
  }

  // The first two plies of a game with the pie rule. The board after the first move is worth the same with and without
  // a swap, so it is searched once.
  template <Game G>
  std::optional<Solved> solve_opening(const G& game, const ExactLimits& limits) {
    MoveList<G::kMostMoves> moves;
    game.legal_moves(moves);
    std::optional<Solved> best;
    if (game.is_legal(kSwap)) {
      G swapped = game;
      swapped.play(kSwap);
      best = solve_from(swapped, limits);
      if (!best) return std::nullopt;
      if (best->value > 0) return best;
      best->value = -best->value;
      best->line.insert(best->line.begin(), "swap");
      return best;
    }
    const std::uint64_t begun = nodes();
    for (Move move : moves) {
      G after = game;
      after.play(move);
      ExactLimits left = limits;
      left.nodes -= std::min(left.nodes, nodes() - begun);
      auto solved = left.nodes ? solve_from(after, left) : std::nullopt;
      if (!solved) return std::nullopt;
      if (best && -solved->value <= best->value) continue;
      best = std::move(solved);
      best->value = -best->value;
      best->line.insert(best->line.begin(), move_name(game, move));
      if (!limits.margin) break;  // With the pie rule, every opening loses.
    }
    return best;
  }

  template <Game G, Solvable Tiny>
  std::optional<Solved> solve_tiny(const G& game, const Tiny& tiny, const ExactLimits& limits) {
    use_keys_of("tiny" + std::string(G::kName) + std::to_string(game.size()));
    const auto result = solve_exact(tiny, limits, shared_);
    if (!result) return std::nullopt;
    Solved solved{result->value, {}, 0};
    G at = game;
    const auto pass = [&] {
      while (!at.is_over() && at.is_legal(kPass)) {
        solved.line.push_back("pass");
        at.play(kPass);
      }
    };
    for (Move move : result->line) {
      pass();
      solved.line.push_back(Tiny::move_text(move));
      at.play(*at.read_move(solved.line.back()));
    }
    pass();
    return solved;
  }

  void use_keys_of(const std::string& kind) {
    if (!kind_.empty() && kind != kind_) table_.clear();
    kind_ = kind;
  }

  ProofTable table_;
  SolveShared shared_;
  std::atomic<bool> stopped_ = false;
  std::string kind_;  // What the keys in the table mean.
};

}  // namespace purlieu
