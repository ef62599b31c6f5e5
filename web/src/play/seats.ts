/** Who sits where, how their clocks stand, and who has won: words about a live game that need no page. */

import type { GameState, LevelInfo, Seat } from '../api/types';
import { T } from '../language.svelte';

/** How somebody is called; `levels` names the computer's. */
export function nameOf(game: GameState, seat: Seat, levels: readonly LevelInfo[]): string {
  const chair = game.seats[seat];
  if (chair.kind === 'computer') return levels.find(({ number }) => number === chair.level)?.name ?? T.home.computer;
  if (!chair.claimed) return T.waitingSeat;
  if (game.you.length === 2) return T.seat[seat];
  if (game.you.includes(seat)) return T.you;
  return chair.name ?? (game.you.length === 0 ? T.seat[seat] : T.friend);
}

/** How both seats are called, and which of them is whose who looks on; null if both are, or none. */
export interface People {
  names: Record<Seat, string>;
  me: Seat | null;
}

/** Where nobody plays. */
export const SEATS: People = { names: T.seat, me: null };

export function peopleOf(game: GameState, levels: readonly LevelInfo[]): People {
  const me = game.you.length === 1 ? game.you[0]! : null;
  return { names: { first: nameOf(game, 'first', levels), second: nameOf(game, 'second', levels) }, me };
}

/** Who one plays against. */
export function opponentOf(game: GameState, levels: readonly LevelInfo[]): string {
  if (game.you.length === 2) return T.home.friendHere;
  return nameOf(game, game.you.includes('first') ? 'second' : 'first', levels);
}

/** What tells a game from others in a list. */
export function aboutGame(game: GameState, levels: readonly LevelInfo[]): string {
  return T.home.about(T.home.sizeOf(game.size), opponentOf(game, levels), game.moves.length);
}

/** A clock's face. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  if (seconds >= 3600) return `${hours} h ${minutes} min`;
  if (seconds >= 10) return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
  return (Math.floor(left / 100) / 10).toFixed(1);
}

/** The clock of a person, `since` milliseconds after it was read. */
function clockOf(game: GameState, seat: Seat, since: number): { clock: string | null; low: boolean } {
  const { clock } = game;
  if (!clock || game.seats[seat].kind === 'computer') return { clock: null, low: false };
  const running = clock.running === seat;
  const left = clock.remaining_ms[seat] - (running ? Math.max(0, since) : 0);
  return { clock: clockText(left), low: running && left < 20_000 };
}

/** A side as the scores show it. */
export function sideOf(game: GameState, seat: Seat, levels: readonly LevelInfo[], since: number) {
  const chair = game.seats[seat];
  const away = chair.kind === 'person' && chair.claimed && !chair.here;
  return {
    name: nameOf(game, seat, levels),
    detail: chair.level ? T.level(chair.level) : away ? T.away : undefined,
    away,
    ...clockOf(game, seat, since),
  };
}

/** A friend who has left a game with minutes on the clock loses it to a claim, so long after. */
const AWAY_MS = 60_000;

/** Whether the win may be claimed: it is the turn of a friend whose seat has been empty for long, and the clock runs. */
export function canClaim(game: GameState, emptySince: Partial<Record<Seat, number>>, now: number): boolean {
  const seat = game.view.to_move;
  const since = emptySince[seat];
  if (game.status !== 'active' || game.you.length !== 1 || game.you.includes(seat) || since === undefined) return false;
  return (
    game.seats[seat].kind === 'person' &&
    game.clock?.mode === 'fischer' &&
    game.clock.running === seat &&
    now - since >= AWAY_MS
  );
}

/** Whether the game may be called off: until both have moved, or when the computer does not answer. */
export function canCallOff(game: GameState): boolean {
  if (game.you.length === 0 || game.status === 'over') return false;
  return game.paused || game.moves.length - game.opening < 2;
}

/** Whether there is a move of one's own to take back, in a game that did not end beside the board. */
export function canUndo({ status, view, you, moves, opening }: GameState): boolean {
  if (status === 'over' && !view.over) return false;
  const mine = (ply: number) => you.includes(ply % 2 === 0 ? 'first' : 'second');
  // passes are made by themselves, but for one that a game begins with
  const byHand = (move: string, ply: number) => move !== 'pass' || ply === opening;
  return moves.some((move, ply) => ply >= opening && mine(ply) && byHand(move, ply));
}

/** How the game ended, to whoever looks; nothing before the end. */
export function verdictOf(game: GameState): string {
  const { result } = game;
  if (!result) return '';
  if (!result.winner) {
    if (result.ending === 'unfinished') return T.end.unfinished;
    return result.ending === 'called off' ? T.end.aborted : T.end.draw;
  }
  if (game.you.length === 1) return game.you.includes(result.winner) ? T.end.youWin : T.end.youLose;
  return T.end.wins(T.colours[game.view.colours[result.winner]]);
}

/** A pass is told until its side moves again: the other may answer it within a blink. */
export function passedOf(game: GameState): string {
  if (game.status !== 'active') return '';
  const since = game.moves.slice(-2);
  const back = since.lastIndexOf('pass');
  if (back < 0) return '';
  const seat = (game.moves.length - since.length + back) % 2 === 0 ? 'first' : 'second';
  return T.turn.passed(T.colours[game.view.colours[seat]]);
}
