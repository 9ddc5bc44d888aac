import { isolate } from './emitter.ts';

type Handler = (data: unknown) => void;
type Args = Readonly<Record<string, unknown>>;

/** One SUBSCRIBE, and who is told. */
export interface Subscription {
  readonly event: string;
  readonly args: object;
  /** Made on an authenticated connection: renewed only once the next one is authenticated too. */
  readonly authenticated: boolean;
  readonly handlers: Set<Handler>;
}

/** What the program has asked for, kept across connections. The same event and arguments are one SUBSCRIBE. */
export class Subscriptions {
  readonly #byKey = new Map<string, Subscription>();

  /** Adds a handler; the returned function takes it away and says whether it was the subscription's last. */
  add(event: string, args: object, authenticated: boolean, handler: Handler): () => boolean {
    const key = event + JSON.stringify(args, Object.keys(args).sort());
    const subscription = this.#byKey.get(key) ?? { event, args, authenticated, handlers: new Set() };
    // The same function may be given twice, and each time counts.
    const own: Handler = (data) => handler(data);
    subscription.handlers.add(own);
    this.#byKey.set(key, subscription);
    return () => subscription.handlers.delete(own) && !subscription.handlers.size && this.#byKey.delete(key);
  }

  /** A copy, so that it may change meanwhile. */
  list(): Subscription[] {
    return [...this.#byKey.values()];
  }

  /**
   * Tells the handlers of an event. A dispatch does not say which subscription it answers: where its data carries
   * a value of the same name as an argument, they must agree.
   */
  dispatch(event: string, data: unknown): void {
    for (const { event: name, args, handlers } of this.list()) {
      if (name !== event || !agree(args as Args, data as Args | null)) continue;
      for (const handler of [...handlers]) isolate(() => handler(data));
    }
  }
}

function agree(args: Args, data: Args | null): boolean {
  return Object.entries(args).every(([key, value]) => {
    const told = data?.[key] ?? value;
    return value === null || value === undefined || told === value;
  });
}
