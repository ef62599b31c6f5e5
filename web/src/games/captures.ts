/**
 * What Petrify and Pilo share: a click on an empty square places; a click on an own piece picks it, the next one
 * captures; and patches are counted.
 */

import type { Colour, Entry, MoveText, Piece, View } from '../api/types';
import { parsePlace, placeName, squaresOf, type Place } from '../board/places';
import { T } from '../language.svelte';
import {
  type Answer,
  type CountStep,
  EMPTY_HAND,
  type EntryWords,
  type Game,
  type Hand,
  inList,
  type Lights,
  NO_LIGHTS,
} from './game';
import Disks from './Disks.svelte';
import { squares, strong } from './squares';

type Patch = Entry & { kind: 'patch' };

/** A game of captures along lines, in which the given piece is placed. */
export function captures(placed: (at: string, colour: Colour) => Piece) {
  return {
    ...squares,
    colours: ['blue', 'orange'],
    style: { ground: 'tiles', pile: false, areas: false },
    sound: 'place',
    firstSize: 6,
    tap,
    moveAt,
    lights,
    hopes,
    // that an enemy is not in line one sees
    telling: ['mound', 'barricade', 'unequal heights', 'path blocked'],
    isLegal: inList,
    ghost: (view, move) => {
      const [at, captured] = squaresOf(move);
      if (!at || captured) return null;
      return { pieces: [placed(at, view.colour_to_move)], legal: inList(view, move) };
    },
    Pieces: Disks,
    blocks: ({ kind }) => kind === 'block',
    entryWords: (entry, colours) => patchWords(entry as Patch, colours),
    countSteps: (entry, _colours, at, all) => countPatch(entry as Patch, at, all),
  } satisfies Partial<Game>;
}

function isOwn(view: View, piece: Piece | undefined): boolean {
  return !!piece && 'colour' in piece && piece.colour === view.colour_to_move;
}

function tap(view: View, hand: Hand, place: Place): Answer {
  const at = placeName(place);
  const piece = view.pieces.find((one) => one.at === at);
  if (hand.from === at) return { kind: 'hand', hand: EMPTY_HAND };
  if (isOwn(view, piece)) return { kind: 'hand', hand: { ...EMPTY_HAND, from: at } };
  if (hand.from && !piece) return { kind: 'hand', hand: EMPTY_HAND };
  const move = hand.from ? `${hand.from}x${at}` : at;
  return { kind: inList(view, move) ? 'play' : 'ask', move };
}

function moveAt(view: View, hand: Hand, place: Place): MoveText | null {
  const at = placeName(place);
  const move = hand.from ? `${hand.from}x${at}` : at;
  return inList(view, move) ? move : null;
}

/** Captures of the enemies that stand in a row, column or diagonal with the picked piece, nearest first. */
function hopes(view: View, { from }: Hand): MoveText[] {
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

/** The captures of the picked piece: the enemies it reaches, and the way to them. */
function lights(view: View, hand: Hand): Lights {
  const from = hand.from;
  if (!from) return NO_LIGHTS;
  const targets = (view.legal ?? [])
    .filter((move) => move.startsWith(`${from}x`))
    .map((move) => move.slice(from.length + 1));
  return { picked: from, targets, rays: targets.map((target) => [from, target]) };
}

// -- the count ------------------------------------------------------------------------------------

function patchWords(entry: Patch, colours: readonly Colour[]): EntryWords {
  const struck = new Set(entry.struck_out.flat());
  const sizes = (colour: Colour) =>
    entry.groups.flatMap((group, i) =>
      group.colour === colour ? [{ size: group.squares.length, struck: struck.has(i) }] : [],
    );
  const sides = colours.map((colour) => ({ colour, sizes: sizes(colour) })).filter((side) => side.sizes.length > 0);
  return { title: T.ledger.patch(entry.squares.length), sides, note: '' };
}

/** Equal groups are struck out pair by pair; whoever has the biggest group left owns the patch. */
function countPatch(entry: Patch, at: number, all: number): CountStep[] {
  const land = (colour: Colour | null) => [strong(entry.squares, colour)];
  const head = T.count.patchOf(at + 1, all, entry.squares.length);
  const strikes = entry.struck_out.map((pair) => pair.map((group) => entry.groups[group]!.squares));
  const biggest = entry.left.length > 0 ? entry.groups[entry.left[0]!] : undefined;
  const verdict =
    entry.owner && biggest
      ? T.count.owns(T.colours[entry.owner], biggest.squares.length, entry.points)
      : T.count.nobody;
  const last = { regions: land(entry.owner), struck: strikes.flat(), counted: true };
  if (strikes.length === 0) return [{ text: `${head} ${verdict}`, ...last }];
  return [
    { text: head, regions: land(null), counted: false },
    ...strikes.map((pair, i) => ({
      text: T.count.strike(pair[0]!.length),
      regions: land(null),
      struck: strikes.slice(0, i + 1).flat(),
      counted: false,
    })),
    { text: verdict, ...last },
  ];
}
