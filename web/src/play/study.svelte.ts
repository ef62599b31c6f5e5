/** What there is to know about a whole line: its scores, which are exact, and what the computer thinks of each position. */

import { analysePatiently, type Line, lineKey, sentenceOf, summariesOf } from '../api/http';
import type { Analysis, Summary } from '../api/types';
import { graphPoints, type Point } from './graph';

export class Study {
  /** The line's positions from the first on; empty until they have come. */
  summaries: Summary[] = $state.raw([]);
  /** What the computer thinks of each; a gap where it was not asked or the game is over. */
  seen: (Analysis | undefined)[] = $state.raw([]);
  /** How far the asking is, while it goes on. */
  progress: { done: number; all: number } | null = $state.raw(null);
  trouble = $state('');

  /** The line that summaries and analyses belong to; null if they did not come, so that it is asked for anew. */
  private line: Line | null = null;
  /** Each counts on when answers that are still to come have become useless: to another line, or to nobody. */
  private round = 0;
  private asking = 0;
  /** The ply that somebody looks at. */
  private looked = 0;

  /** The line for a graph. */
  readonly points: Point[] = $derived(graphPoints(this.summaries, this.seen));

  /** The positions that may still be asked about. */
  private readonly open: number[] = $derived(
    this.summaries.flatMap(({ over }, ply) => (over || this.seen[ply] ? [] : [ply])),
  );
  /** Whether there is nothing more to ask. */
  readonly complete: boolean = $derived(this.open.length === 0);

  /** Takes up a line. What is known of its beginning stays, and nothing else. */
  async follow(line: Line): Promise<void> {
    if (this.line && lineKey(line) === lineKey(this.line)) return;
    const known = this.line ? shared(this.line, line) : 0;
    const round = ++this.round;
    this.stop();
    this.line = line;
    this.trouble = '';
    this.seen = this.seen.slice(0, known);
    this.summaries = this.summaries.slice(0, known);
    try {
      const more = await summariesOf(line, this.summaries.length);
      if (round === this.round) this.summaries = [...this.summaries, ...more];
    } catch {
      // the board itself says what is wrong; a graph that does not come is no trouble of its own
      if (round === this.round) this.line = null;
    }
  }

  /** Somebody looks at this ply: if it was not asked about, it comes before all others. */
  look(ply: number): void {
    this.looked = ply;
  }

  /** Asks about every position that was not asked about: the one that is looked at, then the newest first. */
  async ask(): Promise<void> {
    const { line } = this;
    if (!line || this.progress) return;
    const asking = ++this.asking;
    this.trouble = '';
    for (let done = 0; this.open.length > 0; done++) {
      const ply = this.open.includes(this.looked) ? this.looked : this.open.at(-1)!;
      this.progress = { done, all: done + this.open.length };
      try {
        const at = { ...line, moves: line.moves.slice(0, ply) };
        const seen = await analysePatiently(at, 'quick', () => asking === this.asking);
        if (asking !== this.asking) return;
        this.seen = Object.assign([...this.seen], { [ply]: seen });
      } catch (why) {
        if (asking !== this.asking) return;
        this.trouble = sentenceOf(why);
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

  /** Asks no further; what was found stays. */
  stop(): void {
    this.asking++;
    this.progress = null;
  }
}

/** How many positions two lines have in common, the first one included. */
function shared(one: Line, other: Line): number {
  if (lineKey({ ...one, moves: [] }) !== lineKey({ ...other, moves: [] })) return 0;
  const differs = one.moves.findIndex((move, ply) => move !== other.moves[ply]);
  return 1 + (differs < 0 ? one.moves.length : differs);
}
