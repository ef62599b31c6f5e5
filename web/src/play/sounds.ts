/** Which sound a move makes. */

import type { GameName, MoveText } from '../api/types';
import type { Sound } from '../sound';

export function soundOf(game: GameName, move: MoveText): Sound {
  if (move === 'pass' || move === 'swap') return 'no';
  if (game === 'pentwall') return 'paint';
  if (move.includes('x')) return 'capture';
  return game === 'pyloff' ? 'marble' : 'place';
}
