import { afterEach, expect, test, vi } from 'vitest';
import type { ClientFrame } from '../src/api/types';
import { LiveGame } from '../src/play/live.svelte';
import { gameState } from './fixtures';

afterEach(() => vi.unstubAllGlobals());

test('a move names the board that it was made on, so that the server notices if ours is another', async () => {
  const said: ClientFrame[] = [];
  class Line {
    static readonly OPEN = 1;
    readonly readyState = 1;
    send(text: string) {
      said.push(JSON.parse(text) as ClientFrame);
    }
    close() {}
  }
  const state = gameState({ moves: ['c3'] });
  state.view.hash = 'of that board';
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('fetch', async () => Response.json(state));
  const table = new LiveGame(state.id, () => {});
  await table.open(null);
  table.play('d4');
  table.close();
  expect(said).toEqual([expect.objectContaining({ t: 'move', ply: 2, move: 'd4', hash: 'of that board' })]);
});
