import { expect, test } from 'vitest';
import { GAME_NAMES } from '../src/games/names';

const found = import.meta.glob<string>('../src/**/*.{ts,svelte,css}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** Path below src/ and text. */
const sources = Object.entries(found).map(([path, text]) => [path.replace('../src/', ''), text] as const);
/** The server's schema, and the page's words, which say by name what is said of each game. */
const DATA = ['api/schema.ts', 'english.ts'];

test('no code outside games/ asks which game it is: only there is one named', () => {
  const named = new RegExp(GAME_NAMES.join('|'), 'i');
  const naming = sources
    .filter(([path]) => !path.startsWith('games/') && !DATA.includes(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, i) => (named.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    );
  expect(sources.length).toBeGreaterThan(60);
  expect(naming).toEqual([]);
});

test('inside games/, only a game’s own folder and the lists of all games name it', () => {
  const lists = ['games/index.ts', 'games/names.ts'];
  const naming = sources
    .filter(([path]) => path.startsWith('games/') && !lists.includes(path))
    .flatMap(([path, text]) => {
      const others = GAME_NAMES.filter((name) => !path.startsWith(`games/${name}/`));
      const code = text.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|\/\/.*/g, '');
      return new RegExp(others.join('|'), 'i').test(code) ? [path] : [];
    });
  expect(naming).toEqual([]);
});
