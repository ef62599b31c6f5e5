// The games that a net learns from, and rows drawn from them at random.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "games/game.h"
#include "nets/game_record.h"
#include "nets/planes.h"
#include "nets/crew.h"
#include "search/evaluator.h"

namespace purlieu {

// Where the parts of a batch go: row b of each begins at b times its size.
struct Batch {
  int rows;
  std::uint8_t* planes;
  float* policy;  // Probabilities by Planes::index; -1 for what is no legal move.
  float* value;   // Win, loss, draw of the side to move.
  float* margin;  // Of the side to move, at the end of the game.
  std::uint8_t* owners;
  float* weight;  // 1 if the policy counts.
};

// Checks a record by playing it. Says what is wrong with it, or nothing. A net knows no swap and no pass, and a policy
// has no place for them, so neither may become a row.
template <Game G>
const char* fault_in(const GameRecord& record) {
  if (!G::supports(record.size)) return "a board of no such size";
  G game = G::start(record.size);
  for (const PlyRecord& ply : record.plies) {
    const Move played(ply.move);
    if (game.is_over() || !game.is_legal(played)) return "a move that is not legal";
    if (played == kSwap) return "a swap, which self-play does not know";
    if (played == kPass && (ply.kind != PlyKind::given || !ply.policy.empty())) return "a pass with a search";
    for (const auto& [move, probability] : ply.policy)
      if (!game.is_legal(Move(move)) || move == kPass.code() || move == kSwap.code()) return "a policy of illegal moves";
    game.play(played);
  }
  if (!game.is_over()) return "a game that is not over";
  const Score score = game.score();
  if (record.margin != score.first - score.second ||
      static_cast<float>(record.result) != 2 * first_colour_value(game) - 1)
    return "a result that the moves do not lead to";
  return nullptr;
}

// Writes row `at` of a batch: the position before that ply, turned by a symmetry. The whole game is played in its
// turned form, so planes, moves and owners need no tables of their own.
template <Game G>
void write_row(const GameRecord& record, int ply_number, int symmetry, float value_mix, const Batch& batch,
               std::size_t at, MoveList<G::kMostMoves>& list) {
  using P = Planes<G>;
  const auto n = static_cast<std::size_t>(record.size), cells = n * n;
  G game = G::start(record.size);
  const auto play = [&](int i) {
    game.play(P::turned(game, Move(record.plies[static_cast<std::size_t>(i)].move), symmetry));
  };
  for (int i = 0; i < ply_number; ++i) play(i);
  const PlyRecord& ply = record.plies[static_cast<std::size_t>(ply_number)];
  P::write(game, batch.planes + at * P::kInputs * cells);
  float* policy = batch.policy + at * P::kPolicy * cells;
  std::fill(policy, policy + P::kPolicy * cells, -1.0f);
  game.legal_moves(list);
  for (const Move move : list)
    if (move != kSwap) policy[P::index(game, move)] = 0;
  float total = 0;
  for (const auto& [move, probability] : ply.policy) total += probability;
  if (total > 0)
    for (const auto& [move, probability] : ply.policy)
      policy[P::index(game, P::turned(game, Move(move), symmetry))] += probability / total;
  batch.weight[at] = ply.kind == PlyKind::full && total > 0 ? 1.0f : 0.0f;

  const Seat mover = game.to_move();
  const bool first = mover == game.first_colour();
  const int result = first ? record.result : -record.result;
  float* value = batch.value + 3 * at;
  value[0] = (1 - value_mix) * (result > 0) + value_mix * ply.value;
  value[1] = (1 - value_mix) * (result < 0) + value_mix * (1 - ply.value);
  value[2] = (1 - value_mix) * (result == 0);
  batch.margin[at] = static_cast<float>(first ? record.margin : -record.margin);
  for (int i = ply_number; i < static_cast<int>(record.plies.size()); ++i) play(i);
  P::owners(game, mover, batch.owners + at * P::kMaps * cells);
}

class Replay {
 public:
  // Adds a game, newest last.
  void add(GameRecord record) {
    Shelf& shelf = shelves_[record.size];
    for (std::size_t i = 0; i < record.plies.size(); ++i)
      if (record.plies[i].kind != PlyKind::given) {
        shelf.rows.push_back({shelf.dropped + static_cast<std::uint32_t>(shelf.games.size()), static_cast<std::int32_t>(i)});
        ++rows_;
      }
    shelf.games.push_back({std::move(record), number_++});
    ++games_;
  }

  // Forgets the oldest games until no more than that many rows are left, or only one game that has any.
  void trim(std::int64_t most_rows) {
    while (rows_ > most_rows) {
      Shelf* oldest = nullptr;
      for (auto& [size, shelf] : shelves_)
        if (!shelf.games.empty() && (!oldest || shelf.games.front().number < oldest->games.front().number))
          oldest = &shelf;
      const auto of_another = [&](const Row& row) { return row.game != oldest->dropped; };
      const auto end = std::find_if(oldest->rows.begin(), oldest->rows.end(), of_another);
      const std::int64_t gone = end - oldest->rows.begin();
      if (gone == rows_) break;
      oldest->rows.erase(oldest->rows.begin(), end);
      rows_ -= gone;
      oldest->games.pop_front();
      ++oldest->dropped;
      --games_;
    }
  }

  std::int64_t games() const { return games_; }
  std::int64_t rows() const { return rows_; }
  std::map<int, std::int64_t> rows_by_size() const {
    std::map<int, std::int64_t> rows;
    for (const auto& [size, shelf] : shelves_)
      if (!shelf.rows.empty()) rows[size] = static_cast<std::int64_t>(shelf.rows.size());
    return rows;
  }

  // Fills a batch with rows of that size. Precondition: there are some.
  template <Game G>
  void sample(int size, const Batch& batch, std::uint64_t seed, float value_mix, Crew& crew) const {
    const Shelf& shelf = shelves_.at(size);
    std::vector<std::unique_ptr<MoveList<G::kMostMoves>>> lists;
    for (int i = 0; i < crew.threads(); ++i) lists.push_back(std::make_unique<MoveList<G::kMostMoves>>());
    constexpr int kPiece = 16;
    crew.run((batch.rows + kPiece - 1) / kPiece, [&](int piece, int thread) {
      for (int b = piece * kPiece; b < std::min(batch.rows, (piece + 1) * kPiece); ++b) {
        Random random(mix(seed) + static_cast<std::uint64_t>(b));
        const Row row = shelf.rows[random.below(static_cast<std::uint32_t>(shelf.rows.size()))];
        write_row<G>(shelf.games[row.game - shelf.dropped].record, row.ply, static_cast<int>(random.below(kSymmetries)),
                     value_mix, batch, static_cast<std::size_t>(b), *lists[static_cast<std::size_t>(thread)]);
      }
    });
  }

 private:
  struct Kept {
    GameRecord record;
    std::int64_t number;  // In the order of coming.
  };
  struct Row {
    std::uint32_t game;  // Counted from the shelf's first ever.
    std::int32_t ply;
  };
  // The games of one size.
  struct Shelf {
    std::deque<Kept> games;
    std::deque<Row> rows;
    std::uint32_t dropped = 0;
  };
  std::map<int, Shelf> shelves_;
  std::int64_t games_ = 0, rows_ = 0, number_ = 0;
};

}  // namespace purlieu
