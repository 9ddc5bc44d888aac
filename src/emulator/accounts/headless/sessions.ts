import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenCaller } from '../../api/caller.ts';
import type { Transaction, World } from '../../api/world.ts';
import type { Deadline, EmulatorClock } from '../../kernel/clock.ts';
import { randomSecret } from '../../kernel/secrets.ts';
import { hideSession, showSession } from '../../users/presence/sessions.ts';
import type { ClientKind, SessionPresence } from '../../users/presence/status-records.ts';

/** How long a session lasts that is not renewed: 20 minutes, in milliseconds. */
const LASTS_MS = 20 * 60_000;
/** Most of one person and one application at a time; the oldest makes room. */
const MOST = 8;

/** What a place is, by the platform that an activity names. */
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

/** What a game without a connection shows. */
export interface Shown {
  readonly client: ClientKind;
  readonly activities: readonly Readonly<Record<string, unknown>>[];
  readonly secret: string | null;
}

/** Sessions without a connection: they show one activity each, until they are ended or not renewed, or their token ends. */
export class HeadlessSessions {
  readonly #world: World;
  readonly #clock: EmulatorClock;
  readonly #ends = new Map<string, { readonly until: number; readonly deadline: Deadline }>();
  readonly #stops: (() => void)[];

  constructor(world: World, clock: EmulatorClock) {
    this.#world = world;
    this.#clock = clock;
    this.#stops = [
      world.subscribeRows((transaction) => this.#follow(transaction), {
        name: 'the time of headless sessions',
        recover: () => this.#start(),
      }),
      world.subscribeSignals(
        (change) => {
          if (change.type !== 'tokens-revoked') return;
          const { userId, clientId, family, token } = change;
          // One is renewed by any token of its family; that one of them made room ends nothing.
          if (token !== undefined) return;
          this.#end(
            userId,
            ({ headless }) =>
              headless?.application === clientId && (family === undefined || family === headless.family),
          );
        },
        // Whose token it was is not known any more.
        { name: 'the end of headless sessions', recover: () => this.#endAll() },
      ),
    ];
  }

  /** Shows something: anew, or by the token of a session that is there. Undefined for a token of none. */
  show(
    caller: TokenCaller,
    told: Shown,
    given: string | undefined,
  ): { readonly token: string; readonly shown: SessionPresence } | undefined {
    const old = given === undefined ? undefined : this.#find(caller, given);
    if (given !== undefined && old === undefined) return undefined;
    const token = given ?? randomSecret(48);
    const session = old?.session ?? `h:${digest(token).toString('hex').slice(0, 32)}`;
    const { userId: user, clientId, family } = caller;
    const until = this.#clock.now() + LASTS_MS;
    const headless = { application: clientId, family, token, until };
    const presence = { ...told, session, user, status: 'online', headless } as const;
    if (old === undefined) this.#makeRoom(user, clientId);
    showSession(this.#world, presence, this.#clock.now());
    const shown = this.#world.tables.session_presences.get(session);
    return shown && { token, shown };
  }

  /** Ends a session; false for a token of none. */
  end(caller: TokenCaller, token: string): boolean {
    const found = this.#find(caller, token);
    if (found !== undefined) hideSession(this.#world, found.session);
    return found !== undefined;
  }

  /** Minds none any more. */
  close(): void {
    for (const stop of this.#stops) stop();
    for (const { deadline } of this.#ends.values()) deadline.cancel();
    this.#ends.clear();
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
    if (all.length >= MOST && oldest !== undefined) hideSession(this.#world, oldest.session);
  }

  #end(user: string, isOver: (one: SessionPresence) => boolean): void {
    for (const one of [...this.#world.tables.session_presences.by('user', user)])
      if (isOver(one)) hideSession(this.#world, one.session);
  }

  #follow({ events }: Transaction): void {
    for (const event of events) {
      if (event.table !== 'session_presences') continue;
      const row = event.kind === 'removed' ? event.before : event.after;
      if ('headless' in row && row.headless !== null)
        this.#settle(row.session, event.kind === 'removed' ? undefined : row.headless.until);
    }
  }

  #start(): void {
    for (const { deadline } of this.#ends.values()) deadline.cancel();
    this.#ends.clear();
    for (const { session, headless } of [...this.#world.tables.session_presences])
      if (headless) this.#settle(session, headless.until);
  }

  #endAll(): void {
    for (const { session, headless } of [...this.#world.tables.session_presences])
      if (headless) hideSession(this.#world, session);
  }

  #settle(session: string, until: number | undefined): void {
    if (this.#ends.get(session)?.until === until) return;
    this.#ends.get(session)?.deadline.cancel();
    this.#ends.delete(session);
    if (until === undefined) return;
    const deadline = this.#clock.at(until, () => hideSession(this.#world, session));
    if (!deadline.over) this.#ends.set(session, { until, deadline });
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Sessions without a connection. */
export interface HasHeadlessSessions {
  readonly headless: HeadlessSessions;
}
