import { SlotPool } from '../../../scheduling/slot-pool.ts';

/** Maximum number of simultaneous deliveries, shared by application. Each needs a socket. */
const MAX_DELIVERIES = 64;

/** Limits simultaneous deliveries: an application that never replies delays only its own. */
export class Lanes {
  readonly #places = new SlotPool<object>(MAX_DELIVERIES);
  readonly #queues = new Map<string, (() => void)[]>();
  readonly #maxQueued: number;

  /** @param maxQueued number of deliveries of an application that may wait; older ones beyond it never run */
  constructor(maxQueued: number) {
    this.#maxQueued = maxQueued;
  }

  /** Runs a task as soon as its application has a slot. */
  async run<Result>(application: string, task: () => Promise<Result>): Promise<Result> {
    const slot = {};
    while (!this.#places.take(application, slot)) await this.#turn(application);
    try {
      return await task();
    } finally {
      this.#places.leave(application, slot);
      this.#next();
    }
  }

  #turn(application: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(application) ?? [];
      this.#queues.set(application, queue);
      queue.push(resolve);
      if (queue.length > this.#maxQueued) queue.shift();
    });
  }

  /** Wakes one delivery of each application; those without a slot queue again. */
  #next(): void {
    for (const [application, queue] of [...this.#queues]) {
      queue.shift()?.();
      if (queue.length === 0) this.#queues.delete(application);
    }
  }
}
