/** Squares and points as numbers: "c3" is column 3, row 3, level 1. Columns and rows may be 0 or n+1: the ring. */

import type { At } from '../api/types';

export interface Place {
  readonly column: number;
  readonly row: number;
  readonly level: number;
}

const NAME = /^(\d*)([a-z@])(\d+)$/;

export function parsePlace(name: At): Place {
  const found = NAME.exec(name);
  if (!found) throw new Error(`${name} names no square`);
  const [, level = '', letter = 'a', row = '1'] = found;
  const column = letter === '@' ? 0 : letter.charCodeAt(0) - 96;
  return { column, row: Number(row), level: level === '' ? 1 : Number(level) };
}

export function placeName({ column, row, level }: Place): At {
  return `${level === 1 ? '' : level}${String.fromCharCode(96 + column)}${row}`;
}

/** Every square of a board, or every point of a level with that side. */
export function squaresOn(side: number, level = 1): Place[] {
  return Array.from({ length: side * side }, (_, i) => ({
    column: (i % side) + 1,
    row: Math.floor(i / side) + 1,
    level,
  }));
}

export function samePlace(one: Place | null, other: Place | null): boolean {
  return !!one && !!other && one.column === other.column && one.row === other.row && one.level === other.level;
}

/** Whether a move's text is a capture along a line: "c3xf6". A pentomino's X is a capital. */
export function isCapture(move: string): boolean {
  return move.includes('x');
}

/** The squares that a move's text names, in its order: "c3xf6" has two, "Wc3d3d4e4e5" five, "pass" none. */
export function squaresOf(move: string): At[] {
  return move === 'pass' || move === 'swap' ? [] : [...move.matchAll(/\d*[a-z]\d+/g)].map(([name]) => name);
}
