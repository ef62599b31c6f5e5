// Nets: the search of self-play, many games at once, their records, and the rows drawn from them.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "nets/net_evaluator.h"
#include "nets/replay.h"
#include "search/leaf_playouts.h"
#include "tests/check.h"
#include "tests/play_games.h"

namespace purlieu {
namespace {

// Games of self-play are legal to the end, do not depend on the number of threads, and come back from their bytes.
template <Game G>
void games_are_sound(int size, int games) {
  const std::string bytes = play_games<G>(size, small_settings(1), games);
  CHECK(bytes == play_games<G>(size, small_settings(3), games));
  RecordReader reader(bytes);
  std::string again;
  int full = 0, fast = 0;
  while (!reader.at_end()) {
    const auto record = reader.next();
    CHECK(record.has_value());
    if (!record) return;
    CHECK(fault_in<G>(*record) == nullptr);
    for (const PlyRecord& ply : record->plies) {
      full += ply.kind == PlyKind::full;
      fast += ply.kind == PlyKind::fast;
      CHECK((ply.kind == PlyKind::full) == !ply.policy.empty());
      float sum = 0;
      for (const auto& [move, probability] : ply.policy) sum += probability;
      if (!ply.policy.empty()) CHECK(std::abs(sum - 1) < 1e-3f);
    }
    RecordWriter::append(*record, again);
  }
  CHECK(again == bytes);
  CHECK(full > 0 && fast > 0);
}

// Bytes that are cut off anywhere, and games that were tampered with, are refused.
void damage_is_noticed() {
  const std::string bytes = play_games<PetrifySmall>(4, small_settings(1), 1);
  RecordReader whole(bytes);
  const GameRecord record = whole.next().value();
  std::string one;
  RecordWriter::append(record, one);
  for (std::size_t length = 0; length < one.size(); ++length)
    CHECK(!RecordReader(std::string_view(one).substr(0, length)).next());
  GameRecord wrong = record;
  wrong.result = static_cast<std::int8_t>(-wrong.result);
  CHECK(fault_in<PetrifySmall>(wrong) != nullptr);
  wrong = record;
  wrong.plies.pop_back();
  CHECK(fault_in<PetrifySmall>(wrong) != nullptr);
  wrong = record;
  wrong.plies[1].move = wrong.plies[0].move;
  CHECK(fault_in<PetrifySmall>(wrong) != nullptr);
  wrong.size = 2;
  CHECK(fault_in<PetrifySmall>(wrong) != nullptr);
}

// Swaps, which a net does not know, and passes that a search is said to have chosen are refused: there is no place for
// them in a row.
void swaps_and_passes_are_no_rows() {
  const std::string bytes = play_games<PetrifySmall>(4, small_settings(1), 20);
  int passes = 0;
  for (RecordReader reader(bytes); !reader.at_end();) {
    const GameRecord record = reader.next().value();
    GameRecord wrong = record;
    wrong.plies.insert(wrong.plies.begin() + 1, PlyRecord{kSwap.code(), PlyKind::given});
    CHECK(fault_in<PetrifySmall>(wrong) != nullptr);
    for (std::size_t i = 0; i < record.plies.size(); ++i) {
      if (record.plies[i].move != kPass.code()) continue;
      ++passes;
      for (const PlyKind kind : {PlyKind::fast, PlyKind::full}) {
        wrong = record;
        wrong.plies[i].kind = kind;
        CHECK(fault_in<PetrifySmall>(wrong) != nullptr);
      }
    }
  }
  CHECK(passes > 0);
}

// A batch with room for one row.
template <Game G>
struct OneRow {
  using P = Planes<G>;
  std::vector<std::uint8_t> planes, owners;
  std::vector<float> policy, value = std::vector<float>(3), margin = {0}, weight = {0};
  explicit OneRow(int n) : planes(P::kInputs * n * n), owners(P::kMaps * n * n), policy(P::kPolicy * n * n) {}
  Batch batch() {
    return {1, planes.data(), policy.data(), value.data(), margin.data(), owners.data(), weight.data()};
  }
};

// Every row, turned or not, shows the position before its ply: planes, legal moves, targets and the end of the game.
template <Game G>
void rows_tell_the_game(int size) {
  const std::string bytes = play_games<G>(size, small_settings(1), 3);
  RecordReader reader(bytes);
  auto list = std::make_unique<MoveList<G::kMostMoves>>();
  OneRow<G> row(size);
  while (!reader.at_end()) {
    const GameRecord record = reader.next().value();
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      G game = G::start(size);
      for (int i = 0; i < static_cast<int>(record.plies.size()); ++i) {
        const PlyRecord& ply = record.plies[static_cast<std::size_t>(i)];
        if (ply.kind != PlyKind::given) {
          write_row<G>(record, i, symmetry, 0, row.batch(), 0, *list);
          std::vector<std::uint8_t> planes(row.planes.size());
          Planes<G>::write(game, planes.data());
          CHECK(row.planes == planes);
          game.legal_moves(*list);
          int legal = 0;
          for (const Move move : *list) legal += move != kSwap;
          CHECK(std::count_if(row.policy.begin(), row.policy.end(), [](float p) { return p >= 0; }) == legal);
          for (const auto& [move, p] : ply.policy) {
            const Move turned = Planes<G>::turned(game, Move(move), symmetry);
            CHECK(row.policy[static_cast<std::size_t>(Planes<G>::index(game, turned))] > 0 || p == 0);
          }
          const bool first = game.to_move() == game.first_colour();
          CHECK(row.margin[0] == static_cast<float>(first ? record.margin : -record.margin));
          CHECK(row.value[0] == (record.result == (first ? 1 : -1)));
          CHECK(row.weight[0] == (ply.kind == PlyKind::full));
        }
        game.play(Planes<G>::turned(game, Move(ply.move), symmetry));
      }
    }
  }
}

// The oldest games go first, and the rows of the others stay drawable.
// A file may say that no move has a chance.
void a_policy_without_chances_is_none_to_learn() {
  const std::string bytes = play_games<PetrifySmall>(4, small_settings(1), 1);
  GameRecord record = RecordReader(bytes).next().value();
  auto list = std::make_unique<MoveList<PetrifySmall::kMostMoves>>();
  OneRow<PetrifySmall> row(4);
  int searched = 0;
  for (int i = 0; i < static_cast<int>(record.plies.size()); ++i) {
    PlyRecord& ply = record.plies[static_cast<std::size_t>(i)];
    if (ply.policy.empty()) continue;
    ++searched;
    for (auto& [move, probability] : ply.policy) probability = 0;
    write_row<PetrifySmall>(record, i, 0, 0, row.batch(), 0, *list);
    CHECK(row.weight[0] == 0);
    for (const float share : row.policy) CHECK(share == 0 || share == -1);
  }
  CHECK(searched > 0);
}

void replay_forgets_the_oldest() {
  const std::string bytes = play_games<PetrifySmall>(4, small_settings(1), 30);
  Replay replay;
  RecordReader reader(bytes);
  std::int64_t games = 0;
  while (!reader.at_end()) replay.add(reader.next().value()), ++games;
  CHECK(replay.games() == games);
  const std::int64_t rows = replay.rows();
  CHECK(replay.rows_by_size().at(4) == rows);
  replay.trim(rows / 2);
  CHECK(replay.rows() <= rows / 2 && replay.rows() > rows / 4);
  CHECK(replay.games() < games);
  OneRow<PetrifySmall> row(4);
  Crew crew(1);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    replay.sample<PetrifySmall>(4, row.batch(), seed, 0, crew);
    CHECK(row.value[0] + row.value[1] == 1);
  }
}

// However small the window, the last game that has rows stays: whoever trains would have nothing to draw.
void replay_never_forgets_all() {
  const std::string bytes = play_games<PetrifySmall>(4, small_settings(1), 3);
  Replay replay;
  for (RecordReader reader(bytes); !reader.at_end();) replay.add(reader.next().value());
  replay.trim(0);
  CHECK(replay.games() == 1 && replay.rows() > 0);
  RecordReader reader(bytes);
  GameRecord rowless = reader.next().value();
  for (PlyRecord& ply : rowless.plies) ply.kind = PlyKind::given;
  replay.add(rowless);
  replay.trim(0);
  CHECK(replay.rows() > 0);
}

// With a net that knows nothing, the search still finds a win that is there: the end of a game is no opinion.
void the_search_sees_the_end() {
  Random random(3);
  auto list = std::make_unique<MoveList<PetrifySmall::kMostMoves>>();
  int found = 0, there = 0;
  for (int i = 0; i < 300; ++i) {
    PetrifySmall game = PetrifySmall::start(4);
    std::vector<Move> moves;
    PetrifySmall end = game;
    end.playout(random, [&](Seat, Move move) { moves.push_back(move); });
    for (std::size_t k = 0; k + 3 < moves.size(); ++k) game.play(moves[k]);
    game.legal_moves(*list);
    if (list->contains(kSwap) || list->contains(kPass) || list->size() < 2) continue;
    std::vector<std::uint16_t> wins;
    for (const Move move : *list) {
      PetrifySmall after = game;
      after.play(move);
      while (!after.is_over() && after.is_legal(kPass)) after.play(kPass);
      if (after.is_over() && after.result() == win_for(game.to_move())) wins.push_back(move.code());
    }
    if (wins.empty()) continue;
    ++there;
    GumbelSearch<PetrifySmall> search(game);
    GumbelSettings settings;
    settings.simulations = 64;
    settings.gumbel_scale = 0;
    search.begin(game, settings);
    const std::vector<float> logits(Planes<PetrifySmall>::kPolicy * 16, 0.0f);
    while (search.next(*list)) search.give(logits.data(), 0.5f, random);
    const bool won = std::find(wins.begin(), wins.end(), search.chosen().code()) != wins.end();
    found += won || search.value() > 0.5f;
  }
  CHECK(there > 10 && found == there);
}

// The tree search with a net asks it once for each position it has not seen, and takes what it says.
void the_tree_asks_the_net() {
  std::atomic<int> asked = 0;
  const AskNet ask = [&](std::span<const float>, NetOutput& output) {
    ++asked;
    output.policy.assign(Planes<PetrifySmall>::kPolicy * 25, 0.0f);
    output.policy[12] = 3;  // The middle of a 5×5 board.
    output.win_chance = 0.6f;
    output.margin = 2;
  };
  PetrifySmall game = PetrifySmall::start(5);
  game.play(Move(0));
  game.play(Move(1));
  Settings settings = net_settings("petrify");
  Mcts<PetrifySmall, NetEvaluator<PetrifySmall>> search(game, settings, NetEvaluator<PetrifySmall>(ask, 5));
  CHECK(asked == 1);
  const std::atomic<bool> stop = false;
  search.run({std::nullopt, 200, std::nullopt}, stop);
  CHECK(asked > 150 && asked <= 201);
  CHECK(search.report().simulations == 200);
  CHECK(search.report().moves.size() == 23);
}

// A board of 81 points opens its moves in eights, so that one is left for the end: it is no better for that.
void the_last_of_many_moves_is_looked_at_no_more_than_the_others() {
  const AskNet ask = [](std::span<const float>, NetOutput& output) {
    output.policy.assign(Planes<PyloffMedium>::kPolicy * 81, 0.0f);
  };
  using Net = NetEvaluator<PyloffMedium>;
  Mcts<PyloffMedium, Net> search(PyloffMedium::start(9), net_settings("pyloff"), Net(ask, 9));
  const std::atomic<bool> stop = false;
  search.run({std::nullopt, 4'000, std::nullopt}, stop);
  const Report report = search.report();
  CHECK(report.moves.size() == 81);
  for (const MoveReport& move : report.moves) CHECK(move.visits > 25 && move.visits < 100);
}

// What a net had said when it failed is not believed, and not taken for what it said of another position.
void a_net_that_failed_is_asked_again() {
  int asked = 0;
  const AskNet ask = [&](std::span<const float>, NetOutput& output) {
    output.policy.assign(Planes<PetrifySmall>::kPolicy * 25, ++asked == 2 ? NAN : 0.0f);
    output.win_chance = 0.25f;
    if (asked == 2) throw std::runtime_error("no numbers");
  };
  NetEvaluator<PetrifySmall> net(ask, 5);
  Random random(1);
  Trace trace;
  PetrifySmall game = PetrifySmall::start(5), after = game;
  after.play(Move(0));
  (void)net.evaluate(game, random, trace);
  bool told = false;
  try {
    (void)net.evaluate(after, random, trace);
  } catch (const std::runtime_error&) {
    told = true;
  }
  CHECK(told);
  const Move moves[] = {Move(1), Move(2)};
  float priors[2];
  net.priors(game, moves, priors);
  CHECK(std::abs(priors[0] - 1 / 25.0f) < 1e-6f && priors[1] == priors[0]);
  CHECK(net.evaluate(after, random, trace).value == 0.75f);
  CHECK(asked == 3);
}

// After which there would be nothing for a net to play, and so no end of games.
void an_opening_that_is_a_whole_game_is_refused() {
  Random random(1);
  PetrifySmall game = PetrifySmall::start(3);
  std::vector<std::string> moves;
  auto list = std::make_unique<MoveList<PetrifySmall::kMostMoves>>();
  while (!game.is_over()) {
    game.legal_moves(*list);
    const int number = list->size() - list->contains(kSwap);
    const Move move = (*list)[static_cast<int>(random.below(static_cast<std::uint32_t>(number)))];
    moves.push_back(move_name(game, move));
    game.play(move);
  }
  SelfPlaySettings settings = small_settings(1);
  bool refused = false;
  settings.openings = {moves};
  try {
    SelfPlay<PetrifySmall> play(3, settings);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}

// Where an exact search gets to the end sooner than a net judges, the net is not asked.
void near_the_end_no_net_is_asked() {
  int asked = 0;
  const AskNet ask = [&](std::span<const float>, NetOutput& output) {
    ++asked;
    output.policy.assign(Planes<Pentwall>::kPolicy * 100, 0.0f);
    output.win_chance = 0.5f;
  };
  Random random(5);
  int positions = 0;
  for (int i = 0; i < 20; ++i) {
    Pentwall game = Pentwall::start(10);
    MoveList<Pentwall::kMostMoves> moves;
    while (!game.is_over() && game.unused() > 4) {
      game.legal_moves(moves);
      game.play(moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))]);
    }
    if (game.is_over()) continue;
    ++positions;
    Settings settings = net_settings("pentwall");
    settings.endgame = false;
    asked = 0;
    Mcts<Pentwall, NetEvaluator<Pentwall>> search(game, settings, NetEvaluator<Pentwall>(ask, 10));
    const std::atomic<bool> stop = false;
    search.run({std::nullopt, 2'000, std::nullopt}, stop);
    CHECK(asked <= 1);  // For the order of the root's moves.
    CHECK(search.report().proven != Proven::no);
  }
  CHECK(positions > 10);
}

// What a search of one simulation makes of the first colour's chance when its net says the opposite of what is so.
double first_chance(const PiloSmall& game, bool won, int playouts) {
  const bool first_begins = game.to_move() == game.first_colour();
  const auto outputs = static_cast<std::size_t>(Planes<PiloSmall>::kPolicy * game.size() * game.size());
  const AskNet ask = [=](std::span<const float>, NetOutput& output) {
    output.policy.assign(outputs, 0.0f);
    output.win_chance = first_begins == won ? 0.9f : 0.1f;  // For the side that does not begin: it is asked a turn later.
  };
  Settings settings = net_settings("pilo");
  settings.endgame = false;
  settings.leaf_nodes = 0;
  settings.leaf_playouts = playouts;
  Mcts<PiloSmall, NetEvaluator<PiloSmall>> search(game, settings, NetEvaluator<PiloSmall>(ask, game.size()));
  const std::atomic<bool> stop = false;
  search.run({std::nullopt, 1, std::nullopt}, stop);
  const double chance = search.report().win_chance;
  return first_begins ? chance : 1 - chance;
}

// In Pilo playouts have a say late in a game, and what they all agree on outweighs a net.
void late_in_pilo_playouts_count() {
  Random random(7);
  int turned = 0;
  for (int i = 0; i < 300; ++i) {
    PiloSmall game = PiloSmall::start(8);
    CHECK(playout_weight(game) == 0);
    MoveList<PiloSmall::kMostMoves> moves;
    while (!game.is_over() && game.empties() > 4) {
      game.legal_moves(moves);
      const Move move = moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))];
      if (move != kSwap) game.play(move);
    }
    if (game.is_over()) continue;
    const double weight = playout_weight(game);
    CHECK(weight > 0.8);
    int wins = 0;
    for (int j = 0; j < 500; ++j) {
      PiloSmall copy = game;
      copy.playout(random, [](Seat, Move) {});
      wins += first_colour_value(copy) > 0.5f;
    }
    if (wins > 0 && wins < 500) continue;  // Only where no playout disagrees.
    const bool won = wins == 500;
    CHECK((first_chance(game, won, 64) > 0.5) == won);
    CHECK((first_chance(game, won, 0) > 0.5) != won);
    const float chance = with_playouts(game, won ? 0.1f : 0.9f, 64, weight, random);
    CHECK((chance > 0.5f) == won);
    CHECK(with_playouts(game, 0.9f, 64, 0.0, random) > 0.899f);
    ++turned;
  }
  CHECK(turned > 3);
  CHECK(playout_weight(PetrifySmall::start(3)) == 0);
}

// Against an opponent both colours are played alike, and a strong one beats a net of no wisdom.
void opponents_play() {
  SelfPlaySettings settings = small_settings(2);
  settings.fewest_random = settings.most_random = 2;
  settings.full_share = 1;
  settings.opponent = full_settings("petrify");
  settings.opponent_simulations = 200;
  SelfPlay<PetrifySmall> play(4, settings);
  const auto slots = static_cast<std::size_t>(settings.slots);
  std::vector<float> policy(slots * static_cast<std::size_t>(play.outputs())), value(slots * 2, 0.5f);
  std::vector<std::uint8_t> planes(slots * static_cast<std::size_t>(play.inputs()));
  while (play.counts().games < 40) play.step(policy.data(), value.data(), planes.data());
  const SelfPlayCounts counts = play.counts();
  CHECK(counts.net_wins < counts.games / 2);
  CHECK(play.take().empty());
}

}  // namespace

void nets_tests() {
  games_are_sound<PetrifySmall>(4, 20);
  games_are_sound<PiloSmall>(5, 12);
  games_are_sound<PetrifyLarge>(9, 2);
  games_are_sound<Pentwall>(10, 6);
  games_are_sound<PyloffSmall>(4, 12);
  games_are_sound<PyloffMedium>(9, 1);
  damage_is_noticed();
  swaps_and_passes_are_no_rows();
  rows_tell_the_game<PetrifySmall>(5);
  rows_tell_the_game<PiloSmall>(4);
  rows_tell_the_game<Pentwall>(10);
  rows_tell_the_game<PyloffSmall>(4);
  a_policy_without_chances_is_none_to_learn();
  replay_forgets_the_oldest();
  replay_never_forgets_all();
  the_search_sees_the_end();
  the_tree_asks_the_net();
  the_last_of_many_moves_is_looked_at_no_more_than_the_others();
  a_net_that_failed_is_asked_again();
  an_opening_that_is_a_whole_game_is_refused();
  near_the_end_no_net_is_asked();
  late_in_pilo_playouts_count();
  opponents_play();
}

}  // namespace purlieu
