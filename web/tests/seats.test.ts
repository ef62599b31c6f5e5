import { expect, test } from 'vitest';
import type { GameState, LevelInfo } from '../src/api/types';
import { nameOf, passedOf, sideOf, verdictOf } from '../src/play/seats';
import { gameState } from './fixtures';

const LEVELS = [{ number: 4, name: 'Hedge' }] as LevelInfo[];
const person = gameState().seats.first;
const computer = { ...person, kind: 'computer' as const, level: 4 };

test('everybody is called by what the one who looks knows them as', () => {
  const friends = gameState({ seats: { first: person, second: person } });
  expect(nameOf(friends, 'first', LEVELS)).toBe('You');
  expect(nameOf(friends, 'second', LEVELS)).toBe('Friend');
  expect(nameOf({ ...friends, you: [] }, 'second', LEVELS)).toBe('Second');
  expect(nameOf({ ...friends, you: ['first', 'second'] }, 'first', LEVELS)).toBe('First');
  expect(nameOf(gameState(), 'second', LEVELS)).toBe('Waiting for a friend');
  const alone = gameState({ seats: { first: person, second: computer } });
  expect(nameOf(alone, 'second', LEVELS)).toBe('Hedge');
  expect(nameOf(alone, 'second', [])).toBe('Computer');
});

test('only the clock that runs goes on, and the computer has none', () => {
  const clock = { mode: 'fischer', running: 'first', remaining_ms: { first: 60_000, second: 90_000 } };
  const friends = gameState({ seats: { first: person, second: person }, clock: clock as GameState['clock'] });
  expect(sideOf(friends, 'first', LEVELS, 5_000)).toMatchObject({ clock: '0:55', low: false });
  expect(sideOf(friends, 'first', LEVELS, 45_000)).toMatchObject({ clock: '0:15', low: true });
  expect(sideOf(friends, 'second', LEVELS, 45_000)).toMatchObject({ clock: '1:30', low: false });
  const alone = { ...friends, seats: { first: person, second: computer } };
  expect(sideOf(alone, 'second', LEVELS, 0)).toMatchObject({ clock: null, detail: 'level 4' });
});

test('somebody who has left is away', () => {
  const left = gameState({ seats: { first: person, second: { ...person, here: false } } });
  expect(sideOf(left, 'second', LEVELS, 0)).toMatchObject({ away: true, detail: 'away' });
});

test('the end is told from where one sits', () => {
  const won = gameState({ result: { winner: 'first', ending: 'score' } as GameState['result'] });
  expect(verdictOf(won)).toBe('You win');
  expect(verdictOf({ ...won, you: ['second'] })).toBe('You lose');
  expect(verdictOf({ ...won, you: [] })).toBe('Blue wins');
  expect(verdictOf(gameState({ result: { winner: null, ending: 'draw' } as GameState['result'] }))).toBe('A draw');
  expect(verdictOf(gameState({ result: { winner: null, ending: 'called off' } as GameState['result'] }))).toBe(
    'Called off',
  );
  const cut = { winner: null, ending: 'unfinished' } as GameState['result'];
  expect(verdictOf(gameState({ result: cut }))).toBe('Unfinished');
  expect(verdictOf(gameState())).toBe('');
});

test('a pass is told until its side moves again', () => {
  expect(passedOf(gameState({ moves: ['c3', 'pass'] }))).toBe('Orange had no play and passed.');
  expect(passedOf(gameState({ moves: ['c3', 'pass', 'd4'] }))).toBe('Orange had no play and passed.');
  expect(passedOf(gameState({ moves: ['c3', 'pass', 'd4', 'e5'] }))).toBe('');
});
