// What search, perft, playouts and bindings ask of a game. Each game is a plain value: search copies it and never
// undoes a play. Four games, and for some a small and a large board, all answer exactly as purlieu.rules does.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/types.h"

namespace purlieu {

template <class G>
concept Game = std::copyable<G> && requires(G g, const G& c, Move move, Random& random, MoveList<G::kMostMoves>& list,
                                            std::string_view text) {
  { G::kName } -> std::convertible_to<std::string_view>;
  { G::kMostMoves } -> std::convertible_to<int>;  // No position has more legal moves.
  { G::kMoveCodes } -> std::convertible_to<int>;  // Codes of moves other than pass and swap are below this.
  { G::kAcyclic } -> std::convertible_to<bool>;   // No position returns, so key() may identify nodes of a graph.
  { G::supports(int{}) } -> std::same_as<bool>;   // Whether this class plays on a board of that side.
  { G::start(int{}) } -> std::same_as<G>;
  { c.size() } -> std::same_as<int>;
  { c.ply() } -> std::same_as<int>;
  { c.to_move() } -> std::same_as<Seat>;
  { c.first_colour() } -> std::same_as<Seat>;  // The seat that plays the colour that began.
  { c.is_over() } -> std::same_as<bool>;
  { c.legal_moves(list) } -> std::same_as<void>;  // In the order of purlieu.rules; empty when over. Clears the list.
  { c.is_legal(move) } -> std::same_as<bool>;     // For any 16-bit code.
  { g.play(move) } -> std::same_as<void>;         // Precondition: is_legal(move).
  { c.score() } -> std::same_as<Score>;
  { c.result() } -> std::same_as<Result>;  // Precondition: is_over().
  // A hash of all that decides the rest of the game: board, side to move, who has which colour, passes, last board
  // play, whether the swap is open. (Pyloff: not the earlier boards.)
  { c.key() } -> std::same_as<std::uint64_t>;
  // Plays uniformly random legal moves to the end, calling visit(Seat, Move) for each. Random in its legal list's
  // sense: every legal move is equally likely, swap included.
  { g.playout(random, [](Seat, Move) {}) } -> std::same_as<void>;
  { c.text() } -> std::same_as<std::string>;  // The very text of purlieu.rules.
  // Reads what text() writes (and what purlieu.rules writes); nullopt for anything else.
  { G::parse(text) } -> std::same_as<std::optional<G>>;
  { c.move_text(move) } -> std::same_as<std::string>;  // For a legal move.
  { c.read_move(text) } -> std::same_as<std::optional<Move>>;  // Canonical notation; legal or not, nullopt if no move.
  { c.check() } -> std::same_as<bool>;  // Incremental state agrees with what is rebuilt from the board. For tests.
};

// A legal move of any kind as purlieu.rules writes it.
template <Game G>
std::string move_name(const G& game, Move move) {
  return move == kPass ? "pass" : move == kSwap ? "swap" : game.move_text(move);
}

}  // namespace purlieu
