/** What is drawn over the pieces: plain data that the page makes and the board draws. */

import type { At, Colour, Effect, MoveText, Piece, Refusal } from '../api/types';

/** The pieces that a move would put on the board. */
export interface Ghost {
  pieces: Piece[];
  /** Whether the move may be played; if not, they are drawn fainter. */
  legal: boolean;
}

export interface Region {
  at: At[];
  /** Whose it is, or null for nobody's. */
  colour: Colour | null;
  /** A strong region is the one being pointed at. */
  strong: boolean;
}

/** Who should own a square in the end; in a pile, who should be on top over this lowest point. */
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
  rays: [At, At][];
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
  rays: [],
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
