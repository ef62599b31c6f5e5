/** How a player looks at the board: turned, peeled, through, or from the side. Nothing of it changes the game. */

import type { GameName } from '../api/types';
import type { Turn } from '../board/geometry';
import { keepPrefs, prefs } from '../prefs.svelte';

/** Whose land is shown: as it is counted now, or as it should be in the end. */
type Land = 'none' | 'counted' | 'expected';

export class Sight {
  turn: Turn = $state(0);
  peel: number | null = $state(null);
  xray = $state(false);
  links = $state(false);
  tilted = $state(false);
  land: Land = $state('none');
  ideas = $state(false);
  /** Whether the computer may tell what it expects here: not between people before the end. */
  mayExpect = $state(false);

  /** Whether anything is shown that the computer has to be asked for. */
  readonly expects: boolean = $derived(this.mayExpect && (this.land === 'expected' || this.ideas));

  private game: GameName | null = null;

  /** Each game keeps the turn it was last seen in. */
  look(game: GameName): void {
    if (game === this.game) return;
    this.game = game;
    this.turn = ((prefs.turns[game] ?? 0) % 4) as Turn;
  }

  turnBy(quarters: number): void {
    this.turn = ((this.turn + quarters) % 4) as Turn;
    if (this.game) {
      prefs.turns[this.game] = this.turn;
      keepPrefs();
    }
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

  setPeel(level: number, size: number): void {
    this.peel = level >= size || level < 1 ? null : level;
  }

  /** Keys that work wherever the focus is. True if the key meant something. */
  key(event: KeyboardEvent, size: number): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const pentwall = this.game === 'pentwall';
    const letter = event.key.toLowerCase();
    if (letter === 'f' && (event.shiftKey || !pentwall)) this.turnBy(2);
    else if (letter === 'r' && (event.shiftKey || !pentwall)) this.turnBy(1);
    else if (letter === 'o') this.toggleLand(this.mayExpect ? 'expected' : 'counted');
    else if (letter === 'c') this.toggleLand('counted');
    else if (letter === 'm' && this.mayExpect) this.toggleIdeas();
    else if (this.game === 'pyloff' && /^\d$/.test(event.key)) this.setPeel(Number(event.key), size);
    else if (this.game === 'pyloff' && letter === 'v') this.links = !this.links;
    else return false;
    return true;
  }
}
