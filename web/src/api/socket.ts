/** A line to one game that mends itself: it comes back after a loss, catches up, and sends again what was not answered. */

import type { Asked, ClientFrame, Request, ServerFrame } from './types';

export interface Listener {
  /** The last event that is known here, or null to be told everything. */
  since(): number | null;
  heard(frame: ServerFrame): void;
  /** The line is up and has caught up, or is lost. */
  changed(online: boolean): void;
}

const WAITS = [250, 500, 1000, 2000, 5000];
const PING_EVERY = 2500;
const GIVE_UP = 9000;

export class Wire {
  private socket: WebSocket | null = null;
  private readonly unanswered = new Map<Request['rid'], Request>();
  private tries = 0;
  private closed = false;
  private lastHeard = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly beat: ReturnType<typeof setInterval>;
  private next = 1;

  constructor(
    private readonly id: string,
    private readonly listener: Listener,
  ) {
    this.connect();
    this.beat = setInterval(() => this.ping(), PING_EVERY);
    window.addEventListener('online', this.hurry);
    document.addEventListener('visibilitychange', this.hurry);
  }

  /** Sends a request; it is sent again after every reconnect until it is answered. */
  ask(frame: Asked): string {
    const rid = `${Date.now().toString(36)}-${this.next++}`;
    const full: Request = { ...frame, rid };
    this.unanswered.set(rid, full);
    this.write(full);
    return rid;
  }

  sync(): void {
    this.write({ t: 'sync' });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    window.removeEventListener('online', this.hurry);
    document.removeEventListener('visibilitychange', this.hurry);
    this.socket?.close();
  }

  private readonly hurry = () => {
    if (this.closed || document.hidden) return;
    if (!this.socket || this.socket.readyState > WebSocket.OPEN) {
      this.tries = 0;
      clearTimeout(this.timer);
      this.connect();
    } else this.ping();
  };

  private connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.id}/socket`);
    this.socket = socket;
    this.lastHeard = Date.now();
    socket.onopen = () =>
      this.write({ t: 'hello', proto: 1, game: this.id, since: this.listener.since(), token: null });
    socket.onmessage = ({ data }) => this.hear(JSON.parse(data as string) as ServerFrame);
    socket.onclose = () => this.lost(socket);
  }

  private hear(frame: ServerFrame): void {
    this.lastHeard = Date.now();
    if ((frame.t === 'ack' || frame.t === 'nak') && frame.rid !== null) this.unanswered.delete(frame.rid);
    this.listener.heard(frame);
    if (frame.t === 'welcome') {
      this.tries = 0;
      this.listener.changed(true);
      for (const waiting of this.unanswered.values()) this.write(waiting);
    }
    if (frame.t === 'bye') this.tries = 0;
  }

  private lost(socket: WebSocket): void {
    if (this.closed || socket !== this.socket) return;
    this.socket = null;
    this.listener.changed(false);
    const wait = WAITS[Math.min(this.tries++, WAITS.length - 1)]! * (0.3 + 0.7 * Math.random());
    this.timer = setTimeout(() => this.connect(), wait);
  }

  private ping(): void {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.lastHeard > GIVE_UP) {
      socket.close();
      this.lost(socket);
    } else this.write({ t: 'p', ms: Date.now() });
  }

  private write(frame: ClientFrame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}
