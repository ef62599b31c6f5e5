import { expect, test } from 'vitest';
import { parsePlace } from '../src/board/places';
import { placeWords } from '../src/play/words';
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
