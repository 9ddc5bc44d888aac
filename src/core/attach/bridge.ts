import { withoutSecrets } from '../shown-activity.ts';
import type { Presence } from './presence.ts';
import type { WsClient, WsListener, WsListenerOptions } from './ws-listener.ts';
import { openWsListener } from './ws-listener.ts';

/** Where the bridge listens, and what it tells. */
export interface BridgeOptions
  extends Pick<WsListenerOptions, 'port' | 'origins' | 'places' | 'refusedOwner' | 'onRefused'> {
  /** Pass join, spectate and match secrets on. */
  readonly secrets: boolean;
  /** What apps show now. */
  current(): readonly Presence[];
}

/** Consumers have nothing to say (bytes). */
const MESSAGE_BYTES = 1024;

/**
 * Presence for any consumer written for arRPC: one JSON text message `{activity, pid, socketId}` for each change, and
 * what is shown at the moment for one that comes later. Nothing is taken from a consumer.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #clients = new Set<WsClient>();
  /** Consumers know an app by a number that is never used again. */
  readonly #numbers = new Map<string, number>();
  #next = 0;
  #listener: WsListener | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Rejects with the system's error when the port cannot be had. */
  async listen(): Promise<number> {
    const { port, origins, places, refusedOwner, onRefused } = this.#options;
    this.#listener = await openWsListener({
      port,
      origins,
      places,
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

  /** Tells every consumer. */
  tell(presence: Presence): void {
    const text = this.#message(presence);
    for (const client of this.#clients) client.send(text);
  }

  /** The app has left: its number is not needed any more. */
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
    const shown = activity && !secrets ? withoutSecrets(activity) : activity;
    return JSON.stringify({ activity: shown, pid, socketId: String(number) });
  }
}
