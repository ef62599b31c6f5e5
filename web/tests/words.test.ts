import { expect, test } from 'vitest';
import { parsePlace } from '../src/board/places';
import { effectWords, moveWords, placeWords } from '../src/play/words';
import { disk, marble, petrifyView, pyloffView } from './fixtures';

test('the cursor says what it stands on', () => {
  const view = petrifyView({ pieces: [disk('c3', 'blue')] });
  expect(placeWords(view, parsePlace('c3'))).toBe('c3: Blue disk');
  expect(placeWords(view, parsePlace('d4'))).toBe('d4: empty');
});

test('in a pile it names the highest marble of the line', () => {
  const view = pyloffView({ pieces: [marble('b2', 'black'), marble('3a1', 'white')] });
  expect(placeWords(view, parsePlace('b2'))).toBe('3a1: White marble');
});

test('what a move would do is said in one line', () => {
  const nothing = { sentence: '', captures: [], supports: [], buries: [], cuts: [] };
  const capture = { ...nothing, captures: ['c3'], block: 'b2', score: { blue: 5, orange: 0 } };
  expect(effectWords(petrifyView(), capture)).toBe('Takes c3 and leaves a block on b2. Score then: Blue 5, Orange 0.');
  const marbles = { ...nothing, captures: ['a1', 'b1'], level: 3, buries: ['b2'], score: { black: 3, white: 4 } };
  expect(effectWords(pyloffView(), marbles)).toBe(
    'On level 3. Captures 2 marbles. Buries b2. Score then: Black 3, White 4.',
  );
});

test('a swap is told of by the seat, since it changes the colours', () => {
  const view = petrifyView({ colours: { first: 'orange', second: 'blue' } });
  expect(moveWords(view, 'second', 'c3')).toMatch(/^Blue\b/);
  expect(moveWords(view, 'second', 'swap')).toMatch(/^Second\b/);
});
