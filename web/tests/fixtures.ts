import type { Colour, GameState, View } from '../src/api/types';
import { emptyView } from '../src/games';

/** Some moves into the game, unless something else is said. */
export function petrifyView(change: Partial<View> = {}): View {
  return { ...emptyView('petrify', 5), ply: 4, ...change };
}

export function pyloffView(change: Partial<View> = {}): View {
  return { ...emptyView('pyloff', 4), ply: 4, ...change };
}

/** A bitset with these bits, as the server sends it. */
export function bits(...set: number[]): string {
  const bytes = new Uint8Array(512);
  for (const bit of set) bytes[bit >> 3]! |= 1 << (bit & 7);
  return btoa(String.fromCharCode(...bytes));
}

export function disk(at: string, colour: Colour): View['pieces'][number] {
  return { kind: 'disk', at, colour } as View['pieces'][number];
}

export function marble(at: string, colour: Colour): View['pieces'][number] {
  return { kind: 'marble', at, colour, buried: false } as View['pieces'][number];
}

export function gameState(change: Partial<GameState> = {}): GameState {
  const chair = { kind: 'person' as const, level: null, claimed: true, here: true };
  return {
    id: 'abc',
    game: 'petrify',
    size: 5,
    v: 3,
    epoch: 0,
    status: 'active',
    moves: ['c3', 'd4'],
    view: petrifyView(),
    seats: { first: chair, second: { ...chair, claimed: false, here: false } },
    you: ['first'],
    result: null,
    offer: null,
    clock: null,
    thinking: null,
    rematch: null,
    redo: [],
    invite: null,
    opening: 0,
    paused: false,
    ...change,
  };
}
