/** Memory for bodies with files, of all requests together, in bytes. */
const ROOM = 128 * 1024 * 1024;

/** Memory that one request holds. */
export interface Held {
  /** Reserves bytes; false when there are not enough. */
  take(bytes: number): boolean;
  /** Releases all of it; may be called repeatedly. */
  release(): void;
}

/** Memory for files of requests in progress. */
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
