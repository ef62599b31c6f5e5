/** The vertical lines of a pile, which a click from above names: each by its lowest point, on level 1 or 2. */

import type { At } from '../../api/types';
import { type Arrow, CELL, heading, type Rotation, type Spot, squareAt, unturned } from '../../board/geometry';
import { placeName, squaresOn, type Place } from '../../board/places';

/** The points of a vertical, from the lowest up; two levels up lies one point further in. */
export function pointsOf(vertical: Place, size: number): At[] {
  const points: At[] = [];
  let { column, row, level } = vertical;
  while (column >= 1 && row >= 1 && column <= size - level + 1 && row <= size - level + 1) {
    points.push(placeName({ column, row, level }));
    [column, row, level] = [column - 1, row - 1, level + 2];
  }
  return points;
}

/** Every vertical of a pile by its lowest point. */
export function verticalsOf(size: number): Place[] {
  return [...squaresOn(size, 1), ...squaresOn(size - 1, 2)];
}

/** A click this near to the middle of a playable vertical, in squares, may mean it rather than a nearer one. */
const REACH = 0.5;

/**
 * The vertical that is meant by a spot, named by its lowest point: level 1, or level 2 between four squares. None has
 * two playable points, so a click from above is never ambiguous. The nearest one counts, unless only the other one can
 * be played and is near enough.
 */
export function verticalAt(
  at: Spot,
  size: number,
  rotation: Rotation,
  playable: (vertical: Place) => boolean = () => true,
): Place | null {
  const on = squareAt(at, size, rotation);
  if (!on) return null;
  const { x, y } = unturned(at, size, rotation);
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

/**
 * The cursor after an arrow key. The verticals lie in staggered rows of n and n-1: sideways it goes along a row, up and
 * down by half a square, so that every one of them can be reached.
 */
export function stepVertical(from: Place, arrow: Arrow, size: number, rotation: Rotation): Place {
  const [across, up] = heading(arrow, rotation);
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
