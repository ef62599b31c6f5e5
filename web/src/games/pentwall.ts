/** Pentwall: a pentomino from the tray, turned and flipped, laid where the pointer is. */

import type { MoveText, View } from '../api/types';
import { squaresOf, type Place } from '../board/places';
import { type Hand, type Logic, NO_LIGHTS } from './hand';
import { bitIsSet, type Sheet } from './sheet';

export function pentwall(sheet: Sheet): Logic {
  const isLegal = (view: View, move: MoveText) => bitIsSet(view.placements ?? '', sheet.indexOf(move));
  const held = (hand: Hand, at: Place) => (hand.letter ? sheet.laid(hand.letter, hand.shape, at) : null);
  return {
    tap: (view, hand, at) => {
      const move = held(hand, at);
      if (!move) return { kind: 'say', what: 'pick-first' };
      return isLegal(view, move) ? { kind: 'play', move } : { kind: 'ask', move };
    },
    moveAt: (_view, hand, at) => held(hand, at),
    lights: () => NO_LIGHTS,
    isLegal,
    ghost: (view, move) => ({
      kind: 'paint',
      at: squaresOf(move),
      letter: move[0]!,
      colour: view.colour_to_move,
      legal: isLegal(view, move),
    }),
  };
}
