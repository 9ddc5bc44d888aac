import { type Awaitable, isLater } from '../../base/later.ts';
import { isNamed } from '../../presence/client-names.ts';
import type { Presences } from '../../presence/presences.ts';
import type { Standing } from '../../presence/standing.ts';
import { checkArgs } from '../../protocol/check-shapes.ts';
import { SET_ACTIVITY } from '../../protocol/commands/activity.ts';
import type { RpcError } from '../../protocol/errors.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import { isRefusal } from '../../protocol/refusal.ts';
import type { EventName, ResultOf } from '../../protocol/registry.ts';
import type { CoreCall, CoreHandlers, CoreSession, Peer, Ready } from '../core.ts';
import { publishedActivity } from '../public-activity.ts';
import { type ActivityCall, ownCall, requestActivity } from './activity-request.ts';
import type { Endings } from './endings.ts';

type SetActivity = NonNullable<CoreHandlers['SET_ACTIVITY']>;

/** Services that all sessions with presence rules share. */
export interface PresenceHost {
  readonly coreName: string;
  readonly presences: Presences;
  /** Delays ends for clients in which a short gap is visible; absent for a core that shows each change. */
  readonly endings: Endings | undefined;
  /** Names of the program of a process: name, file name and path. */
  programs(pid: number): readonly string[];
  /** Name of an application, where one is known. */
  applicationName(clientId: string): string | undefined;
  /** Called for each activity that an app sets. */
  shows(): void;
  /** Called with the name that a chat client gave an application. */
  named(clientId: string, name: string): void;
}

/** Time after which a change is sent again while the client is away (ms); each one is twice as long as the one before. */
const RETRY_MS = { first: 2000, max: 60_000 } as const;

/**
 * A core's session whose SET_ACTIVITY passes the rules for presence: the core gets only what others may see, and the app
 * gets the answer that it would get without rules.
 */
export class PresenceSession implements CoreSession {
  /** Present for a session behind which another server decides. */
  relay?: NonNullable<CoreSession['relay']>;
  readonly trusted: boolean;
  readonly #inner: CoreSession;
  readonly #peer: Peer;
  readonly #host: PresenceHost;
  readonly #endings: Endings | undefined;
  #handlers: { readonly base: CoreHandlers; readonly derived: CoreHandlers } | undefined;
  /** True while the core shows an activity of the app, or may show one that it has not answered yet. */
  #shows = false;
  /** Number of the last request to the core, so that the outcome of an earlier one changes nothing. */
  #requests = 0;
  #pid: unknown;
  #closing: { cancel(): void } | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isRegistered = false;
  /** Aborts when the app leaves; made for the first request that needs it, because most sessions need none. */
  #left: AbortController | undefined;
  #hasLeft = false;

  constructor(inner: CoreSession, peer: Peer, host: PresenceHost) {
    this.#inner = inner;
    this.trusted = inner.trusted ?? false;
    this.#peer = peer;
    this.#host = host;
    const relay = inner.relay?.bind(inner);
    if (relay) {
      this.relay = (request, call) =>
        request.cmd === 'SET_ACTIVITY'
          ? Promise.resolve(this.#relayed(request.args, call))
          : relay(request, call);
    }
    // A detected game is no process that follows another one of its application.
    this.#endings = peer.detected === true ? undefined : host.endings;
    this.#endings?.started(peer.clientId);
  }

  /** Adds the app to the presences with its first activity: an app that shows nothing costs nothing. */
  #register(): void {
    this.#isRegistered = true;
    const { sessionId, clientId, credentials, detected } = this.#peer;
    this.#host.presences.open({
      session: sessionId,
      clientId,
      pid: credentials?.pid || undefined,
      isDetected: detected === true,
      programs: () => this.#programs(),
      changed: (standing) => this.#push(standing),
      shownAt: () => this.#inner.presentAt?.() ?? (this.#shows ? [this.#host.coreName] : []),
    });
  }

  get #leaves(): AbortSignal {
    this.#left ??= new AbortController();
    if (this.#hasLeft) this.#left.abort();
    return this.#left.signal;
  }

  get ready(): Ready {
    return this.#inner.ready;
  }

  get handlers(): CoreHandlers {
    const base = this.#inner.handlers;
    if (this.#handlers?.base !== base) this.#handlers = { base, derived: this.#derive(base) };
    return this.#handlers.derived;
  }

  subscribe(event: EventName, args: unknown, call: Pick<CoreCall, 'signal'>): Awaitable<readonly unknown[]> {
    return this.#inner.subscribe?.(event, args, call) ?? [];
  }

  unsubscribe(event: EventName, args: unknown): Awaitable<void> {
    return this.#inner.unsubscribe?.(event, args);
  }

  garbled(): void {
    this.#inner.garbled?.();
  }

  refusal(error: unknown): RpcError | undefined {
    return this.#inner.refusal?.(error);
  }

  close(): void {
    const endings = this.#endings;
    const { clientId, sessionId } = this.#peer;
    const isHeld = this.#shows && (endings?.isSucceeded(clientId) ?? false);
    endings?.left(clientId);
    this.#closing?.cancel();
    clearTimeout(this.#retry);
    this.#hasLeft = true;
    this.#left?.abort();
    if (this.#isRegistered) this.#host.presences.close(sessionId);
    if (isHeld) endings?.hold(clientId, () => this.#inner.close());
    else this.#inner.close();
  }

  /** Names by which a rule may name the app's program. */
  #programs(): readonly string[] {
    const { credentials, origin, entrance } = this.#peer;
    return [
      ...(credentials === undefined || credentials.pid === 0 ? [] : this.#host.programs(credentials.pid)),
      ...(origin === undefined ? [] : [origin]),
      ...(entrance === undefined
        ? []
        : [entrance.name, ...(entrance.sandbox === null ? [] : [entrance.sandbox])]),
    ];
  }

  #derive(base: CoreHandlers): CoreHandlers {
    const { SET_ACTIVITY: handler } = base;
    if (handler === undefined) return base;
    const send = (args: JsonObject, _: unknown, call: ActivityCall) =>
      handler.call(base, args as never, call as CoreCall);
    const own: SetActivity = (args, call) =>
      this.#set(args, args.activity ?? null, call, send as Send) as Awaitable<ResultOf<'SET_ACTIVITY'>>;
    const prototype: unknown = Object.getPrototypeOf(base);
    // Methods of a class may use private fields, which a derived object does not have.
    if (prototype !== Object.prototype && prototype !== null) return new Proxy(base, { get: bound(own) });
    return Object.create(base, { SET_ACTIVITY: { value: own } }) as CoreHandlers;
  }

  /** SET_ACTIVITY of a session behind which another server decides, and checks. */
  #relayed(args: unknown, call: ActivityCall): Awaitable<unknown> {
    // A server could accept what our schema does not, so an app that is judged must send what rules can read.
    const read = this.#host.presences.isOpen ? args : checkArgs(SET_ACTIVITY.args(), args);
    const activity = isObject(read) && isObject(read.activity) ? read.activity : null;
    return this.#set(isObject(args) ? args : {}, activity, call, (sent, only, context) =>
      requestActivity(this.#inner, sent, only, context),
    );
  }

  #set(args: JsonObject, activity: JsonObject | null, call: ActivityCall, send: Send): Awaitable<unknown> {
    this.#pid = args.pid;
    clearTimeout(this.#retry);
    this.#closing?.cancel();
    if (activity !== null) {
      if (!this.#isRegistered) this.#register();
      this.#host.shows();
    }
    const standing = this.#host.presences.set(this.#peer.sessionId, activity);
    if (activity === null) return this.#clear(args, call, send);
    if (!this.#isVisible(standing)) return this.#hide(standing, { args, activity, call, send });
    const before = this.#shows;
    const request = this.#begin(true);
    const isOwn = standing.activity === activity;
    let answer: Awaitable<unknown>;
    try {
      answer = send(isOwn ? args : { ...args, activity: standing.activity }, standing.only, call);
    } catch (error) {
      this.#failed(error, request, before);
      throw error;
    }
    if (!isLater(answer)) return this.#answered(answer, activity, isOwn);
    return answer.then(
      (value) => this.#answered(value, activity, isOwn),
      (error: unknown) => {
        this.#failed(error, request, before);
        throw error;
      },
    );
  }

  /** Returns the answer for the app; `isOwn`: the core shows the activity as the app has set it. */
  #answered(value: unknown, activity: JsonObject, isOwn: boolean): unknown {
    this.#endings?.replaced(this.#peer.clientId);
    this.#learn(value, activity);
    // Of several clients the one that answers may be left out, of which the app must not learn.
    const isAnswered = isOwn && !(value === null && this.#inner.present !== undefined);
    return isAnswered ? value : { ...(isObject(value) ? value : {}), ...this.#published(activity) };
  }

  /**
   * The core shows what it showed before a request that it has refused. While the client that answers is away, others may
   * show the activity all the same, until it is hidden.
   */
  #failed(error: unknown, request: number, before: boolean): void {
    const isNowhere = this.#inner.present === undefined && isRefusal(error);
    if (isNowhere && request === this.#requests) this.#shows = before;
  }

  /** Records a request to the core, before which the core may show what the request asks for. */
  #begin(shows: boolean): number {
    this.#shows = shows;
    this.#requests += 1;
    return this.#requests;
  }

  #isVisible(standing: Standing): standing is Extract<Standing, { readonly kind: 'shown' }> {
    if (standing.kind !== 'shown') return false;
    // A core with several clients selects them itself.
    if (this.#inner.present !== undefined || standing.only === undefined) return true;
    return isNamed(standing.only, [this.#host.coreName]);
  }

  #clear(args: JsonObject, call: ActivityCall, send: Send): Awaitable<unknown> {
    const endings = this.#endings;
    const { clientId } = this.#peer;
    const clear = (): Awaitable<unknown> => {
      this.#begin(false);
      return send(args, undefined, call);
    };
    if (endings === undefined || !this.#shows || !endings.isSucceeded(clientId)) return clear();
    const later = { ...call, signal: this.#leaves };
    this.#closing = endings.hold(clientId, () => {
      this.#begin(false);
      void attempt(() => send(args, undefined, later));
    });
    return null;
  }

  /** Clears what the core shows, and answers as the core would. */
  #hide(standing: Standing, { args, activity, call, send }: Update): Awaitable<unknown> {
    const answer = (): unknown => this.#published(activity);
    // A core that checks activities itself checks those of `call`, whatever it shows.
    if (!this.#shows && this.#inner.relay) return answer();
    const request = this.#begin(false);
    const cleared = send({ ...args, activity: null }, undefined, call);
    if (!isLater(cleared)) return answer();
    return cleared.then(answer, (error: unknown) => {
      if (isRefusal(error)) this.#repeat(standing, request, RETRY_MS.first);
      return answer();
    });
  }

  /** Sends a change that no request of the app causes. */
  #push(standing: Standing, retryMs: number = RETRY_MS.first): void {
    clearTimeout(this.#retry);
    if (standing.kind === 'none' || this.#hasLeft) return;
    const isVisible = this.#isVisible(standing);
    if (!isVisible && !this.#shows) return;
    const args = { pid: this.#pid, activity: isVisible ? standing.activity : null };
    const call = ownCall(this.#leaves, args);
    const request = this.#begin(isVisible);
    void attempt(() => requestActivity(this.#inner, args, isVisible ? standing.only : undefined, call)).then(
      (outcome) => {
        if (outcome === 'taken' || this.#hasLeft) return;
        // With its connection, a client that is away has lost what it showed.
        if (!isVisible && outcome === 'away') return;
        // What the client was shown before must not come back: the rules may hide it now.
        if (isVisible)
          void attempt(() => requestActivity(this.#inner, { ...args, activity: null }, undefined, call));
        if (isVisible && outcome === 'refused') return;
        this.#repeat(standing, request, retryMs);
      },
    );
  }

  /** Sends a change again that the core did not take, unless another one has followed. */
  #repeat(standing: Standing, request: number, ms: number): void {
    if (request !== this.#requests || this.#hasLeft) return;
    this.#shows = true;
    const next = Math.min(ms * 2, RETRY_MS.max);
    this.#retry = setTimeout(() => this.#push(standing, next), ms).unref();
  }

  #learn(answer: unknown, activity: JsonObject): void {
    if (!this.#inner.relay || typeof activity.name === 'string' || !isObject(answer)) return;
    const { name } = answer;
    if (typeof name === 'string' && name !== '') this.#host.named(this.#peer.clientId, name);
  }

  #published(activity: JsonObject): JsonObject {
    const { clientId } = this.#peer;
    const preview = this.#inner.preview?.(activity);
    if (isObject(preview)) return preview;
    const application = { id: clientId, name: this.#host.applicationName(clientId) ?? '' };
    return publishedActivity(activity, application, Date.now()) as JsonObject;
  }
}

/** SET_ACTIVITY of an app, and how it reaches the core. */
interface Update {
  readonly args: JsonObject;
  readonly activity: JsonObject;
  readonly call: ActivityCall;
  readonly send: Send;
}

type Send = (args: JsonObject, only: readonly string[] | undefined, call: ActivityCall) => Awaitable<unknown>;

/** Outcome of a request. Never rejects. */
async function attempt(send: () => Awaitable<unknown>): Promise<'taken' | 'refused' | 'away'> {
  try {
    await send();
    return 'taken';
  } catch (error) {
    return isRefusal(error) ? 'refused' : 'away';
  }
}

function bound(own: SetActivity): NonNullable<ProxyHandler<CoreHandlers>['get']> {
  return (base, name) => {
    if (name === 'SET_ACTIVITY') return own;
    const value: unknown = Reflect.get(base, name, base);
    return typeof value === 'function' ? value.bind(base) : value;
  };
}
