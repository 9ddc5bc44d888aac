import { type Clock, systemClock } from '../../emulator/clock.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import type { AuthorizationRequest } from '../../emulator/oauth2/consent.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode } from '../../wire/codes.ts';
import type { ClientCore, CoreHost, CoreSession, Peer } from '../core.ts';
import { type ShownActivity, showActivity } from './activity.ts';
import { operations } from './admin.ts';
import { authorizationHandlers, type HeldToken } from './authorization.ts';
import { currentValues, type SessionView, tellSessions } from './events.ts';
import { type RecordedRequest, RecordedRequests } from './recorded.ts';
import { readyFor } from './shapes.ts';
import { stateHandlers } from './state.ts';

/** What the emulator core is made of. */
export interface EmulatorCoreOptions {
  readonly emulator: Emulator;
  /** Port of the token endpoint on 127.0.0.1; 0 takes a free one. */
  readonly httpPort: number;
  /** Clock of recorded requests; they wait as long as authorization requests do: 120 s unless given. */
  readonly clock?: Clock;
  readonly requestTimeoutMs?: number;
  /** Names the program of a process id for the consent prompt; a hint, never proof. */
  describeProgram?(pid: number): string | undefined;
}

/** Something that waits for a person: an app that wants to be authorized, or a recorded command. */
export type WaitingRequest = ({ readonly kind: 'authorization' } & AuthorizationRequest) | RecordedRequest;

type RequestListener = (event: 'added' | 'settled', request: WaitingRequest) => void;

/** The emulator as a client core, and what the person at the terminal is told. */
export interface EmulatorCore extends ClientCore {
  /** Tells of requests that begin or end to wait for a person. */
  onRequest(listener: RequestListener): () => void;
}

/** One app's session: what it holds besides its subscriptions. */
interface AppSession extends SessionView {
  readonly clientId: string;
  readonly hold: (token: HeldToken) => void;
  activity: ShownActivity | null;
}

/** The default client core: a whole service that works offline. */
export function emulatorCore(options: EmulatorCoreOptions): EmulatorCore {
  const { emulator } = options;
  const sessions = new Map<string, AppSession>();
  const listeners = new Set<RequestListener>();
  const tellListeners: RequestListener = (event, request) => {
    for (const listener of listeners) listener(event, request);
  };
  const recorded = new RecordedRequests({
    clock: options.clock ?? systemClock,
    timeoutMs: options.requestTimeoutMs ?? 120_000,
    policy: (clientId) =>
      emulator.show().applications.find(({ id }) => id === clientId)?.consent ?? emulator.oauth2.policy(),
    taken: (id) => emulator.oauth2.requests().some((request) => request.id === id),
    changed: tellListeners,
  });
  let stopListening = (): void => {};

  return {
    name: 'emulator',

    async start(host: CoreHost) {
      stopListening = emulator.onChange((change) => {
        tellSessions(change, emulator, host, sessions.values());
        if (change.type === 'request-added')
          tellListeners('added', { kind: 'authorization', ...change.request });
        if (change.type === 'request-settled') {
          tellListeners('settled', { kind: 'authorization', ...change.request });
        }
      });
      const endpoint = await emulator.listen({ port: options.httpPort });
      return {
        api: endpoint.url,
        admin: operations(emulator, recorded, host, () =>
          [...sessions.values()].map(({ id, clientId, activity }) => ({ session: id, clientId, activity })),
        ),
      };
    },

    open(peer: Peer): CoreSession {
      const application = emulator.application(peer.clientId);
      if (application === undefined) throw new CloseError(CloseCode.INVALID_CLIENT_ID, 'Invalid Client ID');
      const session = appSession(peer);
      sessions.set(peer.sessionId, session);
      return {
        ready: readyFor(emulator.me()),
        handlers: {
          ...recorded.handlers(peer, application.name),
          ...stateHandlers(emulator),
          ...authorizationHandlers(emulator, peer, (pid) => options.describeProgram?.(pid), session.hold),
          SET_ACTIVITY: ({ activity }) => {
            session.activity = activity ? showActivity(activity, application, Date.now()) : null;
            return session.activity;
          },
        },
        subscribe: (event, args) => currentValues(emulator, session, event, args),
        close: () => sessions.delete(peer.sessionId),
      };
    },

    async stop() {
      stopListening();
      await emulator.close();
    },

    onRequest(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function appSession(peer: Peer): AppSession {
  let held: HeldToken | undefined;
  return {
    id: peer.sessionId,
    clientId: peer.clientId,
    activity: null,
    token: () => held,
    hold: (token) => {
      held = token;
    },
  };
}
