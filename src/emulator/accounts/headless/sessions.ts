import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenCaller } from '../../api/caller.ts';
import { RowTimers } from '../../api/row-timers.ts';
import type { Service } from '../../api/service.ts';
import type { World } from '../../api/world.ts';
import type { Clock, EmulatorClock } from '../../kernel/clock.ts';
import { randomSecret } from '../../kernel/secrets.ts';
import { hideSession, setSessionPresence } from '../../users/presence/sessions.ts';
import type { ClientKind, SessionPresence } from '../../users/presence/status-records.ts';

/** Lifetime of a session without renewal: 20 minutes, in milliseconds. */
const LASTS_MS = 20 * 60_000;
/** Maximum number of sessions per user and application; a further one replaces the oldest. */
const MAX_SESSIONS = 8;

/** Client type by the platform of an activity. */
export const PLATFORMS: Readonly<Record<string, ClientKind>> = {
  desktop: 'desktop',
  xbox: 'embedded',
  samsung: 'mobile',
  ios: 'mobile',
  android: 'mobile',
  embedded: 'embedded',
  ps4: 'embedded',
  ps5: 'embedded',
  meta_quest: 'vr',
};

/** The presence of a game that has no connection. */
export interface HeadlessPresence {
  readonly client: ClientKind;
  readonly activities: readonly Readonly<Record<string, unknown>>[];
  readonly secret: string | null;
}

/** Services that end headless sessions: those that are not renewed, and those whose tokens are revoked. */
export function headlessEnds(world: World, clock: EmulatorClock): readonly Service[] {
  const { session_presences: presences } = world.tables;
  const end = (all: readonly SessionPresence[]): void => {
    for (const { session } of all) hideSession(world, session);
  };
  return [
    new RowTimers(world, clock, {
      name: 'the time of headless sessions',
      table: 'session_presences',
      due: ({ headless }) => headless?.until,
      fire: ({ session }) => hideSession(world, session),
    }),
    {
      name: 'the end of headless sessions',
      subscribe: (recovery) =>
        world.subscribeSignals((signal) => {
          if (signal.type !== 'tokens-revoked') return;
          const { userId, clientId, family, token } = signal;
          // The signal concerns one evicted token. The session continues, because any other token of the family can
          // renew it.
          if (token !== undefined) return;
          const theirs = [...presences.by('user', userId)].filter(
            ({ headless }) =>
              headless?.application === clientId && (family ?? headless.family) === headless.family,
          );
          end(theirs);
        }, recovery),
      // The owners of the missed revocations are unknown, so every headless session ends.
      recover: () => end([...presences].filter(({ headless }) => headless !== null)),
    },
  ];
}

/** Headless sessions: presences without a connection, each with one activity. */
export class HeadlessSessions {
  readonly #world: World;
  readonly #clock: Clock;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /**
   * Sets the presence of a session: of a new one, or of the existing one that `token` names. Undefined for an unknown
   * token.
   */
  setPresence(
    caller: TokenCaller,
    content: HeadlessPresence,
    sentToken: string | undefined,
  ): { readonly token: string; readonly presence: SessionPresence } | undefined {
    const old = sentToken === undefined ? undefined : this.#find(caller, sentToken);
    if (sentToken !== undefined && old === undefined) return undefined;
    const token = sentToken ?? randomSecret(48);
    const session = old?.session ?? `h:${digest(token).toString('hex').slice(0, 32)}`;
    const { userId: user, clientId, family } = caller;
    const until = this.#clock.now() + LASTS_MS;
    const headless = { application: clientId, family, token, until };
    const presence = { ...content, session, user, status: 'online', headless } as const;
    if (old === undefined) this.#makeRoom(user, clientId);
    setSessionPresence(this.#world, presence, this.#clock.now());
    const stored = this.#world.tables.session_presences.get(session);
    return stored && { token, presence: stored };
  }

  /** Ends a session; false for an unknown token. */
  end(caller: TokenCaller, token: string): boolean {
    const found = this.#find(caller, token);
    if (found !== undefined) hideSession(this.#world, found.session);
    return found !== undefined;
  }

  #find({ userId, clientId }: TokenCaller, token: string): SessionPresence | undefined {
    return [...this.#world.tables.session_presences.by('user', userId)].find(
      ({ headless }) =>
        headless?.application === clientId && timingSafeEqual(digest(headless.token), digest(token)),
    );
  }

  #makeRoom(user: string, application: string): void {
    const all = [...this.#world.tables.session_presences.by('user', user)].filter(
      ({ headless }) => headless?.application === application,
    );
    const [oldest] = all;
    if (all.length >= MAX_SESSIONS && oldest !== undefined) hideSession(this.#world, oldest.session);
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Access to headless sessions. */
export interface HasHeadlessSessions {
  readonly headless: HeadlessSessions;
}
