import { SlotPool } from '../../../scheduling/slot-pool.ts';

/** Maximum number of simultaneous deliveries, each of which needs a socket; the applications share them. */
const MAX_DELIVERIES = 64;

/** Limits simultaneous deliveries. An application that never replies delays only its own deliveries. */
export class Lanes {
  readonly #slots = new SlotPool<object>(MAX_DELIVERIES);
  readonly #queues = new Map<string, ((outcome: 'now' | 'dropped') => void)[]>();
  readonly #maxQueued: number;

  /** @param maxQueued number of deliveries of an application that may wait; if there are more, the oldest never run */
  constructor(maxQueued: number) {
    this.#maxQueued = maxQueued;
  }

  /** Runs a task as soon as its application has a slot. Resolves with undefined for a task that is dropped from the queue. */
  async run<Result>(application: string, task: () => Promise<Result>): Promise<Result | undefined> {
    const slot = {};
    while (!this.#slots.take(application, slot)) {
      if ((await this.#turn(application)) === 'dropped') return undefined;
    }
    try {
      return await task();
    } finally {
      this.#slots.leave(application, slot);
      this.#next();
    }
  }

  #turn(application: string): Promise<'now' | 'dropped'> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(application) ?? [];
      this.#queues.set(application, queue);
      queue.push(resolve);
      if (queue.length > this.#maxQueued) queue.shift()?.('dropped');
    });
  }

  /** Wakes one delivery of each application. A delivery that gets no slot then joins its queue again. */
  #next(): void {
    for (const [application, queue] of [...this.#queues]) {
      queue.shift()?.('now');
      if (queue.length === 0) this.#queues.delete(application);
    }
  }
}
