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

test('a move stays on its way until it is answered itself, whatever else is', async () => {
  let hear: (frame: object) => void = () => {};
  const said: { t: string; rid: string }[] = [];
  class Line {
    static readonly OPEN = 1;
    readonly readyState = 1;
    set onmessage(heard: (message: { data: string }) => void) {
      hear = (frame) => heard({ data: JSON.stringify(frame) });
    }
    send(text: string) {
      said.push(JSON.parse(text) as { t: string; rid: string });
    }
    close() {}
  }
  vi.stubGlobal('WebSocket', Line);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('fetch', async () => Response.json(gameState({ moves: ['c3'] })));
  const live = new LiveGame('one', () => {});
  await live.open(null);
  live.play('d4');
  live.act('offer_draw');
  const [move, offer] = said;
  hear({ t: 'ack', rid: offer!.rid, v: 3, ply: 1, dup: false });
  expect(live.sending).toBe('d4');
  hear({ t: 'ack', rid: move!.rid, v: 4, ply: 2, dup: false });
  expect(live.sending).toBeNull();
  live.close();
});
