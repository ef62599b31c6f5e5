/** What the computer expects of the position on the board: asked for one at a time, and only while somebody looks. */

import { untrack } from 'svelte';
import { analysePatiently, type Line, lineKey, viewOf, sentenceOf } from '../api/http';
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
    // of another game or board nothing may stay
    if (line && untrack(() => this.known && !isOn(line, this.known))) this.forget();
    // whoever calls this in an effect means the line, not what is known so far
    if (!this.busy) untrack(() => void this.ask(wait));
  }

  /** A hint was given: what it rests on is what is known of its position from then on. */
  learn(line: Line, known: Known): void {
    if (this.knownKey === lineKey(line)) this.known = known;
  }

  private forget(): void {
    this.known = null;
    this.knownKey = '';
  }

  private async ask(wait: number): Promise<void> {
    this.busy = true;
    this.trouble = '';
    for (let asked; (asked = this.wanted) && !this.fresh;) {
      if (wait) await new Promise((go) => setTimeout(go, wait));
      if (asked !== this.wanted) continue;
      try {
        const view = await viewOf(asked);
        const seen = view.over ? null : await analysePatiently(asked, 'quick', () => asked === this.wanted);
        if (this.wanted && !isOn(this.wanted, { view, seen })) continue;
        this.known = { view, seen };
        this.knownKey = lineKey(asked);
        this.trouble = '';
      } catch (why) {
        if (asked !== this.wanted) continue;
        this.forget();
        this.trouble = sentenceOf(why);
        break;
      }
    }
    this.busy = false;
  }
}

/** Whether a line is of the game and the board that something is known of. */
function isOn(line: Line, { view }: Known): boolean {
  return line.game === view.game && line.size === view.size;
}
