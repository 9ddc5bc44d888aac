import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { isLocalError } from '../../base/local-error.ts';
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
import { Fallback } from './fallback.ts';
import { Relay } from './relay.ts';

/** A connection to a server that may be the upstream. */
export interface Connected {
  readonly path: string;
  readonly stream: Duplex;
}

/** Location of the upstream, and the behaviour while there is none. */
export interface UpstreamCoreOptions {
  /** Description of the location for status displays; `upstream.status` reports whether an upstream is there. */
  readonly location?: string;
  /** Connects to the current upstream; rejects when there is none, with `LocalError` where the operator has to act. */
  connect(signal: AbortSignal): Promise<Connected>;
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

/**
 * Creates the core that forwards apps to another compatible server: one connection per session, with the app's own
 * client id.
 */
export function upstreamCore(options: UpstreamCoreOptions): ClientCore {
  const { openTimeoutMs = OPEN_TIMEOUT_MS, restoreMs } = options;
  const relays = new Map<string, Relay>();
  const fallback = options.fallback && new Fallback(options.fallback, isThere);
  let host: CoreHost | undefined;
  let lastPath: string | undefined;
  /** Message for the operator about an upstream that cannot be used; null while there is none. */
  let fault: string | null = null;

  const connect = async (signal: AbortSignal): Promise<Duplex> => {
    const { path, stream } = await options.connect(signal).catch((error: unknown) => {
      const before = fault;
      fault = isLocalError(error) ? error.message : null;
      if (fault !== null && fault !== before)
        host?.log('warn', 'the upstream cannot be used', { reason: fault });
      throw error;
    });
    fault = null;
    if (path !== lastPath) host?.log('info', 'the upstream is here', { path });
    lastPath = path;
    return stream;
  };

  async function isThere(): Promise<boolean> {
    try {
      (await connect(AbortSignal.timeout(RETRY_MS))).destroy();
      return true;
    } catch {
      return false;
    }
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

  const openRelay = async (peer: Peer): Promise<CoreSession> => {
    const relay = new Relay({
      clientId: peer.clientId,
      connect,
      event: (evt, data) => host?.relay(peer.sessionId, evt, data),
      authenticated: (scopes) => host?.grant(peer.sessionId, scopes),
      garbled: () => warnOnce(peer),
      refused: ({ code, message }) => host?.closeSessions({ sessionId: peer.sessionId }, code, message),
      restoreMs,
    });
    const abandon = (): void => relay.close();
    peer.signal.addEventListener('abort', abandon);
    try {
      const ready = await relay.open();
      relays.set(peer.sessionId, relay);
      return {
        ready,
        handlers: {},
        relay: (request, { signal }) => relay.request(request, signal),
        close() {
          relays.delete(peer.sessionId);
          relay.close();
        },
      };
    } catch (error) {
      relay.close();
      throw error;
    } finally {
      peer.signal.removeEventListener('abort', abandon);
    }
  };

  /**
   * Opens a relay session. Resolves with undefined while no upstream is available, and with a CloseError while the
   * upstream accepts no app.
   */
  const tryRelay = async (peer: Peer): Promise<CoreSession | CloseError | undefined> => {
    try {
      return await openRelay(peer);
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
          'upstream.status': defineOperation({
            summary: 'The chat client behind the bridge',
            args: () => z.object({}),
            run: async () => ({
              present: await isThere(),
              // Reason for an upstream that cannot be used, and what to do.
              why: fault,
              // Current or last path of the upstream; null when none was found yet.
              path: lastPath ?? null,
              sessions: relays.size,
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
      for (const relay of relays.values()) relay.close();
      relays.clear();
      await fallback?.stop();
    },
  };
}
