/** Pilo: as Petrify, but the ghost of a capture shows the stack as it stands. */

import { squaresOf } from '../board/places';
import { inList, type Logic } from './hand';
import { hopes, lights, moveAt, pieceAt, tap } from './lines';

export const pilo: Logic = {
  tap,
  moveAt,
  lights,
  hopes,
  isLegal: inList,
  ghost: (view, move) => {
    const squares = squaresOf(move);
    const at = squares.at(-1);
    if (!at) return null;
    const mover = squares.length > 1 ? pieceAt(view, squares[0]!) : undefined;
    const height = mover?.kind === 'stack' ? mover.height : 1;
    return { kind: 'stack', at: [at], colour: view.colour_to_move, height, legal: inList(view, move) };
  },
};
