import { afterEach, expect, test, vi } from 'vitest';
import type { Analysis } from '../src/api/types';
import { LineAnalysis, type Shown } from '../src/play/analysis.svelte';
import { keepView, type Line } from '../src/play/positions';
import { bestRows } from '../src/play/standing';
import { petrifyView } from './fixtures';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answers in turn; the last one again and again. */
function answering(...answers: (() => Response)[]) {
  const asked = vi.fn(async () => (answers.length > 1 ? answers.shift()! : answers[0]!)());
  vi.stubGlobal('fetch', asked);
  return asked;
}

const busy = () =>
  Response.json({ code: 'rate', message: 'too many questions' }, { status: 429, headers: { 'Retry-After': '3' } });
const found = () => Response.json({ win_chance: 0.5, expected_score: 0, line: [] });
const offline = () => vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));

/** A line of which all views are known, on a board of its own, so that no test knows what another asked. */
function lineOf(size: number, ...moves: string[]): Line {
  const line = { game: 'petrify' as const, size, moves };
  for (let ply = 0; ply <= moves.length; ply++)
    keepView({ ...line, moves: moves.slice(0, ply) }, petrifyView({ size, ply }));
  return line;
}

const shown = (line: Line, change: Partial<Shown> = {}): Shown => ({
  line,
  ply: line.moves.length,
  graph: true,
  all: true,
  here: false,
  ...change,
});

/** Asks about everything on a line, until nothing is open. */
async function studyOf(line: Line): Promise<LineAnalysis> {
  const analysis = new LineAnalysis();
  analysis.show(shown(line));
  await vi.waitFor(() => expect(analysis.summaries.length > 0 && analysis.complete).toBe(true));
  return analysis;
}

test('a server that wants us to wait is asked again, and only then', async () => {
  vi.useFakeTimers();
  const asked = answering(busy, found);
  const analysis = new LineAnalysis();
  analysis.show(shown(lineOf(5)));
  await vi.advanceTimersByTimeAsync(2900);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(analysis.analyses[0]?.win_chance).toBe(0.5);
  expect(analysis.trouble).toBe('');
});

test('a server that never answers is not asked for ever, and that is said', async () => {
  vi.useFakeTimers();
  const asked = answering(busy);
  const analysis = new LineAnalysis();
  analysis.show(shown(lineOf(7)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(10);
  expect(analysis.trouble).toBe('too many questions');
  expect(analysis.progress).toBeNull();
});

test('whoever has left asks no more', async () => {
  vi.useFakeTimers();
  const asked = answering(busy);
  const analysis = new LineAnalysis();
  analysis.show(shown(lineOf(6)));
  await vi.advanceTimersByTimeAsync(1000);
  analysis.show(null);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a new line is left alone for as long as the computer may move on it', async () => {
  vi.useFakeTimers();
  const asked = answering(found);
  const analysis = new LineAnalysis();
  analysis.show(shown(lineOf(18), { wait: 300 }));
  await vi.advanceTimersByTimeAsync(250);
  expect(asked).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('once a hint was given, bar, graph and map tell what it rests on, also where a quicker look is still awaited', async () => {
  let quick!: (answer: Response) => void;
  const looks = [
    new Promise<Response>((go) => (quick = go)),
    Promise.resolve(Response.json({ win_chance: 0.9, expected_score: 7, line: [] })),
  ];
  vi.stubGlobal('fetch', async () => looks.shift());
  const analysis = new LineAnalysis();
  analysis.show(shown(lineOf(8), { here: true }));
  await vi.waitFor(() => expect(looks).toHaveLength(1));
  expect(await analysis.askHint()).toBe('');
  expect(analysis.hint?.win_chance).toBe(0.9);
  expect(analysis.known?.analysis?.win_chance).toBe(0.9);
  quick(found());
  await vi.waitFor(() => expect(analysis.progress).toBeNull());
  expect(analysis.at(0)?.analysis?.win_chance).toBe(0.9);
  expect(analysis.known?.analysis?.win_chance).toBe(0.9);
});

test('a hint is about its own position: on another one nothing is said of it', async () => {
  let answer!: (answer: Response) => void;
  vi.stubGlobal('fetch', () => new Promise<Response>((go) => (answer = go)));
  const analysis = new LineAnalysis();
  const line = lineOf(9, 'a1');
  analysis.show(shown(line, { graph: false, all: false }));
  const hint = analysis.askHint();
  expect(analysis.hinting).toBe(true);
  analysis.show(shown(line, { graph: false, all: false, ply: 0 }));
  answer(found());
  expect(await hint).toBeNull();
  expect(analysis.hinting).toBe(false);
  expect(analysis.hint).toBeNull();
  analysis.show(shown(line, { graph: false, all: false }));
  expect(analysis.hint?.win_chance).toBe(0.5);
});

test('a hint that does not come is said', async () => {
  offline();
  const analysis = new LineAnalysis();
  analysis.show(shown(lineOf(10), { graph: false, all: false }));
  expect(await analysis.askHint()).not.toBe('');
  expect(analysis.hint).toBeNull();
});

test('a position is asked about once, whoever shows it', async () => {
  const asked = answering(found);
  const line = lineOf(16, 'a1');
  const [one, other] = [new LineAnalysis(), new LineAnalysis()];
  one.show(shown(line));
  other.show(shown(line, { here: true }));
  await vi.waitFor(() => expect([one.points.length, one.complete, other.complete]).toEqual([2, true, true]));
  expect(asked).toHaveBeenCalledTimes(2);
  const third = await studyOf(line);
  expect(third.analyses.filter(Boolean)).toHaveLength(2);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('of another line only the positions of what both have in common are kept, even when its own do not come', async () => {
  answering(found);
  const analysis = await studyOf(lineOf(11, 'a1', 'b2', 'c3'));
  expect(analysis.analyses.filter(Boolean)).toHaveLength(4);
  offline();
  analysis.show(shown({ game: 'petrify', size: 11, moves: ['a1', 'd4', 'e5'] }));
  expect(analysis.summaries).toHaveLength(2);
  expect(analysis.analyses.filter(Boolean)).toHaveLength(2);
  analysis.show(shown({ game: 'petrify', size: 19, moves: ['a1'] }));
  expect(analysis.summaries).toHaveLength(0);
});

test('what is not known of a line is asked for in one request, however long the line is', async () => {
  const summaries = Array.from({ length: 3001 }, (_, ply) => ({ ply, over: true, totals: { black: ply, white: 0 } }));
  const asked = answering(() => Response.json({ summaries }));
  const analysis = await studyOf({ game: 'pyloff', size: 19, moves: Array(3000).fill('a1') });
  expect(asked).toHaveBeenCalledTimes(1);
  expect(analysis.points.at(-1)?.lead).toBe(3000);
});

test('a line whose positions did not come is asked for again', async () => {
  const failed = vi.fn(async () => Promise.reject(new TypeError('offline')));
  vi.stubGlobal('fetch', failed);
  const line = { game: 'petrify' as const, size: 12, moves: ['a1'] };
  const analysis = new LineAnalysis();
  analysis.show(shown(line, { all: false }));
  await vi.waitFor(() => expect(failed).toHaveBeenCalled());
  await new Promise((go) => setTimeout(go));
  expect(analysis.summaries).toHaveLength(0);
  lineOf(12, 'a1');
  analysis.show(shown(line, { all: false, ply: 0 }));
  await vi.waitFor(() => expect(analysis.summaries).toHaveLength(2));
});

test('a line that is taken up while another is still on its way is the one that is shown', async () => {
  let first!: (answer: Response) => void;
  vi.stubGlobal('fetch', () => new Promise<Response>((go) => (first = go)));
  const analysis = new LineAnalysis();
  analysis.show(shown({ game: 'petrify', size: 13, moves: ['a1', 'b2'] }, { all: false }));
  analysis.show(shown(lineOf(13, 'c3'), { all: false }));
  await vi.waitFor(() => expect(analysis.summaries).toHaveLength(2));
  first(Response.json({ summaries: [petrifyView({ ply: 7 }), petrifyView({ ply: 8 }), petrifyView({ ply: 9 })] }));
  await new Promise((go) => setTimeout(go));
  expect(analysis.summaries.map(({ ply }) => ply)).toEqual([0, 1]);
});

test('the position that somebody looks at is asked about first, then the newest ones', async () => {
  const asked: number[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    asked.push((JSON.parse(body) as { moves: string[] }).moves.length);
    return found();
  });
  const analysis = new LineAnalysis();
  analysis.show(shown(lineOf(14, 'a1', 'b2', 'c3'), { ply: 1 }));
  await vi.waitFor(() => expect(asked).toEqual([1, 3, 2, 0]));
});

test('asking that was stopped can be taken up again', async () => {
  vi.useFakeTimers();
  const asked = answering(busy, found);
  const analysis = new LineAnalysis();
  analysis.show(shown(lineOf(15), { all: false }));
  await vi.advanceTimersByTimeAsync(0);
  analysis.askAll();
  expect(analysis.progress).toEqual({ done: 0, all: 1 });
  await vi.advanceTimersByTimeAsync(0);
  analysis.stop();
  expect(analysis.progress).toBeNull();
  analysis.askAll();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(analysis.complete).toBe(true);
});

test('a map of another board is taken away at once, and so is one whose next position does not come', async () => {
  answering(found);
  const map = { graph: false, all: false, here: true };
  const line = lineOf(4);
  const analysis = new LineAnalysis();
  analysis.show(shown(line, map));
  await vi.waitFor(() => expect(analysis.fresh).toBe(true));
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  analysis.show(shown({ game: 'pilo', size: 4, moves: [] }, map));
  expect(analysis.known).toBeNull();

  answering(found);
  const other = new LineAnalysis();
  other.show(shown(line, map));
  await vi.waitFor(() => expect(other.known).not.toBeNull());
  offline();
  other.show(shown({ ...line, moves: ['a1'] }, map));
  expect(other.known).not.toBeNull();
  expect(other.fresh).toBe(false);
  await vi.waitFor(() => expect(other.trouble).not.toBe(''));
  expect(other.known).toBeNull();
  other.show(shown(line, map));
  expect(other.known).not.toBeNull();
  expect(other.trouble).toBe('');
});

test('of a move that no search has looked at no share is told', () => {
  const told = { move: 'c3', visits: 0, share: 0, win_chance: 0.4, expected_score: -1, proven: null };
  const rows = bestRows({ moves: [{ ...told, visits: 9, share: 0.9 }, told] } as unknown as Analysis);
  expect(rows.map(({ share }) => share)).toEqual(['90\u00a0%', '–']);
});
