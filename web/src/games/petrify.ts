/** Petrify: how clicks become moves, and what a move looks like before it is played. */

import { squaresOf } from '../board/places';
import { inList, type Logic } from './hand';
import { hopes, lights, moveAt, tap } from './lines';

export const petrify: Logic = {
  tap,
  moveAt,
  lights,
  hopes,
  isLegal: inList,
  ghost: (view, move) => {
    const at = squaresOf(move).at(-1);
    return at ? { kind: 'disk', at: [at], colour: view.colour_to_move, legal: inList(view, move) } : null;
  },
};
