import { isolate } from './emitter.ts';

type Args = Readonly<Record<string, unknown>>;

/** One handler, and the SUBSCRIBE it needs. */
export interface Subscription {
  /** The same for the same event and arguments: those share one SUBSCRIBE. */
  readonly key: string;
  readonly event: string;
  readonly args: object;
  /** Made on an authenticated connection: renewed only once the next one is authenticated too. */
  readonly authenticated: boolean;
  readonly handler: (data: unknown) => void;
}

/** What the program has asked for, kept across connections. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();

  /** Adds a handler; the returned function takes it away and says whether its SUBSCRIBE is of no more use. */
  add(subscription: Omit<Subscription, 'key'>): () => boolean {
    const { event, args } = subscription;
    const key = event + JSON.stringify(args, Object.keys(args).sort());
    const own = { ...subscription, key };
    this.#all.add(own);
    return () => this.#all.delete(own) && ![...this.#all].some((other) => other.key === key);
  }

  /** One of each key. */
  list(): Iterable<Subscription> {
    if (this.#all.size === 0) return [];
    return new Map([...this.#all].map((own) => [own.key, own])).values();
  }

  /**
   * Tells the handlers of an event. A dispatch does not say which subscription it answers: where its data carries
   * a value of the same name as an argument, they must agree.
   */
  dispatch(event: string, data: unknown): void {
    for (const own of [...this.#all]) {
      if (own.event === event && agree(own.args as Args, data as Args | null))
        isolate(() => own.handler(data));
    }
  }
}

function agree(args: Args, data: Args | null): boolean {
  return Object.entries(args).every(([key, value]) => value == null || (data?.[key] ?? value) === value);
}
