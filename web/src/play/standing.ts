/** Who stands better, in the few words that fit beside the bar. */

import type { Seat } from '../api/types';
import { COLOURS, T } from '../texts';
import { chanceOf, favourite, type Known, leader, percentOf } from './expected';

export interface Standing {
  /** How much of the bar is the first seat's, in percent. */
  first: number;
  /** The side that the words are about. */
  seat: Seat;
  words: string;
}

export function standing(known: Known): Standing {
  const seat = chanceOf(known, 'first') >= 0.5 ? 'first' : 'second';
  const percent = percentOf(known);
  return { first: seat === 'first' ? percent : 100 - percent, seat, words: words(known) };
}

function words(known: Known): string {
  const ahead = leader(known);
  const { colour } = favourite(known);
  const points = Math.round(ahead.by);
  const lead =
    points > 0 && ahead.colour === colour ? T.evaluation.by(points) : T.graph.ahead(COLOURS[ahead.colour], points);
  return `${T.evaluation.chance(COLOURS[colour], percentOf(known))}, ${lead}`;
}
