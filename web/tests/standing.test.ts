import { expect, test } from 'vitest';
import type { Analysis, View } from '../src/api/types';
import { type People, SEATS } from '../src/play/seats';
import { hintWords, standing, swapWords } from '../src/play/standing';
import { petrifyView } from './fixtures';

const analysis = (change: Partial<Analysis>) =>
  ({ win_chance: 0.5, expected_score: 0, line: [], ...change }) as Analysis;
/** The second seat is to move, and has Orange. */
const later = (change: Partial<View> = {}) =>
  petrifyView({ ply: 5, to_move: 'second', colour_to_move: 'orange', ...change });

test('the bar is filled from the first seat’s side by the first seat’s chance, and the words stand beside their part', () => {
  expect(standing({ view: later(), analysis: analysis({ win_chance: 0.75, expected_score: 3 }) }, SEATS)).toEqual({
    first: 25,
    seat: 'second',
    words: 'Orange 75\u00a0%, by 3',
  });
  const swapped = later({ colours: { first: 'orange', second: 'blue' }, colour_to_move: 'blue' });
  expect(standing({ view: swapped, analysis: analysis({ win_chance: 0.25, expected_score: -3 }) }, SEATS)).toEqual({
    first: 75,
    seat: 'first',
    words: 'Orange 75\u00a0%, by 3',
  });
  const won = later({ over: true, outcome: { winner: 'first', by_colour: { blue: 9 } } as unknown as View['outcome'] });
  expect(standing({ view: won, analysis: null }, SEATS)).toEqual({
    first: 100,
    seat: 'first',
    words: 'Blue 100\u00a0%, by 9',
  });
});

test('while a swap may still come, persons are told of instead of colours, and the bar is filled by seat', () => {
  const you: People = { names: { first: 'You', second: 'Hedge' }, me: 'first' };
  const offer = petrifyView({ pie_open: true });
  expect(standing({ view: offer, analysis: analysis({ win_chance: 0.28, line: ['c3', 'swap'] }) }, you)).toEqual({
    first: 28,
    seat: 'first',
    words: 'You 28\u00a0% (Hedge may swap)',
  });
  const offered = later({ ply: 1, pie_open: true });
  const good = analysis({ win_chance: 0.72, expected_score: 5, line: ['swap', 'd5'] });
  expect(standing({ view: offered, analysis: good }, you).words).toBe('You 28\u00a0% (Hedge may swap)');
  const me: People = { names: { first: 'Hedge', second: 'You' }, me: 'second' };
  expect(standing({ view: offered, analysis: good }, me)).toEqual({
    first: 28,
    seat: 'second',
    words: 'You 72\u00a0% (you may swap)',
  });
  expect(standing({ view: offered, analysis: good }, SEATS).words).toBe('Second 72\u00a0% (Second may swap)');
});

test('where a swap is offered both chances are told: that of the other colour, and that of one’s own', () => {
  const view = later({ ply: 1, pie_open: true, can_swap: true });
  const good = analysis({ best_move: 'swap', win_chance: 0.723 });
  expect(swapWords(view, good)).toBe('Swap: 72\u00a0% as Blue. Stay: 28\u00a0% as Orange.');
  expect(hintWords(view, good, SEATS)).toBe(
    'The computer would swap. Swap: 72\u00a0% as Blue. Stay: 28\u00a0% as Orange.',
  );
  const bad = analysis({ best_move: 'd4', win_chance: 0.999 });
  expect(swapWords(view, bad)).toBe('Swap: 1\u00a0% as Blue. Stay: 99\u00a0% as Orange.');
  const sure = analysis({ best_move: 'swap', win_chance: 1, proven: 'win' });
  expect(swapWords(view, sure)).toBe('Swap: wins, proven as Blue. Stay: loses, proven as Orange.');
});

test('a hint says what the side to move may expect of it: a proof, or its chance and lead where they agree', () => {
  const hint = (change: Partial<Analysis>) => hintWords(later(), analysis({ best_move: 'c4xc3', ...change }), SEATS);
  expect(hint({ win_chance: 0.64, expected_score: 2.2 })).toBe('The computer would play c4xc3: 64\u00a0%, by 2.');
  expect(hint({ win_chance: 0.3, expected_score: -3 })).toBe('The computer would play c4xc3: 30\u00a0%, behind by 3.');
  expect(hint({ win_chance: 0.64, expected_score: -2 })).toBe('The computer would play c4xc3: 64\u00a0%.');
  expect(hint({ win_chance: 1, expected_score: 9, proven: 'win' })).toBe(
    'The computer would play c4xc3: wins, proven.',
  );
  const offer = petrifyView({ pie_open: true });
  expect(hintWords(offer, analysis({ best_move: 'c3', win_chance: 0.48 }), SEATS)).toBe(
    'The computer would play c3: 48\u00a0% (Second may swap).',
  );
});

test('what is even is called so, and a lead that says another thing than the chance is left out', () => {
  const said = (change: Partial<Analysis>) => standing({ view: later(), analysis: analysis(change) }, SEATS).words;
  expect(said({ win_chance: 0.52, expected_score: 1 })).toBe('even');
  expect(said({ win_chance: 0.48, expected_score: -3 })).toBe('even');
  expect(said({ win_chance: 0.53, expected_score: 1 })).toBe('Orange 53\u00a0%, by 1');
  expect(said({ win_chance: 0.6, expected_score: -1 })).toBe('Orange 60\u00a0%');
  expect(said({ win_chance: 0.6, expected_score: 0.3 })).toBe('Orange 60\u00a0%');
  expect(said({ win_chance: 0.5, proven: 'draw' })).toBe('a draw');
  const offer = { view: petrifyView({ pie_open: true }), analysis: analysis({ win_chance: 0.496 }) };
  expect(standing(offer, SEATS).words).toBe('even (Second may swap)');
  const drawn = later({ over: true, outcome: { winner: null, by_colour: {} } as unknown as View['outcome'] });
  expect(standing({ view: drawn, analysis: null }, SEATS).words).toBe('a draw');
});
