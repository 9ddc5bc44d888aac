import type { ClientOptions, EventData, EventName, Client as Rpc } from '../client/index.ts';
import { limit } from '../client/limit.ts';
import { LoggingSeverity } from './enums.ts';
import type { Log } from './log.ts';

/** Paths at which to search for chat clients, and whether sockets of other owners are accepted. */
export type ChatClientEndpoint = Pick<ClientOptions, 'paths' | 'anyOwner'>;

/** Options of the connection. */
export interface ChatClientOptions {
  readonly createRpc: (options: ClientOptions) => Rpc;
  readonly applicationId: bigint;
  readonly endpoint: ChatClientEndpoint;
  readonly log: Log;
  /** Time limit for an answer of the chat client, in milliseconds. */
  readonly timeoutMs: () => number;
  /** The access token to present on each connection. */
  readonly token: () => string | undefined;
  readonly onTokenRefused: () => void;
  readonly onReady: () => void;
  /** Called when the connection is lost and the search for another chat client has begun. */
  readonly onLost: () => void;
}

interface Wanted {
  handler: (data: never) => void;
  /** Resolves when the event is subscribed, with a function that unsubscribes it. */
  active: Promise<() => Promise<void>> | undefined;
}

/** The connection of one application to the chat client, with its event subscriptions; maintained in the background. */
export class ChatClient {
  readonly #rpc: Rpc;
  readonly #log: Log;
  readonly #timeoutMs: () => number;
  readonly #wanted = new Map<EventName, Wanted>();
  /** Why the last search found no chat client. */
  #missing: Error | undefined;

  constructor({
    createRpc,
    applicationId,
    endpoint,
    log,
    timeoutMs,
    token,
    onTokenRefused,
    onReady,
    onLost,
  }: ChatClientOptions) {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#rpc = createRpc({
      clientId: String(applicationId),
      paths: endpoint.paths,
      anyOwner: endpoint.anyOwner,
      wait: true,
      keepAlive: false,
      token({ rejected }) {
        if (rejected) onTokenRefused();
        return token();
      },
    });
    this.#rpc.on('ready', () => {
      this.#missing = undefined;
      log.write(LoggingSeverity.Info, 'Connected to the chat client');
      this.#subscribe();
      onReady();
    });
    this.#rpc.on('retry', ({ error }) => {
      this.#missing = error;
    });
    this.#rpc.on('disconnected', ({ message }) => {
      log.write(LoggingSeverity.Warning, `Connection to the chat client lost: ${message}`);
      onLost();
    });
    this.#rpc.on('restoreFailed', (what, { message }) =>
      log.write(LoggingSeverity.Warning, `${what}: ${message}`),
    );
    this.#rpc.connect().catch((error: Error) => this.#complain(LoggingSeverity.Error, error.message));
  }

  /** The connection, ready or not. */
  get rpc(): Rpc {
    return this.#rpc;
  }

  /** Time limit of a request, as request options. */
  get inTime(): { readonly timeoutMs: number } {
    return { timeoutMs: this.#timeoutMs() };
  }

  /** Resolves with the connection when it is ready. Rejects at once when the last search found no chat client. */
  async need(): Promise<Rpc> {
    if (this.#rpc.state === 'ready') return this.#rpc;
    if (this.#missing) throw this.#missing;
    await this.#orMissing(this.#rpc.connect());
    return this.#rpc;
  }

  /**
   * Closes the connection, which withdraws its prompts and requests. A new connection follows if a chat client runs.
   */
  async renew(): Promise<void> {
    await this.#orMissing(this.#rpc.reconnect()).catch(() => {});
  }

  /** Waits for the connection; rejects when the search fails or the timeout is over. */
  async #orMissing(connecting: Promise<unknown>): Promise<void> {
    connecting.catch(() => {});
    let stop = (): void => {};
    const missing = new Promise<never>((_resolve, reject) => {
      const forget = limit('The chat client', this.#timeoutMs(), undefined, reject);
      // A retry without delay follows a requested close, not a failed search.
      const stopListening = this.#rpc.on('retry', ({ error, delayMs }) => delayMs > 0 && reject(error));
      stop = () => {
        forget();
        stopListening();
      };
    });
    try {
      await Promise.race([connecting, missing]);
    } finally {
      stop();
    }
  }

  /** Subscribes to an event on this connection and on later connections. */
  want<E extends EventName>(event: E, handler: (data: EventData<E>) => void): void {
    this.unwant(event);
    this.#wanted.set(event, { handler, active: undefined });
    this.#subscribe();
  }

  unwant(event: EventName): void {
    const wanted = this.#wanted.get(event);
    this.#wanted.delete(event);
    if (wanted === undefined) return;
    // Until the server has unsubscribed, events still arrive; this handler ignores them.
    wanted.handler = () => {};
    wanted.active?.then((stop) => stop()).catch(() => {});
  }

  /** Subscribes again to the events that the chat client rejected, because a new token may have their scope. */
  retryEvents(): void {
    this.#subscribe();
  }

  close(): Promise<void> {
    return this.#rpc.close();
  }

  #subscribe(): void {
    if (this.#rpc.state !== 'ready') return;
    for (const [event, wanted] of this.#wanted) {
      if (wanted.active) continue;
      wanted.active = this.#rpc.subscribeRaw(event, {}, (data) =>
        (wanted.handler as (data: unknown) => void)(data),
      );
      wanted.active.catch((error: Error) => {
        wanted.active = undefined;
        this.#complain(LoggingSeverity.Warning, `${event}: ${error.message}`);
      });
    }
  }

  /** Logs a problem, unless the connection was closed on purpose. */
  #complain(severity: LoggingSeverity, message: string): void {
    if (this.#rpc.state !== 'closed') this.#log.write(severity, message);
  }
}
