import type { Derive, World } from '../../api/world.ts';
import type { Deadline, EmulatorClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { Ban } from './records.ts';

/** What becomes different about who is banned. */
export type BanChange =
  | { readonly type: 'user-banned'; readonly ban: Ban }
  /** By hand, or because its time was over. */
  | { readonly type: 'user-unbanned'; readonly userId: string };

/** Told before what goes with the user, and after those who come. */
export const banChanges: Derive<BanChange> = (commit) => {
  const { created, updated, removed } = commit.of('account_bans');
  return [
    ...[...created, ...updated.map(({ after }) => after)].map(
      (ban) => ({ type: 'user-banned', ban }) as const,
    ),
    ...removed.map(({ user }) => ({ type: 'user-unbanned', userId: user }) as const),
  ];
};

/** Who is banned from the platform, and until when. What that ends is for others: they are told. */
export class Bans {
  readonly #world: World;
  readonly #clock: EmulatorClock;
  readonly #lifts = new Map<string, Deadline>();

  constructor(world: World, clock: EmulatorClock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Minds what is written down from the beginning. */
  start(): void {
    for (const ban of [...this.#world.tables.account_bans]) this.#waitFor(ban);
  }

  isBanned(userId: string): boolean {
    const ban = this.#world.tables.account_bans.get(userId);
    return ban !== undefined && !this.#isOver(ban);
  }

  /**
   * Bans a person until a time (ms since the Unix epoch), or for good.
   * @throws SettingError for whoever cannot be banned, and for a time that is over.
   */
  ban(userId: string, until: number | null): Ban {
    const { users, account_bans: bans } = this.#world.tables;
    const user = users.get(userId);
    if (user === undefined) throw new SettingError('user', 'there is no such user');
    const { username } = user;
    if (user.bot) throw new SettingError('user', `${username} is a bot; bans are for the accounts of people`);
    const old = bans.get(userId);
    if (old !== undefined) {
      throw new SettingError('user', `${username} is banned already, ${untilText(old)}; unban them first`);
    }
    const now = this.#clock.now();
    if (until !== null && until <= now) {
      const shown = new Date(now).toISOString();
      throw new SettingError('until', `must be after ${shown}, which is the time of the emulator`);
    }
    const written = until === null ? null : new Date(until).toISOString();
    return this.#world.transaction((writing) => writing.account_bans.put({ user: userId, until: written }));
  }

  /** Lifts a ban before its time. @throws SettingError for whoever is not banned. */
  unban(userId: string): void {
    const { users, account_bans: bans } = this.#world.tables;
    if (!bans.has(userId)) {
      throw new SettingError('user', `${users.get(userId)?.username ?? userId} is not banned`);
    }
    this.#lift(userId);
  }

  /** Keeps in mind when to lift what somebody has written down. */
  follow(change: BanChange): void {
    if (change.type === 'user-banned') this.#waitFor(change.ban);
    else this.#forget(change.userId);
  }

  /** Lifts nothing more. */
  close(): void {
    for (const userId of [...this.#lifts.keys()]) this.#forget(userId);
  }

  #isOver({ until }: Ban): boolean {
    return until !== null && Date.parse(until) <= this.#clock.now();
  }

  #waitFor({ user, until }: Ban): void {
    this.#forget(user);
    if (until === null) return;
    this.#lifts.set(
      user,
      this.#clock.at(Date.parse(until), () => this.#lift(user)),
    );
  }

  #lift(userId: string): void {
    this.#world.transaction(({ account_bans }) => account_bans.remove(userId));
  }

  #forget(userId: string): void {
    this.#lifts.get(userId)?.cancel();
    this.#lifts.delete(userId);
  }
}

/** `until 2030-01-31T12:00:00.000Z` or `for good`. */
function untilText({ until }: Ban): string {
  return until === null ? 'for good' : `until ${until}`;
}
