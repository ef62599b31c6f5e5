/** What Petrify and Pilo share: a click on an empty square places; a click on an own man picks it, the next one captures. */

import type { At, MoveText, Piece, View } from '../api/types';
import { parsePlace, placeName, type Place } from '../board/places';
import { type Answer, EMPTY_HAND, type Hand, inList, type Lights } from './hand';

export function pieceAt(view: View, at: At): Piece | undefined {
  return view.pieces.find((piece) => piece.at === at);
}

function isOwn(view: View, piece: Piece | undefined): boolean {
  return !!piece && 'colour' in piece && piece.colour === view.colour_to_move;
}

export function tap(view: View, hand: Hand, place: Place): Answer {
  const at = placeName(place);
  const piece = pieceAt(view, at);
  if (hand.from === at) return { kind: 'hand', hand: EMPTY_HAND };
  if (isOwn(view, piece)) return { kind: 'hand', hand: { ...EMPTY_HAND, from: at } };
  if (hand.from) {
    if (!piece) return { kind: 'hand', hand: EMPTY_HAND };
    return judged(view, `${hand.from}x${at}`);
  }
  return judged(view, at);
}

export function judged(view: View, move: MoveText): Answer {
  return inList(view, move) ? { kind: 'play', move } : { kind: 'ask', move };
}

export function moveAt(view: View, hand: Hand, place: Place): MoveText | null {
  const at = placeName(place);
  const move = hand.from ? `${hand.from}x${at}` : at;
  return inList(view, move) ? move : null;
}

/** Captures of the enemies that stand in a row, column or diagonal with the picked man, nearest first. */
export function hopes(view: View, { from }: Hand): MoveText[] {
  if (!from) return [];
  const here = parsePlace(from);
  return view.pieces
    .filter((piece) => 'colour' in piece && piece.colour !== view.colour_to_move)
    .map(({ at }) => {
      const { column, row } = parsePlace(at);
      const [across, up] = [Math.abs(column - here.column), Math.abs(row - here.row)];
      return { move: `${from}x${at}`, inLine: !across || !up || across === up, far: Math.max(across, up) };
    })
    .filter(({ inLine }) => inLine)
    .sort((one, other) => one.far - other.far)
    .map(({ move }) => move);
}

/** The captures of the picked man: the enemies it reaches, and the lines to them. */
export function lights(view: View, hand: Hand): Lights {
  const from = hand.from;
  if (!from) return { picked: null, targets: [], lines: [] };
  const targets = (view.legal ?? [])
    .filter((move) => move.startsWith(`${from}x`))
    .map((move) => move.slice(from.length + 1));
  return { picked: from, targets, lines: targets.map((target) => [from, target]) };
}
