/** How a game's board, and the marks on it, are drawn. */
export interface BoardStyle {
  /** What the empty board is made of. */
  readonly ground: 'tiles' | 'grid' | 'holes';
  /** Pieces stand on each other's shoulders: marks are rings round them, and no region of the board is anybody's. */
  readonly pile: boolean;
  /** A move covers an area of squares, which is marked by its outline. */
  readonly areas: boolean;
}
