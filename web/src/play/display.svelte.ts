/** How a player looks at the board: turned, peeled, through, or from the side, and which maps lie on it. */

import type { Rotation } from '../board/geometry';
import type { Game } from '../games';
import type { LevelDisplay } from '../games/game';
import { keepPrefs, prefs } from '../prefs.svelte';
import type { Where } from './tree';

/** Whose land is shown: as it is counted now, or as it should be in the end. */
type Land = 'none' | 'counted' | 'expected';

export class Display implements LevelDisplay {
  rotation: Rotation = $state(0);
  peel: number | null = $state(null);
  xray = $state(false);
  links = $state(false);
  tilted = $state(false);
  land: Land = $state('none');
  ideas = $state(false);
  /** Whether the computer may tell what it expects here: not between people before the end. */
  mayExpect = $state(false);

  private game: Game | null = null;

  /** Whether anything is shown that the computer has to be asked for. */
  get expects(): boolean {
    return this.mayExpect && (this.land === 'expected' || this.ideas);
  }

  /** Each game keeps the rotation it was last seen in. */
  show(game: Game): void {
    if (game === this.game) return;
    this.game = game;
    this.rotation = ((prefs.turns[game.name] ?? 0) % 4) as Rotation;
  }

  rotate(quarters: number): void {
    this.rotation = ((this.rotation + quarters) % 4) as Rotation;
    if (!this.game) return;
    prefs.turns[this.game.name] = this.rotation;
    keepPrefs();
  }

  /** Shows one map of owners, or none if it is shown already. */
  toggleLand(land: Land): void {
    this.land = this.land === land ? 'none' : land;
    this.tilted = false;
  }

  toggleIdeas(): void {
    this.ideas = !this.ideas;
    this.tilted = false;
  }

  /** Shows the levels up to this one, or all. */
  setPeel(level: number, size: number): void {
    this.peel = level >= size || level < 1 ? null : level;
  }

  /** Keys that work wherever the focus is. True if the key meant something. */
  key(event: KeyboardEvent, size: number): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const letter = event.key.toLowerCase();
    const mayTurn = event.shiftKey || !this.game?.ownsLetters;
    if (letter === 'f' && mayTurn) this.rotate(2);
    else if (letter === 'r' && mayTurn) this.rotate(1);
    else if (letter === 'o') this.toggleLand(this.mayExpect ? 'expected' : 'counted');
    else if (letter === 'c') this.toggleLand('counted');
    else if (letter === 'm' && this.mayExpect) this.toggleIdeas();
    else return this.game?.displayKey?.(event, this, size) ?? false;
    return true;
  }
}

/** Arrows are the board's own while it has the focus; fields, dialogs and the browser keep all their keys. */
export function pageKey(
  event: KeyboardEvent,
  size: number,
  board: SVGSVGElement | undefined,
  display: Display,
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
  else if (!display.key(event, size)) return;
  event.preventDefault();
}

const ARROWS: Record<string, Where> = { ArrowLeft: 'back', ArrowRight: 'on', ArrowUp: 'above', ArrowDown: 'below' };

function whereTo(key: string, onBoard: boolean): Where | null {
  if (key === 'Home') return 'first';
  if (key === 'End') return 'last';
  return onBoard ? null : (ARROWS[key] ?? null);
}
