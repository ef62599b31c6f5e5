/**
 * Every text of the page, in the language that is chosen. English stands in `english.ts`; another language is a folder
 * beside the package's other ones, whose catalogue also says what the rules and the server say.
 */

import type { Said } from './api/types';
import { ENGLISH } from './english';

interface Catalogue {
  plurals: string;
  texts: Record<string, string | string[]>;
}

/** The names in braces, in the order in which a text first names them. */
type Names<Text, Seen extends string = never> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends Seen
    ? Names<Rest, Seen>
    : [Name, ...Names<Rest, Seen | Name>]
  : [];
type Values<Names extends unknown[]> = { [At in keyof Names]: string | number };
type Texts<Tree> = Tree extends string
  ? Names<Tree> extends []
    ? string
    : (...values: Values<Names<Tree>>) => string
  : Tree extends readonly [string, infer Many]
    ? (...values: Values<Many extends `${string}{count}${string}` ? Names<Many> : ['count', ...Names<Many>]>) => string
    : { readonly [Name in keyof Tree]: Texts<Tree[Name]> };

const CATALOGUES = import.meta.glob<{ default: Catalogue }>('@languages/*/messages.json');
const LESSONS = {
  ...import.meta.glob<{ default: unknown }>('@languages/*/lessons/*.json'),
  ...import.meta.glob<{ default: unknown }>('../../src/purlieu/languages/en/lessons/*.json'),
};
const RULES = {
  ...import.meta.glob<string>('@languages/*/rules/*.md', { query: '?raw', import: 'default' }),
  ...import.meta.glob<string>('../../src/purlieu/languages/en/rules/*.md', { query: '?raw', import: 'default' }),
};

/** The languages that there are, English first. */
export const LANGUAGES = ['en', ...Object.keys(CATALOGUES).map((path) => path.split('/').at(-2)!)];

let catalogue: Catalogue | null = $state.raw(null);

/** The tag of the language that is spoken. */
export const spoken = $state({ tag: 'en' });

let asked = 0;

/** Speak a language from now on; what it lacks, or all of it if it cannot be loaded, is said in English. */
export async function speak(tag: string): Promise<void> {
  const mine = ++asked;
  const load = Object.entries(CATALOGUES).find(([path]) => path.endsWith(`/${tag}/messages.json`))?.[1];
  const loaded = await load?.().catch(() => null);
  if (mine !== asked) return; // another was chosen meanwhile
  catalogue = loaded?.default ?? null;
  spoken.tag = loaded ? tag : 'en';
  document.documentElement.lang = spoken.tag;
}

/** The language that this browser asks for, among those that there are. */
export function preferred(): string {
  const asked = navigator.languages.flatMap((tag) => [tag, tag.split('-')[0]!]);
  return asked.find((tag) => LANGUAGES.includes(tag)) ?? 'en';
}

/** Loads a file of the language that is spoken, or the English one where it is not translated. */
function load<File>(files: Record<string, () => Promise<File>>, kind: string, name: string): Promise<File> {
  const of = (tag: string) => Object.keys(files).find((path) => path.endsWith(`/${tag}/${kind}/${name}`));
  return files[of(spoken.tag) ?? of('en')!]!();
}

/** The page of a game's rules, as Markdown. */
export const rulesOf = (game: string): Promise<string> => load(RULES, 'rules', `${game}.md`);

/** The steps of a game's lesson. */
export const lessonOf = async (game: string): Promise<unknown> =>
  (await load(LESSONS, 'lessons', `${game}.json`)).default;

/** What a language calls itself. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** A sentence of the server's, in the language that is spoken. */
export function say(said: Said): string {
  const found = catalogue?.texts[said.code];
  if (found === undefined) return said.text;
  const values = Object.entries(said.values as Record<string, unknown>).map(([name, value]) => [
    name,
    typeof value === 'object' ? say(value as Said) : value,
  ]);
  return filled(found, Object.fromEntries(values) as Record<string, string | number>);
}

function filled(text: string | readonly string[], values: Record<string, string | number>): string {
  const count = Number(values.count);
  const form = typeof text === 'string' ? text : (text[pluralOf(count)] ?? text.at(-1)!);
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

function pluralOf(count: number): number {
  if (!catalogue) return count === 1 ? 0 : 1;
  return Number(catalogue.plurals[count < 200 ? count : 100 + (count % 100)]);
}

function named(text: string | readonly string[]): string[] {
  const words = typeof text === 'string' ? text : text[1]!;
  const found = [...new Set([...words.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))];
  return typeof text === 'string' || found.includes('count') ? found : ['count', ...found];
}

/** The tree of texts: each is read when it is shown, so that another language shows at once. */
function texts<Tree extends object>(tree: Tree, path: string): Texts<Tree> {
  const made = {};
  for (const [name, node] of Object.entries(tree) as [string, string | readonly string[] | object][]) {
    const code = `${path}.${name}`;
    if (typeof node === 'object' && !Array.isArray(node)) {
      Object.defineProperty(made, name, { value: texts(node, code), enumerable: true });
      continue;
    }
    const english = node as string | readonly string[];
    const names = named(english);
    const text = (values: Record<string, string | number>) => {
      const found = catalogue?.texts[code];
      // what is not translated takes English's plural
      return found === undefined ? inEnglish(english, values) : filled(found, values);
    };
    const get = names.length === 0 && typeof english === 'string' ? () => text({}) : () => byPlace(names, text);
    Object.defineProperty(made, name, { get, enumerable: true });
  }
  return made as Texts<Tree>;
}

function inEnglish(text: string | readonly string[], values: Record<string, string | number>): string {
  const form = typeof text === 'string' ? text : text[Number(values.count) === 1 ? 0 : 1]!;
  return filled(form, values);
}

const byPlace =
  (names: string[], text: (values: Record<string, string | number>) => string) =>
  (...values: (string | number)[]) =>
    text(Object.fromEntries(names.map((name, at) => [name, values[at]!])));

export const T = texts(ENGLISH, 'page');
