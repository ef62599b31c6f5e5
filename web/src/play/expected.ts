/** What a net sees at first sight, as what is drawn and said: who should own what, and the moves one would think of. */

import type { Analysis, At, Colour, Seat, Summary, View } from '../api/types';
import type { Expected, Idea } from '../board/overlay';
import { placeName, squaresOf } from '../board/places';
import { pointsOf } from '../games/pyloff';

/** Nearer to nobody's than this, a square is open. */
const OPEN = 0.2;
/** What is less likely than this is not worth a look. */
const SLIGHT = 0.03;
const MOST_IDEAS = 5;

/** What is known of a position: the computer's analysis, or the position itself once the game is over. */
export interface Known {
  view: View;
  seen: Analysis | null;
}

/** The same of a position whose board need not be known. */
export interface Judged {
  view: Omit<Summary, 'totals'>;
  seen: Analysis | null;
}

/** Before this many moves nobody can say who will own what: a net then leans to some edge of an empty board. */
const EARLY = 2;

/** The squares that somebody should own, or the lines of a pile; null where no net tells. */
export function expectedOwners({ view, seen }: Known): Expected[] | null {
  if (view.over) return settled(view);
  if (!seen?.owners) return null;
  if (view.ply < EARLY) return [];
  const mine = view.colour_to_move;
  const theirs = otherColour(view, mine);
  const taken = unownable(view);
  return Object.entries(seen.owners)
    .filter(([at, lead]) => Math.abs(lead) >= OPEN && !taken.has(at))
    .map(([at, lead]) => ({ at, colour: lead > 0 ? mine : theirs, sure: Math.min(Math.abs(lead), 1) }));
}

/** The likeliest moves, the best first; none where no net tells. A net judges no swap, so none while one may come. */
export function ideasOf({ view, seen }: Known): Idea[] {
  if (view.pie_open) return [];
  return (seen?.policy ?? [])
    .filter(({ share }, rank) => rank === 0 || share >= SLIGHT)
    .slice(0, MOST_IDEAS)
    .map(({ move, share }) => ({ move, at: squaresOf(move), share }));
}

/** How many squares, or lines, each colour should own, and how many are open. */
export function tally(view: View, expected: readonly Expected[]): { owned: [Colour, number][]; open: number } {
  const colours = [view.colours.first, view.colours.second];
  const count = (colour: Colour) => expected.filter((each) => each.colour === colour).length;
  const all = placesOf(view).length - unownable(view).size;
  return { owned: colours.map((colour) => [colour, count(colour)]), open: all - expected.length };
}

/** The colour that the side to move will have: the other one, if a swap is expected. */
export function colourToBe(view: Judged['view'], seen: Analysis): Colour {
  return seen.line.includes('swap') ? otherColour(view, view.colour_to_move) : view.colour_to_move;
}

/** By how much who should end ahead, or has ended, in the words of the position's colours. */
export function leader({ view, seen }: Judged): { colour: Colour; by: number } {
  const mine = seen ? colourToBe(view, seen) : view.colour_to_move;
  const by = seen ? seen.expected_score : finalLead(view, mine);
  return { colour: by >= 0 ? mine : otherColour(view, mine), by: Math.abs(by) };
}

/** Which colour is likelier to win, and how likely; certain once the game is over, if it is no draw. */
export function favourite({ view, seen }: Judged): { colour: Colour; chance: number } {
  const mine = seen ? colourToBe(view, seen) : view.colour_to_move;
  const chance = seen ? seen.win_chance : finalChance(view, mine);
  return chance >= 0.5 ? { colour: mine, chance } : { colour: otherColour(view, mine), chance: 1 - chance };
}

/** How likely the favourite wins, in percent: what is neither over nor proven is never certain. */
export function percentOf(known: Judged): number {
  const percent = Math.round(100 * favourite(known).chance);
  return known.seen && !known.seen.proven ? Math.min(percent, 99) : percent;
}

/** How likely a seat wins, whatever colour it will have. */
export function chanceOf({ view, seen }: Judged, seat: Seat): number {
  if (!seen) return finalChance(view, view.colours[seat]);
  return seat === view.to_move ? seen.win_chance : 1 - seen.win_chance;
}

/** What a colour has won: 1, half for a draw, or nothing. */
export function finalChance({ colours, outcome }: Judged['view'], colour: Colour): number {
  if (!outcome?.winner) return 0.5;
  return colours[outcome.winner] === colour ? 1 : 0;
}

function finalLead(view: Judged['view'], colour: Colour): number {
  const score = view.outcome?.by_colour ?? {};
  return (score[colour] ?? 0) - (score[otherColour(view, colour)] ?? 0);
}

export function otherColour(view: Judged['view'], colour: Colour): Colour {
  return view.colours.first === colour ? view.colours.second : view.colours.first;
}

/** Once the game is over it is known who owns what. */
function settled(view: View): Expected[] {
  if (view.game !== 'pyloff')
    return view.ledger.entries.flatMap(({ squares, owner }) =>
      owner ? squares.map((at) => ({ at, colour: owner, sure: 1 })) : [],
    );
  const held = new Map(view.pieces.flatMap((piece) => ('colour' in piece ? [[piece.at, piece.colour] as const] : [])));
  return placesOf(view).flatMap((at) => {
    const top = pointsOf(at, view.size).findLast((point) => held.has(point));
    return top ? [{ at: placeName(at), colour: held.get(top)!, sure: 1 }] : [];
  });
}

/** Stone and paint are nobody's. */
function unownable(view: View): Set<At> {
  return new Set(view.pieces.filter(({ kind }) => kind === 'block' || kind === 'painted').map(({ at }) => at));
}

/** Every square, or every line of a pile by its lowest point: on level 1, or on level 2 between four squares. */
function placesOf({ game, size }: View) {
  return (game === 'pyloff' ? [1, 2] : [1]).flatMap((level) => {
    const side = size - level + 1;
    return Array.from({ length: side * side }, (_, i) => ({
      column: (i % side) + 1,
      row: Math.floor(i / side) + 1,
      level,
    }));
  });
}
