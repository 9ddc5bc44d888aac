import { type OpenOptions, openFirst } from './discovery.ts';
import type { EndpointWait } from './endpoint-wait.ts';
import { ClientError } from './errors.ts';
import type { Ready } from './generated.ts';
import { onAbort } from './limit.ts';
import type { Link } from './link.ts';
import type { ClientEvents, ClientOptions, ClientState } from './options.ts';
import type { Transport } from './transport.ts';

const FIRST_RETRY_MS = 250;
/**
 * Minimum time that a connection must last after READY (ms). A shorter connection counts as a failed attempt, because
 * the server may close the next one as soon.
 */
const LASTING_MS = 5000;
const INVALID_CLIENT_ID = 4000;

/** Callbacks of a connector to its client. */
export interface ConnectorHost {
  /** Restores the last link's state on a new link; undefined when there is nothing to wait for. */
  readonly prepare: (link: Link, ready: Ready) => Promise<void> | undefined;
  readonly enter: (state: ClientState) => void;
  readonly dispatch: (event: string, data: unknown) => void;
  /** The current link has ended. */
  readonly lost: (error: ClientError) => void;
  readonly emit: <E extends keyof ClientEvents>(event: E, ...args: ClientEvents[E]) => void;
}

/** Finds a server, maintains the connection to it, and reconnects. */
export interface Connector {
  /** Returns the link to send on. Throws a ClientError with the reason where there is no link. */
  readonly need: () => Link;
  /** The implementations of {@link Client.connect}, `reconnect` and `close`. */
  readonly begin: () => Promise<void>;
  readonly again: () => Promise<void>;
  readonly finish: () => Promise<void>;
}

type State =
  | { readonly kind: 'idle' | 'connecting' | 'retrying' }
  | { readonly kind: 'ready'; readonly link: Link }
  | { readonly kind: 'closed'; readonly reason: unknown };

/**
 * Creates a connector, which connects only after `begin`. An abort of `options.signal` closes it. `endpointTimeoutMs`
 * limits the attempt at each endpoint, until READY.
 */
export function createConnector(
  options: ClientOptions,
  transport: Transport,
  endpointTimeoutMs: number,
  host: ConnectorHost,
): Connector {
  const { clientId, keepAlive, reconnect, signal: callerSignal, wait } = options;
  let state: State = { kind: 'idle' };
  /** The current, last or next link. */
  let link: Link | undefined;
  let running: Promise<void> | undefined;
  /** Number of pending calls of `connect`, which hold the process alive. */
  let awaited = 0;
  let endpointWait: EndpointWait | undefined;
  /** Number of successive links that did not last. */
  let shortLived = 0;
  let readySince = 0;
  /** Ends the current attempt, or the link of the last attempt. */
  let giveUp = (_error: ClientError): void => {};

  const search: OpenOptions = {
    application: clientId,
    endpointTimeoutMs,
    json: options.json,
    trying(end) {
      check();
      giveUp = end;
    },
    dispatch: host.dispatch,
    ended(from, error) {
      if (state.kind !== 'ready' || state.link !== from) return;
      shortLived = performance.now() - readySince < LASTING_MS ? shortLived + 1 : 0;
      lose(error, undefined, reconnect !== false);
    },
  };

  const enter = (next: State): void => {
    state = next;
    host.enter(next.kind);
  };

  const check = (): void => {
    if (state.kind === 'closed') throw state.reason;
  };

  const start = (kind: 'connecting' | 'retrying', delay?: number, loss?: ClientError): Promise<void> => {
    enter({ kind });
    running = run(kind, delay, loss);
    // A search without a waiting caller reports its failures by events.
    running.catch(() => {});
    return running;
  };

  const run = async (
    kind: 'connecting' | 'retrying',
    delay: number | undefined,
    error: ClientError | undefined,
  ): Promise<void> => {
    const mine = wait || kind === 'retrying' ? transport.createWait() : undefined;
    endpointWait = mine;
    try {
      // The search starts one microtask later, so that the function that lost the link emits its events first.
      if (error) await Promise.resolve();
      for (let attempt = Math.max(shortLived - 1, 0); ; ) {
        check();
        mine?.arm();
        if (mine && error) {
          const delayMs = delay ?? backOff(attempt, transport.maxRetryDelayMs);
          host.emit('retry', { attempt, delayMs, error });
          const slept = mine.sleep(delayMs);
          if (keepAlive ?? awaited > 0) mine.hold();
          await slept;
          delay = undefined;
          error = undefined;
          continue;
        }
        mine?.take();
        try {
          const opened = await openFirst(transport, search);
          link = opened.link;
          const prepared = host.prepare(link, opened.ready);
          if (prepared) await prepared;
          if (link.lost) throw link.lost;
          readySince = performance.now();
          enter({ kind: 'ready', link });
          return host.emit('ready', opened.ready);
        } catch (caught) {
          check();
          error = caught as ClientError;
        }
        // Another attempt cannot correct an invalid id.
        if (
          !mine ||
          (kind === 'connecting' && error.attempts?.some(({ code }) => code === INVALID_CLIENT_ID))
        ) {
          enter({ kind: 'idle' });
          throw error;
        }
        // An endpoint has appeared during the attempt; the next attempt comes soon, but not at once, because its server
        // may not listen yet.
        attempt = mine.take() ? 0 : attempt + 1;
      }
    } finally {
      mine?.disarm();
      // A listener of the last event may have started another search.
      if (endpointWait === mine) running = undefined;
    }
  };

  const lose = (error: ClientError, delay: number | undefined, again: boolean): void => {
    if (again) void start('retrying', delay, error);
    else enter({ kind: 'idle' });
    link?.end(error);
    host.lost(error);
    if (!again) void close();
  };

  const connect = async (): Promise<void> => {
    if (state.kind === 'ready') return;
    check();
    awaited += 1;
    if (keepAlive !== false) endpointWait?.hold();
    try {
      await (running ?? start('connecting'));
    } finally {
      awaited -= 1;
    }
  };

  const close = async (error = closed(), reason: unknown = error): Promise<void> => {
    if (state.kind !== 'closed') {
      enter({ kind: 'closed', reason });
      forget();
      endpointWait?.disarm();
      giveUp(error);
      host.emit('closed');
    }
    await link?.closed;
  };
  const aborted = (): void => void close(undefined, callerSignal?.reason);
  const forget = onAbort(callerSignal, aborted);
  if (callerSignal?.aborted) aborted();

  return {
    need() {
      if (state.kind === 'ready') return state.link;
      if (state.kind === 'closed') throw closed();
      throw new ClientError('NOT_CONNECTED', `Not connected: ${state.kind}`);
    },
    begin: connect,
    async again() {
      if (state.kind === 'ready') lose(new ClientError('DISCONNECTED', 'Reconnecting'), 0, true);
      await connect();
    },
    finish: () => close(),
  };
}

/** Milliseconds before the next attempt; random, so that clients of the same lost server do not return at once. */
function backOff(attempt: number, maxMs: number): number {
  if (attempt < 2) return FIRST_RETRY_MS;
  return Math.round(Math.min(FIRST_RETRY_MS * 2 ** attempt, maxMs) * (0.5 + Math.random() / 2));
}

function closed(): ClientError {
  return new ClientError('CLOSED', 'Client closed');
}
