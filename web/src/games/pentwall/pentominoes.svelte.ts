/** The pentominoes, learnt from the server's list of placements: their shapes, and which placement lies where. */

import { get } from '../../api/http';
import { parsePlace, placeName, squaresOf, type Place } from '../../board/places';
import type { MoveText } from '../../api/types';
import { EMPTY_HAND, type Hand } from '../game';

export interface Offset {
  readonly across: number;
  readonly up: number;
}

export type Shape = readonly Offset[];

export class Pentominoes {
  readonly size: number;
  private readonly index = new Map<MoveText, number>();
  private readonly shapes = new Map<string, Shape[]>();

  constructor(placements: readonly MoveText[], size = 10) {
    this.size = size;
    placements.forEach((move, i) => {
      this.index.set(move, i);
      const letter = move[0]!;
      const shape = normal(squaresOf(move).map((at) => toOffset(parsePlace(at))));
      const known = this.shapes.get(letter) ?? [];
      if (!known.some((other) => key(other) === key(shape))) this.shapes.set(letter, [...known, shape]);
    });
  }

  get letters(): string[] {
    return [...this.shapes.keys()].sort();
  }

  shape(letter: string, which: number): Shape {
    const known = this.shapes.get(letter) ?? [];
    return known[which % Math.max(known.length, 1)] ?? [];
  }

  /** The same pentomino a quarter turn clockwise, or counter-clockwise. */
  turned(letter: string, which: number, back = false): number {
    return this.find(
      letter,
      this.shape(letter, which).map(({ across, up }) =>
        back ? { across: -up, up: across } : { across: up, up: -across },
      ),
    );
  }

  flipped(letter: string, which: number): number {
    return this.find(
      letter,
      this.shape(letter, which).map(({ across, up }) => ({ across: -across, up })),
    );
  }

  private find(letter: string, offsets: Offset[]): number {
    const wanted = key(normal(offsets));
    return (this.shapes.get(letter) ?? []).findIndex((shape) => key(shape) === wanted);
  }

  /** The move that lays the shape with its grip on a square, pushed inside the board where it would stick out. */
  laid(letter: string, which: number, at: Place): MoveText {
    const shape = this.shape(letter, which);
    const grip = gripOf(shape);
    const wide = Math.max(...shape.map(({ across }) => across));
    const high = Math.max(...shape.map(({ up }) => up));
    const column = Math.min(Math.max(at.column - grip.across, 1), this.size - wide);
    const row = Math.min(Math.max(at.row - grip.up, 1), this.size - high);
    const squares = shape.map(({ across, up }) => placeName({ column: column + across, row: row + up, level: 1 }));
    return letter + squares.join('');
  }

  /** Where in the list a placement stands, which is its bit in a view's bitset. */
  indexOf(move: MoveText): number {
    return this.index.get(move) ?? -1;
  }
}

export function bitIsSet(bits: string, i: number): boolean {
  if (i < 0) return false;
  return (bytesOf(bits)[i >> 3]! & (1 << (i & 7))) !== 0;
}

let lastBits = '';
let lastBytes: Uint8Array = new Uint8Array();

function bytesOf(bits: string): Uint8Array {
  if (bits !== lastBits) {
    lastBits = bits;
    lastBytes = Uint8Array.from(atob(bits), (letter) => letter.charCodeAt(0));
  }
  return lastBytes;
}

function toOffset({ column, row }: Place): Offset {
  return { across: column, up: row };
}

/** Moved to the corner and sorted as the notation sorts: by row from the bottom, then by column. */
function normal(offsets: readonly Offset[]): Shape {
  const left = Math.min(...offsets.map(({ across }) => across));
  const low = Math.min(...offsets.map(({ up }) => up));
  return offsets
    .map(({ across, up }) => ({ across: across - left, up: up - low }))
    .sort((one, other) => one.up - other.up || one.across - other.across);
}

function key(shape: Shape): string {
  return shape.map(({ across, up }) => `${across},${up}`).join(' ');
}

/** The square of the shape nearest to its middle: the pointer holds it there. */
function gripOf(shape: Shape): Offset {
  const middle = shape.reduce((sum, { across, up }) => ({ across: sum.across + across / 5, up: sum.up + up / 5 }), {
    across: 0,
    up: 0,
  });
  const far = (one: Offset) => (one.across - middle.across) ** 2 + (one.up - middle.up) ** 2;
  return shape.reduce((best, one) => (far(one) < far(best) ? one : best), shape[0]!);
}

// -- those of the tray ------------------------------------------------------------------------------

/** The pentominoes that are played with, once the server has listed them. */
class TrayContent {
  pentominoes = $state.raw<Pentominoes | null>(null);
}
export const tray = new TrayContent();

let loading: Promise<void> | null = null;

/** Asks for the list, once. */
export function loadPentominoes(): Promise<void> {
  loading ??= get<MoveText[]>('/api/pentwall/placements').then(
    (list) => void (tray.pentominoes = new Pentominoes(list)),
    () => void (loading = null), // without them no move can be made; the next position asks again
  );
  return loading;
}

/** The pentomino in hand a quarter turn further. */
export function turned(hand: Hand, back = false): Hand {
  if (!hand.piece || !tray.pentominoes) return hand;
  return { ...hand, shape: tray.pentominoes.turned(hand.piece, hand.shape, back) };
}

/** The pentomino in hand turned over. */
export function flipped(hand: Hand): Hand {
  if (!hand.piece || !tray.pentominoes) return hand;
  return { ...hand, shape: tray.pentominoes.flipped(hand.piece, hand.shape) };
}

/** The pentomino is taken; the one in hand already is put back. */
export function taken(hand: Hand, letter: string): Hand {
  return hand.piece === letter ? EMPTY_HAND : { ...EMPTY_HAND, piece: letter };
}
