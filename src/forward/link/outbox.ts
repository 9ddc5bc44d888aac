import type { Writable } from 'node:stream';
import {
  encodeClose,
  encodeLinkFrame,
  FRAME_COST,
  FrameKind,
  HEADER_BYTES,
  MAX_DATA_BYTES,
  writeHeader,
} from './frames.ts';
import type { LinkPeer } from './link-peer.ts';
import { Pace } from './pace.ts';
import { Turns } from './turns.ts';

/** Maximum number of bytes in one write (bytes); frames of many sessions share it. */
const BATCH_BYTES = 32 * 1024;

/** Maximum size of a frame (bytes), and of frames without DATA that wait (frames). */
const MAX_FRAME_BYTES = HEADER_BYTES + MAX_DATA_BYTES;
const MAX_CONTROL = 100_000;

/** DATA of a session that has sent little may exceed the window, up to this multiple of it. */
const FIRST_SHARE = 2;

/**
 * Frames that wait to be written to a link. They are written once for each turn of the event loop, by the order of
 * {@link Turns} and within the window of {@link Pace}; nothing is written while the last write has not left.
 */
export class Outbox {
  readonly #output: Writable;
  readonly #turns = new Turns<LinkPeer>();
  readonly #pace = new Pace(() => performance.now());
  /** Frames without DATA, which go first. */
  #control: Uint8Array[] = [];
  /** Memory of the last write, if nobody holds it any more. */
  #memory: Buffer | undefined;
  #scheduled = false;
  #isWriting = false;
  readonly #onWritten = (): void => this.#written();
  readonly #confirmation: () => Uint8Array | undefined;
  readonly #onFull: () => void;

  /**
   * `confirmation` returns the ACK that goes with a write, if there is one to send. `onFull` is called when the other
   * end sends frames that need answers and reads none of them; it must end the link.
   */
  constructor(output: Writable, confirmation: () => Uint8Array | undefined, onFull: () => void) {
    this.#output = output;
    this.#confirmation = confirmation;
    this.#onFull = onFull;
  }

  /** Notes that a session has something to send. */
  wants(peer: LinkPeer): void {
    if (peer.sendable === 0 && !peer.hasEnding) return;
    this.#turns.add(peer);
    this.#schedule();
  }

  /** Adds a frame without DATA. */
  control(frame: Uint8Array): void {
    if (this.#control.length >= MAX_CONTROL) return this.#onFull();
    this.#control.push(frame);
    this.#schedule();
  }

  /** Counts an ACK. Returns false for one of more than was sent. */
  acked(cost: number): boolean {
    if (!this.#pace.acked(cost)) return false;
    if (this.#turns.peek() !== undefined) this.#schedule();
    return true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#isWriting) return;
    this.#scheduled = true;
    // The check phase follows the read of every socket that is ready, so their frames share one write.
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#output.destroyed) return;
    this.#memory ??= Buffer.allocUnsafeSlow(BATCH_BYTES + 2 * MAX_FRAME_BYTES);
    const memory = this.#memory;
    let end = this.#fillControl(memory);
    // DATA must not overtake the OPEN of its session.
    if (this.#control.length === 0) end = this.#fillData(memory, end);
    const confirmation = this.#confirmation();
    if (confirmation !== undefined) end = append(memory, end, confirmation);
    if (end === 0) return;
    this.#output.write(memory.subarray(0, end), this.#onWritten);
    if (this.#output.writableLength > 0) {
      // The stream holds the memory until the write has left.
      this.#memory = undefined;
      this.#isWriting = true;
    } else this.#goOn();
  }

  #written(): void {
    if (!this.#isWriting || this.#output.writableLength > 0) return;
    this.#isWriting = false;
    this.#goOn();
  }

  #goOn(): void {
    const mayData = this.#turns.peek() !== undefined && this.#room() > 0;
    if (mayData || this.#control.length > 0) this.#schedule();
  }

  #fillControl(memory: Buffer): number {
    let end = 0;
    let count = 0;
    for (const frame of this.#control) {
      if (end >= BATCH_BYTES) break;
      end = append(memory, end, frame);
      count += 1;
    }
    if (count === this.#control.length) this.#control = [];
    else this.#control.splice(0, count);
    return end;
  }

  #room(): number {
    const { room, window } = this.#pace;
    return this.#turns.isFirst ? room + window * (FIRST_SHARE - 1) : room;
  }

  /** Writes frames of the sessions into the memory; returns their end. */
  #fillData(memory: Buffer, start: number): number {
    let end = start;
    while (end < BATCH_BYTES) {
      const peer = this.#turns.peek();
      if (peer === undefined) break;
      const isData = peer.sendable > 0;
      if (isData && this.#room() <= 0) {
        this.#pace.limited();
        break;
      }
      let cost = 0;
      if (isData) {
        const allowance = Math.max(1, this.#turns.allowance(peer));
        const length = peer.take(memory, end + HEADER_BYTES, Math.min(MAX_DATA_BYTES, allowance));
        writeHeader(memory, end, FrameKind.DATA, length, peer.id);
        end += HEADER_BYTES + length;
        cost = length + FRAME_COST;
        this.#pace.sent(cost);
      }
      if (peer.hasEnding) end = this.#writeEnding(peer, memory, end);
      this.#turns.served(peer, cost, peer.sendable > 0);
    }
    return end;
  }

  #writeEnding(peer: LinkPeer, memory: Buffer, end: number): number {
    const ending = peer.takeEnding();
    if (ending === undefined) return end;
    const frame =
      ending.kind === 'end' ? encodeLinkFrame(FrameKind.END, peer.id) : encodeClose(peer.id, ending.reason);
    return append(memory, end, frame);
  }
}

function append(memory: Buffer, end: number, frame: Uint8Array): number {
  memory.set(frame, end);
  return end + frame.length;
}
