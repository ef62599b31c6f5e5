// The games and the perft tables that another program found, played through every game's core.
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "games/all.h"
#include "search/perft.h"
#include "tests/check.h"

namespace purlieu {
namespace {

template <Game G>
bool play_text(G& game, const std::string& text) {
  const auto move = text == "pass" ? std::optional(kPass) : text == "swap" ? std::optional(kSwap) : game.read_move(text);
  if (!move || game.is_over() || !game.is_legal(*move)) return false;
  game.play(*move);
  return true;
}

template <Game G>
std::string summary(const G& game) {
  MoveList<G::kMostMoves> moves;
  game.legal_moves(moves);
  const Score score = game.score();
  return std::to_string(moves.size()) + ":" + std::to_string(score.first) + ":" + std::to_string(score.second);
}

void replay(AnyGame any, const std::string& line) {
  std::visit(
      [&]<class G>(G game) {
        const std::size_t bar = line.find('|'), last_bar = line.rfind('|');
        std::istringstream moves(line.substr(0, bar)), expected(line.substr(bar + 1, last_bar - bar - 1));
        std::string move, counts;
        CHECK((expected >> counts) && counts == summary(game));
        while (moves >> move) {
          CHECK(play_text(game, move));
          CHECK(game.check());
          CHECK((expected >> counts) && counts == summary(game));
          const auto fresh = G::parse(game.text());
          CHECK(fresh && fresh->text() == game.text() && fresh->key() == game.key());
        }
        CHECK(game.is_over());
        const char winner = line[last_bar + 2];
        const Result result = game.result();
        CHECK(winner == (result == Result::draw ? '0' : result == Result::first_wins ? '1' : '2'));
      },
      std::move(any));
}

void perft_line(const std::string& line, std::uint64_t most) {
  // "petrify 3, moves a1 b2: perft 4 1234"
  const std::size_t colon = line.find(':');
  std::istringstream head(line.substr(0, colon)), tail(line.substr(colon + 1));
  std::string name, size_text, word;
  head >> name >> size_text;
  auto any = start_game(name, std::stoi(size_text));
  CHECK(any.has_value());
  int depth = 0;
  std::uint64_t expected = 0;
  tail >> word >> depth >> expected;
  if (!any || expected > most) return;
  head >> word;  // "moves", or nothing
  std::visit(
      [&](auto game) {
        std::string move;
        while (head >> move) CHECK(play_text(game, move));
        const std::atomic<bool> stop = false;
        CHECK(perft(game, depth, stop) == expected);
      },
      *std::move(any));
}

}  // namespace

// `most`: perft lines above this count are left out, for slow builds.
void replay_tests(const std::string& data, std::uint64_t most) {
  int games = 0;
  for (const auto& file : std::filesystem::directory_iterator(data + "/second_opinion")) {
    const std::string stem = file.path().stem().string();
    const auto name_and_size = split(stem, '_');
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line); ++games) {
      const auto any = start_game(name_and_size[0], std::stoi(std::string(name_and_size[1])));
      CHECK(any.has_value());
      if (any) replay(*any, line);
    }
  }
  CHECK(games > 100);
  int counts = 0;
  for (const auto& file : std::filesystem::directory_iterator(data + "/perft")) {
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] == '#') continue;
      perft_line(line, most);
      ++counts;
    }
  }
  CHECK(counts > 100);
}

}  // namespace purlieu
