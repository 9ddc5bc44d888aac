/** Cost of a stored event beside its text (bytes). */
const OVERHEAD = 64;

interface StoredEvent {
  readonly event: string;
  readonly data: string;
}

/** Memory for replays, shared by all sessions. */
export class ReplayRoom {
  /** Maximum size of the replays of all sessions together (bytes). */
  readonly maxBytes: number;
  taken = 0;
  readonly #holders = new Set<Replay>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  enter(holder: Replay): void {
    this.#holders.add(holder);
  }

  leave(holder: Replay): void {
    this.#holders.delete(holder);
  }

  /** Halves the largest replay until all fit, so that a session with a small replay loses nothing because of others. */
  makeRoom(): void {
    while (this.taken > this.maxBytes) {
      let heaviest: Replay | undefined;
      for (const holder of this.#holders) if (holder.bytes > (heaviest?.bytes ?? 0)) heaviest = holder;
      if (heaviest === undefined) return;
      heaviest.shrink(heaviest.bytes / 2);
    }
  }
}

/** Events of a session that the client has not acknowledged, for replay after a disconnect. */
export class Replay {
  readonly #room: ReplayRoom;
  readonly #maxBytes: number;
  #stored: StoredEvent[] = [];
  #bytes = 0;
  /** Number of the last event that was dropped. */
  #floor = 0;

  /**
   * `maxBytes` limits the replay of this session. Beyond it, the oldest events are dropped, and the client can no
   * longer resume from a point before them.
   */
  constructor(room: ReplayRoom, maxBytes: number) {
    this.#room = room;
    this.#maxBytes = maxBytes;
    room.enter(this);
  }

  /** Bytes of the stored events. */
  get bytes(): number {
    return this.#bytes;
  }

  add(event: string, data: string): void {
    this.#stored.push({ event, data });
    this.#count(data.length + OVERHEAD);
    this.shrink(this.#maxBytes);
    this.#room.makeRoom();
  }

  /** Drops the oldest events until the remaining ones fit into `maxBytes`. */
  shrink(maxBytes: number): void {
    let count = 0;
    let bytes = this.#bytes;
    for (const { data } of this.#stored) {
      if (bytes <= maxBytes) break;
      bytes -= data.length + OVERHEAD;
      count += 1;
    }
    if (count > 0) this.#drop(count);
  }

  /** Drops the events up to the number `seq`, which the client has received. */
  acknowledge(seq: number): void {
    const count = Math.min(seq - this.#floor, this.#stored.length);
    if (count > 0) this.#drop(count);
  }

  /** The events after the number `seq`, in order; undefined when some of them have been dropped. */
  after(seq: number): readonly StoredEvent[] | undefined {
    return seq < this.#floor ? undefined : this.#stored.slice(seq - this.#floor);
  }

  /** Drops everything. */
  clear(): void {
    this.#room.leave(this);
    this.#drop(this.#stored.length);
  }

  #drop(count: number): void {
    for (const { data } of this.#stored.splice(0, count)) this.#count(-data.length - OVERHEAD);
    this.#floor += count;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#room.taken += bytes;
  }
}
