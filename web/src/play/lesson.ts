/** A lesson is a list of steps: a position, a sentence, and what must be done. The server judges, as in any game. */

import type { Colour, MoveText, View } from '../api/types';

export interface Task {
  /** Any legal move will do. */
  any?: boolean;
  /** One of these moves. */
  play?: MoveText[];
  /** A move that must be refused by this rule: the point is to see the reason. */
  rule?: string;
  try?: MoveText;
  /** A move after which this colour leads. */
  lead?: Colour;
  /** A move after which this colour owns a territory of `size` squares. */
  owns?: Colour;
  size?: number;
  /** Walk through the count. */
  count?: boolean;
  /** A move that does it, for those who ask. */
  show?: MoveText;
}

export interface LessonStep {
  text: string;
  from: string;
  do: Task;
  then: string;
}

/** Whether a legal move does what the step asks. `after` is the position it leads to. */
export function isDone(task: Task, move: MoveText, after: View): boolean {
  if (task.any) return true;
  if (task.play) return task.play.includes(move);
  const totals = after.ledger.totals;
  if (task.lead)
    return Object.entries(totals).every(
      ([colour, points]) => colour === task.lead || (totals[task.lead!] ?? 0) > points,
    );
  if (task.owns)
    return after.ledger.entries.some((entry) => entry.owner === task.owns && entry.squares.length === task.size);
  return false;
}
