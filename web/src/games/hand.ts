/** What a player has half done, and what a click makes of it. Each game's file answers for its own pieces. */

import type { At, MoveText, View } from '../api/types';
import type { Ghost } from '../board/overlay';
import type { Place } from '../board/places';

export interface Hand {
  /** Petrify, Pilo: the disk or stack that was picked to capture with. */
  from: At | null;
  /** Pentwall: the pentomino in hand, which of its shapes it lies in, and where it was laid. */
  letter: string | null;
  shape: number;
  laid: Place | null;
}

export const EMPTY_HAND: Hand = { from: null, letter: null, shape: 0, laid: null };

export type Answer =
  | { kind: 'hand'; hand: Hand }
  | { kind: 'play'; move: MoveText }
  /** Not legal: the server is asked why, and its reason is drawn. */
  | { kind: 'ask'; move: MoveText }
  | { kind: 'say'; what: 'pick-first' };

export interface Lights {
  picked: At | null;
  targets: At[];
  lines: [At, At][];
}

export const NO_LIGHTS: Lights = { picked: null, targets: [], lines: [] };

export interface Logic {
  /** What a click or tap on a square or line means. */
  tap(view: View, hand: Hand, at: Place): Answer;
  /** The move that a click there would make, to look at before it is played; null if none comes to mind. */
  moveAt(view: View, hand: Hand, at: Place): MoveText | null;
  /** The piece to show for a move before it is played. */
  ghost(view: View, move: MoveText): Ghost | null;
  lights(view: View, hand: Hand): Lights;
  /** What one may have hoped to capture with the picked man, nearest first: to ask about when nothing lights up. */
  hopes?(view: View, hand: Hand): MoveText[];
  isLegal(view: View, move: MoveText): boolean;
}

export function inList(view: View, move: MoveText): boolean {
  return view.legal?.includes(move) ?? false;
}
