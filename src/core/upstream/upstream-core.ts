import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { boundOperations } from '../../base/admin-operation.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode } from '../../wire/codes.ts';
import {
  type ClientCore,
  type CoreHost,
  type CoreSession,
  type CoreStarted,
  defineOperation,
  type Peer,
} from '../core.ts';
import { type Choice, type ChoiceStore, memoryChoiceStore } from './choice.ts';
import type { ClientSource, Connected } from './client-source.ts';
import { Clients } from './clients.ts';
import { Fallback } from './fallback.ts';
import { upstreamOperations } from './operations.ts';
import { Primary } from './primary.ts';
import { Selection } from './selection.ts';
import { LinkPool } from './session-presence.ts';
import { UpstreamSession } from './upstream-session.ts';

/** Location of the upstream, and the behaviour while there is none. */
export interface UpstreamCoreOptions {
  /** Description of the location for status displays; `upstream.status` reports whether an upstream is there. */
  readonly location?: string;
  /** Connects to the current upstream; rejects when there is none, with `LocalError` where the operator has to act. */
  readonly connect: (signal: AbortSignal) => Promise<Connected>;
  /** Places of further clients; without it there is one upstream. */
  readonly source?: ClientSource;
  /** Storage of the user's choice among the clients; by default it ends with the bridge. */
  readonly store?: ChoiceStore;
  /** Maximum number of connections to clients that get presence only. */
  readonly maxLinks?: number;
  /** Core that serves apps while there is no upstream. */
  readonly fallback?: ClientCore;
  /** Maximum time that a new app waits while the upstream is away (ms). */
  readonly openTimeoutMs?: number;
  /** Timeout for a repeated token after a restart (ms). */
  readonly restoreMs?: number;
}

/**
 * Time that a new app waits for the upstream (ms): a client that restarts is available within a few seconds, and an app
 * waits about ten seconds for READY.
 */
const OPEN_TIMEOUT_MS = 5000;
const RETRY_MS = 250;
/** Maximum number of connections for presence only. */
const MAX_LINKS = 4096;

/**
 * Creates the core that forwards apps to another compatible server: one connection per session, with the app's own
 * client id.
 */
export function upstreamCore(options: UpstreamCoreOptions): ClientCore {
  const {
    openTimeoutMs = OPEN_TIMEOUT_MS,
    restoreMs,
    source,
    connect,
    store = memoryChoiceStore(),
  } = options;
  const sessions = new Map<string, UpstreamSession>();
  const fallback = options.fallback && new Fallback(options.fallback, () => primary.isThere());
  let host: CoreHost | undefined;
  const log: CoreHost['log'] = (level, message, fields) => host?.log(level, message, fields);
  const clients = new Clients(source, changed, log, () => selection.choice.places ?? {});
  const choice = (): Choice => selection.choice;
  const shared = { connect, source, clients, choice, log };
  const primary = new Primary(shared);
  const selection = new Selection({
    store,
    clients,
    primary,
    sessions,
    log: (message, count) => log('warn', message, { count }),
  });
  const pool = new LinkPool(options.maxLinks ?? MAX_LINKS);
  let following = false;

  /** Clients have come, left or changed their account. */
  function changed(): void {
    for (const session of sessions.values()) session.spread();
    const name = selection.choice.primary;
    const isHere = name !== null && primary.candidates(name).some(({ state }) => state === 'here');
    // Apps move to a chosen client that comes late, once.
    if (isHere && !following) void selection.follow();
    following = isHere;
  }

  /**
   * Peers whose chat client has sent invalid UTF-8, which is logged once for each peer; the peer gets the text with
   * U+FFFD.
   */
  const warned = new WeakSet<Peer>();
  const warnOnce = (peer: Peer): void => {
    if (warned.has(peer)) return;
    warned.add(peer);
    const { sessionId: session, clientId } = peer;
    host?.log('warn', 'the chat client sent text that is not valid UTF-8', { session, clientId });
  };

  const openRelay = async (peer: Peer, host: CoreHost): Promise<CoreSession> => {
    const services = { ...shared, host, primary, pool, restoreMs };
    const session = new UpstreamSession(peer, services, () => warnOnce(peer));
    const abandon = (): void => session.close();
    peer.signal.addEventListener('abort', abandon);
    try {
      let release = (): void => {};
      const opened = await session.open(() => {
        sessions.delete(peer.sessionId);
        release();
      });
      sessions.set(peer.sessionId, session);
      release = clients.hold();
      return opened;
    } catch (error) {
      session.close();
      throw error;
    } finally {
      peer.signal.removeEventListener('abort', abandon);
    }
  };

  function hereNames(): readonly string[] {
    const first = selection.primaryName;
    const names = clients.all.filter(({ state }) => state === 'here').map(({ name }) => name);
    return names.sort((a, b) => Number(b === first) - Number(a === first));
  }

  /**
   * Opens a relay session. Resolves with undefined while no upstream is available, and with a CloseError while the
   * upstream accepts no app.
   */
  const tryRelay = async (peer: Peer): Promise<CoreSession | CloseError | undefined> => {
    try {
      return host && (await openRelay(peer, host));
    } catch (error) {
      if (!(error instanceof CloseError)) return undefined;
      // Lower codes do not concern the app: the upstream shuts down, is at capacity, or has no user logged in.
      if (error.code >= CloseCode.INVALID_CLIENT_ID) throw error;
      return error;
    }
  };

  return {
    name: 'upstream',
    // The upstream may delay READY by its own rules, which apply here.
    openMs: 75_000,

    async start(coreHost): Promise<CoreStarted> {
      host = coreHost;
      const started = await fallback?.start(coreHost);
      return {
        ...started,
        describe: () => [
          ...(options.location === undefined ? [] : [['upstream', options.location] as const]),
          ...(fallback ? [['fallback', `${fallback.name}, ${fallback.size} sessions`] as const] : []),
        ],
        admin: {
          ...started?.admin,
          ...boundOperations(upstreamOperations, { selection }),
          'upstream.status': defineOperation({
            summary: 'The chat client behind the bridge',
            args: () => z.object({}),
            run: async () => ({
              present: await primary.isThere(),
              // Reason for an upstream that cannot be used, and what to do.
              why: primary.fault,
              // Current or last path of the upstream; null when none was found yet.
              path: primary.path ?? null,
              // Names of the clients that are here, the one that answers first.
              clients: hereNames(),
              sessions: sessions.size,
              fallback: fallback ? { core: fallback.name, sessions: fallback.size } : null,
            }),
          }),
        },
      };
    },

    async open(peer) {
      const end = performance.now() + openTimeoutMs;
      for (;;) {
        const opened = await tryRelay(peer);
        if (opened && !(opened instanceof CloseError)) return opened;
        if (fallback) return fallback.open(peer);
        const waited =
          performance.now() < end &&
          (await delay(RETRY_MS, true, { signal: peer.signal, ref: false }).catch(() => false));
        if (!waited)
          throw opened ?? new CloseError(CloseCode.ABNORMAL, 'No chat client is running; try again later');
      }
    },

    async stop() {
      for (const session of sessions.values()) session.close();
      sessions.clear();
      clients.stop();
      await fallback?.stop();
    },
  };
}
