/** What is drawn over the pieces: plain data that the desk makes and the board draws. */

import type { At, Colour, Effect, MoveText, Refusal } from '../api/types';

export interface Ghost {
  kind: 'disk' | 'stack' | 'marble' | 'paint';
  at: At[];
  colour: Colour;
  height?: number;
  letter?: string;
  /** Whether it may be played here; otherwise it is drawn with a cross. */
  legal: boolean;
}

export interface Region {
  at: At[];
  /** Whose it is, or null for nobody's. */
  colour: Colour | null;
  /** A strong region is the one being pointed at. */
  strong: boolean;
}

/** Who should own a square in the end; in a pile, whose marble should top the line over this lowest point. */
export interface Expected {
  at: At;
  colour: Colour;
  /** From 0 to 1. */
  sure: number;
}

/** A move that one would think of first. */
export interface Idea {
  move: MoveText;
  at: At[];
  /** How likely it is the best, from 0 to 1. */
  share: number;
}

export interface Overlay {
  regions: Region[];
  expected: Expected[];
  ideas: Idea[];
  /** Groups that are struck out in the count. */
  struck: At[][];
  picked: At | null;
  targets: At[];
  lines: [At, At][];
  ghost: Ghost | null;
  effect: Effect | null;
  refusal: Refusal | null;
  hint: At[];
  showLinks: boolean;
  showLast: boolean;
}

export const NO_OVERLAY: Overlay = {
  regions: [],
  expected: [],
  ideas: [],
  struck: [],
  picked: null,
  targets: [],
  lines: [],
  ghost: null,
  effect: null,
  refusal: null,
  hint: [],
  showLinks: false,
  showLast: true,
};

/** Both games' first colours share a tint, and so do the second ones. */
export function tint(colour: Colour | null): 'first' | 'second' | 'nobody' {
  if (colour === null) return 'nobody';
  return colour === 'blue' || colour === 'solid' || colour === 'black' ? 'first' : 'second';
}
