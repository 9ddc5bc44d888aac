import { withoutSecrets } from '../public-activity.ts';
import type { Presence } from './presence.ts';
import type { WsClient, WsListener, WsListenerOptions } from './ws-listener.ts';
import { openWsListener } from './ws-listener.ts';

/** Port of the presence bridge, and the presence that it sends. */
export interface BridgeOptions
  extends Pick<WsListenerOptions, 'port' | 'origins' | 'maxPending' | 'refusedOwner' | 'onRefused'> {
  /** True if join, spectate and match secrets are passed on. */
  readonly secrets: boolean;
  /** Current presence of the apps. */
  current(): readonly Presence[];
}

/** Maximum size of a consumer's message (bytes); a consumer has nothing to send. */
const MESSAGE_BYTES = 1024;

/**
 * Presence for any consumer written for arRPC: one JSON text message `{activity, pid, socketId}` for each change, and
 * the current presence for a consumer that connects later. Messages of a consumer are ignored.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #clients = new Set<WsClient>();
  /** Number of each app for consumers; never reused. */
  readonly #numbers = new Map<string, number>();
  #next = 0;
  #listener: WsListener | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Opens the port and resolves with its number. Rejects with the system's error when the port cannot be opened. */
  async listen(): Promise<number> {
    const { port, origins, maxPending, refusedOwner, onRefused } = this.#options;
    this.#listener = await openWsListener({
      port,
      origins,
      maxPending,
      refusedOwner,
      onRefused,
      path: '/',
      messageBytes: MESSAGE_BYTES,
      onClient: (client) => {
        client.trust();
        this.#clients.add(client);
        client.listener = { message() {}, closed: () => this.#clients.delete(client) };
        for (const presence of this.#options.current()) {
          if (presence.activity) client.send(this.#message(presence));
        }
      },
    });
    return this.#listener.port;
  }

  get consumers(): number {
    return this.#clients.size;
  }

  /** Sends a presence to every consumer. */
  broadcast(presence: Presence): void {
    const text = this.#message(presence);
    for (const client of this.#clients) client.send(text);
  }

  /** Frees the number of an app that has disconnected. */
  forget(session: string): void {
    this.#numbers.delete(session);
  }

  async close(): Promise<void> {
    await this.#listener?.close();
  }

  #message({ session, activity, pid }: Presence): string {
    const { secrets } = this.#options;
    let number = this.#numbers.get(session);
    if (number === undefined) {
      number = this.#next++;
      this.#numbers.set(session, number);
    }
    const published = activity && !secrets ? withoutSecrets(activity) : activity;
    return JSON.stringify({ activity: published, pid, socketId: String(number) });
  }
}
