import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import type { EncodedFrame } from '../wire/frame.ts';

/** One subscription of a session; `key` combines the event's name and its arguments. */
export interface Subscription {
  readonly key: string;
  readonly evt: string;
  readonly args: { readonly [name: string]: unknown };
  /** Frames of events that occurred before SUBSCRIBE was answered; they are sent after the answer. */
  waiting: readonly EncodedFrame[] | undefined;
  /** Result of the first SUBSCRIBE while it waits for the core; a repeated SUBSCRIBE has the same result. */
  settled: Promise<void> | undefined;
}

/** Maximum number of queued events per subscription while the core has not answered SUBSCRIBE. */
const MAX_WAITING = 64;

type Filter = { readonly [name: string]: unknown } | undefined;

/** Subscriptions of one session; they end with its connection. */
export class Subscriptions {
  readonly #limit: number;
  readonly #byKey = new Map<string, Subscription>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /**
   * Adds a pending subscription, or returns the existing one with the same event and arguments. Throws RpcError 4000
   * above the limit.
   */
  add(evt: string, args: unknown): { readonly subscription: Subscription; readonly isNew: boolean } {
    const key = keyOf(evt, args);
    const existing = this.#byKey.get(key);
    if (existing) return { subscription: existing, isNew: false };
    if (this.#byKey.size >= this.#limit) {
      throw new RpcError(ErrorCode.INVALID_PAYLOAD, `At most ${this.#limit} subscriptions per connection`);
    }
    const subscription: Subscription = {
      key,
      evt,
      args: args as Subscription['args'],
      waiting: [],
      settled: undefined,
    };
    this.#byKey.set(key, subscription);
    return { subscription, isNew: true };
  }

  /**
   * Marks SUBSCRIBE as answered, so that later events are sent at once. Returns the queued events; `undefined` when
   * UNSUBSCRIBE has cancelled the subscription meanwhile, even if the app has subscribed again.
   */
  activate(subscription: Subscription): readonly EncodedFrame[] | undefined {
    if (this.#byKey.get(subscription.key) !== subscription) return undefined;
    const waiting = subscription.waiting ?? [];
    subscription.waiting = undefined;
    return waiting;
  }

  remove(evt: string, args: unknown): boolean {
    return this.#byKey.delete(keyOf(evt, args));
  }

  /** SUBSCRIBE failed. */
  cancel(subscription: Subscription): void {
    if (this.#byKey.get(subscription.key) === subscription) this.#byKey.delete(subscription.key);
  }

  /** Whether a subscription matches, answered or not. */
  some(evt: string, filter: Filter): boolean {
    for (const { evt: name, args } of this.#byKey.values()) {
      if (name === evt && matches(args, filter)) return true;
    }
    return false;
  }

  /**
   * Returns how many times to send `evt` now: once per matching subscription, or once in all for an event without a
   * filter. Queues `frame` for subscriptions whose SUBSCRIBE is not answered yet.
   */
  match(evt: string, filter: Filter, frame: EncodedFrame): number {
    let now = 0;
    for (const subscription of this.#byKey.values()) {
      if (subscription.evt !== evt || !matches(subscription.args, filter)) continue;
      if (subscription.waiting === undefined) now += 1;
      else subscription.waiting = [...subscription.waiting, frame].slice(-MAX_WAITING);
      if (filter === undefined) return now;
    }
    return now;
  }
}

/** Whether every argument equals the filter's value. A null or absent argument matches every value. */
function matches(args: Subscription['args'], filter: Filter): boolean {
  if (filter === undefined) return true;
  return Object.entries(args).every(
    ([name, value]) => value === undefined || value === null || filter[name] === value,
  );
}

function keyOf(evt: string, args: unknown): string {
  const entries = Object.entries(args as object).filter(([, value]) => value !== undefined);
  return `${evt} ${JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
