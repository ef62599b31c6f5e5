/**
 * What the server says, as plain data. The types come from its schema (`npm run types`); where the schema only says
 * "string", the narrower word is said here. Nothing here or anywhere in the client knows a rule.
 */

import type { GameName } from '../games/names';
import type { components } from './schema';

type Schema = components['schemas'];
type Narrow<Wide, Fields> = Omit<Wide, keyof Fields> & Fields;

export type { GameName };
export type Seat = Schema['View']['to_move'];
export type Colour = Schema['View']['colour_to_move'];
/** A square ("c3") or a point ("2c3"), always in the rules' own notation. */
export type At = string;
export type MoveText = string;
export type Score = Partial<Record<Colour, number>>;

export type Piece = Schema['View']['pieces'][number];
export type Patch = Narrow<
  Schema['PatchView'],
  { groups: { colour: Colour; squares: At[] }[]; struck_out: [number, number][]; owner: Colour | null }
>;
export type Territory = Narrow<
  Schema['TerritoryView'],
  { touching: Partial<Record<Colour, At[]>>; owner: Colour | null }
>;
export type Marbles = Narrow<Schema['MarblesView'], { owner: Colour }>;
export type Entry = Patch | Territory | Marbles;

export type View = Narrow<
  Schema['View'],
  {
    game: GameName;
    colours: Record<Seat, Colour>;
    ledger: { entries: Entry[]; totals: Score };
    links?: Narrow<Schema['Links'], { live: [At, At][]; cut: [At, At][] }> | null;
    outcome: Narrow<Schema['OutcomeView'], { by_colour: Score }> | null;
  }
>;

/** What a graph needs of a position: a view without its board. */
export type Summary = Narrow<
  Schema['Summary'],
  { colours: Record<Seat, Colour>; totals: Score; outcome: View['outcome'] }
>;

export type Effect = Narrow<Schema['Effect'], { cuts: [At, At][]; score: Score }>;
export type Refusal = Schema['RefusalView'];
export type Look = { legal: true; effect: Effect } | { legal: false; refusal: Refusal };
export type Analysis = Schema['AnalysisView'];

export type GameInfo = Narrow<Schema['GameAbout'], { name: GameName; colours: [Colour, Colour] }>;
export type LevelInfo = Schema['LevelAbout'];
export type Catalogue = Narrow<Schema['Catalogue'], { games: GameInfo[] }>;

export type SeatWish = Schema['SeatWish'];
export type ClockWish = Schema['FischerWish'] | Schema['DaysWish'];
export type Clock = Narrow<Schema['ClockView'], { remaining_ms: Record<Seat, number>; running: Seat | null }>;

export type GameState = Narrow<
  Schema['State'],
  { game: GameName; view: View; seats: Record<Seat, Schema['SeatView']>; clock: Clock | null }
>;
export type GameEvent = Narrow<
  Schema['EventView'],
  {
    data: { move?: MoveText; moves?: MoveText[]; ply?: number; forced?: boolean; [more: string]: unknown };
    view: View | null;
    clock: Clock | null;
  }
>;

// -- the socket ---------------------------------------------------------------------------------

type Frames = { [T in Schema['ServerFrame']['t']]: Extract<Schema['ServerFrame'], { t: T }> };
type Welcome = Narrow<
  Frames['welcome'],
  { state?: GameState; events?: GameEvent[]; seats?: GameState['seats']; clock?: Clock | null }
>;
/** What the server says on the socket, told apart by `t`. */
export type ServerFrame =
  | Welcome
  | ({ t: 'ev' } & GameEvent)
  | Narrow<Frames['nak'], { state?: GameState }>
  | Narrow<Frames['state'], { state: GameState }>
  | Narrow<Frames['here'], { seats: Record<Seat, boolean> }>
  | Frames['ack' | 'p' | 'thinking' | 'bye'];
/** What the page says. */
export type ClientFrame = Schema['ClientFrame'];
/** A request: it is answered by an ack or a nak with its `rid`. */
export type Request = Extract<ClientFrame, { rid: unknown }>;
type Unnamed<Frame> = Frame extends Request ? Omit<Frame, 'rid'> : never;
/** A request that has no `rid` yet. */
export type Asked = Unnamed<Request>;
export type Act = Schema['ActFrame']['kind'];

export type SeatHeld = Narrow<Schema['SeatHeld'], { game: GameName }>;
export type Session = Narrow<Schema['Session'], { seats: SeatHeld[] }>;
export type RecordLine = Schema['RecordLine'];
/** A record that was read, to look at. */
export type OpenedRecord = Narrow<Schema['RecordView'], { game: GameName }>;
export type Trouble = Schema['ErrorBody'];
/** A sentence as data: its code and its values, and its English. */
export type Said = Schema['Said'];
