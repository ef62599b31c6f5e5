/** What there is to know about a whole line: its scores, which are exact, and what the computer thinks of each position. */

import { analyse, type Line, lineKey, Refused, viewsOf } from '../api/http';
import type { Analysis, View } from '../api/types';
import { graphPoints, type Point } from './graph';

/** Questions about one position that the server may put off. */
const MOST_TRIES = 10;

export class Study {
  /** The line's positions from the first on; empty until they have come. */
  views: View[] = $state.raw([]);
  /** What the computer thinks of each; a gap where it was not asked or the game is over. */
  seen: (Analysis | undefined)[] = $state.raw([]);
  /** How far the asking is, while it goes on. */
  progress: { done: number; all: number } | null = $state.raw(null);
  trouble = $state('');

  private line: Line | null = null;
  private round = 0;

  /** The line for a graph. */
  readonly points: Point[] = $derived(graphPoints(this.views, this.seen));

  /** The positions that may still be asked about. */
  private readonly open: number[] = $derived(
    this.views.flatMap((view, ply) => (view.over || this.seen[ply] ? [] : [ply])),
  );
  /** Whether there is nothing more to ask. */
  readonly complete: boolean = $derived(this.open.length === 0);

  /** Takes up a line. What is known of its beginning stays. */
  async follow(line: Line): Promise<void> {
    if (this.line && lineKey(line) === lineKey(this.line)) return;
    const known = this.line ? shared(this.line, line) : 0;
    const round = ++this.round;
    this.line = line;
    this.progress = null;
    try {
      const views = await viewsOf(line);
      if (round !== this.round) return;
      this.seen = this.seen.slice(0, known);
      this.views = views;
    } catch {
      // the board itself says what is wrong; a graph that does not come is no trouble of its own
    }
  }

  /** Asks about every position that was not asked about, the newest first. */
  async ask(): Promise<void> {
    const { line, round } = this;
    if (!line || this.progress) return;
    this.trouble = '';
    const open = this.open.toReversed();
    for (const [done, ply] of open.entries()) {
      this.progress = { done, all: open.length };
      try {
        const seen = await this.patiently({ ...line, moves: line.moves.slice(0, ply) }, round);
        if (round !== this.round) return;
        this.seen = Object.assign([...this.seen], { [ply]: seen });
      } catch (why) {
        if (round !== this.round) return;
        this.trouble = why instanceof Error ? why.message : String(why);
        break;
      }
    }
    this.progress = null;
  }

  /** A hint was given: what it rests on is what is known of its position from then on. */
  learn(line: Line, seen: Analysis): void {
    const ply = line.moves.length;
    if (this.line && shared(this.line, line) > ply) this.seen = Object.assign([...this.seen], { [ply]: seen });
  }

  /** Asks again while the server only wants us to wait, but not for ever: it may be that it cannot tell. */
  private async patiently(line: Line, round: number): Promise<Analysis> {
    for (let tried = 1; ; tried++) {
      try {
        return await analyse(line, 'quick');
      } catch (why) {
        if (!(why instanceof Refused) || why.retryAfter === null || tried === MOST_TRIES) throw why;
        const wait = 1000 * why.retryAfter;
        await new Promise((go) => setTimeout(go, wait));
        if (round !== this.round) throw why;
      }
    }
  }

  /** Asks no further; what was found stays. */
  stop(): void {
    this.round++;
    this.progress = null;
  }
}

/** How many positions two lines have in common, the first one included. */
function shared(one: Line, other: Line): number {
  if (lineKey({ ...one, moves: [] }) !== lineKey({ ...other, moves: [] })) return 0;
  const differs = one.moves.findIndex((move, ply) => move !== other.moves[ply]);
  return 1 + (differs < 0 ? one.moves.length : differs);
}
