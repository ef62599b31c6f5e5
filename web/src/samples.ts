/** Games between the computer's levels, replayed by the living boards of the home page. */

import type { GameName } from './api/types';

export const SAMPLES: Record<GameName, { size: number; moves: string[] }> = {
  petrify: {
    size: 6,
    moves:
      'e1 f2 a4 a3 b4 a2 e2 d6 f4 a2xa4 d4 f2xf4 d1 b5 c1 d3 b4xa4 f4xd4 e4 b5xe2 e4xd3 d2 b3 c4 c1xd2 e2xd1 d3xa3 b6 a5 b6xa5 c2 d5 b1 b2 c3 d4xc3 f5 d5xb3 e5 c3xc2 a1 c5 f1 e6 a6 f6 c6 f3 e3 d6xc6 pass pass'.split(' '),
  },
  pilo: {
    size: 6,
    moves:
      'd5 e4 a4 d2 c3 f5 f2 e3 d6 d2xd5 c4 e5 f4 e4xc4 f4xf5 a6 b4 a3 b1 a3xc3 d1 a2 d6xa6 b6 c6 d3 b5 e5xb5 d4 d3xd4 a1 b6xb4 f1 f3 b3 c2 c1 c2xc1 f1xf3 f6 e6 f6xe6 a5 e2 f2xe2 c5 c6xc5 b2 b1xb2 e1 c5xc4 e1xd1 b2xb4 a2xa1 pass pass'.split(' '),
  },
  pentwall: {
    size: 10,
    moves:
      'Fh3g4h4i4g5 Ib5b6b7b8b9 Zd8e8e9e10f10 Wb3c3a4b4a5 Nc4c5d5d6d7 Lc7c8c9c10d10 Tf1f2g2h2f3 Vi7i8g9h9i9 Pg6h6i6g7h7 Xd1c2d2e2d3 Ui1j1j2i3j3 Yj4i5j5j6j7'.split(' '),
  },
  pyloff: {
    size: 5,
    moves:
      'c4 c5 d4 a3 b3 e3 a2 d2 d1 c3 b2 d3 e1 2c3 c2 e2 2b2 b4 2b3 d5 a4 2c4 a1 c1 e4 b5 b1 2b1 a3 d1 2a1 2b4 2d3 2c1 2a3 2d2 3b3 e1 a5 2a4 3a3 e5 2a2 3a2 3a1 2d4 2c2 3b2 3b1 3a2 3b1 3a3 a1 2d3 2a1 3c2 3c3 3a1 pass 3b1 pass 3b3 4a1 4a2 pass 4a1 pass 3c3 pass 4b2 pass 2d1 pass 3c1 pass pass'.split(' '),
  },
};
