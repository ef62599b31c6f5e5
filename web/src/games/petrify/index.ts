/** Petrify: disks, and the blocks that captures leave behind. */

import { COLOURS, T, TITLES } from '../../texts';
import { captures } from '../captures';
import type { Game } from '../game';
import sample from './sample.json';

export const petrify: Game = {
  ...captures((at, colour) => ({ kind: 'disk', at, colour })),
  name: 'petrify',
  title: TITLES.petrify,
  sample,
  lesson: () => import('./lesson.json'),
  rules: () => import('../../../../docs/rules/petrify.md?raw'),
  pieceWords: (piece) => (piece.kind === 'disk' ? T.textBoard.disk(COLOURS[piece.colour]) : T.textBoard.block),
};
