import { type Clock, systemClock } from '../../emulator/clock.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import type { AuthorizationRequest } from '../../emulator/oauth2/consent.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode } from '../../wire/codes.ts';
import type { ClientCore, CoreHost, CoreSession, Peer } from '../core.ts';
import { activityHandlers } from './activity.ts';
import { AppSession, type Shared } from './app-session.ts';
import { authorizationHandlers } from './authorization.ts';
import { withEffects } from './effects.ts';
import { embeddedHandlers } from './embedded.ts';
import { tellSessions } from './events.ts';
import { guildHandlers } from './guilds.ts';
import { invitationHandlers } from './invitations.ts';
import { operations } from './operations.ts';
import { peopleHandlers } from './people.ts';
import { type RecordedRequest, RecordedRequests } from './recorded.ts';
import { readyFor } from './shapes.ts';
import { storeHandlers } from './store.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import { callHandlers, voiceSettingsHandlers } from './voice.ts';

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

/** The default client core: a whole service that works offline. */
export function emulatorCore(options: EmulatorCoreOptions): EmulatorCore {
  const { emulator, clock = systemClock } = options;
  const sessions = new Map<string, AppSession>();
  const listeners = new Set<RequestListener>();
  const tellListeners: RequestListener = (event, request) => {
    for (const listener of listeners) listener(event, request);
  };
  const recorded = new RecordedRequests({
    clock,
    timeoutMs: options.requestTimeoutMs ?? 120_000,
    policy: (clientId) =>
      emulator.show().applications.find(({ id }) => id === clientId)?.consent ?? emulator.oauth2.policy(),
    taken: (id) => emulator.oauth2.requests().some((request) => request.id === id),
    changed: tellListeners,
  });
  let stopListening = (): void => {};
  let shared: Shared | undefined;

  return {
    name: 'emulator',

    async start(host: CoreHost) {
      const running: Shared = { emulator, sessions, host };
      shared = running;
      stopListening = emulator.onChange((change) => {
        tellSessions(change, running);
        if (change.type === 'request-added')
          tellListeners('added', { kind: 'authorization', ...change.request });
        if (change.type === 'request-settled') {
          tellListeners('settled', { kind: 'authorization', ...change.request });
        }
      });
      const endpoint = await emulator.listen({ port: options.httpPort });
      return { api: endpoint.url, admin: operations(running, recorded) };
    },

    open(peer: Peer): CoreSession {
      if (shared === undefined) throw new CloseError(CloseCode.ABNORMAL, 'The client is not running');
      if (!emulator.people.loggedIn()) throw new CloseError(CloseCode.NORMAL, 'No user is logged in');
      const application = emulator.application(peer.clientId);
      if (application === undefined) throw new CloseError(CloseCode.INVALID_CLIENT_ID, 'Invalid Client ID');
      const session = new AppSession(peer, application);
      sessions.set(session.id, session);
      const describeProgram = (pid: number) => options.describeProgram?.(pid);
      return {
        ready: readyFor(emulator.me()),
        handlers: {
          ...withEffects(recorded.handlers(peer, application.name), emulator, session),
          ...guildHandlers(emulator, clock),
          ...voiceSettingsHandlers(emulator, session),
          ...callHandlers(emulator, session, clock),
          ...peopleHandlers(emulator, session),
          ...storeHandlers(emulator, session),
          ...embeddedHandlers(emulator, session),
          ...activityHandlers(emulator, session, clock),
          ...invitationHandlers(shared, session),
          ...authorizationHandlers(emulator, peer, describeProgram, (token) => session.hold(token)),
        },
        subscribe: (event, args) => subscribe(emulator, session, event, args),
        unsubscribe: (event, args) => unsubscribe(session, event, args),
        close: () => forget(session, emulator, sessions),
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

/** What an app held goes with it: its presence, its invites, the key it kept pressed. */
function forget(session: AppSession, emulator: Emulator, sessions: Map<string, AppSession>): void {
  if (!sessions.delete(session.id)) return;
  emulator.presences.drop(session.id);
  emulator.invitations.forgetHost(session.id);
  const others = [...sessions.values()];
  if (!others.some(({ clientId }) => clientId === session.clientId)) {
    emulator.invitations.forgetApplication(session.clientId);
  }
  if (session.pressesPushToTalk && !others.some(({ pressesPushToTalk }) => pressesPushToTalk)) {
    emulator.calls.pushToTalk(false);
  }
}
