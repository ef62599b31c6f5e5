/** Where things lie in the drawing. A square is 100 units wide; the board may be turned by quarters. */

import { type Place } from './places';

export const CELL = 100;

/** The room beside the board for coordinates: the same share of boards of all sizes. */
export function marginOf(size: number): number {
  return 16 + 4.6 * size;
}

/** Quarter turns clockwise. */
export type Turn = 0 | 1 | 2 | 3;

export interface Spot {
  x: number;
  y: number;
}

/** The middle of a square or point. Each level of a pyramid lies half a square further in. */
export function spot(place: Place, size: number, turn: Turn): Spot {
  const shift = (place.level - 1) / 2;
  const x = (place.column - 0.5 + shift) * CELL;
  const y = (size - place.row + 0.5 - shift) * CELL;
  return turned({ x, y }, size, turn);
}

export function turned({ x, y }: Spot, size: number, turn: Turn): Spot {
  const side = size * CELL;
  switch (turn) {
    case 0:
      return { x, y };
    case 1:
      return { x: side - y, y: x };
    case 2:
      return { x: side - x, y: side - y };
    case 3:
      return { x: y, y: side - x };
  }
}

function unturned(at: Spot, size: number, turn: Turn): Spot {
  return turned(at, size, ((4 - turn) % 4) as Turn);
}

/** The square under a spot, or null beside the board. */
export function squareAt(at: Spot, size: number, turn: Turn): Place | null {
  const { x, y } = unturned(at, size, turn);
  const column = Math.floor(x / CELL) + 1;
  const row = size - Math.floor(y / CELL);
  return column >= 1 && column <= size && row >= 1 && row <= size ? { column, row, level: 1 } : null;
}

/** A click this near to the middle of a playable line, in squares, may mean it rather than a nearer one. */
const REACH = 0.5;

/**
 * The vertical line of a pyramid that is meant by a spot, named by its lowest point: level 1, or level 2 between
 * four squares. A line never has two playable points, so a click from above is never ambiguous. The nearest line
 * counts, unless only the other one can be played and is near enough.
 */
export function lineAt(
  at: Spot,
  size: number,
  turn: Turn,
  playable: (line: Place) => boolean = () => true,
): Place | null {
  const on = squareAt(at, size, turn);
  if (!on) return null;
  const { x, y } = unturned(at, size, turn);
  const across = x / CELL;
  const up = size - y / CELL;
  const low = { ...on };
  const high: Place = {
    column: Math.min(Math.max(Math.round(across), 1), size - 1),
    row: Math.min(Math.max(Math.round(up), 1), size - 1),
    level: 2,
  };
  if (size < 2) return low;
  const far = ({ column, row, level }: Place) =>
    Math.hypot(across - (column - 1 + level / 2), up - (row - 1 + level / 2));
  const [near, other] = far(low) <= far(high) ? [low, high] : [high, low];
  return !playable(near) && playable(other) && far(other) < REACH ? other : near;
}

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

const STEPS: Record<Arrow, [number, number]> = {
  ArrowUp: [0, 1],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
};

/** The direction on the board, as columns and rows, that an arrow key means on a turned board. */
export function heading(arrow: Arrow, turn: Turn): [number, number] {
  let [across, up] = STEPS[arrow];
  for (let quarter = 0; quarter < turn; quarter++) [across, up] = [-up, across];
  return [across, up];
}

/** The cursor after an arrow key; it stops at the edge. */
export function stepSquare(from: Place, arrow: Arrow, size: number, turn: Turn): Place {
  const [across, up] = heading(arrow, turn);
  const keep = (wish: number) => Math.min(Math.max(wish, 1), size);
  return { column: keep(from.column + across), row: keep(from.row + up), level: 1 };
}

/**
 * The same over a pyramid's lines, which lie in staggered rows of n and n-1: sideways along a row, up and down by
 * half a square, so that every line can be reached.
 */
export function stepLine(from: Place, arrow: Arrow, size: number, turn: Turn): Place {
  const [across, up] = heading(arrow, turn);
  const sideways = arrow === 'ArrowLeft' || arrow === 'ArrowRight';
  const reach = size - (from.level - 1);
  const inside = (place: Place) => {
    const most = size - (place.level - 1);
    return place.column >= 1 && place.column <= most && place.row >= 1 && place.row <= most;
  };
  if (sideways) {
    const next = { ...from, column: from.column + across, row: from.row + up };
    return inside(next) ? next : from;
  }
  // from level 1 to the level-2 line beside it, and back
  const level = from.level === 1 ? 2 : 1;
  const half = level === 2 ? 0 : 1;
  const moved =
    up !== 0
      ? { column: from.column, row: from.row + (up > 0 ? half : half - 1) }
      : { column: from.column + (across > 0 ? half : half - 1), row: from.row };
  const next = { ...moved, level };
  const most = size - (level - 1);
  const kept = up !== 0 ? { ...next, column: Math.min(next.column, most) } : { ...next, row: Math.min(next.row, most) };
  return inside(kept) && reach > 0 ? kept : from;
}
