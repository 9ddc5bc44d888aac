import type { RawFrame } from './frame.ts';

/** Next item of a connection. */
export type Received =
  | ({ readonly kind: 'frame' } & RawFrame)
  /** The peer ended the stream; `leftover` are the bytes of an unfinished frame. */
  | {
      readonly kind: 'end';
      readonly how: 'end' | 'reset';
      readonly leftover: Buffer;
      readonly detail: string;
    }
  | { readonly kind: 'garbage'; readonly reason: string; readonly bytes: Buffer }
  | { readonly kind: 'silence'; readonly ms: number };

/** Maximum of stored frames, and of their bytes; above either the socket is paused. */
const HIGH_WATER = 16_384;
const HIGH_WATER_BYTES = 32 * 1024 * 1024;

/** Queue of received items. The queue ends exactly once; after that only the end is left. */
export class Inbox {
  readonly #queue: Received[] = [];
  #bytes = 0;
  #end: Received | undefined;
  #waiter: ((received: Received) => void) | undefined;

  /** True while the sender should pause. */
  get isFull(): boolean {
    return this.#queue.length >= HIGH_WATER || this.#bytes >= HIGH_WATER_BYTES;
  }

  push(received: Received): void {
    if (this.#end !== undefined) return;
    if (received.kind === 'end' || received.kind === 'garbage') this.#end = received;
    const waiter = this.#waiter;
    if (waiter !== undefined) {
      this.#waiter = undefined;
      waiter(received);
    } else if (this.#end === undefined) {
      this.#queue.push(received);
      if (received.kind === 'frame') this.#bytes += received.body.byteLength;
    }
  }

  /** Next item, or `silence` after `ms`. Only one reader may wait at a time. */
  next(ms: number): Promise<Received> {
    const first = this.#queue.shift();
    if (first !== undefined) {
      if (first.kind === 'frame') this.#bytes -= first.body.byteLength;
      return Promise.resolve(first);
    }
    if (this.#end !== undefined) return Promise.resolve(this.#end);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiter = undefined;
        resolve({ kind: 'silence', ms });
      }, ms);
      this.#waiter = (received) => {
        clearTimeout(timer);
        resolve(received);
      };
    });
  }
}
