/** The numbers of the graph under a game. */

import type { Analysis, Colour, View } from '../api/types';
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
export function sidesOf(view: View): [Colour, Colour] {
  const [up, down] = Object.keys(view.ledger.totals) as [Colour, Colour];
  return [up, down];
}

export function graphPoints(views: readonly View[], seen: readonly (Analysis | undefined)[]): Point[] {
  if (!views[0]) return [];
  const [up, down] = sidesOf(views[0]);
  return views.map((view, ply) => {
    const totals = view.ledger.totals;
    const lead = (totals[up] ?? 0) - (totals[down] ?? 0);
    const found = seen[ply];
    if (view.over) return { lead, expected: lead, chance: finalChance(view, up) };
    if (!found) return { lead, expected: null, chance: null };
    const own = colourToBe(view, found) === up;
    return {
      lead,
      expected: own ? found.expected_score : -found.expected_score,
      chance: own ? found.win_chance : 1 - found.win_chance,
    };
  });
}
