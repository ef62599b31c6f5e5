/** Pyloff: a click from above names a vertical line, and a line has at most one playable point. */

import type { At, MoveText, View } from '../api/types';
import { parsePlace, placeName, type Place } from '../board/places';
import { inList, type Logic, NO_LIGHTS } from './hand';

/** The points of a vertical line, from the lowest up; two levels up lies one point further in. */
export function pointsOf(line: Place, size: number): At[] {
  const points: At[] = [];
  let { column, row, level } = line;
  while (column >= 1 && row >= 1 && column <= size - level + 1 && row <= size - level + 1) {
    points.push(placeName({ column, row, level }));
    [column, row, level] = [column - 1, row - 1, level + 2];
  }
  return points;
}

/**
 * The point that a click on the line means: the legal one; else the lowest that is empty, if anything could carry it;
 * else the marble that one sees there.
 */
export function meant(view: View, line: Place): MoveText | null {
  const points = pointsOf(line, view.size);
  const legal = points.find((point) => inList(view, point));
  if (legal) return legal;
  const held = new Set(view.pieces.map((piece) => piece.at));
  const empty = points.find((point) => !held.has(point));
  const seen = points.filter((point) => held.has(point)).at(-1);
  return empty && (!seen || below(empty).some((point) => held.has(point))) ? empty : (seen ?? null);
}

/** The four points that a point of a higher level rests on. */
function below(at: At): At[] {
  const { column, row, level } = parsePlace(at);
  return [0, 1].flatMap((across) =>
    [0, 1].map((up) => placeName({ column: column + across, row: row + up, level: level - 1 })),
  );
}

export const pyloff: Logic = {
  tap: (view, hand, line) => {
    const move = meant(view, line);
    if (!move) return { kind: 'hand', hand };
    return inList(view, move) ? { kind: 'play', move } : { kind: 'ask', move };
  },
  moveAt: (view, _hand, line) => {
    const move = meant(view, line);
    return move && inList(view, move) ? move : null;
  },
  lights: () => NO_LIGHTS,
  isLegal: inList,
  ghost: (view, move) =>
    move === 'pass' ? null : { kind: 'marble', at: [move], colour: view.colour_to_move, legal: inList(view, move) },
};
