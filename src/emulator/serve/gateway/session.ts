import type { GatewayListener } from '../../api/dispatch.ts';
import type { Deadline } from '../../kernel/clock.ts';
import { Opcode } from './codes.ts';
import type { Recipient } from './hub.ts';
import { Replay, type ReplayRoom } from './replay.ts';

/** Maximum bytes that one session may store for replay. */
const MAX_REPLAY_BYTES = 4 * 1024 * 1024;
/** Number of unread bytes from which events in chunks wait for the client. */
const ENOUGH = 256 * 1024;

/** The part of a connection that its session uses. */
export interface Line {
  /** Bytes that have not left. */
  readonly waiting: number;
  /** Sends a text. `left` is called when the text has left, or when it can no longer be sent. */
  send(text: string, left?: () => void): void;
}

type State =
  | { readonly kind: 'connected'; readonly line: Line }
  /** A disconnected session, which may be resumed until the deadline. */
  | { readonly kind: 'cut'; readonly deadline: Deadline }
  | { readonly kind: 'over' };

/** One event: its name, and its data as JSON text. */
export type NamedPayload = readonly [event: string, data: string];

/** Data that identifies the owner of a session. Only the owner may resume the session. */
export interface SessionOwner {
  readonly token: string;
  /** Token family of a user's token. */
  readonly family: string | undefined;
  /** Hash of a user's token. */
  readonly hash: string | undefined;
  /** Expiry of a user's token (ms since the Unix epoch); bot tokens do not expire. */
  readonly expires: number | undefined;
}

interface SessionOptions extends Pick<Session, 'listener' | 'owner'> {
  readonly line: Line;
  readonly room: ReplayRoom;
  /** Called when an event could not be delivered to the session. */
  readonly lost: (session: Session) => void;
}

/** A gateway session. It numbers its events, and stores those that the client may have missed. */
export class Session implements Recipient {
  readonly id: string;
  readonly listener: GatewayListener;
  readonly #replay: Replay;
  readonly #lost: (session: Session) => void;
  #owner: SessionOwner;
  #state: State;
  #seq = 0;
  /** Guilds that this session has not received yet, with their initial GUILD_CREATE. */
  #unsent: Map<string, () => string | undefined> | undefined;
  /** Events that are sent in chunks, as fast as the client reads. */
  #jobs: Iterator<NamedPayload>[] | undefined;

  constructor(id: string, { listener, owner, line, room, lost }: SessionOptions) {
    this.id = id;
    this.listener = listener;
    this.#lost = lost;
    this.#owner = owner;
    this.#replay = new Replay(room, MAX_REPLAY_BYTES);
    this.#state = { kind: 'connected', line };
  }

  get owner(): SessionOwner {
    return this.#owner;
  }

  get seq(): number {
    return this.#seq;
  }

  get state(): State['kind'] {
    return this.#state.kind;
  }

  take(event: string, data: string): void {
    this.#deliver([event, data]);
  }

  /** Sends the whole guild before the first event about it. Returns true when this call has sent the guild. */
  prepare(guild: string): boolean {
    const first = this.#unsent?.get(guild);
    if (first === undefined) return false;
    this.#unsent?.delete(guild);
    const data = first();
    if (data !== undefined) this.take('GUILD_CREATE', data);
    return data !== undefined;
  }

  lose(): void {
    this.#lost(this);
  }

  /** Sends guilds one after the other. `data` returns undefined for a guild that has been deleted in the meantime. */
  sendGuilds(guilds: ReadonlyMap<string, () => string | undefined>): void {
    this.#unsent = new Map(guilds);
    this.feed(this.#guilds(guilds.keys()));
  }

  /** Sends events as fast as the client reads them. Other events may be sent between them. */
  feed(events: Iterable<NamedPayload>): void {
    const job = events[Symbol.iterator]();
    if (this.#jobs === undefined) this.#jobs = [job];
    else this.#jobs.push(job);
    if (this.#jobs.length === 1) this.#pump();
  }

  /** Drops the stored events up to `seq`, which the client has received. */
  acknowledge(seq: number): void {
    if (seq <= this.#seq) this.#replay.acknowledge(seq);
  }

  /**
   * Continues the session over another connection and with that connection's token, after event `seq`. Returns
   * `resumed`, or the reason for a refusal.
   */
  resume(line: Line, owner: SessionOwner, seq: number): 'resumed' | 'no such event' | 'gone' {
    if (this.#state.kind === 'over') return 'gone';
    if (seq < 0 || seq > this.#seq) return 'no such event';
    const missed = this.#replay.after(seq);
    if (missed === undefined) return 'gone';
    if (this.#state.kind === 'cut') this.#state.deadline.cancel();
    this.#state = { kind: 'connected', line };
    this.#owner = owner;
    for (const [at, { event, data }] of missed.entries()) line.send(frameOf(seq + at + 1, event, data));
    this.take('RESUMED', '{}');
    if (this.#jobs !== undefined) this.#pump();
    return 'resumed';
  }

  /**
   * Handles the end of a connection, unless the session already has another connection. `deadline` limits the time to
   * resume.
   */
  cut(line: Line, deadline: () => Deadline): void {
    if (this.#state.kind !== 'connected' || this.#state.line !== line) return;
    this.#state = { kind: 'cut', deadline: deadline() };
  }

  /** Ends the session. Returns true only for the first call. */
  end(): boolean {
    if (this.#state.kind === 'over') return false;
    if (this.#state.kind === 'cut') this.#state.deadline.cancel();
    this.#state = { kind: 'over' };
    this.#replay.clear();
    this.#jobs = undefined;
    this.#unsent = undefined;
    return true;
  }

  /** Whether `line` is the session's current connection. */
  isOn(line: Line): boolean {
    return this.#state.kind === 'connected' && this.#state.line === line;
  }

  #deliver([event, data]: NamedPayload, left?: () => void): void {
    if (this.#state.kind === 'over') return;
    this.#seq += 1;
    this.#replay.add(event, data);
    if (this.#state.kind === 'connected') this.#state.line.send(frameOf(this.#seq, event, data), left);
  }

  /**
   * Sends the next chunks; called again when a chunk has left. At least one chunk is sent each time, because its
   * departure triggers the next call.
   */
  #pump(): void {
    while (this.#jobs !== undefined && this.#state.kind === 'connected') {
      const [job] = this.#jobs;
      const next = job?.next();
      if (next === undefined || next.done === true) {
        this.#jobs.shift();
        if (this.#jobs.length === 0) this.#jobs = undefined;
        continue;
      }
      this.#deliver(next.value, () => this.#pump());
      if (this.#state.line.waiting > ENOUGH) return;
    }
  }

  *#guilds(ids: Iterable<string>): Generator<NamedPayload> {
    for (const id of ids) {
      const first = this.#unsent?.get(id);
      if (first === undefined) continue;
      this.#unsent?.delete(id);
      const data = first();
      if (data !== undefined) yield ['GUILD_CREATE', data];
    }
  }
}

function frameOf(seq: number, event: string, data: string): string {
  return `{"t":"${event}","s":${seq},"op":${Opcode.DISPATCH},"d":${data}}`;
}
