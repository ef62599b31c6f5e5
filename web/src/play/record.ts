/** A record as a game to review, with what people wrote about it, and a reviewed game as a record (docs/records.md). */

import { postForText } from '../api/http';
import type { MoveText, OpenedRecord, RecordLine } from '../api/types';
import { addLine, endOf, lineTo, NEW_TREE, type Shared, type Tree } from './tree';

/** The moves of a record's lines. */
export function treeOf(line: RecordLine, tree: Tree = NEW_TREE, from = 0): Tree {
  let grown = addLine(tree, from, line.moves).tree;
  for (const other of line.variations) {
    const { at } = addLine(grown, from, line.moves.slice(0, other.first - line.first));
    grown = treeOf(other, grown, at);
  }
  return grown;
}

/** Who played, as far as the record says. */
export function playersOf({ tags }: OpenedRecord): string {
  const names = [tags.First, tags.Second].map((name) => name ?? '?');
  return names.every((name) => name === '?') ? '' : names.join(' – ');
}

// -- what was written about it ----------------------------------------------------------------------

export interface Remark {
  /** Of the move that led here: `!?`, or one of PGN's numbers, `$14`. */
  readonly marks: readonly string[];
  readonly comment: string;
}

/** By the moves that lead there: nodes get other numbers when a line is removed; the moves stay. */
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

// -- to keep ----------------------------------------------------------------------------------------

/** Tags that the board itself decides. */
const OF_THE_BOARD = ['Game', 'Size', 'Rules', 'Position'];
/** Tags that are true of the game as it was played, and of no other. */
const OF_THE_END = ['Result', 'Score', 'Termination'];
/** Tags with a key of their own. */
const NAMED = ['First', 'Second', 'Date', 'Result'];

interface SavedMove {
  move: MoveText;
  marks: readonly string[];
  comment: string;
  variations: SavedMove[][];
}

/**
 * A reviewed game as the server takes it, to be written as a record. If it was read from one, that one's tags and
 * remarks stay with it; who won only as long as its main line is the one that was played.
 */
export function savedGame({ game, size, from, tree }: Shared, read: OpenedRecord | null = null) {
  const remarks = read ? remarksOf(read) : NO_REMARKS;
  const asPlayed = read !== null && keyOf(lineTo(tree, endOf(tree, 0))) === keyOf(read.moves);
  const tags = Object.entries(read?.tags ?? {}).filter(
    ([name]) => !OF_THE_BOARD.includes(name) && (asPlayed || !OF_THE_END.includes(name)),
  );
  const score = tags.find(([name]) => name === 'Score')?.[1];
  return {
    game,
    size,
    position: from,
    ...Object.fromEntries(tags.filter(([name]) => NAMED.includes(name)).map(([name, it]) => [name.toLowerCase(), it])),
    score: score?.split('-').map(Number) ?? null,
    tags: Object.fromEntries(tags.filter(([name]) => !NAMED.includes(name) && name !== 'Score')),
    comment: remarkAt(remarks, [])?.comment ?? null,
    moves: savedLine(tree, 0, [], remarks),
  };
}

/** The line that goes on from a node, each move with the lines that could be played instead. */
function savedLine(tree: Tree, from: number, played: readonly MoveText[], remarks: Remarks): SavedMove[] {
  const line: SavedMove[] = [];
  let before = [...played];
  const saved = (node: number): SavedMove => {
    const { marks = [], comment = '' } = remarkAt(remarks, [...before, tree[node]!.move!]) ?? {};
    return { move: tree[node]!.move!, marks, comment, variations: [] };
  };
  for (let at = from; tree[at]!.children.length > 0; at = tree[at]!.children[0]!) {
    const [main, ...others] = tree[at]!.children as [number, ...number[]];
    const variations = others.map((other) => [
      saved(other),
      ...savedLine(tree, other, [...before, tree[other]!.move!], remarks),
    ]);
    line.push({ ...saved(main), variations });
    before = [...before, tree[main]!.move!];
  }
  return line;
}

/** A move of which nothing was said is its text alone: a long game must not grow beyond what the server takes. */
export function short(_name: string, saved: unknown): unknown {
  if (typeof saved !== 'object' || saved === null || !('variations' in saved)) return saved;
  const { move, marks, comment, variations } = saved as SavedMove;
  return marks.length > 0 || comment || variations.length > 0 ? saved : move;
}

/** The text of the record, which the server writes. */
export function recordText(shared: Shared, read: OpenedRecord | null): Promise<string> {
  return postForText('/api/records/text', { text: JSON.stringify(savedGame(shared, read), short) });
}
