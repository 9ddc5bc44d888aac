/** What one event costs besides its text. */
const OVERHEAD = 64;

interface Kept {
  readonly event: string;
  readonly data: string;
}

/** Room for what may have to be told again, which all sessions share. */
export class ReplayRoom {
  /** Bytes that all sessions may keep. */
  readonly most: number;
  taken = 0;
  readonly #holders = new Set<Replay>();

  constructor(most: number) {
    this.most = most;
  }

  enter(holder: Replay): void {
    this.#holders.add(holder);
  }

  leave(holder: Replay): void {
    this.#holders.delete(holder);
  }

  /** Whoever keeps most gives half of it up, and again: those who keep little lose nothing by what others miss. */
  makeRoom(): void {
    while (this.taken > this.most) {
      let largest: Replay | undefined;
      for (const holder of this.#holders) if (holder.bytes > (largest?.bytes ?? 0)) largest = holder;
      if (largest === undefined) return;
      largest.shrink(largest.bytes / 2);
    }
  }
}

/** The last events of a session, to be told again after a cut: those that the client has not said it has. */
export class Replay {
  readonly #room: ReplayRoom;
  readonly #most: number;
  #kept: Kept[] = [];
  #bytes = 0;
  /** Number of the last event that is not kept any more. */
  #floor = 0;

  /** `most`: bytes of one session. What does not fit goes, the oldest first, and with it the way back to there. */
  constructor(room: ReplayRoom, most: number) {
    this.#room = room;
    this.#most = most;
    room.enter(this);
  }

  /** What it keeps. */
  get bytes(): number {
    return this.#bytes;
  }

  add(event: string, data: string): void {
    this.#kept.push({ event, data });
    this.#count(data.length + OVERHEAD);
    this.shrink(this.#most);
    this.#room.makeRoom();
  }

  /** Lets go of the oldest until it keeps no more than so many bytes. */
  shrink(most: number): void {
    let count = 0;
    let bytes = this.#bytes;
    for (const { data } of this.#kept) {
      if (bytes <= most) break;
      bytes -= data.length + OVERHEAD;
      count += 1;
    }
    if (count > 0) this.#drop(count);
  }

  /** The client has everything up to here. */
  acknowledge(seq: number): void {
    const count = Math.min(seq - this.#floor, this.#kept.length);
    if (count > 0) this.#drop(count);
  }

  /** What came after a number, in order; undefined where some of it is gone. */
  after(seq: number): readonly Kept[] | undefined {
    return seq < this.#floor ? undefined : this.#kept.slice(seq - this.#floor);
  }

  /** It keeps nothing any more. */
  clear(): void {
    this.#room.leave(this);
    this.#drop(this.#kept.length);
  }

  #drop(count: number): void {
    for (const { data } of this.#kept.splice(0, count)) this.#count(-data.length - OVERHEAD);
    this.#floor += count;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#room.taken += bytes;
  }
}
