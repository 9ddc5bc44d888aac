import type { Application } from '../../emulator/applications/records.ts';
import type { Emulator } from '../../emulator/compose/emulator.ts';
import { NoRoomError } from '../../emulator/kernel/state/room.ts';
import type { User } from '../../emulator/users/records.ts';
import { ErrorCode } from '../../protocol/error-code.ts';
import { RpcError } from '../../protocol/errors.ts';
import type { EventName } from '../../protocol/registry.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode } from '../../wire/codes.ts';
import type { CoreHandlers, CoreHost, CoreSession, Peer, Ready } from '../core.ts';
import { publishedActivity } from '../public-activity.ts';
import { invitationHandlers } from './activity/invitations.ts';
import type { ActivityLinter } from './activity/linter.ts';
import { activityHandlers } from './activity/presence.ts';
import { AppSession, type Shared } from './app-session.ts';
import { authorizationHandlers, type HeldToken } from './authorization/handlers.ts';
import { embeddedHandlers } from './embedded/handlers.ts';
import { Feed } from './feed.ts';
import { guildHandlers } from './guild/handlers.ts';
import { selectionHandlers } from './guild/selection.ts';
import { overlayHandlers } from './overlay/overlay.ts';
import { relationshipHandlers } from './relationship/handlers.ts';
import { recordedHandlers } from './requests/recorded.ts';
import { storeHandlers } from './store/handlers.ts';
import { Subscribers } from './subscribers.ts';
import { subscribe } from './subscriptions.ts';
import { userHandlers } from './user/handlers.ts';
import { readyFor } from './user/shapes.ts';
import { callHandlers } from './voice/call.ts';
import { voiceSettingsHandlers } from './voice/settings.ts';

// This module is loaded with the first app, because an idle bridge does not need it.

/** Services that sessions need. */
export interface SessionOptions {
  readonly emulator: Emulator;
  readonly sessions: Map<string, AppSession>;
  readonly host: CoreHost;
  readonly linter: ActivityLinter;
  readonly describeProgram: (pid: number) => string | undefined;
  /** Called when an app has been authorized, before it receives the code. */
  readonly authorized: () => void;
}

/** Opens the sessions of all connected apps and sends their events. */
export class AppSessions {
  readonly #options: SessionOptions;
  readonly #shared: Shared;
  readonly #feed: Feed;
  /** Stops the feed, which runs while an app is connected; undefined while the feed is stopped. */
  #endFeed: (() => void) | undefined;
  readonly subscribers = new Subscribers();
  /** Number of connected apps per application, so that the close of one app does not scan all apps. */
  readonly #connected = new Map<string, number>();
  /** Apps that hold the push-to-talk key down. */
  readonly #pressing = new Set<AppSession>();
  /** READY of the user's sessions, which is the same for all sessions of one user. */
  #greeting: { readonly user: User; readonly ready: Ready } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#shared = options;
    this.#feed = new Feed({ ...options, subscribers: this.subscribers });
  }

  get emulator(): Emulator {
    return this.#options.emulator;
  }

  get ready(): Ready {
    const user = this.emulator.me();
    if (this.#greeting?.user !== user) this.#greeting = { user, ready: readyFor(user) };
    return this.#greeting.ready;
  }

  open(peer: Peer, application: Application): CoreSession {
    const session = new AppSession(peer, application);
    this.#options.sessions.set(session.id, session);
    this.#endFeed ??= this.#feed.start();
    this.#connected.set(session.clientId, (this.#connected.get(session.clientId) ?? 0) + 1);
    return new OpenSession(session, peer, this);
  }

  /** Removes an app and its state: its presence, its invites, its push-to-talk key. */
  forget(session: AppSession): void {
    const { emulator, linter, sessions } = this.#options;
    if (!sessions.delete(session.id)) return;
    session.close();
    this.subscribers.drop(session);
    if (sessions.size === 0) this.close();
    emulator.presences.drop(session.id);
    linter.forget(session.id);
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

  /** Stops the feed until an app connects. */
  close(): void {
    this.#endFeed?.();
    this.#endFeed = undefined;
  }

  /** Handlers of a session, created at its first request. */
  handlers(peer: Peer, session: AppSession): CoreHandlers {
    const { emulator, linter, describeProgram, authorized } = this.#options;
    const hold = (token: HeldToken) => this.#hold(session, token);
    const recorded = recordedHandlers(emulator, peer, session.application.name);
    return {
      ...recorded,
      ...userHandlers(emulator, session),
      ...relationshipHandlers(emulator, session),
      ...guildHandlers(emulator),
      ...selectionHandlers(emulator),
      ...voiceSettingsHandlers(emulator, session),
      ...callHandlers(emulator, this.#pressing, session),
      ...storeHandlers(emulator, session, recorded),
      ...overlayHandlers(emulator, recorded),
      ...embeddedHandlers(emulator, session),
      ...activityHandlers(emulator, session, linter),
      ...invitationHandlers(this.#shared, session),
      ...authorizationHandlers(emulator, peer, { describeProgram, authorized, hold }),
    };
  }

  /** Adds a warning about invalid UTF-8 of an app; the app's texts contain U+FFFD instead. */
  garbled(session: AppSession): void {
    this.#options.linter.warn(session, 'has text that is not valid UTF-8: send JSON encoded as UTF-8');
  }

  #hold(session: AppSession, token: HeldToken): void {
    const { emulator, host } = this.#options;
    const { code, message } = tokenExpired();
    const end = () => void host.closeSessions({ sessionId: session.id }, code, message);
    session.hold(token, emulator.clock.at(token.expires, end));
  }
}

function tokenExpired(): CloseError {
  return new CloseError(CloseCode.TOKEN_REVOKED, 'Token expired');
}

/** Session for the server. An idle session costs little: its handlers are created at its first request. */
class OpenSession implements CoreSession {
  readonly trusted = true;
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
    return this.#all.ready;
  }

  /** Throws CloseError once the token has expired. The check at each request notices a clock that jumps. */
  get handlers(): CoreHandlers {
    if (this.#session.expired) throw tokenExpired();
    this.#handlers ??= this.#all.handlers(this.#peer, this.#session);
    return this.#handlers;
  }

  garbled(): void {
    this.#all.garbled(this.#session);
  }

  subscribe(event: EventName, args: unknown): ReturnType<NonNullable<CoreSession['subscribe']>> {
    if (this.#session.expired) throw tokenExpired();
    const current = subscribe(this.#all.emulator, this.#session, event, args);
    this.#all.subscribers.add(this.#session, event, args);
    return current;
  }

  unsubscribe(event: EventName, args: unknown): ReturnType<NonNullable<CoreSession['unsubscribe']>> {
    this.#all.subscribers.remove(this.#session, event, args);
  }

  preview(activity: object): object {
    const { application } = this.#session;
    return publishedActivity(activity, application, this.#all.emulator.clock.now());
  }

  refusal(error: unknown): RpcError | undefined {
    if (!(error instanceof NoRoomError)) return undefined;
    return new RpcError(ErrorCode.SERVICE_UNAVAILABLE, error.message);
  }

  close(): void {
    this.#all.forget(this.#session);
  }
}
