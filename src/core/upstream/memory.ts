import { isObject } from '../../protocol/json.ts';
import type { RelayedRequest } from '../core.ts';

/**
 * Limits on subscriptions, as for other cores, and on the length of their text, so that all subscriptions can be sent
 * at once.
 */
const MAX_SUBSCRIPTIONS = 1024;
const MAX_SUBSCRIPTION_BYTES = 512 * 1024;

interface Subscription {
  readonly request: RelayedRequest;
  readonly bytes: number;
  /** Number of the latest SUBSCRIBE request. */
  readonly order: number;
  /** True once the upstream has accepted the subscription. */
  readonly taken: boolean;
}

/** State of an app at the upstream: its token, its subscriptions and its presence. */
export class SessionMemory {
  readonly #subscriptions = new Map<string, Subscription>();
  #bytes = 0;
  #authentication: RelayedRequest | undefined;
  #presence: { readonly order: number; readonly request: RelayedRequest | undefined } | undefined;

  /**
   * Records a request before its answer: if an app clears its presence while the upstream is away, the upstream must
   * not show that presence again. `order` counts the requests of the session.
   */
  intend(request: RelayedRequest, order: number): void {
    if (request.cmd === 'SUBSCRIBE') this.#addRequest(request, order);
    if (request.cmd === 'UNSUBSCRIBE') this.#forget(keyOf(request));
    if (request.cmd === 'SET_ACTIVITY' && !hasActivity(request)) this.#setPresence(undefined, order);
  }

  /** Records a request that the upstream has answered without an error. */
  note(request: RelayedRequest, order: number): void {
    switch (request.cmd) {
      case 'AUTHENTICATE':
        this.#authentication = request;
        return;
      case 'SUBSCRIBE': {
        const entry = this.#subscriptions.get(keyOf(request));
        // An UNSUBSCRIBE may have arrived in between, which makes the answer outdated.
        if (entry?.order === order) this.#subscriptions.set(keyOf(request), { ...entry, taken: true });
        return;
      }
      case 'SET_ACTIVITY':
        if (hasActivity(request)) this.#setPresence(request, order);
        return;
    }
  }

  /** Records a request that failed or was not answered. */
  failed(request: RelayedRequest, order: number): void {
    if (request.cmd !== 'SUBSCRIBE') return;
    const key = keyOf(request);
    const entry = this.#subscriptions.get(key);
    if (entry?.order === order && !entry.taken) this.#forget(key);
  }

  /** The AUTHENTICATE request to repeat first; it contains the app's token, which is never logged. */
  get authentication(): RelayedRequest | undefined {
    return this.#authentication;
  }

  /** The subscriptions that the upstream has accepted. */
  get subscriptions(): readonly RelayedRequest[] {
    return [...this.#subscriptions.values()].filter(({ taken }) => taken).map(({ request }) => request);
  }

  /** Current presence. */
  get presence(): RelayedRequest | undefined {
    return this.#presence?.request;
  }

  /** Removes the presence, which another client than before must not show. */
  forgetPresence(): void {
    this.#presence = undefined;
  }

  #addRequest(request: RelayedRequest, order: number): void {
    const key = keyOf(request);
    const before = this.#subscriptions.get(key);
    // A repeated subscription keeps its accepted state until the upstream answers.
    if (before) return void this.#subscriptions.set(key, { ...before, order });
    const bytes = key.length;
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS || this.#bytes + bytes > MAX_SUBSCRIPTION_BYTES) return;
    this.#bytes += bytes;
    this.#subscriptions.set(key, { request, bytes, order, taken: false });
  }

  #forget(key: string): void {
    this.#bytes -= this.#subscriptions.get(key)?.bytes ?? 0;
    this.#subscriptions.delete(key);
  }

  /**
   * Stores the presence of a request unless a later request has set one, because an upstream may answer out of order.
   */
  #setPresence(request: RelayedRequest | undefined, order: number): void {
    if (this.#presence === undefined || order > this.#presence.order) this.#presence = { order, request };
  }
}

/** Whether a request shows an activity. */
export function showsActivity({ cmd, args }: RelayedRequest): boolean {
  return cmd === 'SET_ACTIVITY' && hasActivity({ args });
}

function hasActivity({ args }: Pick<RelayedRequest, 'args'>): boolean {
  return isObject(args) && args.activity !== undefined && args.activity !== null;
}

function keyOf({ evt, args }: RelayedRequest): string {
  const entries = isObject(args) ? Object.entries(args) : [];
  return `${evt} ${JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
