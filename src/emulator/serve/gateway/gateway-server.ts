import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { SilentConnections } from '../../../scheduling/silent-connections.ts';
import { SlotPool } from '../../../scheduling/slot-pool.ts';
import type { HasOAuth2 } from '../../accounts/oauth2/oauth2.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import type { Observers } from '../../applications/webhooks/post.ts';
import type { EmulatorClock, MachineClock } from '../../kernel/clock.ts';
import type { HasLog } from '../../kernel/log.ts';
import type { MemoryLimits } from '../../kernel/memory.ts';
import { CloseCode, GatewayFault, Opcode } from './codes.ts';
import { obey, type Serving, unlessFull } from './commands.ts';
import { Connection, type ConnectionHost } from './connection.ts';
import { ready } from './dispatches.ts';
import { firstEvents } from './first-events.ts';
import type { Hub } from './hub.ts';
import { isOwnedBy, knownBy, listenerOf, ownerOf } from './identify.ts';
import { MemberRequests } from './member-requests.ts';
import { GatewayObserver } from './observer.ts';
import { commands, MAX_PAYLOAD_BYTES, type Payload, readData } from './payload.ts';
import { firstGuilds, readyOf } from './ready.ts';
import type { Session } from './session.ts';
import { hangUp } from './session-call.ts';
import type { SessionStarts } from './session-starts.ts';
import { hide, setPresence } from './session-state.ts';
import { type Disturbance, type GatewayReading, type SessionView, viewOf } from './session-view.ts';
import { Sessions } from './sessions.ts';
import { TokenEnds } from './token-ends.ts';
import { watchTokens } from './token-watch.ts';
import { transportOf } from './transport.ts';
import { PlainWire, StreamWire, type Wire } from './wire.ts';

/** Services that the gateway server uses. */
export type GatewayServerNeeds = Base & HasApplications & HasLog & HasOAuth2 & Observers;

/** Interval of timeout checks in milliseconds. */
const WATCH_MS = 1000;
/** Time within which a client must answer a close frame, in milliseconds. */
const CLOSE_MS = 1000;
/** Maximum number of fragments per message. */
const PIECES = 64;
/** Maximum number of connections that have not identified themselves. */
const MAX_UNIDENTIFIED = 512;
/** Minimum unread bytes of a connection that is terminated when all connections together exceed their limit. */
const MUCH_UNREAD = 1024 * 1024;

/** Close code "message too big" of RFC 6455 7.4.1. The gateway sends its own code for unreadable payloads instead. */
const TOO_BIG = 1009;

/** A WebSocket with a reference to its connection, which shared listeners find without closures. */
class GatewaySocket extends WebSocket {
  connection: Connection | undefined;

  override close(code?: number, reason?: string | Buffer): void {
    if (code !== TOO_BIG) return super.close(code, reason);
    super.close(
      CloseCode.DECODE_ERROR,
      `Error while decoding payload: it has more than ${MAX_PAYLOAD_BYTES} bytes`,
    );
  }
}

const serverOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_PAYLOAD_BYTES,
  maxFragments: PIECES,
  maxBufferedChunks: PIECES,
  // The WebSocket library does not check UTF-8, because the JSON reader does.
  skipUTF8Validation: true,
  closeTimeout: CLOSE_MS,
  WebSocket: GatewaySocket,
};

function onMessage(this: WebSocket, data: Buffer): void {
  (this as GatewaySocket).connection?.receive(data);
}

function onClose(this: WebSocket, code: number): void {
  (this as GatewaySocket).connection?.closed(code);
}

/** The WebSocket library has already sent the matching close code when it emits this event. */
function onError(): void {}

/** Options of the gateway server. */
export interface GatewayServerOptions {
  readonly platform: GatewayServerNeeds;
  readonly hub: Hub;
  readonly clock: EmulatorClock;
  readonly machine: MachineClock;
  readonly starts: SessionStarts;
  /** Maximum number of identified connections. */
  readonly maxConnections: number;
  /** Limits of the bytes for replays and of the unread bytes, each for all connections together. */
  readonly memory: Pick<MemoryLimits, 'replayed' | 'unread'>;
}

/** Accepts gateway connections, and manages their sessions. */
export class GatewayServer implements ConnectionHost {
  readonly #options: GatewayServerOptions;
  readonly #sessions: Sessions;
  readonly #tokenEnds: TokenEnds;
  readonly #serving: Serving;
  readonly #connections = new Set<Connection>();
  #commands = 0;
  readonly #unknown = new SilentConnections<Connection>({
    limit: MAX_UNIDENTIFIED,
    drop: (connection) => connection.drop(),
  });
  /** Slots of identified connections. One application may use all free slots until others need them. */
  readonly #maxConnections: SlotPool<Connection>;
  /** The application of each identified connection. */
  readonly #placed = new Map<Connection, string>();
  readonly #server = new WebSocketServer<typeof GatewaySocket>(serverOptions);
  readonly #observer: GatewayObserver;
  readonly #stopFollowing: () => void;
  #stopWatching: (() => void) | undefined;

  constructor(options: GatewayServerOptions) {
    this.#options = options;
    const { platform, hub, clock, maxConnections, memory } = options;
    this.#maxConnections = new SlotPool(maxConnections, maxConnections);
    this.#sessions = new Sessions(hub, clock, {
      ended: (session) => this.#over(session),
      lost: (session) => this.#lose(session),
      replayed: memory.replayed,
    });
    this.#tokenEnds = new TokenEnds(this.#sessions, clock, (isOver) => this.#endAll(isOver));
    this.#stopFollowing = watchTokens(platform, (isOver) => this.#endAll(isOver));
    this.#observer = new GatewayObserver(platform.journal, platform.faults, hub.shapes);
    this.#serving = { platform, clock, members: new MemberRequests(platform, clock) };
  }

  /** Accepts a WebSocket request whose Host, Origin and owner have been checked. `base` is the URL of the API. */
  open(request: IncomingMessage, socket: Socket, head: Buffer, base: string): void {
    // The gateway has no subprotocols, and the library would reject a malformed list of them.
    delete request.headers['sec-websocket-protocol'];
    const { url = '' } = request;
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const end = webSocket as GatewaySocket;
      end.on('error', onError);
      const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
      const transport = transportOf(query);
      if (transport instanceof GatewayFault) {
        this.#options.platform.log.warn(
          `the gateway refused a connection: ${transport.code} ${transport.message}`,
        );
        return end.close(transport.code, transport.message);
      }
      const { compressor } = transport;
      const wire = compressor === undefined ? new PlainWire(end) : new StreamWire(end, compressor());
      this.#enter(end, wire, transport.version, base);
    });
  }

  monotonic(): number {
    return this.#options.machine.monotonic();
  }

  begin(connection: Connection, payload: Payload): Session | undefined {
    try {
      const session =
        payload.op === Opcode.IDENTIFY
          ? this.#identify(connection, payload.d)
          : this.#resume(connection, payload.d);
      // This runs after the connection has its session, so that both end if the token ends at this moment.
      if (session !== undefined) queueMicrotask(() => this.#tokenEnds.begun(session));
      return session;
    } catch (error) {
      // The close reason is logged, because client libraries hide it from their users.
      if (error instanceof GatewayFault) {
        this.#options.platform.log.warn(`the gateway refused a session: ${error.code} ${error.message}`);
      }
      throw error;
    }
  }

  command(session: Session, payload: Payload): void {
    this.#commands += 1;
    obey(session, payload, this.#serving);
  }

  ended(connection: Connection, session: Session | undefined, isClean: boolean): void {
    this.#connections.delete(connection);
    this.#unknown.delete(connection);
    this.#leavePlace(connection);
    if (session === undefined) return;
    if (isClean && session.isOn(connection)) this.#sessions.end(session);
    else this.#sessions.cut(session, connection);
  }

  failed(error: unknown): void {
    const name = error instanceof Error ? error.name : typeof error;
    this.#options.platform.log.warn(`the gateway failed: ${name}`);
  }

  /** Views of all sessions, connected or disconnected, oldest first. */
  sessionViews(): readonly SessionView[] {
    return [...this.#sessions].map(viewOf);
  }

  /** See {@link GatewayReading}. Asks clients that have not read everything for a heartbeat. */
  reading(): GatewayReading {
    const all = [...this.#connections];
    const unread = all.flatMap(({ hasRead, session }) =>
      hasRead ? [] : (session?.listener.application.id ?? []),
    );
    return { connections: all.length, commands: this.#commands, unread };
  }

  /** Disturbs each connection of an application that has a session; returns the number of these connections. */
  disturb(application: string, how: Disturbance): number {
    const own = [...this.#connections].filter(
      ({ session }) => session?.listener.application.id === application,
    );
    for (const connection of own) {
      if (how === 'cut') connection.drop();
      else connection.sendOp(Opcode.RECONNECT, null);
    }
    return own.length;
  }

  /** Ends every connection. Clients reconnect when a server is available again, unless it is removed for good. */
  close(removalReason?: string): void {
    this.#stopWatching?.();
    this.#stopFollowing();
    for (const connection of [...this.#connections]) connection.leave(removalReason);
    for (const session of this.#sessions) this.#sessions.end(session);
  }

  #enter(end: GatewaySocket, wire: Wire, version: number, base: string): void {
    const observer = this.#observer.connection();
    const connection = new Connection(this, { end, wire, observer, version, base });
    end.connection = connection;
    end.on('message', onMessage);
    end.on('close', onClose);
    this.#connections.add(connection);
    connection.open();
    this.#unknown.add(connection);
    if (this.#stopWatching === undefined) this.#watchLater();
  }

  #watchLater(): void {
    this.#stopWatching = this.#options.machine.setTimeout(() => {
      this.#stopWatching = undefined;
      let unread = 0;
      let heaviest: Connection | undefined;
      for (const connection of [...this.#connections]) {
        connection.watch();
        unread += connection.waiting;
        if (connection.waiting > (heaviest?.waiting ?? MUCH_UNREAD)) heaviest = connection;
      }
      if (unread > this.#options.memory.unread) heaviest?.drop();
      if (this.#connections.size > 0) this.#watchLater();
    }, WATCH_MS);
  }

  #identify(connection: Connection, d: unknown): Session | undefined {
    const { platform, starts } = this.#options;
    const identify = readData(commands.identify, d);
    const known = knownBy(identify.token, platform);
    const listener = listenerOf(known, identify, connection.base, platform);
    const { application, shard } = listener;
    const { max_concurrency } = application;
    const enforced = platform.world.tables.rate_limits.value === 'enforced';
    if (known.kind === 'bot' && !starts.take(application.id, shard[0], { max_concurrency, enforced })) {
      connection.sendOp(Opcode.INVALID_SESSION, false);
      return undefined;
    }
    this.#takePlace(connection, application.id);
    if (identify.compress === true && connection.wire instanceof PlainWire) connection.wire.compress();
    const session = this.#sessions.begin({ listener, owner: ownerOf(known) }, connection);
    const hasShard = identify.shard !== undefined && identify.shard !== null;
    const begun = { known, listener, id: session.id, version: connection.version, hasShard };
    session.take(ready.event, JSON.stringify(readyOf(platform, begun)));
    session.sendGuilds(firstGuilds(platform, listener));
    for (const [event, data] of firstEvents(platform, listener)) session.take(event, data);
    // A bot's session always has a presence, which is online by default. A user's session sets activities only if it
    // sends a presence, because the user's status comes from the account.
    if (known.kind === 'bot' || identify.presence) {
      const presence = identify.presence ?? { status: 'online' as const, activities: [] };
      unlessFull(session, Opcode.IDENTIFY, platform, () =>
        setPresence(session, presence, platform, this.#options.clock.now()),
      );
    }
    return session;
  }

  #resume(connection: Connection, d: unknown): Session | undefined {
    const { token, session_id, seq } = readData(commands.resume, d);
    const known = knownBy(token, this.#options.platform);
    const session = this.#sessions.get(session_id);
    if (session === undefined || !isOwnedBy(session, known)) return this.#invalid(connection);
    const before = [...this.#connections].find((one) => one !== connection && one.session === session);
    this.#takePlace(connection, session.listener.application.id);
    const outcome = this.#sessions.resume(session, connection, ownerOf(known), seq);
    if (outcome !== 'resumed') {
      // The connection has no session, so it returns to the slots of unidentified connections.
      this.#leavePlace(connection);
      this.#unknown.add(connection);
    }
    if (outcome === 'no such event') {
      throw new GatewayFault(CloseCode.INVALID_SEQ, 'Invalid seq: the session has not sent that event yet.');
    }
    if (outcome === 'gone') return this.#invalid(connection);
    before?.close(CloseCode.UNKNOWN_ERROR, 'The session was resumed by another connection.');
    return session;
  }

  /** Ends a session that has missed an event. Its client then begins a new session, which receives the full state. */
  #lose(session: Session): void {
    // The end of the session is deferred, because this method runs during a transaction and the end changes the state.
    queueMicrotask(() =>
      this.#endAll(
        (one) => one === session,
        [CloseCode.UNKNOWN_ERROR, 'Unknown error: an event could not be sent. Identify again.'],
      ),
    );
  }

  /** Ends the sessions that `isOver` selects, because their authorization has ended or for the reason in `closing`. */
  #endAll(
    isOver: (session: Session) => boolean,
    closing: readonly [code: number, reason: string] = [
      CloseCode.AUTHENTICATION_FAILED,
      'Authentication failed: the token is no longer valid.',
    ],
  ): void {
    const over = new Set([...this.#sessions].filter(isOver));
    if (over.size === 0) return;
    for (const connection of [...this.#connections]) {
      if (connection.session === undefined || !over.has(connection.session)) continue;
      connection.close(...closing, true);
    }
    for (const session of over) this.#sessions.end(session);
  }

  /** Removes a session's activities and lobby calls and, after the last session of a bot, the bot's voice state. */
  #over(session: Session): void {
    const { user } = session.listener;
    const isLast = ![...this.#sessions].some(({ listener }) => listener.user === user);
    hide(session, isLast, this.#options.platform);
    hangUp(session, this.#options.platform);
    this.#tokenEnds.over(session);
  }

  /** Rejects an Identify or Resume without closing the connection, so that the client can send another. */
  #invalid(connection: Connection): undefined {
    connection.sendOp(Opcode.INVALID_SESSION, false);
    return undefined;
  }

  /** Assigns a slot; when none is free, the application with the most connections loses its newest connection. */
  #takePlace(connection: Connection, application: string): void {
    const makeRoom = (largestHolder: string | undefined): boolean => {
      const newest = largestHolder === undefined ? undefined : this.#maxConnections.newest(largestHolder);
      if (largestHolder === undefined || newest === undefined) return false;
      this.#leavePlace(newest);
      newest.drop();
      return true;
    };
    if (!this.#maxConnections.enter(application, connection, makeRoom)) {
      throw new GatewayFault(CloseCode.UNKNOWN_ERROR, 'No room: too many connections of this application.');
    }
    this.#placed.set(connection, application);
    connection.identified(application);
    this.#unknown.delete(connection);
  }

  #leavePlace(connection: Connection): void {
    const application = this.#placed.get(connection);
    if (application === undefined) return;
    this.#placed.delete(connection);
    this.#maxConnections.leave(application, connection);
  }
}
