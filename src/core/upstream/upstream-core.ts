import type { Duplex } from 'node:stream';
import * as z from 'zod';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode } from '../../wire/codes.ts';
import { type ClientCore, type CoreHost, type CoreSession, defineOperation, type Peer } from '../core.ts';
import { Relay } from './relay.ts';

/** Where an upstream was found, and a stream to it. */
export interface UpstreamConnection {
  readonly path: string;
  readonly stream: Duplex;
}

/** What the upstream core is made of. */
export interface UpstreamCoreOptions {
  /** Connects to the first upstream there is; rejects with a plain message when there is none. */
  connect(): Promise<UpstreamConnection>;
  /** Serves apps that come while there is no upstream; without one they are told to come again. */
  readonly fallback?: ClientCore;
}

/** Forwards each app to another compatible server: one connection a session, with the app's own client id. */
export function upstreamCore(options: UpstreamCoreOptions): ClientCore {
  const { fallback } = options;
  const relays = new Map<string, Relay>();
  let host: CoreHost | undefined;
  let lastPath: string | undefined;

  const connect = async (): Promise<Duplex> => {
    const { path, stream } = await options.connect();
    lastPath = path;
    return stream;
  };

  const openRelay = async (peer: Peer): Promise<CoreSession> => {
    const relay = new Relay({
      clientId: peer.clientId,
      connect,
      event: (evt, data) => host?.relay(peer.sessionId, evt, data),
      authenticated: (scopes) => host?.grant(peer.sessionId, scopes),
      refused: ({ code, message }) => host?.closeSessions({ sessionId: peer.sessionId }, code, message),
    });
    const ready = await relay.open();
    relays.set(peer.sessionId, relay);
    return {
      ready,
      handlers: {},
      relay: (request) => relay.request(request),
      close() {
        relays.delete(peer.sessionId);
        relay.close();
      },
    };
  };

  return {
    name: 'upstream',

    async start(coreHost) {
      host = coreHost;
      const started = await fallback?.start(coreHost);
      return {
        ...started,
        admin: {
          ...started?.admin,
          'upstream.status': defineOperation({
            summary: 'Which chat client stands behind the bridge',
            args: () => z.object({}),
            run: async () => {
              const found = await options.connect().catch(() => undefined);
              found?.stream.destroy();
              return {
                path: found?.path ?? null,
                last: lastPath ?? null,
                sessions: relays.size,
                fallback: fallback?.name ?? null,
              };
            },
          }),
        },
      };
    },

    async open(peer) {
      try {
        return await openRelay(peer);
      } catch (error) {
        if (error instanceof CloseError) throw error;
        if (fallback) return fallback.open(peer);
        throw new CloseError(CloseCode.NORMAL, 'No chat client is running; come again when it is', {
          cause: error,
        });
      }
    },

    async stop() {
      for (const relay of relays.values()) relay.close();
      relays.clear();
      await fallback?.stop();
    },
  };
}
