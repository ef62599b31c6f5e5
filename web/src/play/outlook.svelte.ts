/** What the computer expects of the position on the board: asked for one at a time, and only while somebody looks. */

import { untrack } from 'svelte';
import { analyse, type Line, lineKey, viewOf } from '../api/http';
import type { Known } from './expected';

export class Outlook {
  /** What was found last. It stays while the next position is looked at, so that the map does not flicker. */
  known: Known | null = $state.raw(null);
  trouble = $state('');

  private wanted: Line | null = $state.raw(null);
  private knownKey = $state('');
  private busy = false;

  /** Whether what is known is about the position that is wanted. */
  readonly fresh: boolean = $derived(!!this.wanted && lineKey(this.wanted) === this.knownKey);

  /** Looks at the end of a line, after a moment if the computer's own move should go first; null looks at nothing. */
  look(line: Line | null, wait = 0): void {
    this.wanted = line;
    // whoever calls this in an effect means the line, not what is known so far
    if (!this.busy) untrack(() => void this.ask(wait));
  }

  /** A hint was given: what it rests on is what is known of its position from then on. */
  learn(line: Line, known: Known): void {
    if (this.knownKey === lineKey(line)) this.known = known;
  }

  private async ask(wait: number): Promise<void> {
    this.busy = true;
    this.trouble = '';
    for (let asked; (asked = this.wanted) && !this.fresh;) {
      if (wait) await new Promise((go) => setTimeout(go, wait));
      if (asked !== this.wanted) continue;
      try {
        const view = await viewOf(asked);
        const seen = view.over ? null : await analyse(asked, 'quick');
        this.known = { view, seen };
        this.knownKey = lineKey(asked);
      } catch (why) {
        this.trouble = why instanceof Error ? why.message : String(why);
        if (asked === this.wanted) break;
      }
    }
    this.busy = false;
  }
}
