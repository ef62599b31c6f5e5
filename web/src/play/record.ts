/**
 * A reviewed game as a record (docs/records.md), its variations too, and a record as a game to review. Who won is left
 * to the rules of whoever reads it.
 */

import type { OpenedRecord, RecordLine } from '../api/types';
import { TITLES } from '../texts';
import { addLine, NEW_TREE, type Shared, type Tree } from './tree';

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

/** Whether anything was written about the moves, which a tree of moves does not hold. */
export function hasRemarks(record: OpenedRecord): boolean {
  const said = (line: RecordLine): boolean =>
    Object.keys({ ...line.comments, ...line.marks }).length > 0 || line.variations.some(said);
  return !!record.comment || said(record);
}

export function recordOf({ game, size, from, tree }: Shared, begun: number): string {
  const tags = [`[Game "${TITLES[game]}"]`, `[Size "${size}"]`];
  if (from) tags.push(`[Position "${from.replace(/["\\]/g, '\\$&')}"]`);
  return `${tags.join('\n')}\n\n${wrapped([...movesOf(tree, 0, begun), '*'])}\n`;
}

/** The words of the line that goes on from a node. */
function movesOf(tree: Tree, from: number, ply: number): string[] {
  const words: string[] = [];
  // a number stands before every turn of the first seat, and wherever the line was interrupted
  let broken = true;
  for (let at = from; tree[at]!.children.length > 0; ply++) {
    const [main, ...others] = tree[at]!.children as [number, ...number[]];
    words.push(...turn(tree, main, ply, broken));
    for (const other of others) {
      const [first, ...rest] = [...turn(tree, other, ply, true), ...movesOf(tree, other, ply + 1)];
      words.push(`(${first}`, ...rest);
      words.push(`${words.pop()})`);
    }
    broken = others.length > 0;
    at = main;
  }
  return words;
}

function turn(tree: Tree, node: number, ply: number, broken: boolean): string[] {
  const number = Math.floor(ply / 2) + 1;
  const move = tree[node]!.move!;
  if (ply % 2 === 0) return [`${number}.`, move];
  return broken ? [`${number}...`, move] : [move];
}

function wrapped(words: string[]): string {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1)!;
    if (line && line.length + word.length >= 80) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}
