import { expect, test, vi } from 'vitest';
import { type Display, pageKey } from '../src/play/display.svelte';

test('the page takes plain keys and leaves those with Ctrl, Alt or Cmd to the browser', () => {
  vi.stubGlobal('Element', class {});
  const walk = vi.fn(() => true);
  const board = { focus: vi.fn() };
  const press = (key: string, held: Partial<KeyboardEvent> = {}) => {
    const preventDefault = vi.fn();
    const event = { key, target: null, preventDefault, ...held };
    pageKey(event as unknown as KeyboardEvent, 5, board as unknown as SVGSVGElement, {} as Display, walk);
    return preventDefault.mock.calls.length > 0;
  };
  expect(press('ArrowLeft', { altKey: true })).toBe(false);
  expect(press('ArrowLeft', { metaKey: true })).toBe(false);
  expect(press('b', { ctrlKey: true })).toBe(false);
  expect(walk).not.toHaveBeenCalled();
  expect(board.focus).not.toHaveBeenCalled();
  expect(press('ArrowLeft')).toBe(true);
  expect(walk).toHaveBeenCalledWith('back');
  vi.unstubAllGlobals();
});
