import { isObject } from '../../protocol/json.ts';
import type { RelayedRequest } from '../core.ts';

/** As many subscriptions as the bridge allows an app elsewhere, and as much text of them as can be sent at once. */
const MOST_SUBSCRIPTIONS = 1024;
const MOST_BYTES = 512 * 1024;

interface Subscription {
  readonly request: RelayedRequest;
  readonly bytes: number;
  /** Number of the SUBSCRIBE that was asked last. */
  readonly order: number;
  /** Whether the upstream has taken it. */
  readonly taken: boolean;
}

/** What an app has established with the upstream: its token, its subscriptions and its presence. */
export class SessionMemory {
  readonly #subscriptions = new Map<string, Subscription>();
  #bytes = 0;
  #authentication: RelayedRequest | undefined;
  #presence: { readonly order: number; readonly request: RelayedRequest | undefined } | undefined;

  /**
   * Notes what the app wants, whatever becomes of the request: an upstream that was away when the app cleared its
   * presence must not show it again. `order` counts the requests of the session.
   */
  intend(request: RelayedRequest, order: number): void {
    if (request.cmd === 'SUBSCRIBE') this.#ask(request, order);
    if (request.cmd === 'UNSUBSCRIBE') this.#forget(keyOf(request));
    if (request.cmd === 'SET_ACTIVITY' && !hasActivity(request)) this.#setPresence(undefined, order);
  }

  /** Notes a request that the upstream has answered without an error. */
  note(request: RelayedRequest, order: number): void {
    switch (request.cmd) {
      case 'AUTHENTICATE':
        this.#authentication = request;
        return;
      case 'SUBSCRIBE': {
        const asked = this.#subscriptions.get(keyOf(request));
        // UNSUBSCRIBE may have come in between.
        if (asked?.order === order) this.#subscriptions.set(keyOf(request), { ...asked, taken: true });
        return;
      }
      case 'SET_ACTIVITY':
        if (hasActivity(request)) this.#setPresence(request, order);
        return;
    }
  }

  /** Notes a request that was not answered, or with an error. */
  failed(request: RelayedRequest, order: number): void {
    if (request.cmd !== 'SUBSCRIBE') return;
    const key = keyOf(request);
    const asked = this.#subscriptions.get(key);
    if (asked?.order === order && !asked.taken) this.#forget(key);
  }

  /** The AUTHENTICATE to repeat first; it holds the app's token, which is never logged. */
  get authentication(): RelayedRequest | undefined {
    return this.#authentication;
  }

  /** The subscriptions that the upstream has taken. */
  get subscriptions(): readonly RelayedRequest[] {
    return [...this.#subscriptions.values()].filter(({ taken }) => taken).map(({ request }) => request);
  }

  /** The presence that is shown. */
  get presence(): RelayedRequest | undefined {
    return this.#presence?.request;
  }

  #ask(request: RelayedRequest, order: number): void {
    const key = keyOf(request);
    const before = this.#subscriptions.get(key);
    // Repeated, it stays what it was until the upstream says something else.
    if (before) return void this.#subscriptions.set(key, { ...before, order });
    const bytes = key.length;
    if (this.#subscriptions.size >= MOST_SUBSCRIPTIONS || this.#bytes + bytes > MOST_BYTES) return;
    this.#bytes += bytes;
    this.#subscriptions.set(key, { request, bytes, order, taken: false });
  }

  #forget(key: string): void {
    this.#bytes -= this.#subscriptions.get(key)?.bytes ?? 0;
    this.#subscriptions.delete(key);
  }

  /** An upstream may answer out of order: the presence that was asked for last stays. */
  #setPresence(request: RelayedRequest | undefined, order: number): void {
    if (this.#presence === undefined || order > this.#presence.order) this.#presence = { order, request };
  }
}

function hasActivity({ args }: RelayedRequest): boolean {
  return isObject(args) && args.activity !== undefined && args.activity !== null;
}

function keyOf({ evt, args }: RelayedRequest): string {
  const entries = isObject(args) ? Object.entries(args) : [];
  return `${evt} ${JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
