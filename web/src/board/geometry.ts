/** Where things lie in the drawing. A square is 100 units wide; the board may be turned by quarters. */

import { type Place } from './places';

export const CELL = 100;

/** The room beside the board for coordinates: the same share of boards of all sizes. */
export function marginOf(size: number): number {
  return 16 + 4.6 * size;
}

/** How far the board is turned, in quarters clockwise. */
export type Rotation = 0 | 1 | 2 | 3;

export interface Spot {
  x: number;
  y: number;
}

/** The middle of a square or point. Each level of a pyramid lies half a square further in. */
export function spot(place: Place, size: number, rotation: Rotation): Spot {
  const shift = (place.level - 1) / 2;
  const x = (place.column - 0.5 + shift) * CELL;
  const y = (size - place.row + 0.5 - shift) * CELL;
  return turned({ x, y }, size, rotation);
}

export function turned({ x, y }: Spot, size: number, rotation: Rotation): Spot {
  const side = size * CELL;
  switch (rotation) {
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

export function unturned(at: Spot, size: number, rotation: Rotation): Spot {
  return turned(at, size, ((4 - rotation) % 4) as Rotation);
}

/** The square under a spot, or null beside the board. */
export function squareAt(at: Spot, size: number, rotation: Rotation): Place | null {
  const { x, y } = unturned(at, size, rotation);
  const column = Math.floor(x / CELL) + 1;
  const row = size - Math.floor(y / CELL);
  return column >= 1 && column <= size && row >= 1 && row <= size ? { column, row, level: 1 } : null;
}

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

const STEPS: Record<Arrow, [number, number]> = {
  ArrowUp: [0, 1],
  ArrowRight: [1, 0],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
};

/** The direction on the board, as columns and rows, that an arrow key means on a turned board. */
export function heading(arrow: Arrow, rotation: Rotation): [number, number] {
  let [across, up] = STEPS[arrow];
  for (let quarter = 0; quarter < rotation; quarter++) [across, up] = [-up, across];
  return [across, up];
}

/** The cursor after an arrow key; it stops at the edge. */
export function stepSquare(from: Place, arrow: Arrow, size: number, rotation: Rotation): Place {
  const [across, up] = heading(arrow, rotation);
  const keep = (wish: number) => Math.min(Math.max(wish, 1), size);
  return { column: keep(from.column + across), row: keep(from.row + up), level: 1 };
}
