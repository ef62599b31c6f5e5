/**
 * A reviewed game as a record (docs/records.md), with its variations and what was written about it, and a record as a
 * game to review.
 */

import type { OpenedRecord, RecordLine } from '../api/types';
import { TITLES } from '../texts';
import { NO_REMARKS, remarkAt, remarksOf, type Remarks } from './remarks';
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

/** Tags that the board itself decides. */
const OURS = ['Game', 'Size', 'Rules', 'Position'];
/** Tags that are true of the game as it was played, and of no other. */
const OF_THE_END = ['Result', 'Score', 'Termination'];
/** What a comment has to write in another way. */
const ESCAPES: Record<string, string> = { '\\': '\\\\', '}': '\\}', '\n': '\\n' };

/**
 * A game to keep. Where it was read from a record, that one's tags and remarks stay with it; who won only as long as
 * its main line is the one that was played. Else that is left to the rules of whoever reads it.
 */
export function recordOf(shared: Shared, begun: number, read: OpenedRecord | null = null): string {
  const { game, size, from, tree } = shared;
  const remarks = read ? remarksOf(read) : NO_REMARKS;
  const asPlayed = read !== null && lineTo(tree, endOf(tree, 0)).join(' ') === read.moves.join(' ');
  const kept = Object.entries(read?.tags ?? {}).filter(
    ([name]) => !OURS.includes(name) && (asPlayed || !OF_THE_END.includes(name)),
  );
  const tags = [tag('Game', TITLES[game]), tag('Size', String(size)), ...kept.map(([name, value]) => tag(name, value))];
  if (from) tags.push(tag('Position', from));
  const words = [...comment(remarks, []), ...movesOf(tree, 0, begun, remarks), asPlayed ? read.result : '*'];
  return `${tags.join('\n')}\n\n${wrapped(words)}\n`;
}

function tag(name: string, value: string): string {
  return `[${name} "${value.replace(/["\\]/g, '\\$&')}"]`;
}

/** The words of the line that goes on from a node. */
function movesOf(tree: Tree, from: number, ply: number, remarks: Remarks): string[] {
  const words: string[] = [];
  // a number stands before every turn of the first seat, and wherever the line was interrupted
  let broken = true;
  for (let at = from; tree[at]!.children.length > 0; ply++) {
    const [main, ...others] = tree[at]!.children as [number, ...number[]];
    const said = turn(tree, main, ply, broken, remarks);
    words.push(...said);
    for (const other of others) {
      const [first, ...rest] = [...turn(tree, other, ply, true, remarks), ...movesOf(tree, other, ply + 1, remarks)];
      words.push(`(${first}`, ...rest);
      words.push(`${words.pop()})`);
    }
    broken = others.length > 0 || said.at(-1)!.endsWith('}');
    at = main;
  }
  return words;
}

function turn(tree: Tree, node: number, ply: number, broken: boolean, remarks: Remarks): string[] {
  const number = Math.floor(ply / 2) + 1;
  const line = lineTo(tree, node);
  const [mark = '', ...marks] = remarkAt(remarks, line)?.marks ?? [];
  const marked = mark.startsWith('$') ? [line.at(-1)!, mark] : [line.at(-1)! + mark];
  const move = [...marked, ...marks, ...comment(remarks, line)];
  if (ply % 2 === 0) return [`${number}.`, ...move];
  return broken ? [`${number}...`, ...move] : move;
}

/** What was said of a position, in words between which a line may break. */
function comment(remarks: Remarks, line: readonly string[]): string[] {
  const said = remarkAt(remarks, line)?.comment;
  if (!said) return [];
  return `{${said.replace(/[\\}\n]/g, (one) => ESCAPES[one]!)}}`.match(/[^ ]+(?: {2,}[^ ]+)*/g)!;
}

function wrapped(words: string[]): string {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1)!;
    // a line that begins with a bracket would be a tag
    if (line && line.length + word.length >= 80 && !word.startsWith('[')) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}
