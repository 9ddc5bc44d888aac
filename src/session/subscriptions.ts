import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import type { EncodedFrame } from '../wire/frame.ts';

/** One SUBSCRIBE of a session: `key` is the event's name and its arguments. */
export interface Subscription {
  readonly key: string;
  readonly evt: string;
  readonly args: { readonly [name: string]: unknown };
  /** Dispatches that came before SUBSCRIBE was answered; they leave after the answer. */
  waiting: readonly EncodedFrame[] | undefined;
  /** How the first SUBSCRIBE will end, while it waits for the core; a repeated one ends the same. */
  settled: Promise<void> | undefined;
}

/** Bounds the memory for events while a core does not answer SUBSCRIBE. */
const MAX_WAITING = 64;

type Filter = { readonly [name: string]: unknown } | undefined;

/** Subscriptions of a session. All end with the connection. */
export class Subscriptions {
  readonly #limit: number;
  readonly #byKey = new Map<string, Subscription>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Adds a pending subscription, or finds the very same one. Throws past the limit. */
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
   * SUBSCRIBE was answered: from now on dispatches leave at once. Returns those that waited, or `undefined` when
   * UNSUBSCRIBE has cancelled it meanwhile, even if the same was subscribed to again.
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

  /** Whether any subscription, answered or not, matches. */
  some(evt: string, filter: Filter): boolean {
    for (const { evt: name, args } of this.#byKey.values()) {
      if (name === evt && matches(args, filter)) return true;
    }
    return false;
  }

  /**
   * Number of dispatches of `evt` to send now: one per matching subscription, or one in all where the event carries no
   * filter. Subscriptions whose SUBSCRIBE is not answered yet queue `frame`.
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

/** Every argument present must equal the filter's value; a null or absent argument matches all. */
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
