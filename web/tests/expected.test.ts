import { describe, expect, test } from 'vitest';
import type { Analysis, View } from '../src/api/types';
import { expectedOwners, favourite, ideasOf, leader, percentOf, tally } from '../src/play/expected';
import { marble, petrifyView, pyloffView } from './fixtures';

const analysis = (change: Partial<Analysis>) =>
  ({ win_chance: 0.5, expected_score: 0, line: [], ...change }) as Analysis;
const block = (at: string) => ({ kind: 'block', at }) as View['pieces'][number];

describe('who should own what', () => {
  test('is told by colour, whoever is to move', () => {
    const owners = { a1: 0.9, b1: -0.4 };
    expect(expectedOwners({ view: petrifyView(), analysis: analysis({ owners }) })).toEqual([
      { at: 'a1', colour: 'blue', sure: 0.9 },
      { at: 'b1', colour: 'orange', sure: 0.4 },
    ]);
    expect(expectedOwners({ view: petrifyView({ colour_to_move: 'orange' }), analysis: analysis({ owners }) })).toEqual(
      [
        { at: 'a1', colour: 'orange', sure: 0.9 },
        { at: 'b1', colour: 'blue', sure: 0.4 },
      ],
    );
  });

  test('leaves out what is open, and stone, and counts only what can be owned', () => {
    const view = petrifyView({ pieces: [block('c1')] });
    const found = expectedOwners({ view, analysis: analysis({ owners: { a1: 0.9, b1: 0.1, c1: 0.5, d1: -0.8 } }) })!;
    expect(found.map(({ at }) => at)).toEqual(['a1', 'd1']);
    expect(tally(view, found)).toEqual({
      owned: [
        ['blue', 1],
        ['orange', 1],
      ],
      open: 25 - 1 - 2,
    });
  });

  test('counts the lines of a pile, those between four squares too', () => {
    const found = expectedOwners({ view: pyloffView(), analysis: analysis({ owners: { a1: 1, '2a1': -1 } }) })!;
    expect(found.map(({ at, colour }) => [at, colour])).toEqual([
      ['a1', 'black'],
      ['2a1', 'white'],
    ]);
    expect(tally(pyloffView(), found).open).toBe(16 + 9 - 2);
  });

  test('is not told where there is no net', () => {
    const known = { view: petrifyView(), analysis: analysis({ owners: null, policy: null }) };
    expect(expectedOwners(known)).toBeNull();
    expect(ideasOf(known)).toEqual([]);
  });

  test('cannot be said before the second move', () => {
    const owners = { a1: 0.9, b1: -0.4 };
    for (const ply of [0, 1])
      expect(expectedOwners({ view: petrifyView({ ply }), analysis: analysis({ owners }) })).toEqual([]);
    expect(expectedOwners({ view: petrifyView({ ply: 2 }), analysis: analysis({ owners }) })).toHaveLength(2);
  });

  test('is certain once the game is over', () => {
    const entry = {
      kind: 'patch',
      squares: ['a1', 'b1'],
      owner: 'orange',
      points: 2,
      groups: [],
      struck_out: [],
      left: [],
    };
    const ledger = {
      entries: [entry, { ...entry, squares: ['c1'], owner: null }],
      totals: {},
    } as unknown as View['ledger'];
    expect(expectedOwners({ view: petrifyView({ over: true, ledger }), analysis: null })).toEqual([
      { at: 'a1', colour: 'orange', sure: 1 },
      { at: 'b1', colour: 'orange', sure: 1 },
    ]);
    const pieces = [marble('b2', 'black'), marble('3a1', 'white'), marble('2a1', 'black')];
    expect(expectedOwners({ view: pyloffView({ over: true, pieces }), analysis: null })).toEqual([
      { at: 'b2', colour: 'white', sure: 1 },
      { at: '2a1', colour: 'black', sure: 1 },
    ]);
  });
});

test('the likeliest moves are few, and those that hardly count are left out', () => {
  const policy = [0.4, 0.2, 0.1, 0.09, 0.08, 0.07, 0.02].map((share, i) => ({ move: `c${i + 1}`, share }));
  const known = (list: typeof policy) => ({ view: petrifyView(), analysis: analysis({ policy: list }) });
  expect(ideasOf(known(policy)).map(({ move }) => move)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
  expect(ideasOf(known([policy[0]!, policy[6]!]))).toEqual([{ move: 'c1', at: ['c1'], share: 0.4 }]);
  expect(ideasOf(known([{ move: 'a1xc3', share: 0.01 }]))[0]!.at).toEqual(['a1', 'c3']);
});

test('no moves are thought of while a swap may come, which a net does not judge', () => {
  const policy = [{ move: 'c3', share: 0.4 }];
  expect(ideasOf({ view: petrifyView({ pie_open: true }), analysis: analysis({ policy }) })).toEqual([]);
});

test('who wins and who leads are two things', () => {
  const known = {
    view: petrifyView({ colour_to_move: 'orange' }),
    analysis: analysis({ win_chance: 0.45, expected_score: 1.5 }),
  };
  expect(favourite(known)).toEqual({ colour: 'blue', chance: 0.55 });
  expect(leader(known)).toEqual({ colour: 'orange', by: 1.5 });
});

test('where a swap is expected, the side to move is told of as the colour that it will have', () => {
  const open = {
    view: petrifyView({ colour_to_move: 'orange' }),
    analysis: analysis({ win_chance: 0.57, expected_score: 2, line: ['swap', 'c3'] }),
  };
  expect(favourite(open)).toEqual({ colour: 'blue', chance: 0.57 });
  expect(leader(open)).toEqual({ colour: 'blue', by: 2 });
  const offer = {
    view: petrifyView(),
    analysis: analysis({ win_chance: 0.25, expected_score: -1, line: ['a1', 'swap'] }),
  };
  expect(favourite(offer)).toEqual({ colour: 'blue', chance: 0.75 });
  expect(leader(offer)).toEqual({ colour: 'blue', by: 1 });
});

test('a win is certain only if it is proven or over', () => {
  const view = petrifyView();
  expect(percentOf({ view, analysis: analysis({ win_chance: 0.004 }) })).toBe(99);
  expect(percentOf({ view, analysis: analysis({ win_chance: 1, proven: 'win' }) })).toBe(100);
  const won = petrifyView({ over: true, outcome: { winner: 'first' } as View['outcome'] });
  expect(percentOf({ view: won, analysis: null })).toBe(100);
});
