import { afterEach, expect, test, vi } from 'vitest';
import { analyse, keepView } from '../src/api/http';
import type { Analysis } from '../src/api/types';
import { Outlook } from '../src/play/outlook.svelte';
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
  keepView(line, petrifyView());
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
