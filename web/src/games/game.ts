/** What the page asks a game: how clicks become moves, how its pieces look and what they are called, how it is counted. */

import type { Component } from 'svelte';
import type { At, Colour, Entry, GameName, MoveText, Piece, View } from '../api/types';
import type { Arrow, Rotation, Spot } from '../board/geometry';
import type { Expected, Ghost, Region } from '../board/overlay';
import type { Place } from '../board/places';
import type { BoardStyle } from '../board/style';

/** What a player has half done. */
export interface Hand {
  /** The piece on the board that was picked to capture with. */
  from: At | null;
  /** The piece of the game's panel that is in hand, which of its shapes it lies in, and where it was laid. */
  piece: string | null;
  shape: number;
  laid: Place | null;
}

export const EMPTY_HAND: Hand = { from: null, piece: null, shape: 0, laid: null };

/** What a click makes of what is in hand. */
export type Answer =
  | { kind: 'hand'; hand: Hand }
  | { kind: 'play'; move: MoveText }
  /** Not legal: the server is asked why, and its reason is drawn. */
  | { kind: 'ask'; move: MoveText }
  | { kind: 'say'; sentence: string };

/** What a picked piece can do. */
export interface Lights {
  picked: At | null;
  targets: At[];
  rays: [At, At][];
}

export const NO_LIGHTS: Lights = { picked: null, targets: [], rays: [] };

/** How a board with levels is looked at. */
export interface LevelDisplay {
  /** The highest level that is shown, or null for all. */
  peel: number | null;
  xray: boolean;
  links: boolean;
  tilted: boolean;
  setPeel(level: number, size: number): void;
}

/** What a game's panel may do with the piece in hand. */
export interface HandControl {
  readonly hand: Hand;
  /** Takes a piece, or turns the one in hand. */
  hold(hand: Hand): void;
  /** The same with a mouse that is still pressed: the piece is laid where it is let go. */
  carry(hand: Hand): void;
  /** The mouse was let go, wherever that was. */
  putDown(): void;
  /** Puts everything back. */
  drop(): void;
}

export interface PanelProps {
  view: View;
  input: HandControl;
  display: LevelDisplay;
}

export interface PiecesProps {
  view: View;
  rotation: Rotation;
  display?: LevelDisplay;
  /** The pieces of a move that is not yet played. */
  ghost?: boolean;
  /** Whether figures may stand on the pieces. */
  figures?: boolean;
}

/** One entry of the count in words and figures: what each side has in it, or a note instead. */
export interface EntryWords {
  title: string;
  sides: { colour: Colour; sizes: { size: number; struck: boolean }[] }[];
  note: string;
}

/** One thing that is said while counting aloud. */
export interface CountStep {
  text: string;
  regions: Region[];
  struck?: At[][];
  /** Whether the entry's points are given with it, as the last step about an entry does. */
  counted: boolean;
}

export interface Game {
  readonly name: GameName;
  readonly title: string;
  /** The colours that the seats begin with. */
  readonly colours: readonly [Colour, Colour];
  readonly style: BoardStyle;
  /** What a move sounds like that captures nothing. */
  readonly sound: 'place' | 'paint' | 'marble';
  /** The board of a beginner's first game. */
  readonly firstSize: number;
  /** The sizes to choose from, if those that the server offers are too many. */
  readonly offeredSizes?: readonly number[];
  /** A game between computer levels, for a board that plays by itself. */
  readonly sample: { readonly size: number; readonly moves: string };
  /** Loads what the moves need before any can be made. */
  load?(): Promise<void>;

  // -- moves
  /** What a click or tap on a place means. */
  tap(view: View, hand: Hand, at: Place): Answer;
  /** The move that a click there would make, to look at before it is played; null if none comes to mind. */
  moveAt(view: View, hand: Hand, at: Place): MoveText | null;
  isLegal(view: View, move: MoveText): boolean;
  /** The pieces to show for a move before it is played, if any. */
  ghost(view: View, move: MoveText): Ghost | null;
  lights?(view: View, hand: Hand): Lights;
  /** What one may have hoped to capture with the picked piece, nearest first: to ask about when nothing lights up. */
  hopes?(view: View, hand: Hand): MoveText[];
  /** The rules whose refusals then teach something, the best first. */
  readonly telling?: readonly string[];
  /** The piece in hand a quarter turn further, clockwise or back. */
  turned?(hand: Hand, back: boolean): Hand;

  // -- the board
  /** The place under a spot, or null beside the board. */
  placeAt(spot: Spot, view: View, rotation: Rotation): Place | null;
  /** The place that an arrow key leads to. */
  step(from: Place, arrow: Arrow, size: number, rotation: Rotation): Place;
  /** The names of all that may stand at a place, the lowest first. */
  namesAt(place: Place, size: number): At[];
  /** Every place that one can point at. */
  places(size: number): Place[];
  /** What a key means for what is in hand while the board has the focus; null if nothing. */
  handKey?(event: KeyboardEvent, view: View, hand: Hand): Hand | null;
  /** Whether its keys are letters, so that those that turn the board need Shift. */
  readonly ownsLetters?: boolean;
  /** A key for how the board is looked at. True if it meant something. */
  displayKey?(event: KeyboardEvent, display: LevelDisplay, size: number): boolean;

  // -- what one sees
  readonly Pieces: Component<PiecesProps>;
  /** What belongs to the board besides its squares, and whether it may stand beside it on a wide screen. */
  readonly Panel?: Component<PanelProps>;
  readonly panelBeside?: boolean;
  /** The board as seen from the side, drawn instead of it. */
  readonly SideView?: Component<{ view: View; rotation: Rotation }>;

  // -- words
  pieceWords(piece: Piece): string;
  /** A move, or the piece in hand, as the button that confirms it names it. */
  shortName?(move: string): string;

  // -- the count
  entryWords(entry: Entry, colours: readonly Colour[]): EntryWords;
  countSteps(entry: Entry, colours: readonly [Colour, Colour], at: number, all: number): CountStep[];
  /** Whether a piece makes its place nobody's for good. */
  blocks(piece: Piece): boolean;
  /** Who owns what once the game is over. */
  settled(view: View): Expected[];
}

/** Whether a move is in the view's own list. */
export function inList(view: View, move: MoveText): boolean {
  return view.legal?.includes(move) ?? false;
}
