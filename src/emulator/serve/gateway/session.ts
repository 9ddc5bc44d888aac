import type { GatewayListener } from '../../api/dispatch.ts';
import type { Deadline } from '../../kernel/clock.ts';
import { Opcode } from './codes.ts';
import type { Recipient } from './hub.ts';
import { Replay, type ReplayRoom } from './replay.ts';

/** What one session may keep to tell it again (bytes). */
const MOST_REPLAYED = 4 * 1024 * 1024;
/** While more than this waits to be read, what comes by the piece waits, too (bytes). */
const ENOUGH = 256 * 1024;

/** The connection of a session, as the session sees it. */
export interface Line {
  /** Bytes that have not left. */
  readonly waiting: number;
  /** `left` is called when it has left, or never will. */
  send(text: string, left?: () => void): void;
}

type State =
  | { readonly kind: 'connected'; readonly line: Line }
  /** It may be resumed until then. */
  | { readonly kind: 'cut'; readonly deadline: Deadline }
  | { readonly kind: 'over' };

/** One event: its name and its data in JSON. */
export type Told = readonly [event: string, data: string];

/** Whose session it is; only they resume it. */
export interface SessionOwner {
  readonly token: string;
  /** Of a person's token, which tokens it descends from. */
  readonly family: string | undefined;
  /** Hash of a person's token. */
  readonly hash: string | undefined;
  /** When a person's token ends (ms since the Unix epoch); that of a bot does not. */
  readonly expires: number | undefined;
}

/** A session: numbers what it is told, and keeps what the client may have missed. */
export class Session implements Recipient {
  readonly id: string;
  readonly listener: GatewayListener;
  readonly #replay: Replay;
  readonly #lost: (session: Session) => void;
  #owner: SessionOwner;
  #state: State;
  #seq = 0;
  /** Guilds of which nothing has been told yet, with what is told of them first. */
  #unsent: Map<string, () => string | undefined> | undefined;
  /** What is told by the piece, as fast as the client reads. */
  #jobs: Iterator<Told>[] | undefined;

  constructor(
    id: string,
    {
      listener,
      owner,
      line,
      room,
      lost,
    }: {
      readonly listener: GatewayListener;
      readonly owner: SessionOwner;
      readonly line: Line;
      readonly room: ReplayRoom;
      /** Told when something could not be told to it. */
      readonly lost: (session: Session) => void;
    },
  ) {
    this.id = id;
    this.listener = listener;
    this.#lost = lost;
    this.#owner = owner;
    this.#replay = new Replay(room, MOST_REPLAYED);
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
    this.#tell([event, data]);
  }

  /** What is about to be told is about a guild: that guild is told first. True where it was told now. */
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

  /** Tells guilds one after the other; `data` is undefined for one that is gone by then. */
  tellGuilds(guilds: ReadonlyMap<string, () => string | undefined>): void {
    this.#unsent = new Map(guilds);
    this.feed(this.#guilds(guilds.keys()));
  }

  /** Tells events as fast as the client reads them; what happens meanwhile is told between them. */
  feed(told: Iterable<Told>): void {
    const job = told[Symbol.iterator]();
    if (this.#jobs === undefined) this.#jobs = [job];
    else this.#jobs.push(job);
    if (this.#jobs.length === 1) this.#pump();
  }

  /** The client has everything up to here. */
  acknowledge(seq: number): void {
    if (seq <= this.#seq) this.#replay.acknowledge(seq);
  }

  /** Goes on over another connection and by its token, behind event `seq`; why not, where that cannot be. */
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

  /** Its connection is gone; nothing happens when it has another by now. `deadline` says how long it may be resumed. */
  cut(line: Line, deadline: () => Deadline): void {
    if (this.#state.kind !== 'connected' || this.#state.line !== line) return;
    this.#state = { kind: 'cut', deadline: deadline() };
  }

  /** Ends it. True the first time. */
  end(): boolean {
    if (this.#state.kind === 'over') return false;
    if (this.#state.kind === 'cut') this.#state.deadline.cancel();
    this.#state = { kind: 'over' };
    this.#replay.clear();
    this.#jobs = undefined;
    this.#unsent = undefined;
    return true;
  }

  /** Whether this is the connection it has. */
  isOn(line: Line): boolean {
    return this.#state.kind === 'connected' && this.#state.line === line;
  }

  #tell([event, data]: Told, left?: () => void): void {
    if (this.#state.kind === 'over') return;
    this.#seq += 1;
    this.#replay.add(event, data);
    if (this.#state.kind === 'connected') this.#state.line.send(frameOf(this.#seq, event, data), left);
  }

  /** Whenever a piece has left, the next ones go. At least one goes each time: without it nobody would call again. */
  #pump(): void {
    while (this.#jobs !== undefined && this.#state.kind === 'connected') {
      const [job] = this.#jobs;
      const next = job?.next();
      if (next === undefined || next.done === true) {
        this.#jobs.shift();
        if (this.#jobs.length === 0) this.#jobs = undefined;
        continue;
      }
      this.#tell(next.value, () => this.#pump());
      if (this.#state.line.waiting > ENOUGH) return;
    }
  }

  *#guilds(ids: Iterable<string>): Generator<Told> {
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
