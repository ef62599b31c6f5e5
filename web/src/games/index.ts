/** The four games. Whatever is said about one of them alone is said in its folder; all others ask `gameOf`. */

import type { GameName, View } from '../api/types';
import type { Region } from '../board/overlay';
import type { Game } from './game';
import { GAME_NAMES } from './names';
import { pentwall } from './pentwall';
import { petrify } from './petrify';
import { pilo } from './pilo';
import { pyloff } from './pyloff';

export type { Game } from './game';

const BY_NAME: Record<GameName, Game> = { petrify, pilo, pentwall, pyloff };

/** The games, in the order in which the page shows them. */
export const GAMES: readonly Game[] = GAME_NAMES.map((name) => BY_NAME[name]);

export function gameOf({ game }: { game: GameName }): Game {
  return BY_NAME[game];
}

/** The game that a link names, if it names one. */
export function gameNamed(name: string | null | undefined): Game | null {
  return GAMES.find((game) => game.name === name) ?? null;
}

/** A board before the server has said anything: nothing stands on it and nothing can be played. */
export function emptyView(name: GameName, size: number): View {
  const [first, second] = BY_NAME[name].colours;
  return {
    game: name,
    size,
    ply: 0,
    text: '',
    to_move: 'first',
    colour_to_move: first,
    colours: { first, second },
    pieces: [],
    legal: [],
    can_swap: false,
    pie_open: false,
    must_pass: false,
    last: null,
    ledger: { entries: [], totals: { [first]: 0, [second]: 0 } },
    over: false,
    outcome: null,
  };
}

/** Whose land each region of the board is, as the count stands; nobody owns land in a pile. */
export function landOf(view: View): Region[] {
  if (gameOf(view).style.pile) return [];
  return view.ledger.entries.map(({ squares, owner }) => ({ at: squares, colour: owner, strong: false }));
}

/** The region of one entry of the count, to point at. */
export function entryRegion(view: View, entry: number | null): Region[] {
  const found = entry === null ? undefined : view.ledger.entries[entry];
  return found ? [{ at: found.squares, colour: found.owner, strong: true }] : [];
}
