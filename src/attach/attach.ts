/** An app that is connected to the bridge. */
export interface AttachedSession {
  readonly session: string;
  readonly clientId: string;
  readonly transport: string;
}

/** Context of a request for its handler, besides its arguments. */
export interface AttachedCall extends AttachedSession {
  readonly cmd: string;
  readonly scopes: readonly string[];
  /** Aborts when the answer is no longer needed: the app has disconnected, or another client answered. */
  readonly signal: AbortSignal;
}

/** Activity of an app; `activity` is null once it was cleared or the app has disconnected. */
export interface AttachedPresence {
  readonly session: string;
  readonly clientId: string;
  readonly pid: number | null;
  readonly activity: Readonly<Record<string, unknown>> | null;
}

/** Storage of a token between visits; `localStorage` fits. */
export interface TokenStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Members of a WebSocket that the attachment uses. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** Options of a client. */
export interface AttachOptions {
  /** Address that `footbridge attach` prints. */
  readonly url: string;
  /** The one-time code; needed until there is a token in `storage`. */
  readonly code?: string;
  readonly storage: TokenStorage;
  /** The logged-in user; null for none. */
  readonly user: object | null;
  /**
   * One handler function per command, by the command's name on the wire. Throw {@link AttachError} for an error that
   * the app sees.
   */
  readonly handlers: { readonly [cmd: string]: (args: never, call: AttachedCall) => unknown };
  /**
   * An app subscribes to an event; return the current values of an event with state. Called again after a
   * reconnect.
   */
  subscribe?(evt: string, args: never, session: string): readonly unknown[] | Promise<readonly unknown[]>;
  unsubscribe?(evt: string, args: never, session: string): void;
  /**
   * Called when an app has connected, is still connected after a reconnect of the client, or (`open` false) has
   * disconnected.
   */
  session?(session: AttachedSession, open: boolean): void;
  presence?(presence: AttachedPresence): void;
  /**
   * `attached`, `away` (a reconnect is pending), or `refused`: the code or token is invalid. `reason` is the bridge's
   * text when it closed the connection; empty where the bridge sent none.
   */
  state?(state: 'attached' | 'away' | 'refused', reason?: string): void;
  /** A handler has failed in a way that no app is notified of. */
  error?(error: unknown): void;
  /** Opens the WebSocket; for tests, and for programs without a global WebSocket. */
  readonly connect?: (url: string) => Socket;
}

/** The client's side of an attachment. */
export interface Attachment {
  /** Emits an event to the apps that subscribed to it; the event is dropped while the attachment is away. */
  emit(evt: string, data: unknown, to?: { filter?: object; clientId?: string; session?: string }): void;
  /** Reports that the access token is no longer valid: the bridge closes the apps that use it with 4003. */
  revokeToken(token: string): void;
  setUser(user: object | null): void;
  /** Ends it for good. */
  close(): void;
}

/**
 * An error with a code of the protocol; the app gets the code and the message. The app gets any other error as 1000,
 * without its text.
 */
export class AttachError extends Error {
  override readonly name = 'AttachError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Delays between attempts to reconnect (ms). */
const RETRY = { first: 500, max: 30_000 };
const UNAUTHORIZED = 4401;
const INTERNAL = -32_603;
const KEY = 'footbridge-token';

type Message = {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: every message has another shape
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: every message has another shape
  readonly result?: any;
};

/** Attaches to the bridge, reconnects whenever the connection was lost, and then sends the current state again. */
export function attach(options: AttachOptions): Attachment {
  const { storage, handlers } = options;
  const connect = options.connect ?? ((url) => new (globalThis as never as Browser).WebSocket(url));
  const waiting = new Map<number, AbortController>();
  const sessions = new Map<string, AttachedSession>();
  let user = options.user;
  let socket: Socket | undefined;
  let attached = false;
  let gap = RETRY.first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;

  const send = (message: object): void => socket?.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const notify = (method: string, params: object): void => {
    if (attached) send({ method, params });
  };

  const answer = async (id: number, task: (signal: AbortSignal) => unknown): Promise<void> => {
    const origin = socket;
    const controller = new AbortController();
    waiting.set(id, controller);
    let outcome: object;
    try {
      outcome = { result: (await task(controller.signal)) ?? null };
    } catch (error) {
      const known = error instanceof AttachError;
      const { code, message } = known ? error : { code: INTERNAL, message: 'internal error' };
      if (!known && !controller.signal.aborted) options.error?.(error);
      outcome = { error: { code, message } };
    }
    waiting.delete(id);
    // The answer is sent only on the connection that its request came from.
    if (socket === origin && !controller.signal.aborted) send({ id, ...outcome });
  };

  const opened = (info: AttachedSession): void => {
    sessions.set(info.session, info);
    options.session?.(info, true);
  };
  const closed = (session: string): void => {
    const info = sessions.get(session);
    sessions.delete(session);
    if (info) options.session?.(info, false);
  };

  const greeted = (result: Message['result']): void => {
    if (result.token) storage.setItem(KEY, result.token);
    attached = true;
    gap = RETRY.first;
    options.state?.('attached');
    const now = new Set(result.sessions.map(({ session }: AttachedSession) => session));
    for (const session of [...sessions.keys()]) if (!now.has(session)) closed(session);
    for (const info of result.sessions) if (!sessions.has(info.session)) opened(info);
    for (const presence of result.presences) options.presence?.(presence);
    for (const { evt, args, session } of result.subscriptions) void replay(evt, args, session);
  };

  const replay = async (evt: string, args: object, session: string): Promise<void> => {
    try {
      const values = (await options.subscribe?.(evt, args as never, session)) ?? [];
      for (const data of values) notify('event', { evt, data, session, filter: args });
    } catch (error) {
      options.error?.(error);
    }
  };

  const take = ({ id, method, params, result }: Message): void => {
    if (!attached) return greeted(result);
    switch (method) {
      case 'call':
        return void answer(id as number, (signal) => {
          const { args, ...call } = params;
          const handler = Object.hasOwn(handlers, call.cmd) ? handlers[call.cmd] : undefined;
          if (!handler) throw new AttachError(4002, `${call.cmd} is not offered by this client`);
          return handler(args as never, { ...call, signal });
        });
      case 'subscribe':
        return void answer(id as number, () =>
          options.subscribe ? options.subscribe(params.evt, params.args as never, params.session) : [],
        );
      case 'unsubscribe':
        return options.unsubscribe?.(params.evt, params.args as never, params.session);
      case 'withdrawn':
        return waiting.get(params.id)?.abort();
      case 'session_opened':
        return opened(params);
      case 'session_closed':
        return closed(params.session);
      case 'presence':
        return options.presence?.(params);
      default:
      // A newer bridge may send further kinds of messages, which are ignored.
    }
  };

  const lost = (code: number, reason: string): void => {
    attached = false;
    socket = undefined;
    for (const controller of waiting.values()) controller.abort();
    waiting.clear();
    if (over) return;
    if (code === UNAUTHORIZED) {
      storage.removeItem(KEY);
      over = true;
      return options.state?.('refused', reason);
    }
    options.state?.('away', reason);
    timer = setTimeout(open, gap * (0.75 + Math.random() / 2));
    gap = Math.min(gap * 2, RETRY.max);
  };

  const open = (): void => {
    const current = connect(options.url);
    socket = current;
    const token = storage.getItem(KEY);
    current.onopen = () => {
      const who = token ? { token } : { code: options.code };
      send({ id: 0, method: 'hello', params: { v: 1, ...who, user, commands: Object.keys(handlers) } });
    };
    current.onmessage = ({ data }) => {
      if (socket === current) take(JSON.parse(String(data)) as Message);
    };
    current.onclose = ({ code, reason }) => {
      if (socket === current) lost(code, reason);
    };
  };
  open();

  return {
    emit: (evt, data, to = {}) => notify('event', { evt, data, ...to }),
    revokeToken: (token) => notify('token_revoked', { token }),
    setUser(next) {
      user = next;
      notify('user', { user });
    },
    close() {
      over = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

interface Browser {
  readonly WebSocket: new (url: string) => Socket;
}
