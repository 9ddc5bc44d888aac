import { Places } from '../../../scheduling/places.ts';

/** Deliveries on their way at a time; shared by application. Each is a socket. */
const MOST = 64;

/** Lets so many deliveries out at a time: an application that never answers keeps its own waiting, and nobody else's. */
export class Lanes {
  readonly #places = new Places<object>(MOST);
  readonly #queues = new Map<string, (() => void)[]>();
  readonly #longest: number;

  /** @param longest how many of an application may wait; the oldest beyond that are never let out */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Runs a task as soon as its application has a lane. */
  async run<Result>(application: string, task: () => Promise<Result>): Promise<Result> {
    const place = {};
    while (!this.#places.take(application, place)) await this.#turn(application);
    try {
      return await task();
    } finally {
      this.#places.leave(application, place);
      this.#next();
    }
  }

  #turn(application: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(application) ?? [];
      this.#queues.set(application, queue);
      queue.push(resolve);
      if (queue.length > this.#longest) queue.shift();
    });
  }

  /** One of each application tries; who finds no lane waits again. */
  #next(): void {
    for (const [application, queue] of [...this.#queues]) {
      queue.shift()?.();
      if (queue.length === 0) this.#queues.delete(application);
    }
  }
}
