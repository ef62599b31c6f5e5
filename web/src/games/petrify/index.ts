/** Petrify: disks, and the blocks that captures leave behind. */

import { T } from '../../language.svelte';
import { captures } from '../captures';
import type { Game } from '../game';
import sample from './sample.json';

export const petrify: Game = {
  ...captures((at, colour) => ({ kind: 'disk', at, colour })),
  name: 'petrify',
  get title() {
    return T.titles.petrify;
  },
  sample,
  pieceWords: (piece) => (piece.kind === 'disk' ? T.textBoard.disk(T.colours[piece.colour]) : T.textBoard.block),
};
