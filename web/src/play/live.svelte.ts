/** A live game: what the server last said, what is on its way, and how to say something to it. */

import { gameState, get, post, Refused, sentenceOf } from '../api/http';
import { Wire } from '../api/socket';
import type { Act, GameEvent, GameState, MoveText, Seat, ServerFrame } from '../api/types';
import { say } from '../language.svelte';
import { keepView } from './positions';
import { NEW_TREE, type Tree, withHistory, withMainLine } from './tree';

/** A game on the server, kept up to date over its socket. */
export class LiveGame {
  state = $state.raw<GameState | null>(null);
  /** The game and every line that was taken back. */
  tree = $state.raw<Tree>(NEW_TREE);
  online = $state(true);
  /** A move that was sent and is not yet known to be saved. */
  sending = $state<MoveText | null>(null);
  /** It takes long: say so. */
  unsaved = $state(false);
  trouble = $state('');
  missing = $state(false);
  /** When the clock in the state was read, by our own watch. */
  clockRead = $state(0);
  /** Since when each seat has been empty, by our own watch and as far as we saw it. */
  emptySince = $state.raw<Partial<Record<Seat, number>>>({});

  private wire: Wire | null = null;
  private slow: ReturnType<typeof setTimeout> | undefined;
  private gone = false;
  /** The request that carries the move on its way; answers to others leave it alone. */
  private asked: string | null = null;

  constructor(
    readonly id: string,
    private readonly told: (event: GameEvent) => void,
  ) {}

  /** Opens the game; a token from a link claims its seat first. */
  async open(token: string | null): Promise<void> {
    try {
      if (token) {
        await post(`/api/games/${this.id}/join`, { token }).catch((why: unknown) => {
          this.trouble = sentenceOf(why);
        });
      }
      this.take(await gameState(this.id));
      if (this.state!.epoch > 0) await this.recall();
    } catch (why) {
      this.missing = why instanceof Refused && why.status === 404;
      this.trouble = sentenceOf(why);
      if (this.missing) return;
    }
    if (this.gone) return;
    this.wire = new Wire(this.id, {
      since: () => this.state?.v ?? null,
      heard: (frame) => this.hear(frame),
      changed: (online) => (this.online = online),
    });
  }

  close(): void {
    this.gone = true;
    clearTimeout(this.slow);
    this.wire?.close();
  }

  get mine(): boolean {
    const { state } = this;
    return !!state && state.status === 'active' && state.you.includes(state.view.to_move);
  }

  play(move: MoveText): void {
    if (!this.state || this.sending) return;
    this.sending = move;
    this.trouble = '';
    this.slow = setTimeout(() => (this.unsaved = true), 5000);
    // the hash of the board that we show: what another window of ours took back and made again is no longer that board
    this.asked =
      this.wire?.ask({ t: 'move', ply: this.state.moves.length + 1, move, hash: this.state.view.hash ?? null }) ?? null;
  }

  act(kind: Act): void {
    if (!this.state) return;
    this.trouble = '';
    const at =
      (kind === 'accept_draw' || kind === 'decline_draw') && this.state.offer ? this.state.offer.v : this.state.v;
    this.wire?.ask({ t: 'act', kind, at });
  }

  private take(state: GameState): void {
    this.state = state;
    this.clockRead = Date.now();
    this.watchSeats();
    this.tree = withMainLine(this.tree, state.moves);
    keepView({ game: state.game, size: state.size, moves: state.moves }, state.view);
    if (state.redo.length > 0)
      this.tree = withMainLine(withMainLine(this.tree, [...state.moves, ...state.redo]), state.moves);
  }

  /** Lines that were taken back before this page was opened are in the game's log. */
  private async recall(): Promise<void> {
    const { events } = await get<{ events: GameEvent[] }>(`/api/games/${this.id}/events`);
    const { moves, opening } = this.state!;
    this.tree = withMainLine(withHistory(this.tree, moves.slice(0, opening), events), moves);
  }

  private sent(): void {
    clearTimeout(this.slow);
    this.sending = null;
    this.unsaved = false;
  }

  private hear(frame: ServerFrame): void {
    switch (frame.t) {
      case 'welcome':
        if (frame.state) this.take(frame.state);
        else this.catchUp(frame);
        break;
      case 'state':
        this.take(frame.state);
        break;
      case 'ev':
        this.happened(frame);
        break;
      case 'ack':
        if (frame.rid === this.asked) this.sent();
        break;
      case 'nak':
        if (frame.rid === this.asked) this.sent();
        this.trouble = frame.said ? say(frame.said) : frame.message;
        if (frame.state) this.take(frame.state);
        break;
      case 'thinking':
        if (this.state) this.state = { ...this.state, thinking: frame.thinking };
        break;
      case 'here':
        this.seen(frame.seats);
        break;
    }
  }

  private catchUp(frame: ServerFrame & { t: 'welcome' }): void {
    for (const event of frame.events ?? []) this.happened(event);
    if (!this.state) return;
    this.state = {
      ...this.state,
      you: frame.you,
      seats: frame.seats ?? this.state.seats,
      thinking: frame.thinking ?? null,
      clock: frame.clock ?? this.state.clock,
      invite: frame.invite ?? this.state.invite,
    };
    this.clockRead = Date.now();
    this.watchSeats();
  }

  private seen(seats: Record<Seat, boolean>): void {
    if (!this.state) return;
    const now = this.state.seats;
    this.state = {
      ...this.state,
      seats: { first: { ...now.first, here: seats.first }, second: { ...now.second, here: seats.second } },
    };
    this.watchSeats();
  }

  private watchSeats(): void {
    const { first, second } = this.state!.seats;
    const since = ({ here }: { here: boolean }, before?: number) => (here ? undefined : (before ?? Date.now()));
    this.emptySince = {
      first: since(first, this.emptySince.first),
      second: since(second, this.emptySince.second),
    };
  }

  private happened(event: GameEvent): void {
    const before = this.state;
    if (!before || event.v <= before.v) return;
    this.trouble = '';
    const after = applyEvent(before, event);
    if (!after) {
      this.wire?.sync();
      return;
    }
    this.state = after;
    this.clockRead = Date.now();
    this.tree = withMainLine(this.tree, after.moves);
    // only the last of several events brings the view, so only then is it this line's view
    if (event.view) keepView({ game: after.game, size: after.size, moves: after.moves }, event.view);
    if (event.kind === 'move' && event.data.move === this.sending) this.sent();
    if (event.kind === 'join') void gameState(this.id).then((state) => this.take(state));
    this.told(event);
  }
}

/** The state after one more event; null if the event does not follow, so that the whole state must be asked for. */
export function applyEvent(state: GameState, event: GameEvent): GameState | null {
  if (event.v <= state.v) return state;
  if (event.v !== state.v + 1) return null;
  const { v, epoch, status, result, offer, clock, redo, rematch, paused, data } = event;
  let { moves, seats, view } = state;
  switch (event.kind) {
    case 'move':
      if (data.move) moves = [...moves, data.move];
      break;
    case 'undo':
      moves = moves.slice(0, data.ply ?? moves.length);
      break;
    case 'redo':
      moves = [...moves, ...(data.moves ?? [])];
      break;
    case 'join':
      if (event.seat) seats = { ...seats, [event.seat]: { ...seats[event.seat], claimed: true, here: true } };
      break;
    default:
      break;
  }
  view = event.view ?? view;
  const invite = event.kind === 'join' ? null : state.invite;
  return { ...state, v, epoch, status, result, offer, clock, redo, rematch, paused, moves, seats, view, invite };
}
