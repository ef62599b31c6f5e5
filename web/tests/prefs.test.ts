import { expect, test } from 'vitest';
import { endGame, prefs, rememberGame } from '../src/prefs.svelte';

test('a game that is over makes room for another before one that goes on does', () => {
  for (let i = 0; i < 24; i++) rememberGame(`g${i}`, 'pilo');
  endGame('g5');
  rememberGame('new', 'pilo');
  const kept = prefs.games.map(({ id }) => id);
  expect(kept).toHaveLength(24);
  expect(kept[0]).toBe('new');
  expect(kept).toContain('g0');
  expect(kept).not.toContain('g5');
  rememberGame('newer', 'pilo');
  expect(prefs.games.map(({ id }) => id)).not.toContain('g0');
});
