/** What people wrote about a game: marks and comments, by the moves that lead to the position they are about. */

import type { MoveText, OpenedRecord, RecordLine } from '../api/types';

export interface Remark {
  /** Of the move that led here: `!?`, or one of PGN's numbers, `$14`. */
  readonly marks: readonly string[];
  readonly comment: string;
}

/** Nodes get other numbers when a line is removed; the moves that lead to them stay. */
export type Remarks = ReadonlyMap<string, Remark>;

export const NO_REMARKS: Remarks = new Map();

const keyOf = (moves: readonly MoveText[]) => moves.join(' ');

export function remarkAt(remarks: Remarks, moves: readonly MoveText[]): Remark | undefined {
  return remarks.get(keyOf(moves));
}

export function remarksOf(record: OpenedRecord): Remarks {
  const found = new Map<string, Remark>();
  const add = (moves: readonly MoveText[], marks: readonly string[], comment: string) => {
    const before = found.get(keyOf(moves));
    // a variation may say the moves of its main line again
    found.set(keyOf(moves), {
      marks: [...new Set([...(before?.marks ?? []), ...marks])],
      comment: [before?.comment, comment].filter(Boolean).join('\n'),
    });
  };
  const walk = (line: RecordLine, played: readonly MoveText[]) => {
    for (const at of line.moves.keys()) {
      const marks = line.marks[line.first + at] ?? [];
      const comment = line.comments[line.first + at] ?? '';
      if (marks.length > 0 || comment) add([...played, ...line.moves.slice(0, at + 1)], marks, comment);
    }
    for (const other of line.variations) walk(other, [...played, ...line.moves.slice(0, other.first - line.first)]);
  };
  if (record.comment) add([], [], record.comment);
  walk(record, []);
  return found;
}
