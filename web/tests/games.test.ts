import { describe, expect, test } from 'vitest';
import { parsePlace } from '../src/board/places';
import { emptyView, GAMES, gameNamed, landOf } from '../src/games';
import { EMPTY_HAND } from '../src/games/game';
import { pentwall } from '../src/games/pentwall';
import { bitIsSet, flipped, Pentominoes, taken, tray, turned } from '../src/games/pentwall/pentominoes.svelte';
import { petrify } from '../src/games/petrify';
import { pilo } from '../src/games/pilo';
import { meant, pyloff } from '../src/games/pyloff';
import { pointsOf } from '../src/games/pyloff/verticals';
import { lessonOf, rulesOf } from '../src/language.svelte';
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
    expect(petrify.lights!(view, hand)).toEqual({ picked: 'c3', targets: ['e3'], rays: [['c3', 'e3']] });
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
    expect(petrify.lights!(wide, { ...EMPTY_HAND, from: 'a1' }).targets).toEqual(['a3']);
  });
});

test('a stack that would be placed is shown; a capture shows what it takes instead', () => {
  const view = { ...emptyView('pilo', 5), legal: ['b3xd3', 'c3'] };
  expect(pilo.ghost(view, 'c3')).toEqual({
    pieces: [{ kind: 'stack', at: 'c3', colour: 'blue', height: 1 }],
    legal: true,
  });
  expect(pilo.ghost(view, 'b3xd3')).toBeNull();
});

describe('Pyloff', () => {
  test('a vertical holds every second level, each one point further in', () => {
    expect(pointsOf(parsePlace('c3'), 6)).toEqual(['c3', '3b2', '5a1']);
    expect(pointsOf(parsePlace('2c3'), 6)).toEqual(['2c3', '4b2', '6a1']);
  });

  test('a click means the one legal point of its vertical', () => {
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
  const pentominoes = new Pentominoes(placements);
  tray.pentominoes = pentominoes;

  test('the shapes are learnt from the list', () => {
    expect(pentominoes.letters).toEqual(['I', 'V']);
    expect(pentominoes.shape('I', 0)).toHaveLength(5);
  });

  test('four turns, and two flips, lead back', () => {
    let shape = 0;
    const seen = new Set<number>();
    for (let i = 0; i < 4; i++) {
      seen.add(shape);
      shape = pentominoes.turned('V', shape);
    }
    expect(shape).toBe(0);
    expect(seen.size).toBe(4);
    expect(pentominoes.flipped('V', pentominoes.flipped('V', 1))).toBe(1);
    expect(pentominoes.turned('V', pentominoes.turned('V', 2), true)).toBe(2);
  });

  test('what sticks out is pushed inside, and the squares are sorted as the notation sorts them', () => {
    expect(pentominoes.laid('I', 0, parsePlace('a1'))).toBe('Ia1b1c1d1e1');
    expect(pentominoes.laid('I', 0, parsePlace('j10'))).toBe('If10g10h10i10j10');
    expect(pentominoes.laid('V', 3, parsePlace('a1'))).toBe('Vc1c2a3b3c3');
  });

  test('legal is what the bitset says', () => {
    const view = { ...emptyView('pentwall', 10), placements: bits(1, 5) };
    expect(pentwall.isLegal(view, 'Ia1a2a3a4a5')).toBe(true);
    expect(pentwall.isLegal(view, 'Ia1b1c1d1e1')).toBe(false);
    expect(bitIsSet(view.placements, -1)).toBe(false);
  });

  test('without a pentomino in hand, a click says what to do', () => {
    expect(pentwall.tap(emptyView('pentwall', 10), EMPTY_HAND, parsePlace('c3'))).toEqual({
      kind: 'say',
      sentence: 'First pick a pentomino from the tray.',
    });
  });

  test('a click lays the pentomino in hand', () => {
    const view = { ...emptyView('pentwall', 10), placements: bits(5) };
    const hand = { ...EMPTY_HAND, piece: 'V', shape: 3 };
    expect(pentwall.tap(view, hand, parsePlace('a1'))).toEqual({ kind: 'play', move: 'Vc1c2a3b3c3' });
    expect(pentwall.tap(view, hand, parsePlace('d3'))).toMatchObject({ kind: 'ask' });
  });
});

test('in Pentwall a letter takes a pentomino or puts it back, Space turns it and x flips it; nothing else means anything', () => {
  const view = { ...emptyView('pentwall', 10), pool: ['V', 'X'] };
  const press = (key: string, hand = EMPTY_HAND, shiftKey = false) =>
    pentwall.handKey!({ key, shiftKey } as KeyboardEvent, view, hand);
  const held = taken(EMPTY_HAND, 'V');
  expect(press('v')).toEqual(held);
  expect(press('v', held)).toEqual(EMPTY_HAND);
  expect(press(' ', held)).toEqual(turned(held));
  expect(press(' ', held, true)).toEqual(turned(held, true));
  expect(press('x', held)).toEqual(flipped(held));
  expect(press('X', held, true)).toEqual(taken(held, 'X'));
  expect(press('i')).toBeNull();
  expect(press('V', EMPTY_HAND, true)).toBeNull();
});

test.each(GAMES.map((game) => [game.name, game] as const))(
  '%s is whole: a sample, a lesson, a board',
  async (name, game) => {
    expect(gameNamed(name)).toBe(game);
    expect(game.sample.moves.split(' ').length).toBeGreaterThan(5);
    expect(await lessonOf(game.name)).toBeInstanceOf(Array);
    expect(await rulesOf(game.name)).toContain(game.title);
    expect(game.places(game.firstSize).length).toBeGreaterThanOrEqual(game.firstSize ** 2);
    expect(landOf(emptyView(name, game.firstSize))).toEqual([]);
  },
);

test('a picked piece hopes for the enemies in line with it, the nearest first', () => {
  const pieces = [disk('c3', 'blue'), disk('c1', 'orange'), disk('d4', 'orange'), disk('e4', 'orange')];
  const view = petrifyView({ pieces });
  expect(petrify.hopes!(view, { ...EMPTY_HAND, from: 'c3' })).toEqual(['c3xd4', 'c3xc1']);
  expect(petrify.hopes!(view, EMPTY_HAND)).toEqual([]);
});
