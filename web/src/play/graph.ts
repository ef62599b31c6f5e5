/** The numbers of the graph under a game. */

import type { Analysis, Colour, Summary } from '../api/types';
import { colourToBe, finalChance } from './expected';

/** A position in the graph, which counts upwards for the colour that the game begins with. */
export interface Point {
  /** The count as it stands. */
  lead: number;
  /** The lead that the computer expects at the end, and the chance that the colour wins; null where it was not asked.
   * Once the game is over both are known. */
  expected: number | null;
  chance: number | null;
}

/** The colour that goes up, and the one that goes down. */
export function sidesOf({ totals }: Summary): [Colour, Colour] {
  const [up, down] = Object.keys(totals) as [Colour, Colour];
  return [up, down];
}

export function graphPoints(summaries: readonly Summary[], analyses: readonly (Analysis | undefined)[]): Point[] {
  if (!summaries[0]) return [];
  const [up, down] = sidesOf(summaries[0]);
  return summaries.map((summary, ply) => {
    const lead = (summary.totals[up] ?? 0) - (summary.totals[down] ?? 0);
    const found = analyses[ply];
    if (summary.over) return { lead, expected: lead, chance: finalChance(summary, up) };
    if (!found) return { lead, expected: null, chance: null };
    const own = colourToBe(summary, found) === up;
    return {
      lead,
      expected: own ? found.expected_score : -found.expected_score,
      chance: own ? found.win_chance : 1 - found.win_chance,
    };
  });
}

/** The least that a graph shows of a lead, so that a point does not look like a landslide. */
const LEAST = 5;

/**
 * The lead that reaches the edge of the graph: the greatest that was expected. The count as it stands swings wider, up to
 * the whole board, so it sets the scale only where it is all that is shown.
 */
export function scaleOf(points: readonly Point[], asked: boolean): number {
  const shown = points.map(({ lead, expected }) => Math.ceil(Math.abs(asked ? (expected ?? 0) : lead)));
  return Math.max(LEAST, ...shown);
}

/** Where a lead stands between the edges, 1 and -1; one that swings wider stands at the edge. */
export function shareOf(lead: number, scale: number): number {
  return Math.max(-1, Math.min(1, lead / scale));
}
