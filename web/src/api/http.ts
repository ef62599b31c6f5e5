/** Asks the server. Every refusal comes back as one sentence, with a code. */

import { T as TEXTS } from '../texts';
import type { Analysis, Catalogue, GameName, GameState, Look, MoveText, Summary, Trouble, View } from './types';

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly trouble: Trouble,
    /** After how many seconds the server takes the same question, if it said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(trouble.message);
  }

  get code(): string {
    return this.trouble.code;
  }
}

/** What to say of whatever went wrong. */
export function sentenceOf(why: unknown): string {
  return why instanceof Error ? why.message : String(why);
}

const OFFLINE: Trouble = { code: 'offline', message: TEXTS.trouble.offline };

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: 'same-origin', ...init });
  } catch {
    throw new Refused(0, OFFLINE);
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  let trouble: Trouble;
  try {
    trouble = (await answer.json()) as Trouble;
  } catch {
    trouble = { code: 'fault', message: TEXTS.trouble.fault(answer.status) };
  }
  throw new Refused(answer.status, trouble, Number(answer.headers.get('Retry-After')) || null);
}

export function get<T>(path: string): Promise<T> {
  return ask<T>(path, { method: 'GET' });
}

export function post<T>(path: string, body: unknown, key?: string): Promise<T> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (key) headers['Idempotency-Key'] = key;
  return ask<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export function remove<T>(path: string): Promise<T> {
  return ask<T>(path, { method: 'DELETE' });
}

/** A line of play: a game from its start, or from a position's text, and the moves since. */
export interface Line {
  game: GameName;
  size: number;
  from?: string | null;
  moves: readonly MoveText[];
}

let catalogueAsked: Promise<Catalogue> | null = null;

export function catalogue(): Promise<Catalogue> {
  catalogueAsked ??= get<Catalogue>('/api/catalogue').catch((trouble: unknown) => {
    catalogueAsked = null;
    throw trouble;
  });
  return catalogueAsked;
}

const kept = new Map<string, View>();
/** About how many pieces and moves the kept views hold together; a large pile has thousands. */
let keptWeight = 0;
const MOST_WEIGHT = 120_000;

export function lineKey({ game, size, from, moves }: Line): string {
  return `${from ?? `${game} ${size}`}|${moves.join(' ')}`;
}

export function keepView(line: Line, view: View): void {
  keptWeight += view.pieces.length + (view.legal?.length ?? 0);
  if (kept.size > 600 || keptWeight > MOST_WEIGHT) {
    kept.clear();
    keptWeight = 0;
  }
  kept.set(lineKey(line), view);
}

export function keptView(line: Line): View | undefined {
  return kept.get(lineKey(line));
}

/** The view after the line's last move. */
export async function viewOf(line: Line): Promise<View> {
  const known = keptView(line);
  if (known) return known;
  const { views } = await post<{ views: View[] }>('/api/views', { ...wire(line), last_only: true });
  keepView(line, views[0]!);
  return views[0]!;
}

/** The views of every ply of the line, the first position included, or from a later ply on. Known ones are not asked for. */
export async function viewsOf(line: Line, first = 0): Promise<View[]> {
  const all: View[] = [];
  const at = (ply: number): Line => ({ ...line, moves: line.moves.slice(0, ply) });
  for (let known; first + all.length <= line.moves.length && (known = keptView(at(first + all.length)));)
    all.push(known);
  while (first + all.length <= line.moves.length) {
    const { views } = await post<{ views: View[] }>('/api/views', {
      ...wire(line),
      first_ply: first + all.length,
    });
    if (views.length === 0) break;
    for (const view of views) {
      keepView(at(first + all.length), view);
      all.push(view);
    }
  }
  return all;
}

/** What a graph needs of every ply of the line from one on. What is known from views is not asked for. */
export async function summariesOf(line: Line, first: number): Promise<Summary[]> {
  const all: Summary[] = [];
  const next = () => keptView({ ...line, moves: line.moves.slice(0, first + all.length) });
  for (let view; first + all.length <= line.moves.length && (view = next());) all.push(summaryOf(view));
  if (first + all.length <= line.moves.length) {
    const { summaries } = await post<{ summaries: Summary[] }>('/api/summaries', wire(line));
    all.push(...summaries.slice(first + all.length));
  }
  return all;
}

function summaryOf({ ledger, ...view }: View): Summary {
  const { ply, to_move, colour_to_move, colours, can_swap, pie_open, over, outcome } = view;
  return { ply, to_move, colour_to_move, colours, totals: ledger.totals, can_swap, pie_open, over, outcome };
}

const looks = new Map<string, Promise<Look>>();

/** What a move would do, or why it may not be played. */
export function look(line: Line, move: MoveText): Promise<Look> {
  const key = `${lineKey(line)}>${move}`;
  const known = looks.get(key);
  if (known) return known;
  if (looks.size > 300) looks.clear();
  const asked = post<Look>('/api/look', { ...wire(line), move });
  looks.set(key, asked);
  asked.catch(() => looks.delete(key));
  return asked;
}

const analyses = new Map<string, Promise<Analysis>>();

/** A quick look suits a bar or a graph, a thorough one a hint. */
type Effort = 'quick' | 'thorough';

/**
 * What the computer thinks of the line's last position. It is asked once for each; where it has looked thoroughly, that
 * is told from then on to those who want a quick look, too, so that nothing on the page contradicts the hint.
 */
export function analyse(line: Line, effort: Effort): Promise<Analysis> {
  const key = `${lineKey(line)}@${effort}`;
  const known = analyses.get(key);
  if (known) return known;
  if (analyses.size > 600) analyses.clear();
  const asked: Promise<Analysis> = post<Analysis>('/api/analyse', { ...wire(line), effort }).then((found) => {
    if (effort === 'thorough') analyses.set(`${lineKey(line)}@quick`, asked);
    const better = analyses.get(key);
    return better && better !== asked ? better : found;
  });
  analyses.set(key, asked);
  asked.catch(() => analyses.delete(key));
  return asked;
}

/** Questions about one position that the server may put off. */
const MOST_TRIES = 10;

/**
 * The same, asked again while the server only wants us to wait, but not for ever: it may be that it cannot tell. Once
 * nobody wants it any more it is not asked again.
 */
export async function analysePatiently(line: Line, effort: Effort, wanted: () => boolean): Promise<Analysis> {
  for (let tried = 1; ; tried++) {
    try {
      return await analyse(line, effort);
    } catch (why) {
      if (!(why instanceof Refused) || why.retryAfter === null || tried === MOST_TRIES) throw why;
      const wait = 1000 * why.retryAfter;
      await new Promise((go) => setTimeout(go, wait));
      if (!wanted()) throw why;
    }
  }
}

export function placements(): Promise<MoveText[]> {
  return get<MoveText[]>('/api/pentwall/placements');
}

export function gameState(id: string): Promise<GameState> {
  return get<GameState>(`/api/games/${id}`);
}

function wire({ game, size, from, moves }: Line): Record<string, unknown> {
  // a position's text tells its size itself
  return from ? { game, from, moves } : { game, size, moves };
}
