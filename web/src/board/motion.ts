/** How a man comes to stand where it does: one that captured slides along its line, one that was placed fades in. */

import { untrack } from 'svelte';
import type { At, View } from '../api/types';
import { spot, type Turn } from './geometry';
import { parsePlace } from './places';

const SLIDE = 200;
const FADE = 150;

/** Runs once, when the man is first drawn; later views do not move it again. */
export function arrive(view: View, at: At, turn: Turn): (node: SVGGElement) => void {
  return (node) => {
    untrack(() => {
      if (moved.has(node) || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      moved.add(node);
      const last = view.last;
      if (last?.to === at && last.from) {
        const [from, to] = [spot(parsePlace(last.from), view.size, turn), spot(parsePlace(at), view.size, turn)];
        const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
        node.animate([{ transform: start }, { transform: 'none' }], { duration: SLIDE, easing: 'ease-out' });
      } else if (last?.to === at) {
        node.animate([{ opacity: 0.15 }, { opacity: 1 }], { duration: FADE, easing: 'ease-out' });
      }
    });
  };
}

const moved = new WeakSet<SVGGElement>();
