/** The keys of every page with a board: through the game, to the board, and how it is looked at. */

import type { Sight } from './sight.svelte';

export type Where = 'first' | 'back' | 'on' | 'last';

/** Arrows are the board's own while it has the focus; fields and dialogs keep all their keys. */
export function pageKey(
  event: KeyboardEvent,
  size: number,
  board: SVGSVGElement | undefined,
  sight: Sight,
  walk?: (where: Where) => void,
): void {
  if (event.target instanceof Element && event.target.closest('input, textarea, select, dialog')) return;
  const onBoard = event.target === board;
  const where = walk && whereTo(event.key, onBoard);
  if (where) walk(where);
  else if (event.key === 'b' && !onBoard) board?.focus();
  else if (!sight.key(event, size, onBoard)) return;
  event.preventDefault();
}

function whereTo(key: string, onBoard: boolean): Where | null {
  if (key === 'Home') return 'first';
  if (key === 'End') return 'last';
  if (onBoard) return null;
  return key === 'ArrowLeft' ? 'back' : key === 'ArrowRight' ? 'on' : null;
}
