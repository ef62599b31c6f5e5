/** Pilo: stacks, and the blocks that captures leave behind. */

import { T } from '../../language.svelte';
import { captures } from '../captures';
import type { Game } from '../game';
import sample from './sample.json';

export const pilo: Game = {
  ...captures((at, colour) => ({ kind: 'stack', at, colour, height: 1 })),
  name: 'pilo',
  get title() {
    return T.titles.pilo;
  },
  sample,
  pieceWords: (piece) =>
    piece.kind === 'stack' ? T.textBoard.stack(T.colours[piece.colour], piece.height) : T.textBoard.block,
};
