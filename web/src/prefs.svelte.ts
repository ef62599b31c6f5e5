/** What this browser remembers. A browser that keeps nothing still works, with the defaults. */

import type { GameName } from './api/types';

export interface Wishes {
  size: Partial<Record<GameName, number>>;
  opponent: 'computer' | 'here' | 'link';
  level: number;
  seat: 'first' | 'second' | 'random';
  clock: string;
}

interface Kept {
  /** The language that was chosen; else the browser's own. */
  language?: string;
  sound: boolean;
  confirm: 'auto' | 'always' | 'never';
  coordinates: boolean;
  evaluation: boolean;
  turns: Partial<Record<GameName, number>>;
  wishes: Wishes;
  games: { id: string; game: GameName; at: number; over?: boolean }[];
}

const DEFAULTS: Kept = {
  sound: true,
  confirm: 'auto',
  coordinates: true,
  evaluation: true,
  turns: {},
  wishes: { size: {}, opponent: 'computer', level: 2, seat: 'first', clock: 'none' },
  games: [],
};

function read<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`purlieu.${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`purlieu.${key}`, typeof value === 'string' ? value : JSON.stringify(value));
  } catch {
    // storage is full or forbidden; the wish holds until the page is closed
  }
}

const stored = read<Partial<Kept>>('prefs', {});
export const prefs: Kept = $state({ ...DEFAULTS, ...stored, wishes: { ...DEFAULTS.wishes, ...stored.wishes } });

export function keepPrefs(): void {
  write('prefs', $state.snapshot(prefs));
}

export function theme(): string {
  try {
    return localStorage.getItem('purlieu.theme') ?? 'system';
  } catch {
    return 'system';
  }
}

export function setTheme(wish: string): void {
  write('theme', wish);
  window.dispatchEvent(new Event('purlieu-theme'));
}

const MOST_GAMES = 24;

/** Games of this browser, newest first, so that one can go on tomorrow. Those that are over make room for others. */
export function rememberGame(id: string, game: GameName): void {
  const games = [{ id, game, at: Date.now() }, ...prefs.games.filter((other) => other.id !== id)];
  const over = games.findLastIndex((one) => one.over);
  if (games.length > MOST_GAMES) games.splice(over < 0 ? MOST_GAMES : over, 1);
  prefs.games = games;
  keepPrefs();
}

/** It is over: one may still look at it again, but not go on. */
export function endGame(id: string): void {
  prefs.games = prefs.games.map((one) => (one.id === id ? { ...one, over: true } : one));
  keepPrefs();
}

export function forgetGame(id: string): void {
  prefs.games = prefs.games.filter((other) => other.id !== id);
  keepPrefs();
}

export function forgetGames(): void {
  prefs.games = [];
  keepPrefs();
}
