/** A game's state after one more event. The server sends what changed; nothing is worked out here. */

import type { GameEvent, GameState } from '../api/types';

/** The next state; null if the event does not follow, so that the whole state must be asked for. */
export function applyEvent(state: GameState, event: GameEvent): GameState | null {
  if (event.v <= state.v) return state;
  if (event.v !== state.v + 1) return null;
  const { v, epoch, status, result, offer, clock, redo, rematch, paused, data } = event;
  let { moves, seats, view } = state;
  switch (event.kind) {
    case 'move':
      if (data.move) moves = [...moves, data.move];
      break;
    case 'undo':
      moves = moves.slice(0, data.ply ?? moves.length);
      break;
    case 'redo':
      moves = [...moves, ...(data.moves ?? [])];
      break;
    case 'join':
      if (event.seat) seats = { ...seats, [event.seat]: { ...seats[event.seat], claimed: true, here: true } };
      break;
    default:
      break;
  }
  view = event.view ?? view;
  const invite = event.kind === 'join' ? null : state.invite;
  return { ...state, v, epoch, status, result, offer, clock, redo, rematch, paused, moves, seats, view, invite };
}
