/** Texts that depend on what they tell. */

import { T } from './language.svelte';

/** A move as one would say it aloud. */
export function spoken(move: string): string {
  if (move === 'pass') return T.moves.passes;
  if (move === 'swap') return T.moves.swaps;
  const capture = /^([a-z]\d+)x([a-z]\d+)$/.exec(move);
  if (capture) return T.moves.captures(capture[1]!, capture[2]!);
  const paint = /^([A-Z])(.+)$/.exec(move);
  if (paint) return T.moves.paints(paint[1]!, [...paint[2]!.matchAll(/[a-z]\d+/g)].join(' '));
  const point = /^(\d+)([a-z]\d+)$/.exec(move);
  return point ? T.moves.onLevel(point[2]!, point[1]!) : move;
}

/** What the computer would do. */
export function hintSays(move: string): string {
  if (move === 'swap') return T.acts.hintSwap;
  return move === 'pass' ? T.acts.hintPass : T.acts.hintSays(move);
}

/** A share of one. */
export function shareText(share: number): string {
  const percent = Math.round(100 * share);
  return percent ? T.percent(percent) : T.outlook.least;
}

/** By how many points the side spoken of leads. */
export function leadText(points: number): string {
  return points > 0 ? T.evaluation.lead(points) : T.evaluation.behind(-points);
}
