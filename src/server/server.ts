import type { CoreHost, EventTarget, Target } from '../core/core.ts';
import { FixedWindow } from '../core/fixed-window.ts';
import type { EventDataOf, EventName } from '../protocol/registry.ts';
import type { Claim } from '../scheduling/scheduler.ts';
import { actorOf } from '../session/accounts.ts';
import { CircuitBreaker } from '../session/circuit-breaker.ts';
import { checkedEvent, ReadyFrames } from '../session/core-output.ts';
import { createBudgets } from '../session/flow-control.ts';
import { defaultLimits, type Limits } from '../session/limits.ts';
import { Session, type SessionHost } from '../session/session.ts';
import type { SessionEntrance } from '../session/session-options.ts';
import type { Endpoint, Transport, Welcome } from '../transport/transport.ts';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import { Admission } from './admission.ts';
import { type ConnectionSlot, ConnectionSlots } from './connection-slots.ts';
import { type CoreInfo, coreInfo, stopCore } from './core-info.ts';
import { Decorations } from './decorations.ts';
import { arrivalsActor, type Entrance, EntranceGate, entranceActor, type SlotEntrance } from './entrance.ts';
import { type Logger, type ServerOptions, type SessionSummary, silentLogger } from './options.ts';
import { SessionIds } from './session-ids.ts';

/**
 * Maximum number of events of a core per second. Voice in a large call causes a few hundred; the maximum leaves time
 * for other work.
 */
const MAX_EVENTS_PER_SECOND = 5000;

/** A running bridge. */
export interface Server {
  readonly endpoints: readonly Endpoint[];
  readonly core: CoreInfo;
  sessions(): readonly SessionSummary[];
  /** Counters since the start, for status displays. */
  counters(): { readonly [name: string]: number };
  /**
   * Listens on one more endpoint, with rights and limits of its own. Rejects when that fails; the other endpoints are
   * not affected.
   */
  open(transport: Transport, entrance: Entrance): Promise<OpenedEndpoint>;
  /** Changes the limits of future connections; pools keep the limits of the start. */
  setLimits(limits: Partial<Limits>): void;
  /**
   * Accepts no new peers, waits for the answers to requests in flight (at most `drainMs`), and sends CLOSE 1000 to
   * every session.
   */
  drain(): Promise<void>;
  /** Drops every connection at once and without a CLOSE frame, as the end of a process does. */
  cut(): void;
  /** Ends every connection and frees the endpoints. Call it after {@link drain}, or without it to end at once. */
  close(reason?: string): Promise<void>;
}

/** An endpoint that {@link Server.open} has opened. */
export interface OpenedEndpoint {
  readonly endpoints: readonly Endpoint[];
  /** Sends CLOSE to the endpoint's sessions and frees the endpoint. */
  close(): Promise<void>;
}

/** Starts the core, then listens on every transport. Rejects when this fails; then no transport listens. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const hub = new Hub(options, limits);
  // The result is unknown, because a core in plain JavaScript may return any value.
  const started: unknown = await options.core.start(hub.coreHost());
  const listening: Transport[] = [];
  const endpoints: Endpoint[] = [];
  try {
    for (const transport of options.transports) {
      listening.push(transport);
      endpoints.push(...(await transport.listen((connection, welcome) => hub.accept(connection, welcome))));
    }
  } catch (error) {
    hub.stop();
    await closeAll(listening, options);
    throw error;
  }
  return {
    endpoints,
    core: coreInfo(options.core.name, started),
    sessions: () => hub.summaries(),
    counters: () => hub.counters(),
    async open(transport, entrance) {
      const gate = hub.openEntrance(entrance);
      const opened = await transport.listen((connection, welcome) => hub.accept(connection, welcome, gate));
      listening.push(transport);
      return {
        endpoints: opened,
        async close() {
          listening.splice(listening.indexOf(transport), 1);
          transport.stopAccepting();
          hub.closeEntrance(gate, new CloseError(CloseCode.NORMAL, 'The endpoint is closed'));
          await transport.close();
        },
      };
    },
    setLimits: (changed) => hub.setLimits({ ...limits, ...changed }),
    async drain() {
      for (const transport of listening) transport.stopAccepting();
      await hub.drain();
    },
    cut: () => hub.cut(),
    async close(reason = 'The bridge is shutting down') {
      hub.closeAll(new CloseError(CloseCode.NORMAL, reason));
      hub.stop();
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

/** For the author of an app. */
const GARBLED =
  'the app sent text that is not valid UTF-8, in which U+FFFD stands for what is wrong: encode JSON as UTF-8, and cut between characters';

/** Default without properties; thousands of connections share this object. */
const NO_WELCOME: Welcome = {};

/** All sessions, and their connection to the core. */
class Hub {
  readonly #ids = new SessionIds();
  /** Served connections by their id, which is also the id of the session. */
  readonly #served = new Map<string, ConnectionSlot>();
  readonly #slots: ConnectionSlots;
  readonly #admission: Admission;
  readonly #arrivals = new Map<EntranceGate, Claim>();
  readonly #events = new FixedWindow({ messages: MAX_EVENTS_PER_SECOND });
  #limits: Limits;
  readonly #logger: Logger;
  readonly #host: SessionHost;
  readonly #decorations: Decorations;
  readonly #counts = { accepted: 0, refused: 0, dismissed: 0, ready: 0, dispatched: 0 };

  constructor({ core, logger = silentLogger, journal, faults, onPing }: ServerOptions, limits: Limits) {
    this.#decorations = new Decorations({ journal, faults }, () => this.#served.values());
    this.#limits = limits;
    this.#logger = logger;
    const budgets = createBudgets(limits);
    this.#admission = new Admission(budgets, limits, (slot) => this.#serve(slot));
    this.#slots = new ConnectionSlots({
      limits,
      isWaiting: (actor) => this.#admission.isWaiting(actor),
      lastWaiting: (actor) => this.#admission.lastWaiting(actor),
      dismiss: (slot) => this.#dismiss(slot),
    });
    const limitsNow = (): Limits => this.#limits;
    this.#host = {
      core,
      get limits() {
        return limitsNow();
      },
      budgets,
      breaker: new CircuitBreaker(),
      readyFrames: new ReadyFrames(),
      log: (level, message, fields) => logger[level](fields, message),
      pinged: (body) => onPing?.(body),
      identified: (session) => {
        const slot = this.#served.get(session.id);
        if (slot) this.#slots.identified(slot);
        this.#decorations.identified(session);
      },
      ready: (session) => {
        this.#counts.ready += 1;
        const pid = session.connection.peer?.pid ?? 0;
        logger.debug({ session: session.id, clientId: session.clientId ?? '', pid }, 'session ready');
      },
      garbled: ({ id, clientId }) => {
        logger.warn({ session: id, clientId: clientId ?? '' }, GARBLED);
        this.#decorations.warning(id, GARBLED);
      },
      closed: (session) => {
        const slot = this.#served.get(session.id);
        if (slot) this.#forget(slot);
        logger.debug({ session: session.id }, 'session closed');
      },
    };
  }

  accept(connection: Connection, welcome: Welcome = NO_WELCOME, gate?: EntranceGate): void {
    if (gate === undefined) return this.#enter(connection, welcome, undefined);
    const found = gate.sandboxOf(connection);
    const isKnown = found.kind === 'known';
    this.#enter(connection, welcome, {
      gate,
      session: gate.seenFrom(isKnown ? found.sandbox : null),
      readSandbox: isKnown ? undefined : found.read,
    });
  }

  #enter(connection: Connection, welcome: Welcome, entrance: SlotEntrance | undefined): void {
    const id = this.#ids.next();
    const { peer } = connection;
    const pid = peer === undefined || peer.pid === 0 ? undefined : peer.pid;
    const actor = entrance ? entranceActor(entrance, connection, id) : actorOf(connection, id);
    const slot: ConnectionSlot = { id, actor, pid, connection, welcome, entrance, session: undefined };
    if (this.#slots.take(slot)) return this.#admission.enter(slot);
    this.#counts.refused += 1;
    // A CLOSE frame and a log line for each of a storm would cost more than the connect.
    if (this.#admission.isWaiting(slot.actor)) return connection.destroy();
    const fields = { pid: pid ?? 0, code: CloseCode.ABNORMAL, reason: 'at capacity' };
    this.#logger.debug(fields, 'connection refused');
    connection.close(CloseCode.ABNORMAL, 'The bridge is at capacity; try again later');
  }

  #serve(slot: ConnectionSlot): void {
    const { entrance } = slot;
    if (entrance?.readSandbox !== undefined) {
      const session = entrance.gate.seenFrom(entrance.readSandbox());
      this.#slots.leave(slot);
      return this.#enter(slot.connection, slot.welcome, { ...entrance, session, readSandbox: undefined });
    }
    this.#counts.accepted += 1;
    this.#slots.served(slot);
    this.#served.set(slot.id, slot);
    const connection = this.#decorations.begin(slot);
    slot.session = new Session(slot.id, connection, this.#hostOf(slot), {
      actor: slot.actor,
      readyUser: slot.welcome.readyUser,
      entrance: slot.entrance?.session,
    });
  }

  /** The services of a session; at an endpoint with limits of its own, with those limits. */
  #hostOf({ entrance }: ConnectionSlot): SessionHost {
    if (entrance?.gate.entrance.limits === undefined) return this.#host;
    const limits = entrance.gate.limitsWithin(this.#limits);
    return { ...this.#host, limits };
  }

  #forget(slot: ConnectionSlot): void {
    this.#served.delete(slot.id);
    this.#decorations.forget(slot.id);
    this.#slots.leave(slot);
  }

  /** Ends a connection whose slot another connection gets. */
  #dismiss(slot: ConnectionSlot): void {
    this.#admission.cancel(slot);
    this.#forget(slot);
    const state = slot.session?.state ?? 'handshaking';
    this.#logger.debug({ session: slot.id, pid: slot.pid ?? 0, reason: state }, 'connection made room');
    if (state === 'handshaking') return slot.connection.destroy();
    this.#counts.dismissed += 1;
    slot.session?.close(
      new CloseError(
        CloseCode.ABNORMAL,
        'The bridge is at capacity, and this process holds most of its places',
      ),
    );
  }

  get #sessions(): Session[] {
    return [...this.#served.values()].flatMap(({ session }) => session ?? []);
  }

  setLimits(limits: Limits): void {
    this.#limits = limits;
    this.#admission.limits = limits;
    this.#slots.limits = limits;
  }

  coreHost(): CoreHost {
    return {
      emit: (event, data, to = {}) => this.#emit(event, data, to),
      relay: (sessionId, evt, data) => {
        // Like every event it is sent in the next turn, so that an earlier answer from the upstream leaves first.
        setImmediate(() => this.#served.get(sessionId)?.session?.relay(evt, data));
      },
      closeSessions: (to, code, message) => this.#closeSessions(to, code, message),
      grant: (sessionId, scopes) => {
        this.#served.get(sessionId)?.session?.grant(scopes.filter((scope) => typeof scope === 'string'));
      },
      log: (level, message, fields = {}) => {
        const known = Object.hasOwn(silentLogger, level) ? level : 'warn';
        this.#logger[known](fields, String(message));
      },
    };
  }

  summaries(): SessionSummary[] {
    const describe = (session: Session, entrance?: SessionEntrance): SessionSummary => ({
      id: session.id,
      clientId: session.clientId ?? null,
      transport: session.connection.kind,
      state: session.state,
      pid: session.connection.peer?.pid ?? null,
      scopes: [...session.scopes],
      subscriptions: session.subscriptionCount,
      requestsInFlight: session.requestsInFlight,
      endpoint: entrance?.name ?? null,
      sandbox: entrance?.sandbox ?? null,
    });
    return [...this.#served.values()].flatMap(({ session, entrance }) =>
      session === undefined ? [] : describe(session, entrance?.session),
    );
  }

  counters(): { readonly [name: string]: number } {
    return { ...this.#counts, sessions: this.#served.size };
  }

  /** Waits for requests in flight, at most `drainMs`, then closes every session. */
  async drain(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#limits.drainMs);
    });
    await Promise.race([late, Promise.all(this.#sessions.map((session) => session.idle()))]);
    clearTimeout(timer);
    this.closeAll(new CloseError(CloseCode.NORMAL, 'The bridge is shutting down'));
  }

  closeAll(error: CloseError): void {
    for (const session of this.#sessions) session.close(error);
    for (const { connection } of this.#admission.clear()) connection.close(error.code, error.message);
  }

  openEntrance(entrance: Entrance): EntranceGate {
    const gate = new EntranceGate(entrance);
    // Held, because a share without a connection is forgotten, and with it the time that earlier arrivals took.
    this.#arrivals.set(gate, this.#host.budgets.scheduler.join(arrivalsActor(entrance.name)));
    return gate;
  }

  /** Ends the connections of one endpoint. */
  closeEntrance(gate: EntranceGate, error: CloseError): void {
    const arrivals = this.#arrivals.get(gate);
    if (this.#arrivals.delete(gate) && arrivals !== undefined) this.#host.budgets.scheduler.leave(arrivals);
    for (const { entrance, session } of [...this.#served.values()])
      if (entrance?.gate === gate) session?.close(error);
    for (const slot of this.#admission.waitingAt(gate)) {
      this.#admission.cancel(slot);
      this.#slots.leave(slot);
      slot.connection.close(error.code, error.message);
    }
  }

  /** Stops listening to changes of faults and journal, because both may outlive the bridge. */
  stop(): void {
    this.#decorations.stop();
  }

  cut(): void {
    for (const { connection } of this.#sessions) connection.destroy();
    for (const { connection } of this.#admission.clear()) connection.destroy();
  }

  #emit<E extends EventName>(event: E, data: EventDataOf<E>, to: EventTarget): number {
    const { filter, ...target } = to;
    const receivers = this.#sessions.filter(
      (session) => session.isMeantBy(target) && session.subscribes(event, filter),
    );
    if (receivers.length === 0) return 0;
    const verdict = this.#events.take(1, 0, performance.now());
    if (verdict.kind === 'beyond') {
      if (verdict.first) {
        this.#logger.warn({ evt: event }, 'the core emits too many events: some are dropped');
      }
      return 0;
    }
    const frame = checkedEvent(event, data);
    if (typeof frame === 'string') {
      this.#logger.warn({ evt: event, reason: frame }, 'event dropped');
      return 0;
    }
    // The event is sent in the next turn, so that the answer to the request that caused it leaves first.
    setImmediate(() => {
      for (const session of receivers)
        this.#counts.dispatched += session.dispatch({ evt: event, frame }, filter);
    });
    return receivers.length;
  }

  #closeSessions(to: Target, code: CloseCode, message: string): number {
    const meant = this.#sessions.filter((session) => session.isMeantBy(to));
    for (const session of meant) session.close(new CloseError(code, message));
    return meant.length;
  }
}
