import type { Change } from '../../emulator/change.ts';
import type { Clock } from '../../emulator/clock.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import type { Application } from '../../emulator/fixture/fixture.ts';
import type { EventName } from '../../protocol/registry.ts';
import type { CoreHandlers, CoreHost, CoreSession, Peer, Ready } from '../core.ts';
import { activityHandlers } from './activity.ts';
import { AppSession, type Shared } from './app-session.ts';
import { authorizationHandlers } from './authorization.ts';
import { withEffects } from './effects.ts';
import { embeddedHandlers } from './embedded.ts';
import { tellSessions } from './events.ts';
import { guildHandlers } from './guilds.ts';
import { invitationHandlers } from './invitations.ts';
import { peopleHandlers } from './people.ts';
import type { RecordedRequests } from './recorded.ts';
import { readyFor } from './shapes.ts';
import { storeHandlers } from './store.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import { callHandlers, voiceSettingsHandlers } from './voice.ts';

// Loaded with the first app: an idle bridge has nobody to answer and nobody to tell.

/** What sessions are opened with. */
export interface SessionOptions {
  readonly emulator: Emulator;
  readonly sessions: Map<string, AppSession>;
  readonly host: CoreHost;
  readonly recorded: RecordedRequests;
  readonly clock: Clock;
  readonly describeProgram: (pid: number) => string | undefined;
}

/** Opens and tells the sessions of all connected apps. */
export class AppSessions {
  readonly #options: SessionOptions;
  readonly #shared: Shared;
  /** How many apps of each application are connected: closing one of a crowd must not look at all of them. */
  readonly #connected = new Map<string, number>();
  /** Those that keep the push-to-talk key down. */
  readonly #pressing = new Set<AppSession>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#shared = options;
  }

  /** Turns a change of the emulator into events and closed sessions. */
  tell(change: Change): void {
    tellSessions(change, this.#shared);
  }

  get emulator(): Emulator {
    return this.#options.emulator;
  }

  open(peer: Peer, application: Application): CoreSession {
    const session = new AppSession(peer, application);
    this.#options.sessions.set(session.id, session);
    this.#connected.set(session.clientId, (this.#connected.get(session.clientId) ?? 0) + 1);
    return new OpenSession(session, peer, this);
  }

  /** What an app held goes with it: its presence, its invites, the key it kept pressed. */
  forget(session: AppSession): void {
    const { emulator, sessions } = this.#options;
    if (!sessions.delete(session.id)) return;
    emulator.presences.drop(session.id);
    emulator.invitations.forgetHost(session.id);
    const left = (this.#connected.get(session.clientId) ?? 1) - 1;
    if (left > 0) {
      this.#connected.set(session.clientId, left);
    } else {
      this.#connected.delete(session.clientId);
      emulator.invitations.forgetApplication(session.clientId);
    }
    if (this.#pressing.delete(session) && this.#pressing.size === 0) emulator.calls.pushToTalk(false);
  }

  /** What a session answers with; made once for each that asks. */
  handlers(peer: Peer, session: AppSession): CoreHandlers {
    const { emulator, recorded, clock, describeProgram } = this.#options;
    return {
      ...withEffects(recorded.handlers(peer, session.application.name), emulator, session),
      ...guildHandlers(emulator, clock),
      ...voiceSettingsHandlers(emulator, session),
      ...callHandlers(emulator, this.#pressing, session, clock),
      ...peopleHandlers(emulator, session),
      ...storeHandlers(emulator, session),
      ...embeddedHandlers(emulator, session),
      ...activityHandlers(emulator, session, clock),
      ...invitationHandlers(this.#shared, session),
      ...authorizationHandlers(emulator, peer, describeProgram, (token) => session.hold(token)),
    };
  }
}

/** A session as the server sees it. A silent one costs little: what answers is made for the first request. */
class OpenSession implements CoreSession {
  readonly #session: AppSession;
  readonly #peer: Peer;
  readonly #all: AppSessions;
  #handlers: CoreHandlers | undefined;

  constructor(session: AppSession, peer: Peer, all: AppSessions) {
    this.#session = session;
    this.#peer = peer;
    this.#all = all;
  }

  get ready(): Ready {
    return readyFor(this.#all.emulator.me());
  }

  get handlers(): CoreHandlers {
    this.#handlers ??= this.#all.handlers(this.#peer, this.#session);
    return this.#handlers;
  }

  subscribe(event: EventName, args: unknown): ReturnType<NonNullable<CoreSession['subscribe']>> {
    return subscribe(this.#all.emulator, this.#session, event, args);
  }

  unsubscribe(event: EventName, args: unknown): ReturnType<NonNullable<CoreSession['unsubscribe']>> {
    return unsubscribe(this.#session, event, args);
  }

  close(): void {
    this.#all.forget(this.#session);
  }
}
