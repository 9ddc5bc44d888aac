import type { CoreHost, CoreSession, Peer } from '../core.ts';
import type { Primary, PrimaryOptions } from './primary.ts';
import { Relay } from './relay.ts';
import type { Move } from './relay-options.ts';
import { type LinkPool, SessionPresence } from './session-presence.ts';
import { SessionRoute } from './session-route.ts';

/** Services of the sessions of this core. */
export interface SessionServices extends PrimaryOptions {
  readonly host: Pick<CoreHost, 'relay' | 'grant' | 'closeSessions'>;
  readonly primary: Primary;
  readonly pool: LinkPool;
  readonly restoreMs: number | undefined;
}

/** One app: a relay to the client that answers it, and its presence at every selected client. */
export class UpstreamSession {
  readonly #relay: Relay;
  readonly #route: SessionRoute;
  readonly #presence: SessionPresence;

  /** `garbled` is called for text of the client that is not valid UTF-8. */
  constructor(peer: Peer, services: SessionServices, garbled: () => void) {
    const { host, primary } = services;
    const { sessionId, clientId } = peer;
    const route = new SessionRoute(services, primary, () => this.#presence);
    this.#route = route;
    this.#relay = new Relay({
      clientId,
      connect: route.connect,
      event: (evt, data) => host.relay(sessionId, evt, data),
      authenticated: (scopes) => host.grant(sessionId, scopes as never),
      garbled,
      refused: ({ code, message }) => host.closeSessions({ sessionId }, code, message),
      restoreMs: services.restoreMs,
      route,
    });
    const { clients, pool, choice } = services;
    this.#presence = new SessionPresence({
      clientId,
      clients,
      primary,
      pool,
      choice,
      relay: this.#relay,
      path: () => route.path,
    });
  }

  /** Opens the relay. `onClose` is called when the app leaves. */
  async open(onClose: () => void): Promise<CoreSession> {
    const ready = await this.#relay.open();
    const presence = this.#presence;
    return {
      ready,
      handlers: {},
      relay: (request, { signal }) =>
        request.cmd === 'SET_ACTIVITY'
          ? presence.set(request.args, undefined, signal)
          : this.#relay.request(request, signal),
      present: (args, only, { signal }) => presence.set(args, only, signal),
      presentAt: () => presence.at,
      close: () => {
        onClose();
        this.close();
      },
    };
  }

  /** Path of the client that answers the app. */
  get path(): string | undefined {
    return this.#route.path;
  }

  /** Names of the clients that show an activity of the app. */
  get presentAt(): readonly string[] {
    return this.#presence.at;
  }

  /** Changes to the primary client. */
  async move(): Promise<Move> {
    const outcome = await this.#relay.move(this.#route.change);
    if (outcome === 'moved') this.#presence.refresh();
    return outcome;
  }

  /** The clients have changed. */
  spread(): void {
    this.#presence.spread();
  }

  /** The choice of the user has changed. */
  refresh(): void {
    this.#presence.refresh();
  }

  close(): void {
    this.#presence.close();
    this.#relay.close();
  }
}
