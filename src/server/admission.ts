import { Bucket, type Rate } from '../session/bucket.ts';
import type { Connection } from '../wire/connection.ts';

/** More processes than this at a time, and those that have been calm are forgotten. */
const REMEMBERED = 256;

/** Slows a process down that connects again and again; nobody is turned away by it. */
export class Admission {
  readonly #rate: Rate;
  readonly #byProcess = new Map<number, Bucket>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** How long the connection has to wait (ms) before it is served. */
  delayOf({ peer }: Connection, now = performance.now()): number {
    // Where the system names no process there is nobody to hold to it.
    if (peer === undefined || peer.pid === 0) return 0;
    let bucket = this.#byProcess.get(peer.pid);
    if (bucket === undefined) {
      this.#forgetCalm(now);
      bucket = new Bucket(this.#rate, now);
      this.#byProcess.set(peer.pid, bucket);
    }
    return bucket.take(1, now);
  }

  #forgetCalm(now: number): void {
    if (this.#byProcess.size < REMEMBERED) return;
    for (const [pid, bucket] of this.#byProcess) if (bucket.isFull(now)) this.#byProcess.delete(pid);
  }
}
