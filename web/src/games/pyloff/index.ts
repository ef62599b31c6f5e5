/** Pyloff: a click from above names a vertical line of the pile, and a line has at most one playable point. */

import type { At, Entry, MoveText, View } from '../../api/types';
import { parsePlace, placeName, type Place } from '../../board/places';
import { T } from '../../language.svelte';
import { type Game, inList } from '../game';
import { strong } from '../squares';
import Pieces from './Pieces.svelte';
import Pile from './Pile.svelte';
import sample from './sample.json';
import SideView from './SideView.svelte';
import { pointsOf, stepVertical, verticalAt, verticalsOf } from './verticals';

type Marbles = Entry & { kind: 'marbles' };

export const pyloff: Game = {
  name: 'pyloff',
  get title() {
    return T.titles.pyloff;
  },
  colours: ['black', 'white'],
  style: { ground: 'holes', pile: true, areas: false },
  sound: 'marble',
  firstSize: 5,
  offeredSizes: [3, 4, 5, 6, 7, 8, 9, 10, 13, 19],
  sample,
  tap: (view, hand, vertical) => {
    const move = meant(view, vertical);
    if (!move) return { kind: 'hand', hand };
    return { kind: inList(view, move) ? 'play' : 'ask', move };
  },
  moveAt: (view, _hand, vertical) => {
    const move = meant(view, vertical);
    return move && inList(view, move) ? move : null;
  },
  isLegal: inList,
  ghost: (view, move) =>
    move === 'pass'
      ? null
      : {
          pieces: [{ kind: 'marble', at: move, colour: view.colour_to_move, buried: false }],
          legal: inList(view, move),
        },
  placeAt: (spot, view, rotation) =>
    verticalAt(spot, view.size, rotation, (vertical) =>
      pointsOf(vertical, view.size).some((point) => inList(view, point)),
    ),
  step: stepVertical,
  namesAt: pointsOf,
  places: verticalsOf,
  displayKey: (event, display, size) => {
    if (/^\d$/.test(event.key)) display.setPeel(Number(event.key), size);
    else if (event.key.toLowerCase() === 'v') display.links = !display.links;
    else return false;
    return true;
  },
  Pieces,
  Panel: Pile,
  SideView,
  pieceWords: (piece) =>
    piece.kind === 'marble'
      ? (piece.buried ? T.textBoard.buried : T.textBoard.marble)(T.colours[piece.colour])
      : T.textBoard.nothing,
  blocks: () => false,
  entryWords: (entry) => {
    const { level, owner, buried } = entry as Marbles;
    const note = `${T.colours[owner]}${buried.length ? `, ${T.ledger.buried(buried.length)}` : ''}`;
    return { title: T.ledger.marbles(level), sides: [], note };
  },
  countSteps: (entry) => {
    const { level, owner, squares, buried } = entry as Marbles;
    const text = buried.length
      ? T.count.levelBuried(level, T.colours[owner], squares.length, buried.length)
      : T.count.level(level, T.colours[owner], squares.length);
    return [{ text, regions: [strong(squares, owner)], counted: true }];
  },
  settled: (view) => {
    const held = new Map(view.pieces.map((piece) => [piece.at, 'colour' in piece ? piece.colour : null]));
    return verticalsOf(view.size).flatMap((at) => {
      const top = pointsOf(at, view.size).findLast((point) => held.has(point));
      const colour = top && held.get(top);
      return colour ? [{ at: placeName(at), colour, sure: 1 }] : [];
    });
  },
};

/**
 * The point that a click on a vertical means: the legal one; else the lowest that is empty, if anything could carry it;
 * else the marble that one sees there.
 */
export function meant(view: View, vertical: Place): MoveText | null {
  const points = pointsOf(vertical, view.size);
  const legal = points.find((point) => inList(view, point));
  if (legal) return legal;
  const held = new Set(view.pieces.map((piece) => piece.at));
  const empty = points.find((point) => !held.has(point));
  const seen = points.filter((point) => held.has(point)).at(-1);
  return empty && (!seen || below(empty).some((point) => held.has(point))) ? empty : (seen ?? null);
}

/** The four points that a point of a higher level rests on. */
function below(at: At): At[] {
  const { column, row, level } = parsePlace(at);
  return [0, 1].flatMap((across) =>
    [0, 1].map((up) => placeName({ column: column + across, row: row + up, level: level - 1 })),
  );
}
