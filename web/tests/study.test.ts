import { afterEach, expect, test, vi } from 'vitest';
import { analyse, keepView } from '../src/api/http';
import type { Analysis } from '../src/api/types';
import { Outlook } from '../src/play/outlook.svelte';
import { bestRows } from '../src/play/standing';
import { Study } from '../src/play/study.svelte';
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

async function studyOf(size: number): Promise<Study> {
  const line = { game: 'petrify' as const, size, moves: [] };
  keepView(line, petrifyView({ size }));
  const study = new Study();
  await study.follow(line);
  return study;
}

test('a server that wants us to wait is asked again, and only then', async () => {
  vi.useFakeTimers();
  const asked = answering(busy, found);
  const study = await studyOf(5);
  const done = study.ask();
  await vi.advanceTimersByTimeAsync(2900);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  await done;
  expect(asked).toHaveBeenCalledTimes(2);
  expect(study.seen[0]?.win_chance).toBe(0.5);
  expect(study.trouble).toBe('');
});

test('a server that never answers is not asked for ever, and that is said', async () => {
  vi.useFakeTimers();
  const asked = answering(busy);
  const study = await studyOf(7);
  const done = study.ask();
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(asked).toHaveBeenCalledTimes(10);
  expect(study.trouble).toBe('too many questions');
});

test('whoever has left asks no more', async () => {
  vi.useFakeTimers();
  const asked = answering(busy);
  const study = await studyOf(6);
  const done = study.ask();
  await vi.advanceTimersByTimeAsync(1000);
  study.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await done;
  expect(asked).toHaveBeenCalledTimes(1);
});

test('once a hint was given, bar, graph and map tell what it rests on, also where a quicker look is still awaited', async () => {
  const line = { game: 'petrify' as const, size: 8, moves: [] };
  let quick!: (answer: Response) => void;
  const looks = [
    new Promise<Response>((go) => (quick = go)),
    Promise.resolve(Response.json({ win_chance: 0.9, expected_score: 7, line: [] })),
  ];
  vi.stubGlobal('fetch', async () => looks.shift());
  const study = await studyOf(8);
  const asked = study.ask();
  const outlook = new Outlook();
  outlook.look(line);
  const seen = await analyse(line, 'thorough');
  study.learn(line, seen);
  expect(study.seen[0]?.win_chance).toBe(0.9);
  quick(found());
  await asked;
  expect(study.seen[0]?.win_chance).toBe(0.9);
  await vi.waitFor(() => expect(outlook.known?.seen?.win_chance).toBe(0.9));
});

test('a hint about another line is not taken for this one', async () => {
  const study = await studyOf(9);
  study.learn({ game: 'petrify', size: 9, moves: ['a1'] }, { win_chance: 0.9 } as Analysis);
  study.learn({ game: 'petrify', size: 8, moves: [] }, { win_chance: 0.9 } as Analysis);
  expect(study.seen.filter(Boolean)).toEqual([]);
});

test('once every position is known there is nothing more to ask for', async () => {
  answering(found);
  const study = await studyOf(4);
  expect(study.complete).toBe(false);
  await study.ask();
  expect(study.complete).toBe(true);
});

/** A study of a line of which all views are known, by a size of its own so that no test knows what another asked. */
async function studyOfLine(size: number, ...moves: string[]): Promise<Study> {
  for (let ply = 0; ply <= moves.length; ply++)
    keepView({ game: 'petrify', size, moves: moves.slice(0, ply) }, petrifyView({ ply }));
  const study = new Study();
  await study.follow({ game: 'petrify', size, moves });
  return study;
}

test('of another line only the analyses of what both have in common are kept, even when its positions do not come', async () => {
  answering(found);
  const study = await studyOfLine(11, 'a1', 'b2', 'c3');
  await study.ask();
  expect(study.seen.filter(Boolean)).toHaveLength(4);
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  await study.follow({ game: 'petrify', size: 11, moves: ['a1', 'd4', 'e5'] });
  expect(study.seen.filter(Boolean)).toHaveLength(2);
  expect(study.summaries).toHaveLength(2);
  const late = study.follow({ game: 'petrify', size: 11, moves: ['a1', 'd4', 'f6'] });
  expect(study.seen.filter(Boolean)).toHaveLength(0);
  await late;
});

test('what is not known of a line is asked for in one request, however long the line is', async () => {
  const summaries = Array.from({ length: 3001 }, (_, ply) => ({ ply, over: false, totals: { black: ply, white: 0 } }));
  const asked = answering(() => Response.json({ summaries }));
  const study = new Study();
  await study.follow({ game: 'pyloff', size: 19, moves: Array(3000).fill('a1') });
  expect(asked).toHaveBeenCalledTimes(1);
  expect(study.points.at(-1)?.lead).toBe(3000);
});

test('a line whose positions did not come is asked for anew', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  const line = { game: 'petrify' as const, size: 12, moves: ['a1'] };
  const study = new Study();
  await study.follow(line);
  expect(study.summaries).toHaveLength(0);
  keepView({ ...line, moves: [] }, petrifyView({ ply: 0 }));
  keepView(line, petrifyView({ ply: 1 }));
  await study.follow(line);
  expect(study.summaries).toHaveLength(2);
});

test('a line that is taken up while another is still on its way is the one that is shown', async () => {
  let first!: (answer: Response) => void;
  vi.stubGlobal('fetch', () => new Promise<Response>((go) => (first = go)));
  const study = new Study();
  const slow = study.follow({ game: 'petrify', size: 13, moves: ['a1', 'b2'] });
  const line = { game: 'petrify' as const, size: 13, moves: ['c3'] };
  keepView({ ...line, moves: [] }, petrifyView({ ply: 0 }));
  keepView(line, petrifyView({ ply: 1 }));
  await study.follow(line);
  first(Response.json({ views: [petrifyView({ ply: 7 }), petrifyView({ ply: 8 }), petrifyView({ ply: 9 })] }));
  await slow;
  expect(study.summaries.map(({ ply }) => ply)).toEqual([0, 1]);
});

test('the position that somebody looks at is asked about first, then the newest ones', async () => {
  const asked: number[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    asked.push((JSON.parse(body) as { moves: string[] }).moves.length);
    return found();
  });
  const study = await studyOfLine(14, 'a1', 'b2', 'c3');
  study.look(1);
  await study.ask();
  expect(asked).toEqual([1, 3, 2, 0]);
});

test('asking that was stopped can be taken up again', async () => {
  vi.useFakeTimers();
  const asked = answering(busy, found);
  const study = await studyOf(15);
  const left = study.ask();
  study.stop();
  const again = study.ask();
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all([left, again]);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(study.complete).toBe(true);
});

test('a map of another board is taken away at once, and so is one whose next position does not come', async () => {
  answering(found);
  const small = { game: 'petrify' as const, size: 4, moves: [] };
  keepView(small, { ...petrifyView(), size: 4 });
  const outlook = new Outlook();
  outlook.look(small);
  await vi.waitFor(() => expect(outlook.known).not.toBeNull());
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  outlook.look({ game: 'pilo', size: 4, moves: [] });
  expect(outlook.known).toBeNull();

  answering(found);
  const other = new Outlook();
  other.look(small);
  await vi.waitFor(() => expect(other.known).not.toBeNull());
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  other.look({ ...small, moves: ['a1'] });
  await vi.waitFor(() => expect(other.trouble).not.toBe(''));
  expect(other.known).toBeNull();
  other.look(small);
  await vi.waitFor(() => expect(other.known).not.toBeNull());
  expect(other.trouble).toBe('');
});

test('of a move that no search has looked at no share is told', () => {
  const told = { move: 'c3', visits: 0, share: 0, win_chance: 0.4, expected_score: -1, proven: null };
  const rows = bestRows({ moves: [{ ...told, visits: 9, share: 0.9 }, told] } as unknown as Analysis);
  expect(rows.map(({ share }) => share)).toEqual(['90\u00a0%', '–']);
});
