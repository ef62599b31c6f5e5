/** The count at the end, step by step, as one would do it aloud. Only what the ledger says is told. */

import type { At, View } from '../api/types';
import type { Region } from '../board/overlay';
import { gameOf, landOf } from '../games';
import { T } from '../language.svelte';

export interface Step {
  text: string;
  regions: Region[];
  struck: At[][];
  /** The score as far as it has been counted. */
  totals: Record<string, number>;
}

export function countSteps(view: View): Step[] {
  const { first, second } = view.colours;
  const entries = view.ledger.entries.filter((entry) => entry.squares.length > 0);
  const totals: Record<string, number> = { [first]: 0, [second]: 0 };
  const steps = entries.flatMap((entry, i) =>
    gameOf(view)
      .countSteps(entry, [first, second], i, entries.length)
      .map(({ text, regions, struck = [], counted }) => {
        if (counted && entry.owner) totals[entry.owner] = (totals[entry.owner] ?? 0) + entry.points;
        return { text, regions, struck, totals: { ...totals } };
      }),
  );
  const sums = view.ledger.totals;
  const text = T.count.total(T.colours[first], sums[first] ?? 0, T.colours[second], sums[second] ?? 0);
  return [...steps, { text, regions: landOf(view), struck: [], totals }];
}
