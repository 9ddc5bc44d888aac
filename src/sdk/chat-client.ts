import type { ClientOptions, EventData, EventName, Client as Rpc } from '../client/index.ts';
import { limit } from '../client/limit.ts';
import { LoggingSeverity } from './enums.ts';
import type { Log } from './log.ts';

/** Where chat clients are looked for, and which are taken. */
export type ChatClientPlace = Pick<ClientOptions, 'paths' | 'anyOwner'>;

/** What the connection needs to know. */
export interface ChatClientOptions {
  readonly createRpc: (options: ClientOptions) => Rpc;
  readonly applicationId: bigint;
  readonly place: ChatClientPlace;
  readonly log: Log;
  /** Milliseconds that an answer of the chat client may take. */
  readonly timeoutMs: () => number;
  /** The access token to present on each connection. */
  readonly token: () => string | undefined;
  readonly onTokenRefused: () => void;
  readonly onReady: () => void;
  /** The connection is lost; another is looked for. */
  readonly onGone: () => void;
}

interface Wanted {
  handler: (data: never) => void;
  /** Resolves once subscribed, with what ends it. */
  active: Promise<() => Promise<void>> | undefined;
}

/** The connection to the chat client for one application: kept up in the background, with the events wanted from it. */
export class ChatClient {
  readonly #rpc: Rpc;
  readonly #log: Log;
  readonly #timeoutMs: () => number;
  readonly #wanted = new Map<EventName, Wanted>();
  /** Why the last search found nobody. */
  #missing: Error | undefined;

  constructor({
    createRpc,
    applicationId,
    place,
    log,
    timeoutMs,
    token,
    onTokenRefused,
    onReady,
    onGone,
  }: ChatClientOptions) {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#rpc = createRpc({
      clientId: String(applicationId),
      paths: place.paths,
      anyOwner: place.anyOwner,
      wait: true,
      keepAlive: false,
      token({ rejected }) {
        if (rejected) onTokenRefused();
        return token();
      },
    });
    this.#rpc.on('ready', () => {
      this.#missing = undefined;
      log.tell(LoggingSeverity.Info, 'Connected to the chat client');
      this.#subscribe();
      onReady();
    });
    this.#rpc.on('retry', ({ error }) => {
      this.#missing = error;
    });
    this.#rpc.on('disconnected', ({ message }) => {
      log.tell(LoggingSeverity.Warning, `Connection to the chat client lost: ${message}`);
      onGone();
    });
    this.#rpc.on('restoreFailed', (what, { message }) =>
      log.tell(LoggingSeverity.Warning, `${what}: ${message}`),
    );
    this.#rpc.connect().catch((error: Error) => this.#complain(LoggingSeverity.Error, error.message));
  }

  /** The connection, ready or not. */
  get rpc(): Rpc {
    return this.#rpc;
  }

  /** How long a request may take, as the client's requests are given it. */
  get inTime(): { readonly timeoutMs: number } {
    return { timeoutMs: this.#timeoutMs() };
  }

  /** The connection once it is ready. Rejects at once when nobody answered the last search. */
  async need(): Promise<Rpc> {
    if (this.#rpc.state === 'ready') return this.#rpc;
    if (this.#missing) throw this.#missing;
    await this.#orMissing(this.#rpc.connect());
    return this.#rpc;
  }

  /** Ends the connection, and whatever was asked on it; another is there afterwards, if there is anybody. */
  async renew(): Promise<void> {
    await this.#orMissing(this.#rpc.reconnect()).catch(() => {});
  }

  /** Waits no longer than until nobody is found, or an answer should have come. */
  async #orMissing(connecting: Promise<unknown>): Promise<void> {
    connecting.catch(() => {});
    let stop = (): void => {};
    const missing = new Promise<never>((_resolve, reject) => {
      const forget = limit('The chat client', this.#timeoutMs(), undefined, reject);
      // Without a delay it is the end that was asked for, and no search without a result.
      const unheard = this.#rpc.on('retry', ({ error, delayMs }) => delayMs > 0 && reject(error));
      stop = () => {
        forget();
        unheard();
      };
    });
    try {
      await Promise.race([connecting, missing]);
    } finally {
      stop();
    }
  }

  /** Wants an event from now on, also from connections to come. */
  want<E extends EventName>(event: E, handler: (data: EventData<E>) => void): void {
    this.unwant(event);
    this.#wanted.set(event, { handler, active: undefined });
    this.#subscribe();
  }

  unwant(event: EventName): void {
    const wanted = this.#wanted.get(event);
    this.#wanted.delete(event);
    if (wanted === undefined) return;
    // Until the subscription is over it is told, too.
    wanted.handler = () => {};
    wanted.active?.then((stop) => stop()).catch(() => {});
  }

  /** Subscribes to what is wanted and was refused before: a token may have brought the scope. */
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

  /** Once it is closed, nothing is wrong with there being no connection. */
  #complain(severity: LoggingSeverity, message: string): void {
    if (this.#rpc.state !== 'closed') this.#log.tell(severity, message);
  }
}
