/** The keys of every page with a board: through the game, to the board, and how it is looked at. */

import type { Sight } from './sight.svelte';
import type { Where } from './tree';

/** Arrows are the board's own while it has the focus; fields, dialogs and the browser keep all their keys. */
export function pageKey(
  event: KeyboardEvent,
  size: number,
  board: SVGSVGElement | undefined,
  sight: Sight,
  /** True if there was somewhere to go. */
  walk?: (where: Where) => boolean,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest('input, textarea, select, dialog')) return;
  const onBoard = event.target === board;
  const where = walk && whereTo(event.key, onBoard);
  // the page scrolls where there is nothing to walk to
  if (where) {
    if (!walk(where) && (where === 'above' || where === 'below')) return;
  } else if (event.key === 'b' && !onBoard) board?.focus();
  else if (!sight.key(event, size)) return;
  event.preventDefault();
}

const ARROWS: Record<string, Where> = { ArrowLeft: 'back', ArrowRight: 'on', ArrowUp: 'above', ArrowDown: 'below' };

function whereTo(key: string, onBoard: boolean): Where | null {
  if (key === 'Home') return 'first';
  if (key === 'End') return 'last';
  return onBoard ? null : (ARROWS[key] ?? null);
}
