import { describe, expect, test } from 'vitest';
import { parsePlace } from '../src/board/places';
import { EMPTY_HAND } from '../src/games/hand';
import { hopes } from '../src/games/lines';
import { pentwall } from '../src/games/pentwall';
import { petrify } from '../src/games/petrify';
import { pilo } from '../src/games/pilo';
import { meant, pointsOf, pyloff } from '../src/games/pyloff';
import { bitIsSet, Sheet } from '../src/games/sheet';
import { emptyView } from '../src/play/empty';
import { bits, disk, marble, petrifyView, pyloffView } from './fixtures';

describe('Petrify', () => {
  const view = petrifyView({
    pieces: [disk('c3', 'blue'), disk('e3', 'orange'), disk('a1', 'orange')],
    legal: ['a2', 'c3xe3'],
  });

  test('a click on an empty square places, if the list says so', () => {
    expect(petrify.tap(view, EMPTY_HAND, parsePlace('a2'))).toEqual({ kind: 'play', move: 'a2' });
    expect(petrify.tap(view, EMPTY_HAND, parsePlace('b2'))).toEqual({ kind: 'ask', move: 'b2' });
  });

  test('an own disk is picked, its targets light up, and the next click captures', () => {
    const picked = petrify.tap(view, EMPTY_HAND, parsePlace('c3'));
    expect(picked).toEqual({ kind: 'hand', hand: { ...EMPTY_HAND, from: 'c3' } });
    const hand = { ...EMPTY_HAND, from: 'c3' };
    expect(petrify.lights(view, hand)).toEqual({ picked: 'c3', targets: ['e3'], lines: [['c3', 'e3']] });
    expect(petrify.tap(view, hand, parsePlace('e3'))).toEqual({ kind: 'play', move: 'c3xe3' });
  });

  test('an enemy out of reach is asked about, an empty square puts the disk back', () => {
    const hand = { ...EMPTY_HAND, from: 'c3' };
    expect(petrify.tap(view, hand, parsePlace('a1'))).toEqual({ kind: 'ask', move: 'c3xa1' });
    expect(petrify.tap(view, hand, parsePlace('a2'))).toEqual({ kind: 'hand', hand: EMPTY_HAND });
    expect(petrify.tap(view, hand, parsePlace('c3'))).toEqual({ kind: 'hand', hand: EMPTY_HAND });
  });

  test('targets are not mixed up with those of a square whose name begins alike', () => {
    const wide = petrifyView({ legal: ['a1xa3', 'a10xb10'] });
    expect(petrify.lights(wide, { ...EMPTY_HAND, from: 'a1' }).targets).toEqual(['a3']);
  });
});

test('Pilo shows the moving stack with its own height', () => {
  const view = {
    ...emptyView('pilo', 5),
    pieces: [{ kind: 'stack' as const, at: 'b3', colour: 'blue' as const, height: 2 }],
    legal: ['b3xd3'],
  };
  expect(pilo.ghost(view, 'b3xd3')).toMatchObject({ at: ['d3'], height: 2, legal: true });
});

describe('Pyloff', () => {
  test('a line holds every second level, each one point further in', () => {
    expect(pointsOf(parsePlace('c3'), 6)).toEqual(['c3', '3b2', '5a1']);
    expect(pointsOf(parsePlace('2c3'), 6)).toEqual(['2c3', '4b2', '6a1']);
  });

  test('a click means the one legal point of its line', () => {
    const view = pyloffView({ pieces: [marble('b2', 'black')], legal: ['2b2', 'a1'] });
    expect(pyloff.tap(view, EMPTY_HAND, parsePlace('2b2'))).toEqual({ kind: 'play', move: '2b2' });
  });

  test('where nothing is legal, the marble one sees is asked about, or the point above it that something carries', () => {
    const view = pyloffView({ pieces: [marble('c3', 'black')], legal: [] });
    expect(meant(view, parsePlace('c3'))).toBe('c3');
    const carried = pyloffView({ pieces: [marble('c3', 'black'), marble('2b2', 'white')], legal: [] });
    expect(meant(carried, parsePlace('c3'))).toBe('3b2');
    expect(pyloff.tap(view, EMPTY_HAND, parsePlace('a1'))).toEqual({ kind: 'ask', move: 'a1' });
  });
});

describe('Pentwall', () => {
  // two shapes of the I and four of the V are enough to turn and flip
  const placements = [
    'Ia1b1c1d1e1',
    'Ia1a2a3a4a5',
    'Va1b1c1a2a3',
    'Va1b1c1c2c3',
    'Va1a2a3b3c3',
    'Vc1c2a3b3c3',
    'Vd1d2b3c3d3',
  ];
  const sheet = new Sheet(placements);
  const logic = pentwall(sheet);

  test('the shapes are learnt from the list', () => {
    expect(sheet.letters).toEqual(['I', 'V']);
    expect(sheet.shape('I', 0)).toHaveLength(5);
  });

  test('four turns, and two flips, lead back', () => {
    let shape = 0;
    const seen = new Set<number>();
    for (let i = 0; i < 4; i++) {
      seen.add(shape);
      shape = sheet.turned('V', shape);
    }
    expect(shape).toBe(0);
    expect(seen.size).toBe(4);
    expect(sheet.flipped('V', sheet.flipped('V', 1))).toBe(1);
    expect(sheet.turned('V', sheet.turned('V', 2), true)).toBe(2);
  });

  test('what sticks out is pushed inside, and the squares are sorted as the notation sorts them', () => {
    expect(sheet.laid('I', 0, parsePlace('a1'))).toBe('Ia1b1c1d1e1');
    expect(sheet.laid('I', 0, parsePlace('j10'))).toBe('If10g10h10i10j10');
    expect(sheet.laid('V', 3, parsePlace('a1'))).toBe('Vc1c2a3b3c3');
  });

  test('legal is what the bitset says', () => {
    const view = { ...emptyView('pentwall', 10), placements: bits(1, 5) };
    expect(logic.isLegal(view, 'Ia1a2a3a4a5')).toBe(true);
    expect(logic.isLegal(view, 'Ia1b1c1d1e1')).toBe(false);
    expect(bitIsSet(view.placements, -1)).toBe(false);
  });

  test('without a pentomino in hand, a click says what to do', () => {
    expect(logic.tap(emptyView('pentwall', 10), EMPTY_HAND, parsePlace('c3'))).toEqual({
      kind: 'say',
      what: 'pick-first',
    });
  });

  test('a click lays the pentomino in hand', () => {
    const view = { ...emptyView('pentwall', 10), placements: bits(5) };
    const hand = { ...EMPTY_HAND, letter: 'V', shape: 3 };
    expect(logic.tap(view, hand, parsePlace('a1'))).toEqual({ kind: 'play', move: 'Vc1c2a3b3c3' });
    expect(logic.tap(view, hand, parsePlace('d3'))).toMatchObject({ kind: 'ask' });
  });
});

test('a picked man hopes for the enemies in line with it, the nearest first', () => {
  const pieces = [disk('c3', 'blue'), disk('c1', 'orange'), disk('d4', 'orange'), disk('e4', 'orange')];
  const view = petrifyView({ pieces });
  expect(hopes(view, { ...EMPTY_HAND, from: 'c3' })).toEqual(['c3xd4', 'c3xc1']);
  expect(hopes(view, EMPTY_HAND)).toEqual([]);
});
