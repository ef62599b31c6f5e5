/** What games share whose pieces stand on squares. */

import type { At, View } from '../api/types';
import { squareAt, stepSquare } from '../board/geometry';
import type { Expected, Region } from '../board/overlay';
import { placeName, squaresOn } from '../board/places';
import type { Game } from './game';

export const squares = {
  placeAt: (spot, view, rotation) => squareAt(spot, view.size, rotation),
  step: stepSquare,
  namesAt: (place): At[] => [placeName(place)],
  places: (size) => squaresOn(size),
  settled: (view: View): Expected[] =>
    view.ledger.entries.flatMap(({ squares, owner }) =>
      owner ? squares.map((at) => ({ at, colour: owner, sure: 1 })) : [],
    ),
} satisfies Partial<Game>;

/** A region to point at. */
export function strong(at: At[], colour: Region['colour']): Region {
  return { at, colour, strong: true };
}
