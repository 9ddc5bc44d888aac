import { boundOperations } from '../../base/admin-operation.ts';
import type { OwnerCheck } from '../../loopback/owner.ts';
import { ErrorCode } from '../../protocol/error-code.ts';
import { RpcError } from '../../protocol/errors.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import { commands, type EventName } from '../../protocol/registry.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode } from '../../wire/codes.ts';
import { MAX_FRAME_BYTES } from '../../wire/frame.ts';
import type { ClientCore, CoreCall, CoreHandlers, CoreHost, CoreSession, Peer, Ready } from '../core.ts';
import { Expiry } from '../expiry.ts';
import { Bridge } from './bridge.ts';
import { LostError } from './client.ts';
import { AttachedClients } from './clients.ts';
import { attachOperations } from './operations.ts';
import { Pairing, type PairingStore } from './pairing.ts';
import { type Presence, toClientActivity } from './presence.ts';
import { wallClock } from './timer.ts';
import { openWsListener, type WsListener } from './ws-listener.ts';

/** Ports of the attach core, and the clients that may use the ports. */
export interface AttachCoreOptions {
  readonly store: PairingStore;
  /** Port of the attach protocol; 0 selects any free port. */
  readonly attachPort: number;
  /** Port of the presence bridge for consumers written for arRPC; null disables it. */
  readonly bridgePort: number | null;
  /** True if join, spectate and match secrets are passed on over the presence bridge. */
  readonly bridgeSecrets: boolean;
  /** Origins of web pages that may attach, besides the chat client's own origin. */
  readonly origins: readonly string[];
  /** Maximum number of connections per port that have not become a WebSocket; default 64. */
  readonly maxPending?: number;
  /** Checks whether the process at the other end belongs to our user. */
  readonly refusedOwner: OwnerCheck;
}

const CLIENT_ORIGINS = ['https://discord.com', 'https://ptb.discord.com', 'https://canary.discord.com'];
/** Maximum number of connections per port that have not become a WebSocket. */
export const MAX_PENDING = 64;
/** Maximum size of a chat client's message (bytes): an answer that fills a frame, and its envelope. */
const MESSAGE_BYTES = MAX_FRAME_BYTES + 64 * 1024;
/** Commands that the session or this core answers; a client answers all others. */
const OURS = new Set(['SET_ACTIVITY', 'SUBSCRIBE', 'UNSUBSCRIBE']);

/** READY's user while no client is attached: several client libraries never become ready without a user. */
const NOBODY: NonNullable<Ready['user']> = {
  id: '1',
  username: 'footbridge',
  discriminator: '0',
  global_name: null,
  avatar: null,
  avatar_decoration_data: null,
  bot: false,
  flags: 0,
  premium_type: 0,
};

interface AppSession {
  readonly peer: Peer;
  /** Expiry of its token. */
  expiry: Expiry | undefined;
  presence: Presence | undefined;
  readonly subscriptions: Map<string, { readonly evt: string; readonly args: unknown }>;
}

/**
 * Creates the core to which a chat client attaches over WebSocket, to answer the apps. Presence goes to every client
 * and to arRPC consumers.
 */
export function attachCore(options: AttachCoreOptions): ClientCore {
  const { maxPending = MAX_PENDING } = options;
  const apps = new Map<string, AppSession>();
  const pairing = new Pairing(options.store);
  const origins = new Set([...CLIENT_ORIGINS, ...options.origins]);
  const { refusedOwner } = options;
  let host: CoreHost | undefined;
  let wsListener: WsListener | undefined;
  let bridgePort: number | undefined;
  let refused = 0;

  const onRefused = (reason: string): void => {
    refused += 1;
    host?.log('warn', 'client refused', { reason });
  };
  const current = (): Presence[] => [...apps.values()].flatMap(({ presence }) => presence ?? []);
  const bridge =
    options.bridgePort === null
      ? undefined
      : new Bridge({
          port: options.bridgePort,
          secrets: options.bridgeSecrets,
          origins,
          maxPending,
          refusedOwner,
          onRefused,
          current,
        });
  const clients = new AttachedClients({
    pairing,
    refused: onRefused,
    state: () => ({
      sessions: [...apps.values()].map(({ peer }) => infoOf(peer)),
      presences: current().filter(({ activity }) => activity !== null),
      subscriptions: [...apps.values()].flatMap(({ peer, subscriptions }) =>
        [...subscriptions.values()].map((one) => ({ session: peer.sessionId, ...one })),
      ),
    }),
    // The cast is safe: the server checks the name and shape of an event that a client emits.
    event: ({ evt, data, filter, clientId, session }) => {
      host?.emit(evt as EventName, data as never, {
        ...(filter === undefined ? {} : { filter }),
        ...(clientId === undefined ? {} : { clientId }),
        ...(session === undefined ? {} : { sessionId: session }),
      });
    },
    revoked: (token) => host?.closeSessions({ token }, CloseCode.TOKEN_REVOKED, 'Token revoked'),
    accountChanged: () => host?.closeSessions({}, CloseCode.NORMAL, 'User logout'),
  });

  const sendActivity = (app: AppSession, pid: number | null, activity: Presence['activity']): void => {
    // A hidden app clears with each update, of which nobody may learn.
    if (activity === null && !app.presence?.activity) return;
    app.presence = { session: app.peer.sessionId, clientId: app.peer.clientId, pid, activity };
    bridge?.broadcast(app.presence);
    clients.broadcast({ method: 'presence', params: { ...app.presence } });
  };

  const requestClient = async (peer: Peer, cmd: string, args: unknown, call: CoreCall): Promise<unknown> => {
    const able = clients.answering(cmd);
    if (able.length === 0) throw notOffered(cmd, clients.answering().length);
    const params = { ...infoOf(peer), cmd, args, scopes: [...call.scopes] };
    const needsUser = cmd === 'AUTHORIZE' || commands[cmd as keyof typeof commands].recorded !== undefined;
    try {
      return needsUser
        ? await clients.requestAny(able, params, call.signal)
        : await clients.requestInTurn(able, { method: 'call', params }, call.signal);
    } catch (error) {
      if (error instanceof LostError) throw away();
      throw error;
    }
  };

  const expire = ({ peer }: AppSession): void => {
    host?.closeSessions({ sessionId: peer.sessionId }, CloseCode.TOKEN_REVOKED, 'Token expired');
  };
  /** Ends the app's session when its token expires, at the time that the client's answer states. */
  const holdTo = (app: AppSession, result: unknown): void => {
    const expires = isObject(result) && typeof result.expires === 'string' ? Date.parse(result.expires) : NaN;
    if (Number.isNaN(expires)) {
      const text = 'The attached client gave no valid answer to AUTHENTICATE';
      throw new RpcError(ErrorCode.UNKNOWN_ERROR, text, { detail: 'expires: is not a date' });
    }
    if (expires <= Date.now()) throw new RpcError(ErrorCode.INVALID_TOKEN, 'The access token has expired');
    app.expiry?.cancel();
    app.expiry = new Expiry(wallClock, expires, () => expire(app));
  };

  /** Throws CloseError once the app's token has expired, whether or not the timer has run. */
  const checkToken = ({ expiry }: AppSession): void => {
    if (expiry?.over) throw new CloseError(CloseCode.TOKEN_REVOKED, 'Token expired');
  };

  const handlersFor = (app: AppSession): CoreHandlers => {
    const forwarded = Object.keys(commands)
      .filter((cmd) => !OURS.has(cmd))
      .map((cmd) => [cmd, (args: unknown, call: CoreCall) => requestClient(app.peer, cmd, args, call)]);
    return {
      ...(Object.fromEntries(forwarded) as CoreHandlers),
      async AUTHENTICATE(args, call) {
        const result = await requestClient(app.peer, 'AUTHENTICATE', args, call);
        holdTo(app, result);
        // The token is the app's own, so a client need not return it, except a token that the client obtained.
        const answer: Readonly<Record<string, unknown>> = isObject(result) ? result : {};
        return { ...answer, access_token: args.access_token || (answer.access_token ?? '') } as never;
      },
      SET_ACTIVITY({ activity, pid }) {
        const clientActivity = activity ? toClientActivity(activity, app.peer.clientId, Date.now()) : null;
        sendActivity(app, pid ?? null, clientActivity);
        return (clientActivity && answered(clientActivity)) as never;
      },
    };
  };

  const listen = async (what: string, open: () => Promise<void>): Promise<void> => {
    try {
      await open();
    } catch (error) {
      // A port that cannot be opened is only a warning, because the rest of the core works without it.
      host?.log('warn', `${what} cannot be used`, { reason: codeOf(error) });
    }
  };

  return {
    name: 'attach',

    async start(coreHost) {
      host = coreHost;
      await listen(`the attach port ${options.attachPort}`, async () => {
        wsListener = await openWsListener({
          port: options.attachPort,
          path: '/attach',
          origins,
          maxPending,
          messageBytes: MESSAGE_BYTES,
          refusedOwner,
          onRefused,
          onClient: (client) => clients.accept(client),
        });
      });
      if (bridge) {
        await listen(`the bridge port ${options.bridgePort}`, async () => {
          bridgePort = await bridge.listen();
        });
      }
      const url = (): string | null =>
        wsListener === undefined ? null : `ws://127.0.0.1:${wsListener.port}/attach`;
      return {
        describe: () => [
          ['clients attach to', url() ?? 'nowhere: the port is taken'],
          [
            'attached',
            clients
              .list()
              .map(({ name }) => name)
              .join(', ') || 'nobody yet',
          ],
          ...(bridge
            ? ([
                ['bridge', bridgePort === undefined ? 'the port is taken' : `ws://127.0.0.1:${bridgePort}`],
              ] as const)
            : []),
        ],
        admin: boundOperations(attachOperations, { clients, pairing, url, refused: () => refused }),
      };
    },

    open(peer): CoreSession {
      const app: AppSession = {
        peer,
        expiry: undefined,
        presence: undefined,
        subscriptions: new Map(),
      };
      apps.set(peer.sessionId, app);
      clients.broadcast({ method: 'session_opened', params: infoOf(peer) });
      const { sessionId: session } = peer;
      let handlers: CoreHandlers | undefined;
      return {
        ready: {
          v: 1,
          config: {
            cdn_host: 'cdn.discordapp.com',
            api_endpoint: '//discord.com/api',
            environment: 'production',
          },
          user: clients.user ?? NOBODY,
        },
        get handlers() {
          checkToken(app);
          handlers ??= handlersFor(app);
          return handlers;
        },
        async subscribe(evt, args, { signal }) {
          checkToken(app);
          app.subscriptions.set(keyOf(evt, args), { evt, args });
          try {
            const question = { method: 'subscribe', params: { session, evt, args } } as const;
            const values = await clients.requestInTurn(clients.answering(), question, signal);
            return Array.isArray(values) ? values : [];
          } catch (error) {
            // No client is attached. The subscription stays, because a client that attaches later gets it with the
            // state.
            if (error instanceof LostError && !signal.aborted) return [];
            app.subscriptions.delete(keyOf(evt, args));
            throw error;
          }
        },
        preview: (activity) => answered(toClientActivity(activity as JsonObject, peer.clientId, Date.now())),
        unsubscribe(evt, args) {
          app.subscriptions.delete(keyOf(evt, args));
          clients.broadcast({ method: 'unsubscribe', params: { session, evt, args } });
        },
        close() {
          if (!apps.has(session)) return;
          app.expiry?.cancel();
          if (app.presence?.activity) sendActivity(app, app.presence.pid, null);
          apps.delete(session);
          bridge?.forget(session);
          clients.broadcast({ method: 'session_closed', params: { session } });
        },
      };
    },

    async stop() {
      await Promise.all([wsListener?.close(), bridge?.close(), pairing.close()]);
    },
  };
}

/** Answer to SET_ACTIVITY, which always has a name. */
function answered(activity: JsonObject): JsonObject {
  return { ...activity, name: typeof activity.name === 'string' ? activity.name : '' };
}

function infoOf({ sessionId, clientId, transport }: Peer) {
  return { session: sessionId, clientId, transport };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function keyOf(evt: string, args: unknown): string {
  return `${evt} ${JSON.stringify(args)}`;
}

function away(): RpcError {
  return new RpcError(ErrorCode.SERVICE_UNAVAILABLE, 'No chat client is attached; try again once one is');
}

function notOffered(cmd: string, attached: number): RpcError {
  if (attached === 0) return away();
  return new RpcError(ErrorCode.INVALID_COMMAND, `${cmd} is not offered by the attached client`);
}
