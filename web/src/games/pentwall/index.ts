/** Pentwall: a pentomino from the tray, turned and flipped, laid where the pointer is. */

import type { Colour, Entry, View } from '../../api/types';
import { squaresOf, type Place } from '../../board/places';
import { T } from '../../language.svelte';
import { type CountStep, type Game, type Hand } from '../game';
import { squares, strong } from '../squares';
import { bitIsSet, flipped, loadPentominoes, taken, tray, turned } from './pentominoes.svelte';
import Pieces from './Pieces.svelte';
import sample from './sample.json';
import Tray from './Tray.svelte';

type Territory = Entry & { kind: 'territory' };

const isLegal = (view: View, move: string) =>
  !!tray.pentominoes && bitIsSet(view.placements ?? '', tray.pentominoes.indexOf(move));

const held = (hand: Hand, at: Place) =>
  hand.piece && tray.pentominoes ? tray.pentominoes.laid(hand.piece, hand.shape, at) : null;

export const pentwall: Game = {
  ...squares,
  name: 'pentwall',
  get title() {
    return T.titles.pentwall;
  },
  colours: ['solid', 'striped'],
  style: { ground: 'grid', pile: false, areas: true },
  sound: 'paint',
  firstSize: 10,
  sample,
  load: loadPentominoes,
  tap: (view, hand, at) => {
    if (!tray.pentominoes) return { kind: 'hand', hand };
    const move = held(hand, at);
    if (!move) return { kind: 'say', sentence: T.pick.pentomino };
    return { kind: isLegal(view, move) ? 'play' : 'ask', move };
  },
  moveAt: (_view, hand, at) => held(hand, at),
  isLegal,
  ghost: (view, move) => ({
    pieces: squaresOf(move).map((at) => ({ kind: 'painted', at, colour: view.colour_to_move, letter: move[0]! })),
    legal: isLegal(view, move),
  }),
  turned,
  handKey,
  ownsLetters: true,
  Pieces,
  Panel: Tray,
  panelBeside: true,
  pieceWords: (piece) => (piece.kind === 'painted' ? T.textBoard.painted(T.colours[piece.colour], piece.letter) : ''),
  shortName: (move) => move[0]!,
  blocks: ({ kind }) => kind === 'painted',
  entryWords: (entry, colours) => ({
    title: T.ledger.territory(entry.squares.length),
    sides: colours.map((colour) => ({ colour, sizes: [{ size: touchingOf(entry, colour).length, struck: false }] })),
    note: '',
  }),
  countSteps: (entry, colours) => countTerritory(entry as Territory, colours),
};

/** Space turns the pentomino in hand, x flips it, and a letter takes one; with Shift, X is taken. */
function handKey(event: KeyboardEvent, view: View, hand: Hand): Hand | null {
  if (event.key === ' ') return turned(hand, event.shiftKey);
  if (event.key === 'x' && hand.piece) return flipped(hand);
  const letter = event.key.toUpperCase();
  if (event.key.length !== 1 || !view.pool?.includes(letter) || (event.shiftKey && letter !== 'X')) return null;
  return taken(hand, letter);
}

const touchingOf = (entry: Entry, colour: Colour) => (entry as Territory).touching[colour] ?? [];

/** Whoever touches a territory with more squares owns it. */
function countTerritory(entry: Territory, [first, second]: readonly [Colour, Colour]): CountStep[] {
  const [a, b] = [touchingOf(entry, first), touchingOf(entry, second)];
  const touching = [strong(a, first), strong(b, second)].filter(({ at }) => at.length > 0);
  return [
    {
      text: T.count.territory(entry.squares.length, T.colours[first], a.length, T.colours[second], b.length),
      regions: [strong(entry.squares, null), ...touching],
      counted: false,
    },
    {
      text: entry.owner ? T.count.territoryOwner(T.colours[entry.owner], entry.points) : T.count.territoryNobody,
      regions: [strong(entry.squares, entry.owner)],
      counted: true,
    },
  ];
}
