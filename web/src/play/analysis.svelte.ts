/**
 * What the computer thinks of positions. Each answer is kept by its position for as long as the page is open, so none is
 * ever stale: whoever reads it here reads the best that is known. A page says what it shows, and what is missing is
 * asked for, one question at a time.
 */

import { untrack } from 'svelte';
import { Refused, sentenceOf } from '../api/http';
import type { Analysis, Summary } from '../api/types';
import type { Assessed, Known } from './expected';
import { graphPoints, type Point } from './graph';
import { analyse, type Effort, keptView, type Line, lineKey, summariesOf, viewOf } from './positions';

// -- what is known, by position ---------------------------------------------------------------------

const found = new Map<string, Analysis>();
const thorough = new Set<string>();
/** Questions that are on their way, so that none is asked twice. */
const asking = new Map<string, Promise<void>>();
/** Counts what was found, so that whoever reads is told. */
let changes = $state(0);

/** Beyond so many answers, those about other lines make room. */
const MOST_ANSWERS = 600;

/** Asks about a position. A quick look that comes after a thorough one adds nothing to it. */
function learn(line: Line, effort: Effort): Promise<void> {
  const key = lineKey(line);
  const question = `${key}@${effort}`;
  const known = asking.get(question);
  if (known) return known;
  const asked = analyse(line, effort)
    .then((analysis) => {
      if (effort === 'quick' && thorough.has(key)) return;
      found.set(key, analysis);
      if (effort === 'thorough') thorough.add(key);
      changes++;
    })
    .finally(() => asking.delete(question));
  asking.set(question, asked);
  return asked;
}

/** How often a question is asked that the server puts off. */
const MOST_TRIES = 10;

const sleep = (ms: number) => new Promise((go) => setTimeout(go, ms));

/** The same, again while the server only wants us to wait, until nobody wants it any more. */
async function learnPatiently(line: Line, effort: Effort, wanted: () => boolean): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await learn(line, effort);
    } catch (why) {
      if (!(why instanceof Refused) || why.retryAfter === null || tried === MOST_TRIES) throw why;
      await sleep(1000 * why.retryAfter);
      if (!wanted()) throw why;
    }
  }
}

function makeRoom(keys: readonly string[]): void {
  if (found.size <= MOST_ANSWERS) return;
  const needed = new Set(keys);
  for (const key of found.keys()) {
    if (needed.has(key)) continue;
    found.delete(key);
    thorough.delete(key);
  }
}

// -- what one page shows of it ----------------------------------------------------------------------

export interface Shown {
  /** The whole line, and the ply of it that is on the board. */
  line: Line;
  ply: number;
  /** Whether the scores of the whole line are shown, and what the computer thinks of each of its positions. */
  graph: boolean;
  all: boolean;
  /** Whether what the computer expects of the position on the board is shown: a map, or ideas. */
  here: boolean;
  /** For how many milliseconds a new line is left alone, so that the computer's own move goes first. */
  wait?: number;
}

export class LineAnalysis {
  /** The positions of the line, as far as they have come. */
  summaries: Summary[] = $state.raw([]);
  /** What is known of the position on the board. The one before stays meanwhile, so that a map does not flicker. */
  known: Known | null = $state.raw(null);
  /** How far the asking about the whole line is, while it goes on. */
  progress: { done: number; all: number } | null = $state.raw(null);
  hinting = $state(false);
  trouble = $state('');

  private shown: Shown | null = null;
  /** The positions of the line, by ply. */
  private keys: readonly string[] = $state.raw([]);
  private ply = $state(0);
  private knownKey = $state('');
  private hintKey = $state('');
  private askingAll = false;
  /** The positions whose summaries have come or are on their way. */
  private loading: readonly string[] | null = null;
  private running = false;
  private notBefore = 0;

  /** What the computer thinks of each; a gap where it was not asked or the game is over. */
  readonly analyses: (Analysis | undefined)[] = $derived.by(() => {
    void changes;
    return this.summaries.map((_, ply) => found.get(this.keys[ply]!));
  });

  get points(): Point[] {
    return graphPoints(this.summaries, this.analyses);
  }

  /** Whether there is nothing more to ask about the line. */
  get complete(): boolean {
    return this.open().length === 0;
  }

  /** Whether what is known is about the position on the board. */
  get fresh(): boolean {
    return this.knownKey !== '' && this.knownKey === this.keys[this.ply];
  }

  /** The best that is known of the position on the board, once a hint was asked for. */
  get hint(): Analysis | null {
    void changes;
    const key = this.keys[this.ply];
    return key !== undefined && key === this.hintKey ? (found.get(key) ?? null) : null;
  }

  /** Who stands better at a ply, as far as that is known; nobody need be asked who has won. */
  at(ply: number): Assessed | null {
    const view = this.summaries[ply];
    if (view?.over) return { view, analysis: null };
    const analysis = this.analyses[ply];
    return view && analysis ? { view, analysis } : null;
  }

  /** The page shows this now, or nothing any more. What is known of a line's beginning stays, and is not asked for again. */
  show(shown: Shown | null): void {
    // whoever calls this in an effect means what is shown, not what is known so far
    untrack(() => {
      this.shown = shown;
      if (!shown) return this.stop();
      const key = lineKey(shown.line);
      if (key !== this.keys.at(-1)) this.take(shown);
      this.ply = shown.ply;
      this.readKnown();
      if (shown.graph) void this.loadSummaries();
      void this.run();
    });
  }

  /** Asks about every position of the line. */
  askAll(): void {
    this.askingAll = true;
    void this.run();
  }

  /** Asks no further; what was found stays. */
  stop(): void {
    this.askingAll = false;
    this.progress = null;
  }

  /**
   * Looks thoroughly at the position on the board. Returns what is to be said: nothing if all went well, null if another
   * position is on the board by now.
   */
  async askHint(): Promise<string | null> {
    const [line, key] = [this.lineAt(this.ply), this.keys[this.ply]];
    if (!line || !key || this.hinting) return null;
    const stands = () => !!this.shown && key === this.keys[this.ply];
    this.hinting = true;
    try {
      const analysis = thorough.has(key) || learnPatiently(line, 'thorough', stands);
      await Promise.all([viewOf(line), analysis]);
      this.hintKey = key;
      this.readKnown();
      return stands() ? '' : null;
    } catch (why) {
      return stands() ? sentenceOf(why) : null;
    } finally {
      this.hinting = false;
    }
  }

  private lineAt(ply: number): Line | null {
    return this.shown && { ...this.shown.line, moves: this.shown.line.moves.slice(0, ply) };
  }

  /** Takes up another line. */
  private take({ line, wait = 0 }: Shown): void {
    const keys = [lineKey({ ...line, moves: [] })];
    for (const move of line.moves) keys.push(keys.length === 1 ? keys[0] + move : `${keys.at(-1)} ${move}`);
    const differs = keys.findIndex((key, ply) => key !== this.keys[ply]);
    this.summaries = this.summaries.slice(0, differs < 0 ? keys.length : differs);
    this.keys = keys;
    this.notBefore = Date.now() + wait;
    this.stop();
    makeRoom(keys);
  }

  private async loadSummaries(): Promise<void> {
    const { keys, shown } = this;
    if (this.loading === keys) return;
    this.loading = keys;
    try {
      const more = await summariesOf(shown!.line, this.summaries.length);
      if (keys !== this.keys) return;
      this.summaries = [...this.summaries, ...more];
      void this.run();
    } catch {
      // the board itself says what is wrong; a graph that does not come is no trouble of its own
      if (keys === this.keys) this.loading = null;
    }
  }

  /** Reads off what is known of the position on the board. Of another game or board nothing stays. */
  private readKnown(): void {
    const line = this.lineAt(this.ply);
    if (!line) return;
    const view = keptView(line);
    const key = this.keys[this.ply]!;
    const analysis = found.get(key);
    if (view && (view.over || analysis)) {
      this.known = { view, analysis: view.over ? null : analysis! };
      this.knownKey = key;
    } else if (this.known && (this.known.view.game !== line.game || this.known.view.size !== line.size)) this.forget();
  }

  private forget(): void {
    this.known = null;
    this.knownKey = '';
  }

  /** The plies of the line that may still be asked about. */
  private open(): number[] {
    return this.summaries.flatMap(({ over }, ply) => (over || this.analyses[ply] ? [] : [ply]));
  }

  /** What to ask about next: the position on the board comes first, then the newest. */
  private next(): number | null {
    if (!this.shown) return null;
    if (this.shown.here && !this.fresh) return this.ply;
    if (!this.shown.all && !this.askingAll) return null;
    const open = this.open();
    return open.includes(this.ply) ? this.ply : (open.at(-1) ?? null);
  }

  /** Asks one question after the other for as long as something that is shown is not known. */
  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.trouble = '';
    let done = 0;
    for (let ply; (ply = this.next()) !== null;) {
      const wait = this.notBefore - Date.now();
      if (wait > 0) {
        await sleep(wait);
        continue;
      }
      const [line, keys] = [this.lineAt(ply)!, this.keys];
      const wholeLine = this.shown!.all || this.askingAll;
      this.progress = wholeLine ? { done, all: done + this.open().length } : null;
      try {
        const view = this.shown!.here && ply === this.ply ? await viewOf(line) : null;
        const wanted = () => this.next() === ply && keys === this.keys;
        if (!view?.over && !found.has(keys[ply]!)) await learnPatiently(line, 'quick', wanted);
        this.readKnown();
        done++;
      } catch (why) {
        // what is not shown any more does not matter
        if (keys !== this.keys || this.next() !== ply) continue;
        if (ply === this.ply && !this.fresh) this.forget();
        this.trouble = sentenceOf(why);
        this.askingAll = false;
        break;
      }
    }
    this.running = false;
    this.progress = null;
  }
}
