import type { GameName } from '../api/types';
import type { Logic } from './hand';
import { pentwall } from './pentwall';
import { petrify } from './petrify';
import { pilo } from './pilo';
import { pyloff } from './pyloff';
import type { Sheet } from './sheet';

/** How clicks become moves in that game. Pentwall needs the list of placements first. */
export function logicOf(game: GameName, sheet: Sheet | null): Logic | null {
  switch (game) {
    case 'petrify':
      return petrify;
    case 'pilo':
      return pilo;
    case 'pyloff':
      return pyloff;
    case 'pentwall':
      return sheet && pentwall(sheet);
  }
}
