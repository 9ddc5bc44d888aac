import { PoolShare } from '../../../scheduling/pool-share.ts';

/** Memory for bodies with files, of all requests together, in bytes. */
const ROOM = 128 * 1024 * 1024;
/** Memory that each caller may use while it is free: that of the largest body (bytes). */
const MIN_PER_CALLER = 25 * 1024 * 1024;

/** Memory that one request holds. */
export interface Held {
  /** Reserves bytes; false when not enough bytes are free, or the caller's share does not allow it. */
  take(bytes: number): boolean;
  /** Releases all reserved bytes; may be called repeatedly. */
  release(): void;
}

/** Limits the memory for files of requests in progress; the callers share it. */
export class UploadRoom {
  readonly #shares: PoolShare;

  constructor(room = ROOM) {
    this.#shares = new PoolShare(room, MIN_PER_CALLER);
  }

  /** Begins a request of the application or webhook `caller`; undefined stands for all unknown callers together. */
  hold(caller = ''): Held {
    let taken = 0;
    return {
      take: (bytes) => {
        if (!this.#shares.charge(caller, bytes)) return false;
        taken += bytes;
        return true;
      },
      release: () => {
        this.#shares.release(caller, taken);
        taken = 0;
      },
    };
  }
}
