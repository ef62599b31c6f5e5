/**
 * What one player does before one board: what is in hand, what is pointed at, what is about to be played, and why
 * something may not be. Pointer, keys and typed text all end here. It knows no rules: the view lists what is legal.
 */

import { Refused } from '../api/http';
import type { At, Effect, MoveText, Refusal, View } from '../api/types';
import type { Arrow, Rotation } from '../board/geometry';
import { NO_OVERLAY, type Overlay } from '../board/overlay';
import { placeName, samePlace, squaresOf, type Place } from '../board/places';
import { type Game, gameOf } from '../games';
import { EMPTY_HAND, type Hand, type HandControl, NO_LIGHTS } from '../games/game';
import { play as sound } from '../sound';
import { say, T } from '../language.svelte';
import { lineKey, look, type Line } from './positions';
import { effectWords, placeWords } from './words';

const HOPES = 8;
/** Longer than between the two taps of a double tap. */
const DOUBLE_TAP_MS = 400;

/** The page that the input is for. */
export interface InputUser {
  /** The line of play that the board shows, for questions to the server. */
  line(): Line;
  /** A sentence that says why nothing may be played now, empty if there is nothing to say; null if one may play. */
  closed(): string | null;
  /** Whether a move by this kind of pointer is shown first and played at the second tap. */
  confirms(pointer: string, move: MoveText): boolean;
  play(move: MoveText): void;
  /** False while one is to find out for oneself why a picked piece captures nothing. */
  tells?(): boolean;
}

export class MoveInput implements HandControl {
  view: View | null = $state.raw(null);
  hand: Hand = $state.raw(EMPTY_HAND);
  hover: Place | null = $state.raw(null);
  cursor: Place | null = $state.raw(null);
  focused = $state(false);
  /** A move that waits for its second tap. */
  pending: MoveText | null = $state(null);
  /** A move that had its second tap a moment ago. */
  confirmed: MoveText | null = $state(null);
  effect: Effect | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  /** One sentence under the board: a reason, or what a move would do. */
  note: string | null = $state(null);

  private readonly user: InputUser;
  private asked = '';
  /** Whether a mouse that is still pressed has drawn a piece out of the panel. */
  private carried = false;
  /** Where a finger took hold of the piece in hand, and how far from its grip. */
  private pushed: { from: Place; across: number; up: number } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(user: InputUser) {
    this.user = user;
  }

  private get game(): Game | null {
    return this.view && gameOf(this.view);
  }

  /** A new position is on the board: whatever was half done is forgotten, except the piece in hand. */
  show(view: View): void {
    if (view === this.view) return;
    const same = this.view?.game === view.game && this.view.size === view.size;
    this.view = view;
    const { piece, shape } = this.hand;
    this.hand = piece && view.pool?.includes(piece) ? { ...EMPTY_HAND, piece, shape } : EMPTY_HAND;
    if (!same) this.cursor = null;
    this.clear();
    if (this.hover) this.preview();
  }

  /** What a click, or Enter, would play just now. */
  readonly aim: MoveText | null = $derived.by(() => {
    if (this.pending) return this.pending;
    const at = this.hand.laid ?? (this.focused && this.cursor ? this.cursor : this.hover);
    if (!this.view || !this.game || !at || this.view.over) return null;
    if (this.user.closed() !== null) return null;
    return this.game.moveAt(this.view, this.hand, at);
  });

  readonly overlay: Overlay = $derived.by(() => {
    const { view, game, aim } = this;
    if (!view || !game) return NO_OVERLAY;
    return {
      ...NO_OVERLAY,
      ...(game.lights?.(view, this.hand) ?? NO_LIGHTS),
      ghost: aim ? game.ghost(view, aim) : null,
      effect: aim ? this.effect : null,
      refusal: this.refusal,
    };
  });

  // -- pointing -------------------------------------------------------------------------------

  point(place: Place | null, how: 'hover' | 'tap' | 'leave', pointer: string): void {
    if (how === 'tap') {
      if (place) this.tap(place, pointer);
      return;
    }
    if (pointer === 'touch') return;
    const before = this.hover && placeName(this.hover);
    this.hover = how === 'leave' ? null : place;
    if ((this.hover && placeName(this.hover)) !== before) {
      if (this.focused) this.focused = false;
      this.preview();
    }
  }

  tap(place: Place, pointer: string): void {
    const { view, game, hand } = this;
    if (!view || !game) return;
    const closed = this.user.closed();
    if (closed !== null) return this.say(closed);
    // a piece that was laid is confirmed by a tap on any of its squares
    if (this.pending && hand.piece && squaresOf(this.pending).includes(placeName(place))) return this.confirm();
    this.clear();
    const before = this.pending;
    this.pending = null;
    const answer = game.tap(view, hand, place);
    switch (answer.kind) {
      case 'hand':
        this.hand = answer.hand;
        if (answer.hand.from && game.lights?.(view, answer.hand).targets.length === 0)
          void this.whyNone(answer.hand.from);
        return;
      case 'say':
        return this.say(answer.sentence);
      case 'play':
        if (before === answer.move || !this.user.confirms(pointer, answer.move)) return this.commit(answer.move);
        this.pending = answer.move;
        if (hand.piece) this.hand = { ...hand, laid: place };
        return this.preview();
      case 'ask':
        if (hand.piece && pointer === 'touch') this.hand = { ...hand, laid: place };
        void this.why(answer.move);
    }
  }

  /** A piece dragged onto an enemy captures it, one from the panel is laid where it is let go. */
  drag(from: Place, to: Place): void {
    if (!this.view || !this.game || this.user.closed() !== null) return;
    if (this.hand.piece) return this.tap(to, 'mouse');
    const picked = this.game.tap(this.view, EMPTY_HAND, from);
    if (picked.kind !== 'hand' || !picked.hand.from) return;
    this.hand = picked.hand;
    this.tap(to, 'mouse');
  }

  /** A finger pushes the piece in hand: one that it went down on is held there, another comes to the finger. */
  slide(from: Place, to: Place): void {
    const { hand } = this;
    if (!hand.piece || this.user.closed() !== null) return;
    if (this.pushed?.from !== from) {
      const held = hand.laid && this.aim && squaresOf(this.aim).includes(placeName(from));
      this.pushed = {
        from,
        across: held ? hand.laid!.column - from.column : 0,
        up: held ? hand.laid!.row - from.row : 0,
      };
    }
    const laid = { column: to.column + this.pushed.across, row: to.row + this.pushed.up, level: 1 };
    if (!samePlace(laid, hand.laid)) this.hold({ ...hand, laid });
  }

  /** The finger was lifted: what fits waits for its second tap, what does not says why. */
  rest(): void {
    const { view, game, hand, pending } = this;
    this.pushed = null;
    if (pending) {
      if (!this.user.confirms('touch', pending)) this.commit(pending);
      return;
    }
    const move = view && game && hand.laid && game.moveAt(view, hand, hand.laid);
    if (move) void this.why(move);
  }

  confirm(): void {
    if (!this.pending) return;
    this.confirmed = this.pending;
    setTimeout(() => (this.confirmed = null), DOUBLE_TAP_MS);
    this.commit(this.pending);
  }

  /** Not this move: a piece of the panel stays in hand as it was turned. */
  cancel(): void {
    this.hand = { ...this.hand, from: null, laid: null };
    this.pending = null;
    this.clear();
  }

  drop(): void {
    this.hand = EMPTY_HAND;
    this.pending = null;
    this.clear();
  }

  private commit(move: MoveText): void {
    this.hand = { ...this.hand, from: null, laid: null };
    this.pending = null;
    this.clear();
    this.user.play(move);
  }

  /** A move given as text: played if it is legal, explained if it is not. */
  async typed(text: string): Promise<boolean> {
    const { view, game } = this;
    const move = text.trim();
    if (!view || !game || !move) return false;
    const closed = this.user.closed();
    if (closed !== null) {
      this.say(closed);
      return false;
    }
    if (game.isLegal(view, move) || view.legal?.includes(move)) {
      this.commit(move);
      return true;
    }
    return this.why(move);
  }

  /** Asks the server why a move may not be played. Should it be legal after all, it is played. */
  async why(move: MoveText): Promise<boolean> {
    const line = this.user.line();
    const key = lineKey(line);
    try {
      const seen = await look(line, move);
      if (key !== lineKey(this.user.line())) return false;
      if (seen.legal) {
        this.commit(move);
        return true;
      }
      sound('no');
      this.effect = null;
      this.refusal = seen.refusal;
      this.note = say(seen.refusal.said);
    } catch (trouble) {
      if (trouble instanceof Refused) this.say(trouble.message);
    }
    return false;
  }

  /** A picked piece that can capture nothing: of what one may have hoped for, the most telling refusal is drawn. */
  private async whyNone(from: At): Promise<void> {
    const { view, hand, game } = this;
    const hopes = (view && game?.hopes?.(view, hand)) ?? [];
    this.say(hopes.length > 0 ? T.pick.noCapture(from) : T.pick.noEnemy(from));
    if (this.user.tells?.() === false) return;
    const line = this.user.line();
    try {
      const seen = await Promise.all(hopes.slice(0, HOPES).map((move) => look(line, move)));
      if (this.hand !== hand || this.view !== view || this.refusal) return;
      const refusals = seen.flatMap((one) => (one.legal ? [] : [one.refusal]));
      const telling = game?.telling?.map((rule) => refusals.find((refusal) => refusal.rule === rule)).find(Boolean);
      if (!telling) return;
      this.refusal = telling;
      this.note = say(telling.said);
    } catch {
      // the sentence that stands there already is true
    }
  }

  say(sentence: string): void {
    this.refusal = null;
    this.note = sentence || null;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.asked = '';
    this.effect = null;
    this.refusal = null;
    this.note = null;
  }

  /** Asks what the aimed move would do, a moment after the pointer came to rest. */
  preview(): void {
    const move = this.aim;
    clearTimeout(this.timer);
    this.effect = null;
    if (!this.refusal && !this.pending) this.note = null;
    if (!move || !this.view || !this.game?.isLegal(this.view, move)) return;
    const line = this.user.line();
    const key = `${lineKey(line)}>${move}`;
    this.asked = key;
    this.timer = setTimeout(async () => {
      try {
        const seen = await look(line, move);
        if (this.asked !== key || this.aim !== move || !seen.legal) return;
        this.refusal = null;
        this.effect = seen.effect;
        const said = effectWords(this.view!, seen.effect);
        // whoever walks with the keys hears first where they are
        this.note = this.focused && this.cursor ? `${placeWords(this.view!, this.cursor)}. ${said}` : said;
      } catch {
        // a preview that does not come is no trouble: the move itself will say
      }
    }, 70);
  }

  // -- keys -----------------------------------------------------------------------------------

  /** Keys while the board is focused. True if the key was meant for it. */
  key(event: KeyboardEvent, rotation: Rotation): boolean {
    const { view, game } = this;
    if (!view || !game || event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = event.key;
    if (key.startsWith('Arrow')) {
      this.focused = true;
      const at = this.cursor ?? this.middle();
      this.cursor = this.cursor ? game.step(at, key as Arrow, view.size, rotation) : at;
      this.hand = { ...this.hand, laid: null };
      this.pending = null;
      this.refusal = null;
      this.preview();
      this.note = placeWords(view, this.cursor);
      return true;
    }
    if (key === 'Enter') {
      this.focused = true;
      if (this.pending) this.confirm();
      else this.tap((this.cursor ??= this.middle()), 'key');
      return true;
    }
    if (key === 'Escape' && (this.hand !== EMPTY_HAND || this.pending || this.refusal)) {
      this.drop();
      return true;
    }
    const next = game.handKey?.(event, view, this.hand);
    if (!next) return false;
    if (next.piece !== this.hand.piece) {
      this.focused = true;
      this.cursor ??= this.middle();
    }
    this.hold(next);
    return true;
  }

  private middle(): Place {
    const half = Math.ceil((this.view?.size ?? 1) / 2);
    return { column: half, row: half, level: 1 };
  }

  // -- the piece in hand ----------------------------------------------------------------------

  /** Takes a piece of the panel, turns or moves the one in hand. Laid, it waits for its second tap only if it fits. */
  hold(hand: Hand): void {
    const { view, game } = this;
    if (!view || !game) return;
    this.hand = hand;
    this.refusal = null;
    const move = hand.laid && game.moveAt(view, hand, hand.laid);
    this.pending = move && game.isLegal(view, move) ? move : null;
    this.preview();
  }

  carry(hand: Hand): void {
    this.hold(hand);
    this.carried = true;
  }

  letGo(at: Place): void {
    if (this.carried) this.tap(at, 'mouse');
  }

  putDown(): void {
    this.carried = false;
  }
}
