import { ByteQueue } from '../byte-queue.ts';
import type { Peer } from '../peer.ts';
import { CREDIT_BYTES } from './frames.ts';
import { newTurn, type Turn } from './turns.ts';

/** Bytes of a session that may wait for their turn before its partner stops (bytes). */
const MAX_WAITING_BYTES = 16 * 1024;

/** How a session of a link reaches the other end of the link. */
export interface PeerLink {
  /** Notes that the session has something to send. */
  wants(peer: LinkPeer): void;
  /** Sends CREDIT for bytes that the partner has taken. */
  credit(peer: LinkPeer, bytes: number): void;
  /** Removes a session that has ended in both directions; may be called again. */
  finished(peer: LinkPeer): void;
}

/** What the session sends after the bytes that wait. */
type Ending = 'none' | 'end' | 'ended' | 'close' | 'closed';

/** End of a session that lies behind a link. */
export class LinkPeer implements Peer, Turn {
  readonly id: number;
  readonly #link: PeerLink;
  #partner: Peer | undefined;

  // Its place in the order of the sessions that send.
  round: number;
  left: number;
  list: Turn['list'];
  next: Turn | undefined;

  /** Bytes that wait for their turn. */
  readonly #waiting = new ByteQueue();
  #isBlocked = false;
  /** Bytes that the other end allows. */
  #credit = CREDIT_BYTES;
  #ending: Ending = 'none';
  /** Reason of a CLOSE that waits, or of the end. */
  #reason = '';

  /** Bytes that the other end may still send. */
  #allowed = CREDIT_BYTES;
  /** Bytes that the partner has taken and that were not allowed anew yet. */
  #taken = 0;
  /** Bytes that the partner has and that wait until it reads. */
  #untaken = 0;
  /** Bytes that came before the session had a partner. */
  #early: ByteQueue | undefined;
  #input: 'open' | 'ended' = 'open';

  constructor(id: number, link: PeerLink) {
    this.id = id;
    this.#link = link;
    const { round, left, list, next } = newTurn();
    this.round = round;
    this.left = left;
    this.list = list;
    this.next = next;
  }

  join(partner: Peer): void {
    this.#partner = partner;
    if (this.#ending === 'closed') {
      this.#link.finished(this);
      return partner.abort(this.#reason);
    }
    const early = this.#early;
    this.#early = undefined;
    for (const bytes of early?.takeAll() ?? []) this.#pass(partner, bytes);
    if (this.#input === 'ended') partner.end();
  }

  send(bytes: Uint8Array): boolean {
    if (this.#ending !== 'none') return true;
    this.#waiting.push(bytes);
    this.#link.wants(this);
    if (this.#waiting.length <= MAX_WAITING_BYTES) return true;
    this.#isBlocked = true;
    return false;
  }

  end(): void {
    if (this.#ending !== 'none') return;
    this.#ending = 'end';
    this.#link.wants(this);
  }

  abort(reason: string): void {
    if (this.#ending === 'closed') this.#link.finished(this);
    if (this.#ending === 'close' || this.#ending === 'closed') return;
    this.#ending = 'close';
    this.#reason = reason;
    this.#link.wants(this);
  }

  resume(): void {
    const untaken = this.#untaken;
    this.#untaken = 0;
    this.#allowAgain(untaken);
  }

  /** Number of bytes that may be sent in one frame now. */
  get sendable(): number {
    return Math.min(this.#waiting.first.length, this.#credit);
  }

  /** Copies up to `max` waiting bytes into `target`; returns their number. */
  take(target: Uint8Array, at: number, max: number): number {
    const { first } = this.#waiting;
    const length = Math.min(max, this.sendable);
    if (length === 0) return 0;
    target.set(length === first.length ? first : first.subarray(0, length), at);
    this.#credit -= length;
    this.#waiting.drop(length);
    if (this.#isBlocked && this.#waiting.length === 0) {
      this.#isBlocked = false;
      this.#partner?.resume();
    }
    return length;
  }

  /** Frame that follows the waiting bytes, once all of them were sent; it is returned once. */
  takeEnding(): { readonly kind: 'end' } | { readonly kind: 'close'; readonly reason: string } | undefined {
    if (this.#waiting.length > 0) return undefined;
    if (this.#ending === 'end') {
      this.#ending = 'ended';
      this.#finishIfEnded();
      return { kind: 'end' };
    }
    if (this.#ending !== 'close') return undefined;
    this.#ending = 'closed';
    this.#link.finished(this);
    return { kind: 'close', reason: this.#reason };
  }

  /** Whether the session has an END or CLOSE to send now. */
  get hasEnding(): boolean {
    return this.#waiting.length === 0 && (this.#ending === 'end' || this.#ending === 'close');
  }

  /** Takes bytes from the other end. Returns false if they exceed what it may send. */
  received(bytes: Uint8Array): boolean {
    this.#allowed -= bytes.length;
    if (this.#allowed < 0 || this.#input === 'ended') return false;
    if (this.#ending === 'close' || this.#ending === 'closed') return true;
    if (this.#partner === undefined) {
      this.#early ??= new ByteQueue();
      this.#early.push(bytes);
    } else this.#pass(this.#partner, bytes);
    return true;
  }

  /** Handles CREDIT. Returns false for one that exceeds what can have been sent. */
  credited(bytes: number): boolean {
    this.#credit += bytes;
    if (this.#credit > CREDIT_BYTES) return false;
    if (this.#waiting.length > 0) this.#link.wants(this);
    return true;
  }

  /** Handles END. */
  ended(): void {
    if (this.#input === 'ended') return;
    this.#input = 'ended';
    if (this.#early === undefined) this.#partner?.end();
    this.#finishIfEnded();
  }

  /** Handles CLOSE, or the end of the link, for which the reason is given. */
  closed(reason: string): void {
    this.#ending = 'closed';
    this.#reason = reason;
    this.#waiting.takeAll();
    this.#early = undefined;
    // A session whose connection is still being made counts until then, so that the other end cannot cause any number.
    if (this.#partner === undefined) return;
    this.#link.finished(this);
    this.#partner.abort(reason);
  }

  #pass(partner: Peer, bytes: Uint8Array): void {
    if (partner.send(bytes)) this.#allowAgain(bytes.length);
    else this.#untaken += bytes.length;
  }

  #allowAgain(bytes: number): void {
    this.#taken += bytes;
    // A frame for every few bytes would cost more than the bytes.
    if (this.#taken < CREDIT_BYTES / 2 || this.#input === 'ended') return;
    this.#allowed += this.#taken;
    this.#link.credit(this, this.#taken);
    this.#taken = 0;
  }

  #finishIfEnded(): void {
    if (this.#input === 'ended' && this.#ending === 'ended') this.#link.finished(this);
  }
}
