import { randomBytes } from 'node:crypto';
import type { CoreHost, EventTarget, Target } from '../core/core.ts';
import type { EventDataOf, EventName } from '../protocol/registry.ts';
import { checkedEvent } from '../session/border.ts';
import { CoreGuard } from '../session/guard.ts';
import { createBudgets } from '../session/intake.ts';
import { defaultLimits, type Limits } from '../session/limits.ts';
import { Session, type SessionHost } from '../session/session.ts';
import type { Endpoint, Transport } from '../transport/transport.ts';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import { Admission } from './admission.ts';
import { type CoreInfo, coreInfo, stopCore } from './core-info.ts';
import { EventFlood } from './event-flood.ts';
import { type Logger, type ServerOptions, type SessionSummary, silentLogger } from './options.ts';

/** A running bridge. */
export interface Server {
  readonly endpoints: readonly Endpoint[];
  readonly core: CoreInfo;
  sessions(): readonly SessionSummary[];
  /** Numbers since the start, for status displays. */
  counters(): { readonly [name: string]: number };
  /** Bounds the connections that come from now on; pools and connect rates stay as they were at the start. */
  setLimits(limits: Partial<Limits>): void;
  /** Accepts nobody any more, answers what is in flight (at most `drainMs`), sends CLOSE 1000 to all. */
  drain(): Promise<void>;
  /** Ends everything and frees the endpoints; after {@link drain}, or at once. */
  close(): Promise<void>;
}

/** Starts the core, then listens on every transport. On failure nothing is left listening. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const hub = new Hub(options, limits);
  // A core in plain JavaScript may have nothing to report.
  const started: unknown = await options.core.start(hub.coreHost());
  const listening: Transport[] = [];
  const endpoints: Endpoint[] = [];
  try {
    for (const transport of options.transports) {
      listening.push(transport);
      endpoints.push(...(await transport.listen((connection) => hub.accept(connection))));
    }
  } catch (error) {
    await closeAll(listening, options);
    throw error;
  }
  return {
    endpoints,
    core: coreInfo(options.core.name, started),
    sessions: () => hub.summaries(),
    counters: () => hub.counters(),
    setLimits: (changed) => hub.setLimits({ ...limits, ...changed }),
    async drain() {
      for (const transport of listening) transport.stopAccepting();
      await hub.drain();
    },
    async close() {
      hub.closeAll(new CloseError(CloseCode.NORMAL, 'The bridge is shutting down'));
      await closeAll(listening, options);
    },
  };
}

async function closeAll(
  transports: readonly Transport[],
  { core, logger = silentLogger }: ServerOptions,
): Promise<void> {
  await Promise.allSettled(transports.map((transport) => transport.close()));
  await stopCore(core, logger);
}

/** Every session, and the way between them and the core. */
class Hub {
  readonly #sessions = new Map<string, Session>();
  /** Those that have not shaken hands, oldest first. */
  readonly #silent = new Set<Session>();
  readonly #admission: Admission;
  readonly #flood = new EventFlood();
  #limits: Limits;
  readonly #logger: Logger;
  readonly #host: SessionHost;
  readonly #counts = { accepted: 0, refused: 0, ready: 0, dispatched: 0 };

  constructor({ core, logger = silentLogger }: ServerOptions, limits: Limits) {
    this.#limits = limits;
    this.#logger = logger;
    this.#admission = new Admission({ burst: limits.connectsBurst, perSecond: limits.connectsPerSecond });
    const limitsNow = (): Limits => this.#limits;
    this.#host = {
      core,
      get limits() {
        return limitsNow();
      },
      budgets: createBudgets(limits),
      guard: new CoreGuard(),
      log: (level, message, fields) => logger[level](fields, message),
      identified: (session) => this.#silent.delete(session),
      ready: (session) => {
        this.#counts.ready += 1;
        logger.debug({ session: session.id, clientId: session.clientId ?? '' }, 'session ready');
      },
      closed: (session) => {
        this.#sessions.delete(session.id);
        this.#silent.delete(session);
        logger.debug({ session: session.id }, 'session closed');
      },
    };
  }

  accept(connection: Connection): void {
    this.#makeRoom();
    if (!this.#isFull() && this.#admission.enter(connection, (served) => this.#admit(served))) return;
    this.#counts.refused += 1;
    connection.close(CloseCode.ABNORMAL, 'The bridge is at capacity; try again later');
  }

  #admit(connection: Connection): void {
    this.#counts.accepted += 1;
    const session = new Session(randomBytes(16).toString('hex'), connection, this.#host);
    this.#sessions.set(session.id, session);
    this.#silent.add(session);
  }

  setLimits(limits: Limits): void {
    this.#limits = limits;
  }

  coreHost(): CoreHost {
    return {
      emit: (event, data, to = {}) => this.#emit(event, data, to),
      relay: (sessionId, evt, data) => {
        // Next turn, as for every event: the answer that came before it from the upstream leaves first.
        setImmediate(() => this.#sessions.get(sessionId)?.relay(evt, data));
      },
      closeSessions: (to, code, message) => this.#closeSessions(to, code, message),
      grant: (sessionId, scopes) => {
        this.#sessions.get(sessionId)?.grant(scopes.filter((scope) => typeof scope === 'string'));
      },
      log: (level, message, fields = {}) => {
        const known = Object.hasOwn(silentLogger, level) ? level : 'warn';
        this.#logger[known](fields, String(message));
      },
    };
  }

  summaries(): SessionSummary[] {
    return [...this.#sessions.values()].map((session) => ({
      id: session.id,
      clientId: session.clientId ?? null,
      transport: session.connection.kind,
      state: session.state,
      pid: session.connection.peer?.pid ?? null,
      scopes: [...session.scopes],
      subscriptions: session.subscriptionCount,
      requestsInFlight: session.requestsInFlight,
    }));
  }

  counters(): { readonly [name: string]: number } {
    return { ...this.#counts, sessions: this.#sessions.size };
  }

  /** Waits for requests in flight, within the limit, then closes every session. */
  async drain(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#limits.drainMs);
    });
    await Promise.race([late, Promise.all([...this.#sessions.values()].map((session) => session.idle()))]);
    clearTimeout(timer);
    this.closeAll(new CloseError(CloseCode.NORMAL, 'The bridge is shutting down'));
  }

  closeAll(error: CloseError): void {
    for (const session of [...this.#sessions.values()]) session.close(error);
    for (const connection of this.#admission.clear()) connection.close(error.code, error.message);
  }

  #isFull(): boolean {
    return this.#sessions.size + this.#admission.waiting >= this.#limits.connections;
  }

  /**
   * Makes room among those that have not shaken hands: who waits because its process connects too often goes, else the
   * oldest, so that neither a storm nor silence can lock others out.
   */
  #makeRoom(): void {
    const [oldest] = this.#silent;
    const isFull = this.#isFull();
    if (isFull && this.#admission.dropOldest()) return;
    if (oldest === undefined || (!isFull && this.#silent.size < this.#limits.silentConnections)) return;
    oldest.connection.destroy();
    // We hear of its end a turn later; a burst of connections must not find the same one again until then.
    this.#silent.delete(oldest);
    this.#sessions.delete(oldest.id);
  }

  #emit<E extends EventName>(event: E, data: EventDataOf<E>, to: EventTarget): number {
    const { filter, ...target } = to;
    const receivers = [...this.#sessions.values()].filter(
      (session) => session.isMeantBy(target) && session.subscribes(event, filter),
    );
    if (receivers.length === 0) return 0;
    const verdict = this.#flood.take(performance.now());
    if (verdict === 'first too many') {
      this.#logger.warn({ evt: event }, 'the core emits too many events: some are dropped');
    }
    if (verdict !== 'go') return 0;
    const frame = checkedEvent(event, data);
    if (typeof frame === 'string') {
      this.#logger.warn({ evt: event, reason: frame }, 'event dropped');
      return 0;
    }
    // Next turn: the answer to the request that caused the event leaves first.
    setImmediate(() => {
      for (const session of receivers)
        this.#counts.dispatched += session.dispatch({ evt: event, frame }, filter);
    });
    return receivers.length;
  }

  #closeSessions(to: Target, code: CloseCode, message: string): number {
    const meant = [...this.#sessions.values()].filter((session) => session.isMeantBy(to));
    for (const session of meant) session.close(new CloseError(code, message));
    return meant.length;
  }
}
