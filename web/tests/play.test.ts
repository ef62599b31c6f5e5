import { spoken } from '../src/phrases';
import { describe, expect, test } from 'vitest';
import type { Analysis, GameEvent, OpenedRecord, View } from '../src/api/types';
import { emptyView } from '../src/games';
import { countSteps } from '../src/play/count';
import { graphPoints, scaleOf, shareOf } from '../src/play/graph';
import { isDone } from '../src/play/lesson';
import { applyEvent } from '../src/play/live.svelte';
import { remarkAt, remarksOf, savedGame, short, treeOf } from '../src/play/record';
import { clockText } from '../src/play/seats';
import {
  addLine,
  decode,
  encode,
  endOf,
  fromHash,
  lineTo,
  NEW_TREE,
  stepTo,
  toHash,
  withHistory,
  withMainLine,
  without,
} from '../src/play/tree';
import { inline, readRules } from '../src/rules/markdown';

import { gameState } from './fixtures';

describe('the tree of a game', () => {
  const main = addLine(NEW_TREE, 0, ['c3', 'd4', 'e5']);
  const branched = addLine(main.tree, addLine(main.tree, 0, ['c3']).at, ['f6', 'swap']);

  test('a line that is there already is walked, not doubled', () => {
    expect(addLine(main.tree, 0, ['c3', 'd4']).tree).toBe(main.tree);
  });

  test('variations are kept beside the main line', () => {
    expect(lineTo(branched.tree, branched.at)).toEqual(['c3', 'f6', 'swap']);
    expect(lineTo(branched.tree, endOf(branched.tree, 0))).toEqual(['c3', 'd4', 'e5']);
  });

  test('what is played after an undo becomes the main line, the undone moves a variation', () => {
    const tree = withMainLine(main.tree, ['c3', 'a1']);
    expect(lineTo(tree, endOf(tree, 0))).toEqual(['c3', 'a1']);
    expect(encode(tree, 0)).toBe('c3.a1(d4.e5)');
  });

  test('the log brings back every line that was taken back', () => {
    const events = [
      { kind: 'move', data: { move: 'd4' } },
      { kind: 'move', data: { move: 'e5' } },
      { kind: 'undo', data: { ply: 1 } },
      { kind: 'move', data: { move: 'f6' } },
      { kind: 'undo', data: { ply: 1 } },
      { kind: 'redo', data: { moves: ['f6'] } },
      { kind: 'draw_offer', data: {} },
    ] as unknown as GameEvent[];
    expect(encode(withHistory(NEW_TREE, ['c3'], events), 0)).toBe('c3.f6(d4.e5)');
  });

  test('a step leads along the line, to its ends, and to the lines beside it', () => {
    const at = (moves: string[]) => addLine(branched.tree, 0, moves).at;
    expect(stepTo(branched.tree, at(['c3', 'd4']), 'below')).toBe(at(['c3', 'f6']));
    expect(stepTo(branched.tree, at(['c3', 'f6']), 'above')).toBe(at(['c3', 'd4']));
    expect(stepTo(branched.tree, at(['c3', 'd4']), 'above')).toBe(at(['c3', 'd4']));
    expect(stepTo(branched.tree, 0, 'below')).toBe(0);
    expect(stepTo(branched.tree, 0, 'last')).toBe(at(['c3', 'd4', 'e5']));
    expect(stepTo(branched.tree, at(['c3', 'd4', 'e5']), 'on')).toBe(at(['c3', 'd4', 'e5']));
    expect(stepTo(branched.tree, at(['c3']), 'back')).toBe(0);
  });

  test('goes into a link and comes back, with the position one stands on', () => {
    const text = encode(branched.tree, branched.at);
    expect(text).toBe('c3.d4(f6.swap*).e5');
    const read = decode(text);
    expect(encode(read.tree, read.at)).toBe(text);
  });

  test('a whole link is read back; one that says nothing is no game', () => {
    const shared = {
      game: 'pyloff' as const,
      size: 6,
      from: 'pyloff 3/b2/1b1 ply=3',
      tree: branched.tree,
      at: branched.at,
    };
    expect(fromHash(toHash(shared))).toEqual({ ...shared, ...decode(encode(branched.tree, branched.at)) });
    expect(fromHash('#g=chess&s=8')).toBeNull();
    expect(fromHash('#g=pilo&s=99')).toBeNull();
  });

  test('a line can be removed', () => {
    const less = without(branched.tree, addLine(branched.tree, 0, ['c3', 'f6']).at);
    expect(encode(less.tree, less.at)).toBe('c3*.d4.e5');
  });
});

describe('events', () => {
  const event = (change: Partial<GameEvent>): GameEvent => ({
    v: 4,
    epoch: 0,
    kind: 'move',
    ply: 3,
    seat: 'first',
    data: {},
    view: null,
    clock: null,
    status: 'active',
    result: null,
    offer: null,
    redo: [],
    rematch: null,
    paused: false,
    ...change,
  });

  test('a move is added', () => {
    expect(applyEvent(gameState(), event({ data: { move: 'e5' } }))?.moves).toEqual(['c3', 'd4', 'e5']);
  });

  test('an undo takes moves back, a redo brings them again', () => {
    const undone = applyEvent(gameState(), event({ kind: 'undo', data: { ply: 0 }, redo: ['c3', 'd4'], epoch: 1 }))!;
    expect(undone).toMatchObject({ moves: [], redo: ['c3', 'd4'], epoch: 1 });
    expect(applyEvent(undone, event({ v: 5, kind: 'redo', data: { moves: ['c3', 'd4'] } }))?.moves).toEqual([
      'c3',
      'd4',
    ]);
  });

  test('a guest takes the free seat', () => {
    expect(applyEvent(gameState(), event({ kind: 'join', seat: 'second' }))?.seats.second.claimed).toBe(true);
  });

  test('one that came twice changes nothing, one that leaves a gap asks for everything', () => {
    const state = gameState();
    expect(applyEvent(state, event({ v: 3, data: { move: 'e5' } }))).toBe(state);
    expect(applyEvent(state, event({ v: 6, data: { move: 'e5' } }))).toBeNull();
  });
});

describe('the count', () => {
  const view: View = {
    ...emptyView('petrify', 4),
    ledger: {
      entries: [
        {
          kind: 'patch',
          squares: ['a1', 'a2', 'b1', 'b2', 'c1'],
          groups: [
            { colour: 'blue', squares: ['a1', 'a2'] },
            { colour: 'orange', squares: ['b1', 'b2'] },
            { colour: 'blue', squares: ['c1'] },
          ],
          struck_out: [[0, 1]],
          left: [2],
          owner: 'blue',
          points: 5,
        },
      ],
      totals: { blue: 5, orange: 0 },
    },
  };

  test('tells each pair that is struck out, then the owner, then the sum', () => {
    const steps = countSteps(view);
    expect(steps.map(({ struck }) => struck.length)).toEqual([0, 2, 2, 0]);
    expect(steps[2]!.text).toContain('Blue owns the patch: 5 points');
    expect(steps[1]!.totals).toEqual({ blue: 0, orange: 0 });
    expect(steps[3]!.totals).toEqual({ blue: 5, orange: 0 });
  });

  test('a lesson’s task is judged by the position that the server sent', () => {
    expect(isDone({ lead: 'blue' }, 'c1', view)).toBe(true);
    expect(isDone({ lead: 'orange' }, 'c1', view)).toBe(false);
    expect(isDone({ play: ['c1'] }, 'c2', view)).toBe(false);
    expect(isDone({ owns: 'blue', size: 5 }, 'c1', view)).toBe(true);
  });
});

test.each([
  [3 * 86_400_000 + 7_200_000, '3 d 2 h'],
  [5_400_000, '1 h 30 min'],
  [305_000, '5:05'],
  [9_870, '9.8'],
  [-5, '0.0'],
])('a clock with %i ms left shows %s', (ms, text) => {
  expect(clockText(ms)).toBe(text);
});

test.each([
  ['c3', 'c3'],
  ['c3xf6', 'c3 captures f6'],
  ['2c3', 'c3 on level 2'],
  ['Wc3d3d4e4e5', 'W on c3 d3 d4 e4 e5'],
  ['pass', 'passes'],
])('%s is spoken as "%s"', (move, said) => {
  expect(spoken(move)).toBe(said);
});

describe('the rules pages', () => {
  test('headings, lists, tables and diagrams are read', () => {
    const blocks = readRules(
      '# Petrify\n\nA **game**.\n\n- one\n  more\n- two `c3`\n\n<!-- draw a.svg: petrify 2o1/4/4/1#b1 ply=6 | why c1xc4 -->\n![Not so](a.svg)\n\n| a | b |\n| --- | --- |\n| c | d |\n',
    );
    expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'list', 'diagram', 'table']);
    expect(blocks[3]).toMatchObject({
      from: 'petrify 2o1/4/4/1#b1 ply=6',
      why: 'c1xc4',
      play: null,
      caption: 'Not so',
    });
  });

  test('bold and code are told apart from plain words', () => {
    expect(inline('a **b** `c`').map(({ kind }) => kind)).toEqual(['text', 'bold', 'text', 'code']);
    expect(inline('[Petrify](petrify.md) with')[0]).toEqual({ kind: 'link', text: 'Petrify', href: '/rules/petrify' });
  });
});

/** A saved line as the page's links write it. */
type Saved = ReturnType<typeof savedGame>['moves'];
const written = (line: Saved): string =>
  line.map(({ move, variations }) => move + variations.map((other) => `(${written(other)})`).join('')).join('.');

test('a reviewed game is saved with its variations, each beside the move it replaces', () => {
  const { tree, at } = decode('c3.d4(f6.swap(e1)).e5');
  const saved = savedGame({ game: 'petrify', size: 6, from: null, tree, at });
  expect(saved).toMatchObject({ game: 'petrify', size: 6, position: null, tags: {}, comment: null });
  expect(written(saved.moves)).toBe('c3.d4(f6.swap(e1)).e5');
  expect(savedGame({ game: 'petrify', size: 6, from: 'x "y"', tree, at }).position).toBe('x "y"');
  const sent = JSON.parse(JSON.stringify(saved, short)) as { moves: unknown[] };
  expect(sent.moves).toEqual(['c3', expect.objectContaining({ move: 'd4' }), 'e5']);
});

describe('what was written about a game', () => {
  const read: OpenedRecord = {
    ...{ game: 'petrify', size: 6, from: null, first: 1, comment: 'In the {garden}\nof Ana.', result: '1-0' },
    tags: { Game: 'Petrify', Size: '6', Rules: '1', First: 'Ana "A"', Result: '1-0', Termination: 'Ben resigned' },
    moves: ['c3', 'swap', 'd4'],
    comments: { 3: 'the middle, and a long way to go from here: more words than one line holds [so]' },
    marks: { 1: ['!?', '$14'], 3: ['!'] },
    variations: [{ first: 2, moves: ['e5', 'f6'], comments: { 2: 'why not?' }, marks: { 3: ['$10'] }, variations: [] }],
  };
  const shared = { game: 'petrify', size: 6, from: null, tree: treeOf(read), at: 0 } as const;

  test('is found by the moves that lead there, in variations too', () => {
    const remarks = remarksOf(read);
    expect(remarkAt(remarks, [])?.comment).toBe('In the {garden}\nof Ana.');
    expect(remarkAt(remarks, ['c3'])).toEqual({ marks: ['!?', '$14'], comment: '' });
    expect(remarkAt(remarks, ['c3', 'e5'])).toEqual({ marks: [], comment: 'why not?' });
    expect(remarkAt(remarks, ['c3', 'e5', 'f6'])?.marks).toEqual(['$10']);
    expect(remarkAt(remarks, ['c3', 'swap'])).toBeUndefined();
  });

  test('is in the record that is saved, with names and result, each where it was', () => {
    const saved = savedGame(shared, read);
    expect(saved).toMatchObject({
      first: 'Ana "A"',
      result: '1-0',
      score: null,
      tags: { Termination: 'Ben resigned' },
    });
    expect(saved.comment).toBe('In the {garden}\nof Ana.');
    const [c3, swap, d4] = saved.moves;
    expect(c3).toMatchObject({ move: 'c3', marks: ['!?', '$14'], comment: '' });
    expect(swap!.variations).toEqual([
      [
        { move: 'e5', marks: [], comment: 'why not?', variations: [] },
        { move: 'f6', marks: ['$10'], comment: '', variations: [] },
      ],
    ]);
    expect(d4).toMatchObject({ marks: ['!'], comment: read.comments[3] });
  });

  test('stays when another main line is saved, but the result was of the one that was played', () => {
    const { tree } = addLine(shared.tree, addLine(shared.tree, 0, read.moves).at, ['a1']);
    const saved = savedGame({ ...shared, tree }, read);
    expect(saved).toMatchObject({ first: 'Ana "A"', tags: {} });
    expect(saved).not.toHaveProperty('result');
    expect(written(saved.moves)).toBe('c3.swap(e5.f6).d4.a1');
    expect(saved.moves[1]!.variations[0]![0]!.comment).toBe('why not?');
  });
});

describe('the graph', () => {
  test('counts upwards for the colour that begins, whoever is to move', () => {
    const summary = (blue: number, orange: number, change: Partial<View> = {}) => ({
      ...emptyView('petrify', 4),
      totals: { blue, orange },
      ...change,
    });
    const summaries = [
      summary(0, 0),
      summary(9, 2, { colour_to_move: 'orange' }),
      summary(3, 8, { over: true, outcome: { winner: 'second' } as View['outcome'] }),
    ];
    const seen = { win_chance: 0.25, expected_score: -4, line: ['c3'] } as Analysis;
    expect(graphPoints(summaries, [undefined, seen])).toEqual([
      { lead: 0, expected: null, chance: null },
      { lead: 7, expected: 4, chance: 0.75 },
      { lead: -5, expected: -5, chance: 0 },
    ]);
    const swapped = { win_chance: 0.75, expected_score: 4, line: ['swap'] } as Analysis;
    expect(graphPoints(summaries, [undefined, swapped])[1]).toEqual({ lead: 7, expected: 4, chance: 0.75 });
  });

  test('is as high as the greatest lead expected; the count that swings wider ends at its edge', () => {
    const points = [
      { lead: 61, expected: 3.2, chance: 0.6 },
      { lead: -64, expected: -8.4, chance: 0.2 },
    ];
    expect(scaleOf(points, true)).toBe(9);
    expect(shareOf(-8.4, 9)).toBeCloseTo(-0.933);
    expect([shareOf(61, 9), shareOf(-64, 9)]).toEqual([1, -1]);
    expect(scaleOf(points, false)).toBe(64);
    expect(scaleOf([{ lead: 1, expected: 0.4, chance: 0.5 }], true)).toBe(5);
  });
});
