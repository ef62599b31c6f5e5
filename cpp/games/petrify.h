// Petrify: disks, captures along lines, and blocks that must not make a mound or a barricade.
#pragma once

#include "games/blocks.h"

namespace purlieu {

template <class Board>
class Petrify : public Blocks<Petrify<Board>, Board, 8> {
 public:
  using Base = Blocks<Petrify<Board>, Board, 8>;
  using typename Base::Bits;
  static constexpr std::string_view kName = "petrify";

  // The squares from which the side to move may capture, by direction.
  std::array<Bits, 8> captures() const;
  // The squares on which a block would complete a mound or a barricade.
  Bits forbidden() const { return forbidden_; }

  template <class Visit>
  void playout(Random& random, Visit&& visit);

  // Incremental state agrees with what is rebuilt from the board.
  bool check() const;

 private:
  friend Base;
  using Lines = purlieu::Lines<Board, 8>;
  using Set = typename Lines::Set;
  struct Run;

  // The squares that would complete a mound or a barricade with these blocks and the ring round a board of that side.
  static Bits forbidden_by(Bits blocks, int size);

  void begin() { forbidden_ = forbidden_by(0, this->size_); }
  void place(int square) { this->men_[this->turn_.colour_to_move()] |= bit<Bits>(square); }
  void capture(int start, int target);
  std::string token(int square) const;
  static std::size_t token_length(std::string_view rest) { return rest[0] == 'b' || rest[0] == 'o' || rest[0] == '#'; }
  void read_token(int square, std::string_view token);
  bool is_sound() const { return !(forbidden_ & this->blocks_); }
  std::uint64_t board_key() const;

  Bits forbidden_ = 0;  // Only grows, and only with a capture.
};

// Two diagonal steps may lead at most onto the ring, so the middle one of the three must be on the board: a shift
// that would look further is masked by the edges. The single steps need no mask, as there the ring stands.
template <class Board>
[[gnu::always_inline]] inline auto Petrify<Board>::forbidden_by(Bits blocks, int size) -> Bits {
  const Bits north_edge = Board::top_edge(size), east_edge = Board::right_edge(size);
  const Bits south_edge = Board::bottom_edge(size), west_edge = Board::left_edge(size);
  const auto behind = [&](int direction) { return Board::shift(blocks, (direction + 4) % 8); };
  // Squares with a block or the ring to their north, and so on.
  const Bits north = behind(kNorth) | north_edge, east = behind(kEast) | east_edge;
  const Bits south = behind(kSouth) | south_edge, west = behind(kWest) | west_edge;
  const Bits north_east = behind(kNorthEast) | north_edge | east_edge;
  const Bits south_east = behind(kSouthEast) | south_edge | east_edge;
  const Bits south_west = behind(kSouthWest) | south_edge | west_edge;
  const Bits north_west = behind(kNorthWest) | north_edge | west_edge;
  const Bits mounds = (north & ((north_east & east) | (north_west & west))) |  //
                      (south & ((south_east & east) | (south_west & west)));
  const Bits middles = (north_east & south_west) | (north_west & south_east);
  const Bits ends = (Board::shift(blocks & north_east, kSouthWest) & ~north_edge & ~east_edge) |
                    (Board::shift(blocks & south_east, kNorthWest) & ~south_edge & ~east_edge) |
                    (Board::shift(blocks & south_west, kNorthEast) & ~south_edge & ~west_edge) |
                    (Board::shift(blocks & north_west, kSouthEast) & ~north_edge & ~west_edge);
  return (mounds | middles | ends) & Board::board(size);
}

// The board during a random game.
template <class Board>
struct Petrify<Board>::Run {
  Set mine, theirs;
  Set open;     // The inner squares without a block.
  Set allowed;  // Squares that a block may stand on.
  Bits blocks, forbidden;
  int size;

  explicit Run(const Petrify& game)
      : mine(Lines::of(game.mine())),
        theirs(Lines::of(game.theirs())),
        open(Lines::inner(Lines::all(game.size_) & ~Lines::of(game.blocks_))),
        allowed(~Lines::of(game.forbidden_)),
        blocks(game.blocks_),
        forbidden(game.forbidden_),
        size(game.size_) {}

  [[gnu::always_inline]] Set captures() const { return Lines::meeting(mine & allowed, open, theirs); }
  void place(int square) { mine.add(square); }
  void exchange() { std::swap(mine, theirs); }
  [[gnu::always_inline]] typename Lines::Capture capture(const Set& captures, int n) {
    const auto made = Lines::nth(captures, theirs, n);
    mine.move(made.start, made.target);
    theirs.remove(made.target);
    open.remove(made.start);
    blocks |= bit<Bits>(made.start);
    const Bits now = forbidden_by(blocks, size);
    Bits more = now & ~forbidden & ~blocks;
    forbidden = now;
    // Seldom more than two; removing no square costs less than a wrong guess of how many there are.
    for (int i = 0; i < 2; ++i) {
      allowed.remove(more ? lowest(more) : Lines::kNoSquare);
      more &= more - 1;
    }
    while (more) allowed.remove(pop_lowest(more));
    return made;
  }
};

template <class Board>
template <class Visit>
void Petrify<Board>::playout(Random& random, Visit&& visit) {
  this->open_at_random(random, visit);
  Run run(*this);
  this->run_to_the_end(run, random, visit);
  const int colour = this->turn_.colour_to_move();
  this->men_[colour] = Lines::squares(run.mine);
  this->men_[1 - colour] = Lines::squares(run.theirs);
  this->blocks_ = run.blocks;
  forbidden_ = run.forbidden;
}

using PetrifySmall = Petrify<SmallBoard>;  // Sides 3 to 8.
using PetrifyLarge = Petrify<LargeBoard>;  // Sides 9 and 10.

extern template class Blocks<PetrifySmall, SmallBoard, 8>;
extern template class Blocks<PetrifyLarge, LargeBoard, 8>;
extern template class Petrify<SmallBoard>;
extern template class Petrify<LargeBoard>;

}  // namespace purlieu
