/** Memory for bodies with files, of all requests together, in bytes. */
const ROOM = 128 * 1024 * 1024;

/** Memory that one request holds. */
export interface Held {
  /** Reserves bytes; false when not enough bytes are free. */
  take(bytes: number): boolean;
  /** Releases all reserved bytes; may be called repeatedly. */
  release(): void;
}

/** Limits the memory for files of requests in progress. */
export class UploadRoom {
  #free: number;

  constructor(room = ROOM) {
    this.#free = room;
  }

  hold(): Held {
    let taken = 0;
    return {
      take: (bytes) => {
        if (bytes > this.#free) return false;
        this.#free -= bytes;
        taken += bytes;
        return true;
      },
      release: () => {
        this.#free += taken;
        taken = 0;
      },
    };
  }
}
