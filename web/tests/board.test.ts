import { describe, expect, test } from 'vitest';
import { heading, type Rotation, spot, squareAt, stepSquare } from '../src/board/geometry';
import { middleOf, outline } from '../src/board/outline';
import { parsePlace, placeName, squaresOf } from '../src/board/places';
import { stepVertical, verticalAt } from '../src/games/pyloff/verticals';

const ROTATIONS: Rotation[] = [0, 1, 2, 3];

describe('places', () => {
  test.each(['a1', 'c3', 's19', '2c3', '11b2'])('%s is read and written back', (name) => {
    expect(placeName(parsePlace(name))).toBe(name);
  });

  test('the ring round the board has names too', () => {
    expect(parsePlace('@4')).toEqual({ column: 0, row: 4, level: 1 });
    expect(parsePlace('c0')).toEqual({ column: 3, row: 0, level: 1 });
  });

  test.each([
    ['c3', ['c3']],
    ['c3xf6', ['c3', 'f6']],
    ['2c3', ['2c3']],
    ['Wc3d3d4e4e10', ['c3', 'd3', 'd4', 'e4', 'e10']],
    ['pass', []],
    ['swap', []],
  ])('%s names its squares', (move, squares) => {
    expect(squaresOf(move)).toEqual(squares);
  });
});

describe('pointing', () => {
  test.each(ROTATIONS)('a click in the middle of a square finds it, turned by %i quarters', (rotation) => {
    for (const name of ['a1', 'e1', 'c4', 'e5']) {
      expect(placeName(squareAt(spot(parsePlace(name), 5, rotation), 5, rotation)!)).toBe(name);
    }
  });

  test('a click beside the board finds nothing', () => {
    expect(squareAt({ x: -1, y: 50 }, 5, 0)).toBeNull();
    expect(verticalAt({ x: 250, y: 501 }, 5, 0)).toBeNull();
  });

  test.each(ROTATIONS)('every vertical of a pile is found by its own spot, turned by %i quarters', (rotation) => {
    for (const name of ['a1', 'd4', '2a1', '2c3', 'b3', '2b1']) {
      expect(placeName(verticalAt(spot(parsePlace(name), 4, rotation), 4, rotation)!)).toBe(name);
    }
  });

  test('between two verticals, the one that can be played is meant', () => {
    const between = { x: 100 * 1.74, y: 100 * (4 - 1.74) };
    expect(placeName(verticalAt(between, 4, 0)!)).toBe('b2');
    const nearer = { x: 100 * 1.8, y: 100 * (4 - 1.8) };
    expect(placeName(verticalAt(nearer, 4, 0)!)).toBe('2b2');
    expect(placeName(verticalAt(nearer, 4, 0, ({ level }) => level === 1)!)).toBe('b2');
    expect(placeName(verticalAt({ x: 200, y: 200 }, 4, 0, ({ level }) => level === 1)!)).toBe('2b2');
  });

  test('a marble on level 3 stands on the vertical of the one it buries', () => {
    expect(spot(parsePlace('3b2'), 5, 0)).toEqual(spot(parsePlace('c3'), 5, 0));
  });
});

describe('the cursor', () => {
  test('moves as seen on the screen, also on a turned board', () => {
    expect(heading('ArrowUp', 0)).toEqual([0, 1]);
    for (const rotation of ROTATIONS) {
      const from = parsePlace('c3');
      const before = spot(from, 5, rotation);
      const after = spot(stepSquare(from, 'ArrowRight', 5, rotation), 5, rotation);
      expect([after.x - before.x, after.y - before.y]).toEqual([100, 0]);
    }
  });

  test('stops at the edge', () => {
    expect(stepSquare(parsePlace('a1'), 'ArrowLeft', 5, 0)).toEqual(parsePlace('a1'));
  });

  test.each(ROTATIONS)('reaches every vertical of a pile, turned by %i quarters', (rotation) => {
    const seen = new Set(['b2']);
    const queue = [parsePlace('b2')];
    while (queue.length > 0) {
      const at = queue.pop()!;
      for (const arrow of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const) {
        const next = stepVertical(at, arrow, 4, rotation);
        if (!seen.has(placeName(next))) queue.push(next);
        seen.add(placeName(next));
      }
    }
    expect(seen.size).toBe(16 + 9);
  });
});

describe('outlines', () => {
  const square = (x: number, y: number) => ({ x: x * 100 + 50, y: y * 100 + 50 });

  test('one square has four corners, an L of three has six', () => {
    expect(outline([square(0, 0)], 100).match(/Q/g)).toHaveLength(4);
    expect(outline([square(0, 0), square(0, 1), square(1, 1)], 100).match(/Q/g)).toHaveLength(6);
  });

  test('a ring has an outer and an inner line', () => {
    const ring = [0, 1, 2]
      .flatMap((x) => [0, 1, 2].map((y) => square(x, y)))
      .filter(({ x, y }) => x !== 150 || y !== 150);
    expect(outline(ring, 100).match(/Z/g)).toHaveLength(2);
  });

  test('two squares that touch at a corner only are two lines', () => {
    expect(outline([square(0, 0), square(1, 1)], 100).match(/Z/g)).toHaveLength(2);
  });

  test('the middle of a cross is its middle square', () => {
    expect(middleOf([square(1, 0), square(0, 1), square(1, 1), square(2, 1), square(1, 2)])).toEqual(square(1, 1));
  });
});
