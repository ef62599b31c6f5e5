/** Who stands better, in the few words that fit beside the bar. */

import type { Analysis, Seat } from '../api/types';
import { T } from '../language.svelte';
import { hintSays, leadText, shareText } from '../phrases';
import { chanceOf, favourite, type Assessed, leader, otherColour, percentOf } from './expected';
import type { People } from './seats';

export interface Standing {
  /** How much of the bar is the first seat's, in percent. */
  first: number;
  /** The side that the words are about. */
  seat: Seat;
  words: string;
}

export function standing(known: Assessed, people: People): Standing {
  const better = chanceOf(known, 'first') >= 0.5 ? 'first' : 'second';
  const percent = percentOf(known);
  const first = better === 'first' ? percent : 100 - percent;
  const seat = (undecided(known) && people.me) || better;
  return { first, seat, words: undecided(known) ? chanceWords(known, people) : words(known, people) };
}

/** While a swap may still come, nobody knows who will have which colour. */
export function undecided({ view, analysis }: Assessed): boolean {
  return view.pie_open && !!analysis;
}

/** In percent; who is favoured by less is not worth a name. */
const EVEN = 53;

/** Whether neither is ahead by as much as one can trust. */
export function even(known: Assessed): boolean {
  return !!known.analysis && !known.analysis.proven && percentOf(known) < EVEN;
}

/** Who is likelier to win, by colour; by person while a swap may still come: of two people, whoever looks on. */
export function chanceWords(known: Assessed, { names, me }: People): string {
  const percent = percentOf(known);
  if (!undecided(known)) {
    if (even(known)) return T.evaluation.even;
    // what is not even and favours nobody is over or proven
    return percent === 50
      ? T.evaluation.draw
      : T.evaluation.chance(T.colours[favourite(known).colour], T.percent(percent));
  }
  const better = chanceOf(known, 'first') >= 0.5 ? 'first' : 'second';
  const told = me ?? better;
  const said = even(known)
    ? T.evaluation.even
    : T.evaluation.chance(names[told], T.percent(told === better ? percent : 100 - percent));
  return T.evaluation.undecided(said, maySwap(names, me));
}

/** What a swap would bring the side to move, and what staying would. */
export function swapWords(view: Assessed['view'], analysis: Analysis): string {
  const [mine, theirs] = [view.colour_to_move, otherColour(view, view.colour_to_move)].map((one) => T.colours[one]);
  const found = chanceOrProof(analysis.win_chance, analysis.proven);
  const turned = chanceOrProof(1 - analysis.win_chance, analysis.proven && TURNED[analysis.proven]);
  const [swap, stay] = analysis.best_move === 'swap' ? [found, turned] : [turned, found];
  return T.swap.advice(swap, theirs!, stay, mine!);
}

/** What the computer would do, and what the side to move may expect of it. */
export function hintWords(view: Assessed['view'], analysis: Analysis, { names, me }: People): string {
  const best = analysis.best_move;
  if (view.can_swap) return `${hintSays(best)}. ${swapWords(view, analysis)}`;
  const chance = chanceOrProof(analysis.win_chance, analysis.proven);
  if (view.pie_open) return `${hintSays(best)}: ${T.evaluation.undecided(chance, maySwap(names, me))}.`;
  if (analysis.proven) return `${hintSays(best)}: ${chance}.`;
  const points = Math.round(analysis.expected_score);
  const agree = points !== 0 && points > 0 === analysis.win_chance > 0.5 && !even({ view, analysis });
  return `${hintSays(best)}: ${agree ? T.evaluation.both(chance, leadText(points)) : chance}.`;
}

const MOST_MOVES = 5;

/**
 * The best moves as they are listed, with the side to move's chance and how much of the looking went into each. Of some
 * first moves games have told, and no search looked at them.
 */
export function bestRows({ moves }: Analysis): { move: string; chance: string; share: string }[] {
  return moves.slice(0, MOST_MOVES).map(({ move, visits, win_chance, proven, share }) => ({
    move,
    chance: chanceOrProof(win_chance, proven),
    share: visits > 0 ? shareText(share) : '–',
  }));
}

function maySwap(names: People['names'], me: People['me']): string {
  return me === 'second' ? T.evaluation.youMaySwap : T.evaluation.maySwap(names.second);
}

const TURNED = { win: 'loss', loss: 'win', draw: 'draw' } as const;

/** What is not proven is neither 0 nor 100 %. */
function chanceOrProof(chance: number, proven: Analysis['proven']): string {
  return proven ? T.evaluation.proven[proven] : shareText(Math.min(Math.max(chance, 0.01), 0.99));
}

/** The lead is left out where it says another thing than the chance. */
function words(known: Assessed, people: People): string {
  const said = chanceWords(known, people);
  const ahead = leader(known);
  const points = Math.round(ahead.by);
  const agree = points > 0 && ahead.colour === favourite(known).colour && !even(known);
  return agree ? T.evaluation.both(said, leadText(points)) : said;
}
