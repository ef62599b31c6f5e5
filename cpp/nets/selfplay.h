// Many games at once, each waiting for one evaluation at a time, so that a net sees them as one batch.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/random.h"
#include "games/game.h"
#include "nets/game_record.h"
#include "nets/gumbel.h"
#include "nets/planes.h"
#include "nets/crew.h"
#include "search/endgame.h"
#include "search/mcts.h"
#include "search/proof_table.h"

namespace purlieu {

struct SelfPlaySettings {
  int slots = 1, threads = 1;
  std::uint64_t seed = 1;
  GumbelSettings search;   // With the number of simulations of a full search;
  int fast_simulations = 8;
  double full_share = 1;   // the part of the moves that get one.
  // Where there are any, places take them in turn: a place begins all its games with the same moves.
  std::vector<std::vector<std::string>> openings;
  int fewest_random = 0, most_random = 0;  // Plies at the beginning or after the opening, drawn at random.
  int noisy_plies = 0;  // Before this ply the search's noise is 1, so that games differ, whatever it is later.
  // Ends of games that take so many nodes to prove, or fewer, are proved: nobody gives such a result away. 0: none.
  double end_nodes = 0;
  int games = 0;  // A place plays so many and then rests, so that long games count as much as short ones. 0: no end.
  // Against the classical search, in place of itself, with that many simulations a move; half the games each colour.
  // Then two random plies or more: neither side is asked whether to swap.
  std::optional<Settings> opponent;
  int opponent_simulations = 0;
  // Against another net, in place of itself: whose() says which of the two a place asks. Two neighbouring places begin
  // alike and exchange the colours. Then an even number of places, and one game in each.
  bool two_nets = false;
};

struct SelfPlayCounts {
  std::int64_t evaluations = 0, games = 0, plies = 0;
  std::int64_t first_wins = 0, draws = 0;          // By colours;
  std::int64_t net_wins = 0, net_draws = 0;        // of the net against an opponent.
};

template <Game G>
class SelfPlay {
 public:
  using P = Planes<G>;

  SelfPlay(int size, const SelfPlaySettings& settings) : settings_(settings), size_(size), crew_(settings.threads) {
    for (int i = 0; i < crew_.threads(); ++i) desks_.push_back(std::make_unique<Desk>(proofs_));
    for (const auto& texts : settings.openings) openings_.push_back(read_opening(texts));
    for (int i = 0; i < settings.slots; ++i) {
      const auto stream = static_cast<std::uint64_t>(settings.two_nets ? i / 2 : i);
      slots_.push_back(std::make_unique<Slot>(G::start(size), mix(settings.seed) + stream));
    }
  }

  int slots() const { return settings_.slots; }
  int size() const { return size_; }
  int inputs() const { return P::kInputs * size_ * size_; }
  int outputs() const { return P::kPolicy * size_ * size_; }

  // Gives each game the evaluation that it asked for last time, plays on until it needs another one, and writes the
  // planes of that; one whose result is still being proved needs none, leaves its planes and does not hear the answer.
  // `value` holds a win chance and a margin for each. Returns the number of games that ended.
  int step(const float* policy, const float* value, std::uint8_t* planes) {
    const std::int64_t before = counts_.games;
    constexpr int kPiece = 8;
    crew_.run((slots() + kPiece - 1) / kPiece, [&](int piece, int thread) {
      for (int i = piece * kPiece; i < std::min(slots(), (piece + 1) * kPiece); ++i) {
        const auto at = static_cast<std::size_t>(i);
        advance(*slots_[at], i, policy + at * static_cast<std::size_t>(outputs()), value[2 * at],
                planes + at * static_cast<std::size_t>(inputs()), *desks_[static_cast<std::size_t>(thread)]);
      }
    });
    begun_ = true;
    const std::lock_guard lock(mutex_);
    counts_.evaluations += slots();
    for (auto& slot : slots_) {  // In this order, whichever thread was first.
      finished_ += slot->finished;
      slot->finished.clear();
    }
    return static_cast<int>(counts_.games - before);
  }

  // For each place: 1 if it is the other net's turn there, else 0.
  void whose(std::uint8_t* asks) const {
    for (std::size_t i = 0; i < slots_.size(); ++i) asks[i] = !nets_turn(*slots_[i]);
  }

  // With two nets: how many pairs of neighbours gave the first net 0, ½, 1, 1½ and 2 points, of those that are over.
  std::array<int, 5> pairs() const {
    std::array<int, 5> found = {};
    for (std::size_t i = 0; i + 1 < slots_.size(); i += 2)
      if (slots_[i]->rests && slots_[i + 1]->rests) ++found[slots_[i]->half_points + slots_[i + 1]->half_points];
    return found;
  }

  // The records of the games that have ended since this was last asked.
  std::string take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, {});
  }

  SelfPlayCounts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  static constexpr std::size_t kPolicyMoves = 32;  // So many moves of a policy are recorded.
  // A proof takes so many nodes a step, about a millisecond, as all other games wait for it; and so many steps. So ends
  // that are likely to take more than some ten thousand nodes are often not proved, whatever end_nodes allows.
  static constexpr std::uint64_t kProofNodes = 1024;
  static constexpr int kMostTries = 12;

  struct Slot {
    Slot(const G& start, std::uint64_t seed) : game(start), search(start), random(seed) {}
    G game;
    GumbelSearch<G> search;
    Random random;
    GameRecord record;
    std::string finished;  // The records of the games that ended in this step.
    bool full = true;
    int tries = 0;  // To prove who wins after the move that the search chose; meanwhile it asks for no evaluation.
    int games = 0;
    bool rests = false;
    bool net_first = true;  // Against an opponent: which colour the net plays,
    std::size_t half_points = 0;  // and what its last game gave it.
    std::vector<typename GumbelSearch<G>::Target> targets;
  };

  // What a thread works with.
  struct Desk {
    explicit Desk(ProofTable& proofs) : prover(proofs) {}
    MoveList<G::kMostMoves> list;
    LeafProver<G> prover;
  };

  // Throws invalid_argument for moves that the rules do not allow, or that leave nothing to play.
  std::vector<Move> read_opening(const std::vector<std::string>& texts) const {
    G game = G::start(size_);
    std::vector<Move> moves;
    for (const std::string& text : texts) {
      const auto move = game.is_over() ? std::nullopt : game.read_move(text);
      if (!move || *move == kSwap || !game.is_legal(*move))
        throw std::invalid_argument("an opening has the move " + text + ", which is not legal there, or a swap");
      moves.push_back(*move);
      game.play(*move);
    }
    while (!game.is_over() && game.is_legal(kPass)) game.play(kPass);
    if (game.is_over()) throw std::invalid_argument("an opening is a whole game: nothing is left to play after it");
    return moves;
  }

  static bool nets_turn(const Slot& slot) { return (slot.game.to_move() == Seat::first) == slot.net_first; }

  void advance(Slot& slot, int number, const float* policy, float value, std::uint8_t* planes, Desk& desk) {
    if (slot.rests) return;
    if (!begun_) new_game(slot, number, desk.list);
    else if (!slot.tries) slot.search.give(policy, value, slot.random);
    while (!slot.rests) {
      if (!slot.tries)
        if (const G* leaf = slot.search.next(desk.list)) return P::write(*leaf, planes);
      if (!play_chosen(slot, number, desk)) return;
    }
  }

  void play(Slot& slot, Move move, PlyKind kind) {
    slot.record.plies.push_back({move.code(), kind});
    slot.game.play(move);
  }

  // Plays what passes and opponents must play, so that the net is to move, or a new game if this one is over; then
  // begins a search.
  void go_on(Slot& slot, int number, MoveList<G::kMostMoves>& list) {
    for (;;) {
      if (slot.game.is_over()) {
        finish(slot);
        slot.rests = slot.games == settings_.games;
        return slot.rests ? void() : new_game(slot, number, list);
      }
      slot.game.legal_moves(list);
      if (list.size() == 1 && list[0] == kPass) {
        play(slot, kPass, PlyKind::given);
      } else if (settings_.opponent && !nets_turn(slot)) {
        Settings settings = *settings_.opponent;
        settings.seed = slot.random.next();
        settings.memory_mb = 2 + settings_.opponent_simulations / 400.0;
        Mcts<G> search(slot.game, settings);
        search.run({std::nullopt, settings_.opponent_simulations, std::nullopt}, never_);
        play(slot, slot.game.read_move(search.report().best_move).value(), PlyKind::given);
      } else {
        break;
      }
    }
    slot.full = settings_.full_share >= 1 || slot.random.unit() < settings_.full_share;
    GumbelSettings search = settings_.search;
    if (!slot.full) search.simulations = settings_.fast_simulations;
    if (std::ssize(slot.record.plies) < settings_.noisy_plies) search.gumbel_scale = 1;
    slot.search.begin(slot.game, search);
  }

  // What a player gets with perfect play, 1, ½ or 0; nullopt if that is not cheap to prove, or not with so few nodes.
  std::optional<float> proved(const G& game, Seat player, Desk& desk) const {
    const auto bounds = game.is_over() ? final_bounds(game) : desk.prover.prove(game, settings_.end_nodes, kProofNodes);
    if (!bounds) return std::nullopt;
    return player == game.first_colour() ? bounds->value() : 1 - bounds->value();
  }

  // Plays what the search chose; but a move that would give a proved result away is not played, and a search that wanted
  // it teaches no policy. False if it is still being proved: the next step goes on with it.
  bool play_chosen(Slot& slot, int number, Desk& desk) {
    PlyRecord ply{slot.search.chosen().code(), slot.full ? PlyKind::full : PlyKind::fast, slot.search.value()};
    Move move = slot.search.chosen();
    // On its first turns a game may still be swapped for a proof, and is not for a net.
    if (slot.game.ply() > 1 && desk.prover.is_cheap(slot.game, settings_.end_nodes)) {
      const Seat mover = slot.game.to_move();
      G after = slot.game;
      after.play(move);
      // A move that wins proves that its position is won, and takes a turn less to prove.
      const auto kept = proved(after, mover, desk);
      const auto result = !kept || *kept == 1 ? kept : proved(slot.game, mover, desk);
      if (!result && ++slot.tries < kMostTries) return false;
      slot.tries = 0;
      if (result) ply.value = *result;
      if (result && *result > *kept) {
        move = desk.prover.best_move();
        ply.move = move.code();
        ply.kind = PlyKind::fast;
      }
    }
    if (ply.kind == PlyKind::full) {
      slot.search.improved(kPolicyMoves, slot.targets);
      for (const auto& [code, probability] : slot.targets) ply.policy.emplace_back(code.code(), probability);
    }
    slot.record.plies.push_back(std::move(ply));
    slot.game.play(move);
    go_on(slot, number, desk.list);
    return true;
  }

  // Plays the opening, and draws the next moves at random. No swap: the colours stay with the seats, which is all that
  // nets and trees know.
  void new_game(Slot& slot, int number, MoveList<G::kMostMoves>& list) {
    slot.net_first = (number + slot.games++) % 2 == 0;
    const int span = settings_.most_random - settings_.fewest_random + 1;
    int plies = settings_.fewest_random + static_cast<int>(slot.random.below(static_cast<std::uint32_t>(span)));
    // Moves at random that end the game leave nothing to search: then half as many will do.
    for (begin(slot, number, plies, list); slot.game.is_over() && plies > 0; begin(slot, number, plies, list)) plies /= 2;
    go_on(slot, number, list);
  }

  void begin(Slot& slot, int number, int plies, MoveList<G::kMostMoves>& list) {
    slot.record = {};
    slot.record.game = game_number(G::kName);
    slot.record.size = static_cast<std::uint8_t>(size_);
    slot.game = G::start(size_);
    const auto opening = static_cast<std::size_t>(settings_.two_nets ? number / 2 : number);
    if (!openings_.empty())
      for (const Move move : openings_[opening % openings_.size()]) play(slot, move, PlyKind::given);
    for (int i = 0; i < plies && !slot.game.is_over(); ++i) {
      slot.game.legal_moves(list);
      const int moves = list.size() - (list[list.size() - 1] == kSwap);
      play(slot, list[static_cast<int>(slot.random.below(static_cast<std::uint32_t>(moves)))], PlyKind::given);
    }
  }

  void finish(Slot& slot) {
    const Score score = slot.game.score();
    const float value = first_colour_value(slot.game);
    slot.record.margin = static_cast<std::int16_t>(score.first - score.second);
    slot.record.result = static_cast<std::int8_t>(std::lround(2 * value - 1));
    slot.half_points = static_cast<std::size_t>(1 + (slot.net_first ? slot.record.result : -slot.record.result));
    if (!settings_.opponent && !settings_.two_nets) RecordWriter::append(slot.record, slot.finished);
    const std::lock_guard lock(mutex_);
    ++counts_.games;
    counts_.plies += static_cast<std::int64_t>(slot.record.plies.size());
    counts_.first_wins += slot.record.result > 0;
    counts_.draws += slot.record.result == 0;
    counts_.net_wins += slot.record.result == (slot.net_first ? 1 : -1);
    counts_.net_draws += slot.record.result == 0;
  }

  SelfPlaySettings settings_;
  int size_;
  Crew crew_;
  std::vector<std::vector<Move>> openings_;
  ProofTable proofs_{std::size_t{32} << 20};
  std::vector<std::unique_ptr<Desk>> desks_;  // One a thread.
  std::vector<std::unique_ptr<Slot>> slots_;
  bool begun_ = false;
  const std::atomic<bool> never_ = false;
  mutable std::mutex mutex_;  // For what follows.
  std::string finished_;
  SelfPlayCounts counts_;
};

}  // namespace purlieu
