import type { Readable, Writable } from 'node:stream';
import type { Peer } from '../peer.ts';
import type { ProcessNumber } from '../sink.ts';
import {
  encodeClose,
  encodeLinkFrame,
  encodeNumber,
  FRAME_COST,
  FrameKind,
  type FrameReceiver,
  LinkDecoder,
  LinkError,
  numberIn,
} from './frames.ts';
import { LinkPeer, type PeerLink } from './link-peer.ts';
import { Outbox } from './outbox.ts';
import { ACK_COST } from './pace.ts';

/** Maximum number of sessions of a link. */
export const MAX_SESSIONS = 16_384;

/** Interval of the checks whether the other end still runs (ms). */
const PING_MS = 15_000;

/** Called for a session that the other end opens for a process there; it must join the peer. */
export type OnSession = (peer: Peer, process: ProcessNumber) => void;

/** Options of a link whose hello lines have been exchanged. */
export interface LinkOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Bytes that were read after the hello line. */
  readonly early: Uint8Array;
  /** Which end opens sessions. */
  readonly opens: 'this end' | 'the other end';
  readonly onSession?: OnSession | undefined;
  /** Called once, when the link has ended; `fault` is a clause after "the other end", undefined for a normal end. */
  readonly onEnd: (fault: string | undefined) => void;
  readonly pingMs?: number;
}

/** Fault of a link whose other end can no longer be written to or read from. */
export const HUNG_UP = 'hung up';

/** Many sessions over one pair of streams. */
export class Link implements FrameReceiver, PeerLink {
  readonly #options: LinkOptions;
  readonly #sessions = new Map<number, LinkPeer>();
  readonly #outbox: Outbox;
  readonly #decoder = new LinkDecoder(this);
  readonly #pings: NodeJS.Timeout;
  #early: Uint8Array | undefined;
  #lastId = 0;
  /** Cost of received DATA that was not confirmed yet. */
  #unconfirmed = 0;
  /** What came from the other end since the last check; `asked`: nothing, and a PING was sent. */
  #received: 'bytes' | 'nothing' | 'asked' = 'bytes';
  #state: 'open' | 'ended' = 'open';

  constructor(options: LinkOptions) {
    this.#options = options;
    const { input, output, early, pingMs = PING_MS } = options;
    this.#outbox = new Outbox(
      output,
      () => this.#confirmation(),
      () => this.end('sends requests without reading the answers'),
    );
    this.#pings = setInterval(() => this.#check(), pingMs).unref();
    output.on('error', () => this.end(HUNG_UP));
    input.on('error', () => this.end(HUNG_UP));
    input.on('close', () => this.end(undefined));
    input.on('end', () => this.end(undefined));
    this.#early = early;
  }

  /** Begins to read: sessions of the other end are opened from now on. */
  start(): void {
    const early = this.#early;
    this.#early = undefined;
    if (early === undefined) return;
    if (early.length > 0) this.#read(early);
    this.#options.input.on('data', (chunk: Uint8Array) => this.#read(chunk));
    this.#options.input.resume();
  }

  /** Number of sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Opens a session of a process; undefined when the link has ended or has as many as it may have. */
  open(process: ProcessNumber): Peer | undefined {
    if (this.#state === 'ended' || this.#sessions.size >= MAX_SESSIONS) return undefined;
    this.#lastId += 1;
    const peer = new LinkPeer(this.#lastId, this);
    this.#sessions.set(peer.id, peer);
    this.#outbox.control(encodeNumber(FrameKind.OPEN, peer.id, process));
    return peer;
  }

  /** Ends the link and its sessions, whose apps get the reason; `fault` is a clause after "the other end". */
  end(fault: string | undefined, reason = 'The forward has lost its connection. Connect again.'): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    clearInterval(this.#pings);
    const peers = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const peer of peers) peer.closed(reason);
    this.#options.onEnd(fault);
  }

  wants(peer: LinkPeer): void {
    if (this.#state === 'open') this.#outbox.wants(peer);
  }

  credit(peer: LinkPeer, bytes: number): void {
    if (this.#state === 'open') this.#outbox.control(encodeNumber(FrameKind.CREDIT, peer.id, bytes));
  }

  finished(peer: LinkPeer): void {
    this.#sessions.delete(peer.id);
  }

  data(id: number, bytes: Uint8Array, isFirst: boolean): void {
    this.#unconfirmed += bytes.length + (isFirst ? FRAME_COST : 0);
    // A session that has just been closed here may still have bytes on their way.
    const peer = this.#sessions.get(id);
    if (peer !== undefined && !peer.received(bytes))
      throw new LinkError(`sent more bytes in session ${id} than it was allowed`);
  }

  control(kind: FrameKind, id: number, body: Uint8Array): void {
    const peer = this.#sessions.get(id);
    switch (kind) {
      case FrameKind.OPEN:
        return this.#opened(id, numberIn(body));
      case FrameKind.END:
        return peer?.ended();
      case FrameKind.CLOSE:
        return peer?.closed(new TextDecoder().decode(body));
      case FrameKind.CREDIT:
        if (peer?.credited(numberIn(body)) === false)
          throw new LinkError(`allowed more bytes in session ${id} than it took`);
        return;
      case FrameKind.ACK:
        if (!this.#outbox.acked(numberIn(body))) throw new LinkError('confirmed more bytes than were sent');
        return;
      case FrameKind.PING:
        return this.#outbox.control(encodeLinkFrame(FrameKind.PONG, 0));
      case FrameKind.DATA:
      case FrameKind.PONG:
        return;
    }
  }

  #opened(id: number, process: ProcessNumber): void {
    const { opens, onSession } = this.#options;
    if (opens === 'this end' || onSession === undefined)
      throw new LinkError('opened a session, which only this end may');
    if (id <= this.#lastId) throw new LinkError(`opened the session ${id} again`);
    this.#lastId = id;
    if (this.#sessions.size >= MAX_SESSIONS)
      return this.#outbox.control(encodeClose(id, `The forward has ${MAX_SESSIONS} sessions already.`));
    const peer = new LinkPeer(id, this);
    this.#sessions.set(id, peer);
    onSession(peer, process);
  }

  #read(chunk: Uint8Array): void {
    if (this.#state === 'ended') return;
    this.#received = 'bytes';
    try {
      this.#decoder.append(chunk);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      return this.end(error.message);
    }
    if (this.#unconfirmed < ACK_COST) return;
    const confirmation = this.#confirmation();
    if (confirmation !== undefined) this.#outbox.control(confirmation);
  }

  #confirmation(): Uint8Array | undefined {
    if (this.#unconfirmed === 0) return undefined;
    const cost = this.#unconfirmed;
    this.#unconfirmed = 0;
    return encodeNumber(FrameKind.ACK, 0, cost);
  }

  #check(): void {
    if (this.#received === 'asked') return this.end('does not answer');
    this.#outbox.control(encodeLinkFrame(FrameKind.PING, 0));
    this.#received = this.#received === 'bytes' ? 'nothing' : 'asked';
  }
}
