import { CloseCode } from '../../wire/codes.ts';
import type { ClientCore, CoreHost, CoreSession, CoreStarted, Peer } from '../core.ts';

/** Interval at which a bridge with sessions on its fallback checks whether the upstream is available (ms). */
const CHECK_INTERVAL_MS = 2000;

/** Another core that serves apps while there is no upstream. */
export class Fallback {
  readonly #core: ClientCore;
  readonly #isThere: () => Promise<boolean>;
  readonly #sessions = new Set<string>();
  #host: CoreHost | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `isThere` resolves to whether the upstream is available; it is called at an interval. */
  constructor(core: ClientCore, isThere: () => Promise<boolean>) {
    this.#core = core;
    this.#isThere = isThere;
  }

  get name(): string {
    return this.#core.name;
  }

  /** Number of sessions that the fallback serves. */
  get size(): number {
    return this.#sessions.size;
  }

  async start(host: CoreHost): Promise<CoreStarted> {
    this.#host = host;
    return this.#core.start({
      ...host,
      // A logout in the fallback must not close sessions of the upstream.
      closeSessions: (to, code, message) => {
        let closed = 0;
        for (const sessionId of this.#sessions) {
          if (to.sessionId === undefined || to.sessionId === sessionId) {
            closed += host.closeSessions({ ...to, sessionId }, code, message);
          }
        }
        return closed;
      },
    });
  }

  async open(peer: Peer): Promise<CoreSession> {
    const session = await this.#core.open(peer);
    this.#sessions.add(peer.sessionId);
    this.#timer ??= setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref();
    return closing(session, () => {
      this.#sessions.delete(peer.sessionId);
      if (this.#sessions.size === 0) this.#stopLooking();
    });
  }

  async stop(): Promise<void> {
    this.#stopLooking();
    await this.#core.stop();
  }

  #stopLooking(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Closes the fallback's sessions once the upstream is available: most apps connect again by themselves. */
  async #check(): Promise<void> {
    if (!(await this.#isThere())) return;
    for (const sessionId of this.#sessions) {
      this.#host?.closeSessions({ sessionId }, CloseCode.NORMAL, 'The chat client is here; connect again');
    }
  }
}

/**
 * Wraps a session so that `first` is called before its close. Each member delegates to the session itself: a class has
 * getters and private fields, which a copy or a derived object could not reach.
 */
function closing(session: CoreSession, first: () => void): CoreSession {
  return {
    get ready() {
      return session.ready;
    },
    get handlers() {
      return session.handlers;
    },
    ...(session.relay && { relay: session.relay.bind(session) }),
    ...(session.present && { present: session.present.bind(session) }),
    ...(session.preview && { preview: session.preview.bind(session) }),
    ...(session.presentAt && { presentAt: session.presentAt.bind(session) }),
    ...(session.subscribe && { subscribe: session.subscribe.bind(session) }),
    ...(session.unsubscribe && { unsubscribe: session.unsubscribe.bind(session) }),
    ...(session.garbled && { garbled: session.garbled.bind(session) }),
    ...(session.refusal && { refusal: session.refusal.bind(session) }),
    close() {
      first();
      session.close();
    },
  };
}
