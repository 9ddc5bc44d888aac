import { isolate } from './emitter.ts';

type Args = Readonly<Record<string, unknown>>;

/** One handler, and the SUBSCRIBE that it needs. */
export interface Subscription {
  /** Key of event and arguments: subscriptions with an equal key share one SUBSCRIBE. */
  readonly key: string;
  readonly event: string;
  readonly args: object;
  /**
   * True if the subscription was created on an authenticated connection: it is restored only once the next connection
   * is authenticated too.
   */
  readonly authenticated: boolean;
  readonly handler: (data: unknown) => void;
}

/** The program's subscriptions, which outlive a connection. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();

  /** Adds a handler; the returned function removes the handler, and returns whether its SUBSCRIBE is then unused. */
  add(subscription: Omit<Subscription, 'key'>): () => boolean {
    const { event, args } = subscription;
    const key = event + JSON.stringify(args, Object.keys(args).sort());
    const own = { ...subscription, key };
    this.#all.add(own);
    return () => this.#all.delete(own) && ![...this.#all].some((other) => other.key === key);
  }

  /** One subscription per key. */
  list(): Iterable<Subscription> {
    if (this.#all.size === 0) return [];
    return new Map([...this.#all].map((own) => [own.key, own])).values();
  }

  /**
   * Calls the handlers of an event. A dispatch does not name its subscription, so each argument of a subscription must
   * equal the member of the data with the same name, if there is one.
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
