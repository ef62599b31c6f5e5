/** The rounded outline round a set of squares, as an SVG path. */

import type { Spot } from './geometry';

/**
 * One closed path a region, holes included. `spots` are the middles of squares of side `cell`; the line runs `inset`
 * inside their edge and its corners are rounded.
 */
export function outline(spots: readonly Spot[], cell: number, inset = 0, radius = 12): string {
  const half = cell / 2;
  const filled = new Set(spots.map(({ x, y }) => key(x, y)));
  // directed edges with the region on the right hand
  const from = new Map<string, { at: Spot; to: Spot }[]>();
  const add = (at: Spot, to: Spot) => {
    const name = key(at.x, at.y);
    from.set(name, [...(from.get(name) ?? []), { at, to }]);
  };
  for (const { x, y } of spots) {
    const [left, right, top, bottom] = [x - half, x + half, y - half, y + half];
    if (!filled.has(key(x, y - cell))) add({ x: left, y: top }, { x: right, y: top });
    if (!filled.has(key(x + cell, y))) add({ x: right, y: top }, { x: right, y: bottom });
    if (!filled.has(key(x, y + cell))) add({ x: right, y: bottom }, { x: left, y: bottom });
    if (!filled.has(key(x - cell, y))) add({ x: left, y: bottom }, { x: left, y: top });
  }
  const paths: string[] = [];
  while (from.size > 0) paths.push(rounded(corners(takeLoop(from)), inset, radius));
  return paths.join('');
}

function key(x: number, y: number): string {
  return `${Math.round(x)},${Math.round(y)}`;
}

function takeLoop(from: Map<string, { at: Spot; to: Spot }[]>): Spot[] {
  const first = from.values().next().value![0]!;
  const loop: Spot[] = [];
  let edge = first;
  for (;;) {
    const name = key(edge.at.x, edge.at.y);
    const rest = from.get(name)!.filter((other) => other !== edge);
    if (rest.length > 0) from.set(name, rest);
    else from.delete(name);
    loop.push(edge.at);
    const next = from.get(key(edge.to.x, edge.to.y));
    if (!next) return loop;
    // where two regions meet at a corner, turn right: it keeps each loop simple
    const before = edge;
    edge = next.find((other) => turn(before, other) > 0) ?? next[0]!;
  }
}

function turn(one: { at: Spot; to: Spot }, other: { at: Spot; to: Spot }): number {
  const [ax, ay] = [one.to.x - one.at.x, one.to.y - one.at.y];
  const [bx, by] = [other.to.x - other.at.x, other.to.y - other.at.y];
  return ax * by - ay * bx;
}

function corners(loop: Spot[]): Spot[] {
  return loop.filter((at, i) => {
    const before = loop[(i + loop.length - 1) % loop.length]!;
    const after = loop[(i + 1) % loop.length]!;
    return (at.x - before.x) * (after.y - at.y) !== (at.y - before.y) * (after.x - at.x);
  });
}

function rounded(points: Spot[], inset: number, radius: number): string {
  const count = points.length;
  const unit = (a: Spot, b: Spot): Spot => {
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    return { x: (b.x - a.x) / long, y: (b.y - a.y) / long };
  };
  const steps = points.map((at, i) => {
    const before = points[(i + count - 1) % count]!;
    const after = points[(i + 1) % count]!;
    const into = unit(before, at);
    const out = unit(at, after);
    // the inner side of an edge that runs along (x, y) is (-y, x)
    const corner = { x: at.x - inset * (into.y + out.y), y: at.y + inset * (into.x + out.x) };
    return { corner, into, out };
  });
  return (
    steps
      .map(({ corner, into, out }, i) => {
        const start = `${num(corner.x - into.x * radius)} ${num(corner.y - into.y * radius)}`;
        const end = `${num(corner.x + out.x * radius)} ${num(corner.y + out.y * radius)}`;
        return `${i === 0 ? 'M' : 'L'}${start}Q${num(corner.x)} ${num(corner.y)} ${end}`;
      })
      .join('') + 'Z'
  );
}

function num(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The one of the spots that is nearest to the middle of them all. */
export function middleOf(spots: readonly Spot[]): Spot {
  const x = spots.reduce((sum, spot) => sum + spot.x, 0) / spots.length;
  const y = spots.reduce((sum, spot) => sum + spot.y, 0) / spots.length;
  const far = (spot: Spot) => Math.hypot(spot.x - x, spot.y - y);
  return spots.reduce((best, spot) => (far(spot) < far(best) ? spot : best));
}
