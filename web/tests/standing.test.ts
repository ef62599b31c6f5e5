import { expect, test } from 'vitest';
import type { Analysis, View } from '../src/api/types';
import { standing } from '../src/play/standing';
import { petrifyView } from './fixtures';

const seen = (change: Partial<Analysis>) => ({ win_chance: 0.5, expected_score: 0, line: [], ...change }) as Analysis;
/** The second seat is to move, and has Orange. */
const later = (change: Partial<View> = {}) =>
  petrifyView({ ply: 5, to_move: 'second', colour_to_move: 'orange', ...change });

test('the bar is filled from the first seat’s side by the first seat’s chance, and the words stand beside their part', () => {
  expect(standing({ view: later(), seen: seen({ win_chance: 0.75, expected_score: 3 }) })).toEqual({
    first: 25,
    seat: 'second',
    words: 'Orange 75 %, by 3',
  });
  const swapped = later({ colours: { first: 'orange', second: 'blue' }, colour_to_move: 'blue' });
  expect(standing({ view: swapped, seen: seen({ win_chance: 0.25, expected_score: -3 }) })).toEqual({
    first: 75,
    seat: 'first',
    words: 'Orange 75 %, by 3',
  });
  const won = later({ over: true, outcome: { winner: 'first', by_colour: { blue: 9 } } as unknown as View['outcome'] });
  expect(standing({ view: won, seen: null })).toEqual({ first: 100, seat: 'first', words: 'Blue 100 %, by 9' });
});
