/** What stands where, in words. */

import type { Effect, MoveText, Piece, Seat, View } from '../api/types';
import { placeName, type Place } from '../board/places';
import { gameOf } from '../games';
import { T } from '../language.svelte';
import { spoken } from '../phrases';

export function pieceWords(view: View, piece: Piece | undefined): string {
  return piece ? gameOf(view).pieceWords(piece) : T.textBoard.nothing;
}

/** A move with the side that made it, after it was made. A swap changes the colours, so its side is named by its seat. */
export function moveWords({ colours }: View, mover: Seat, move: MoveText): string {
  return T.moves.say(move === 'swap' ? T.seat[mover] : T.colours[colours[mover]], spoken(move));
}

/** The move that led to a view. */
export function lastWords(view: View): string {
  if (!view.last) return '';
  return moveWords(view, view.to_move === 'first' ? 'second' : 'first', view.last.move);
}

/** What a move would do, and the score after it. */
export function effectWords({ colours }: View, effect: Effect): string {
  const { captures, block, level, buries, cuts, score } = effect;
  const { first, second } = colours;
  const said: string[] = [];
  if (block) said.push(T.effect.takes(captures[0]!, block));
  if (level && level > 1) said.push(T.effect.stands(level));
  if (!block && captures.length > 0) said.push(T.effect.captures(captures.length));
  if (buries.length > 0) said.push(T.effect.buries(buries.join(', ')));
  if (cuts.length > 0) said.push(T.effect.cuts(cuts.length));
  said.push(T.effect.score(T.colours[first], score[first] ?? 0, T.colours[second], score[second] ?? 0));
  return said.join(' ');
}

/** What the cursor stands on; in a pile, the highest piece there. */
export function placeWords(view: View, at: Place): string {
  const names = gameOf(view).namesAt(at, view.size).reverse();
  const top = names.map((name) => view.pieces.find((piece) => piece.at === name)).find(Boolean);
  return `${top?.at ?? placeName(at)}: ${pieceWords(view, top)}`;
}
