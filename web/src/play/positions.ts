/** What the server says about positions: each question is asked once, and its answer is kept by position. */

import { post } from '../api/http';
import type { Analysis, GameName, Look, MoveText, Summary, View } from '../api/types';

/** A line of play: a game from its start, or from a position's text, and the moves since. It stands for the position at its end. */
export interface Line {
  game: GameName;
  size: number;
  from?: string | null;
  moves: readonly MoveText[];
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

/** A quick look suits a bar or a graph, a thorough one a hint. */
export type Effort = 'quick' | 'thorough';

/** What the computer thinks of the line's last position. `play/analysis` keeps the answers. */
export function analyse(line: Line, effort: Effort): Promise<Analysis> {
  return post<Analysis>('/api/analyse', { ...wire(line), effort });
}

function wire({ game, size, from, moves }: Line): Record<string, unknown> {
  // a position's text tells its size itself
  return from ? { game, from, moves } : { game, size, moves };
}
