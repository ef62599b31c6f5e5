/** What a net sees at first sight, as what is drawn and said: who should own what, and the moves one would think of. */

import type { Analysis, At, Colour, Seat, Summary, View } from '../api/types';
import type { Expected, Idea } from '../board/overlay';
import { squaresOf } from '../board/places';
import { gameOf } from '../games';

/** Nearer to nobody's than this, a square is open. */
const OPEN = 0.2;
/** What is less likely than this is not worth a look. */
const SLIGHT = 0.03;
const MOST_IDEAS = 5;

/** A position and what the computer thinks of it; no analysis once the game is over. */
export interface Known {
  view: View;
  analysis: Analysis | null;
}

/** The same of a position whose board need not be known. */
export interface Assessed {
  view: Omit<Summary, 'totals'>;
  analysis: Analysis | null;
}

/** Before this many moves nobody can say who will own what: a net then leans to some edge of an empty board. */
const EARLY = 2;

/** The squares that somebody should own, or the verticals of a pile; null where no net tells. */
export function expectedOwners({ view, analysis }: Known): Expected[] | null {
  if (view.over) return gameOf(view).settled(view);
  if (!analysis?.owners) return null;
  if (view.ply < EARLY) return [];
  const mine = view.colour_to_move;
  const theirs = otherColour(view, mine);
  const taken = unownable(view);
  return Object.entries(analysis.owners)
    .filter(([at, lead]) => Math.abs(lead) >= OPEN && !taken.has(at))
    .map(([at, lead]) => ({ at, colour: lead > 0 ? mine : theirs, sure: Math.min(Math.abs(lead), 1) }));
}

/** The likeliest moves, the best first; none where no net tells. A net judges no swap, so none while one may come. */
export function ideasOf({ view, analysis }: Known): Idea[] {
  if (view.pie_open) return [];
  return (analysis?.policy ?? [])
    .filter(({ share }, rank) => rank === 0 || share >= SLIGHT)
    .slice(0, MOST_IDEAS)
    .map(({ move, share }) => ({ move, at: squaresOf(move), share }));
}

/** How many places each colour should own, and how many are open. */
export function tally(view: View, expected: readonly Expected[]): { owned: [Colour, number][]; open: number } {
  const colours = [view.colours.first, view.colours.second];
  const count = (colour: Colour) => expected.filter((each) => each.colour === colour).length;
  const all = gameOf(view).places(view.size).length - unownable(view).size;
  return { owned: colours.map((colour) => [colour, count(colour)]), open: all - expected.length };
}

/** The colour that the side to move will have: the other one, if a swap is expected. */
export function colourToBe(view: Assessed['view'], analysis: Analysis): Colour {
  return analysis.line.includes('swap') ? otherColour(view, view.colour_to_move) : view.colour_to_move;
}

/** By how much who should end ahead, or has ended, in the words of the position's colours. */
export function leader({ view, analysis }: Assessed): { colour: Colour; by: number } {
  const mine = analysis ? colourToBe(view, analysis) : view.colour_to_move;
  const by = analysis ? analysis.expected_score : finalLead(view, mine);
  return { colour: by >= 0 ? mine : otherColour(view, mine), by: Math.abs(by) };
}

/** Which colour is likelier to win, and how likely; certain once the game is over, if it is no draw. */
export function favourite({ view, analysis }: Assessed): { colour: Colour; chance: number } {
  const mine = analysis ? colourToBe(view, analysis) : view.colour_to_move;
  const chance = analysis ? analysis.win_chance : finalChance(view, mine);
  return chance >= 0.5 ? { colour: mine, chance } : { colour: otherColour(view, mine), chance: 1 - chance };
}

/** How likely the favourite wins, in percent: what is neither over nor proven is never certain. */
export function percentOf(known: Assessed): number {
  const percent = Math.round(100 * favourite(known).chance);
  return known.analysis && !known.analysis.proven ? Math.min(percent, 99) : percent;
}

/** How likely a seat wins, whatever colour it will have. */
export function chanceOf({ view, analysis }: Assessed, seat: Seat): number {
  if (!analysis) return finalChance(view, view.colours[seat]);
  return seat === view.to_move ? analysis.win_chance : 1 - analysis.win_chance;
}

/** What a colour has won: 1, half for a draw, or nothing. */
export function finalChance({ colours, outcome }: Assessed['view'], colour: Colour): number {
  if (!outcome?.winner) return 0.5;
  return colours[outcome.winner] === colour ? 1 : 0;
}

function finalLead(view: Assessed['view'], colour: Colour): number {
  const score = view.outcome?.by_colour ?? {};
  return (score[colour] ?? 0) - (score[otherColour(view, colour)] ?? 0);
}

export function otherColour(view: Assessed['view'], colour: Colour): Colour {
  return view.colours.first === colour ? view.colours.second : view.colours.first;
}

/** Stone and paint are nobody's. */
function unownable(view: View): Set<At> {
  return new Set(view.pieces.filter((piece) => gameOf(view).blocks(piece)).map(({ at }) => at));
}
