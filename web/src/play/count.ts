/** The count at the end, step by step, as one would do it aloud. Only what the ledger says is told. */

import type { At, Colour, Entry, View } from '../api/types';
import type { Region } from '../board/overlay';
import { COLOURS, T } from '../texts';

export interface Step {
  text: string;
  regions: Region[];
  struck: At[][];
  /** The score as far as it has been counted. */
  totals: Record<string, number>;
}

export function countSteps(view: View): Step[] {
  const steps: Step[] = [];
  const totals: Record<string, number> = { [view.colours.first]: 0, [view.colours.second]: 0 };
  const told = view.ledger.entries.filter((entry) => entry.squares.length > 0);
  const tell = (text: string, regions: Region[], struck: At[][] = []) =>
    steps.push({ text, regions, struck, totals: { ...totals } });
  told.forEach((entry, i) => {
    const gain = () => {
      if (entry.owner) totals[entry.owner] = (totals[entry.owner] ?? 0) + entry.points;
    };
    switch (entry.kind) {
      case 'patch':
        tellPatch(entry, i, told.length, tell, gain);
        break;
      case 'territory':
        tellTerritory(entry, view, tell, gain);
        break;
      case 'marbles':
        gain();
        tell(T.count.level(entry.level, COLOURS[entry.owner], entry.squares.length, entry.buried.length), [
          { at: entry.squares, colour: entry.owner, strong: true },
        ]);
    }
  });
  const [first, second] = [view.colours.first, view.colours.second];
  tell(
    T.count.total(COLOURS[first], view.ledger.totals[first] ?? 0, COLOURS[second], view.ledger.totals[second] ?? 0),
    told.flatMap((entry) =>
      entry.kind === 'marbles' ? [] : [{ at: entry.squares, colour: entry.owner, strong: false }],
    ),
  );
  return steps;
}

type Tell = (text: string, regions: Region[], struck?: At[][]) => void;

function tellPatch(
  entry: Extract<Entry, { kind: 'patch' }>,
  i: number,
  all: number,
  tell: Tell,
  gain: () => void,
): void {
  const land = (colour: Colour | null): Region[] => [{ at: entry.squares, colour, strong: true }];
  const head = T.count.patchOf(i + 1, all, entry.squares.length);
  const struck: At[][] = [];
  if (entry.struck_out.length > 0) tell(head, land(null));
  for (const [one, other] of entry.struck_out) {
    const pair = [entry.groups[one]!.squares, entry.groups[other]!.squares];
    struck.push(...pair);
    tell(T.count.strike(pair[0]!.length), land(null), [...struck]);
  }
  gain();
  const biggest = entry.left.length > 0 ? entry.groups[entry.left[0]!] : undefined;
  const verdict =
    entry.owner && biggest ? T.count.owns(COLOURS[entry.owner], biggest.squares.length, entry.points) : T.count.nobody;
  tell(entry.struck_out.length > 0 ? verdict : `${head} ${verdict}`, land(entry.owner), struck);
}

function tellTerritory(entry: Extract<Entry, { kind: 'territory' }>, view: View, tell: Tell, gain: () => void): void {
  const [first, second] = [view.colours.first, view.colours.second];
  const [a, b] = [entry.touching[first]?.length ?? 0, entry.touching[second]?.length ?? 0];
  const touching = [first, second]
    .map((colour) => ({ at: entry.touching[colour] ?? [], colour, strong: true }))
    .filter(({ at }) => at.length > 0);
  tell(T.count.territory(entry.squares.length, COLOURS[first], a, COLOURS[second], b), [
    { at: entry.squares, colour: null, strong: true },
    ...touching,
  ]);
  gain();
  tell(entry.owner ? T.count.territoryOwner(COLOURS[entry.owner], entry.points) : T.count.territoryNobody, [
    { at: entry.squares, colour: entry.owner, strong: true },
  ]);
}
