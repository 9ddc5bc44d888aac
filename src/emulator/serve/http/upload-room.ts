/** Bytes of bodies with files that are held at a time, of all requests together. */
const ROOM = 128 * 1024 * 1024;

/** What one request takes of the room. */
export interface Held {
  /** Whether there is room for so many bytes more; then they are taken. */
  take(bytes: number): boolean;
  /** Gives all of it back; may be called more than once. */
  release(): void;
}

/** Room for the files of requests that have not been answered yet. */
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
