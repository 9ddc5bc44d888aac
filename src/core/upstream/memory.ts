import { isObject } from '../../protocol/json.ts';
import type { RelayedRequest } from '../core.ts';

/** What an app has established with the upstream: its token, its subscriptions and its presence. */
export class SessionMemory {
  readonly #subscriptions = new Map<string, RelayedRequest>();
  #authentication: RelayedRequest | undefined;
  #presence: { readonly order: number; readonly request: RelayedRequest | undefined } | undefined;

  /**
   * Notes what the app wants gone, whatever becomes of the request: an upstream that was away when the app
   * cleared its presence must not show it again. `order` counts the requests of the session.
   */
  intend(request: RelayedRequest, order: number): void {
    if (request.cmd === 'UNSUBSCRIBE') this.#subscriptions.delete(keyOf(request));
    if (request.cmd === 'SET_ACTIVITY' && !hasActivity(request)) this.#setPresence(undefined, order);
  }

  /** Notes a request that the upstream has answered without an error. */
  note(request: RelayedRequest, order: number): void {
    switch (request.cmd) {
      case 'AUTHENTICATE':
        this.#authentication = request;
        return;
      case 'SUBSCRIBE':
        this.#subscriptions.set(keyOf(request), request);
        return;
      case 'SET_ACTIVITY':
        if (hasActivity(request)) this.#setPresence(request, order);
        return;
    }
  }

  /** The AUTHENTICATE to repeat first; it holds the app's token, which is never logged. */
  get authentication(): RelayedRequest | undefined {
    return this.#authentication;
  }

  /** What to repeat after the handshake and after authentication. */
  repeats(): readonly RelayedRequest[] {
    const presence = this.#presence?.request;
    return [...this.#subscriptions.values(), ...(presence ? [presence] : [])];
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
