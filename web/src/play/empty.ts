/** A board before the server has said anything: nothing stands on it and nothing can be played. */

import type { Colour, GameName, View } from '../api/types';

const FIRST: Record<GameName, [Colour, Colour]> = {
  petrify: ['blue', 'orange'],
  pilo: ['blue', 'orange'],
  pentwall: ['solid', 'striped'],
  pyloff: ['black', 'white'],
};

export function emptyView(game: GameName, size: number): View {
  const [first, second] = FIRST[game];
  return {
    game,
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
