/** A game with its variations: plain nodes, the first child of each being the line that was played. */

import type { GameEvent, GameName, MoveText } from '../api/types';
import { gameNamed } from '../games';

export interface Node {
  readonly move: MoveText | null;
  readonly parent: number | null;
  readonly children: readonly number[];
}

/** Node 0 is the first position. A tree is never changed in place. */
export type Tree = readonly Node[];

export const NEW_TREE: Tree = [{ move: null, parent: null, children: [] }];

/** The tree with the moves played from a node, and the node they end at. A line that is there already is walked. */
export function addLine(tree: Tree, from: number, moves: readonly MoveText[]): { tree: Tree; at: number } {
  let nodes = tree;
  let at = from;
  for (const move of moves) {
    const known = nodes[at]!.children.find((child) => nodes[child]!.move === move);
    if (known !== undefined) {
      at = known;
      continue;
    }
    const next = nodes.length;
    nodes = [
      ...nodes.map((node, i) => (i === at ? { ...node, children: [...node.children, next] } : node)),
      { move, parent: at, children: [] },
    ];
    at = next;
  }
  return { tree: nodes, at };
}

/** The same tree with the line through `moves` as its first, all along. */
export function withMainLine(tree: Tree, moves: readonly MoveText[]): Tree {
  const { tree: grown } = addLine(tree, 0, moves);
  const nodes = [...grown];
  let at = 0;
  for (const move of moves) {
    const node = nodes[at]!;
    const next = node.children.find((child) => nodes[child]!.move === move)!;
    nodes[at] = { ...node, children: [next, ...node.children.filter((child) => child !== next)] };
    at = next;
  }
  return nodes;
}

/** The tree with every line that a game went through, those that were taken back too. */
export function withHistory(tree: Tree, opening: readonly MoveText[], events: readonly GameEvent[]): Tree {
  let grown = tree;
  let moves = [...opening];
  for (const { kind, data } of events) {
    if (kind === 'move' && data.move) moves = [...moves, data.move];
    else if (kind === 'redo') moves = [...moves, ...(data.moves ?? [])];
    else if (kind === 'undo') moves = moves.slice(0, data.ply);
    else continue;
    grown = withMainLine(grown, moves);
  }
  return grown;
}

/** The moves from the first position to a node. */
export function lineTo(tree: Tree, at: number): MoveText[] {
  const moves: MoveText[] = [];
  for (let node = tree[at]!; node.move !== null; node = tree[node.parent!]!) moves.unshift(node.move);
  return moves;
}

/** The last node of the line that goes on from a node by first children. */
export function endOf(tree: Tree, at: number): number {
  let end = at;
  while (tree[end]!.children.length > 0) end = tree[end]!.children[0]!;
  return end;
}

export type Where = 'first' | 'back' | 'on' | 'last' | 'above' | 'below';

/** The node that a step leads to; above and below are the other moves at the same point. A step that leads nowhere stays. */
export function stepTo(tree: Tree, at: number, where: Where): number {
  const node = tree[at]!;
  const beside = node.parent === null ? [at] : tree[node.parent]!.children;
  switch (where) {
    case 'first':
      return 0;
    case 'back':
      return node.parent ?? 0;
    case 'on':
      return node.children[0] ?? at;
    case 'last':
      return endOf(tree, at);
    case 'above':
      return beside[beside.indexOf(at) - 1] ?? at;
    case 'below':
      return beside[beside.indexOf(at) + 1] ?? at;
  }
}

export function plyOf(tree: Tree, at: number): number {
  return lineTo(tree, at).length;
}

/** The tree without a node and all that follows from it. */
export function without(tree: Tree, gone: number): { tree: Tree; at: number } {
  const parent = tree[gone]!.parent;
  if (parent === null) return { tree: NEW_TREE, at: 0 };
  let grown: Tree = NEW_TREE;
  const names = new Map([[0, 0]]);
  const copy = (from: number) => {
    for (const child of tree[from]!.children) {
      if (child === gone) continue;
      const added = addLine(grown, names.get(from)!, [tree[child]!.move!]);
      grown = added.tree;
      names.set(child, added.at);
      copy(child);
    }
  };
  copy(0);
  return { tree: grown, at: names.get(parent)! };
}

// -- as text ------------------------------------------------------------------------------------

/** ``c3.d4(e5.f6).c3xf6``: a variation stands in brackets behind the move it replaces; ``*`` marks where one stands. */
export function encode(tree: Tree, here: number): string {
  const mark = (at: number) => tree[at]!.move! + (at === here ? '*' : '');
  const walk = (from: number): string => {
    const [main, ...others] = tree[from]!.children;
    if (main === undefined) return '';
    const beside = others.map((other) => `(${mark(other)}${after(other)})`).join('');
    return mark(main) + beside + after(main);
  };
  const after = (at: number): string => {
    const rest = walk(at);
    return rest && `.${rest}`;
  };
  return walk(0);
}

export function decode(text: string): { tree: Tree; at: number } {
  let tree: Tree = NEW_TREE;
  let here = 0;
  let at = 0;
  const open: number[] = [];
  for (const [token] of text.matchAll(/[A-Za-z0-9]+\*?|[()]/g)) {
    if (token === '(') {
      open.push(at);
      at = tree[at]!.parent ?? 0;
    } else if (token === ')') {
      at = open.pop() ?? at;
    } else {
      const added = addLine(tree, at, [token.replace('*', '')]);
      tree = added.tree;
      at = added.at;
      if (token.endsWith('*')) here = at;
    }
  }
  return { tree, at: here };
}

export interface Shared {
  game: GameName;
  size: number;
  from: string | null;
  tree: Tree;
  at: number;
}

/** A whole game, and the position one means, in the part of a link that no server sees. */
export function toHash({ game, size, from, tree, at }: Shared): string {
  const moves = encode(tree, at);
  return `#g=${game}&s=${size}${from ? `&f=${encodeURIComponent(from)}` : ''}${moves ? `&m=${moves}` : ''}`;
}

export function fromHash(hash: string): Shared | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const game = gameNamed(fields.get('g'))?.name;
  if (!game) return null;
  const size = Number(fields.get('s'));
  if (!Number.isInteger(size) || size < 3 || size > 19) return null;
  return { game, size, from: fields.get('f'), ...decode(fields.get('m') ?? '') };
}
