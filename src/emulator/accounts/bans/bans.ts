import { RowTimers } from '../../api/row-timers.ts';
import type { World } from '../../api/world.ts';
import type { Clock, EmulatorClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { Ban } from './records.ts';

/** Timers that lift bans at the end of their duration. */
export function banTimers(world: World, clock: EmulatorClock): RowTimers<'account_bans'> {
  return new RowTimers(world, clock, {
    name: 'the time of bans',
    table: 'account_bans',
    due: ({ until }) => (until === null ? undefined : Date.parse(until)),
    fire: ({ user }) => lift(world, user),
  });
}

/** Platform bans of users. Other services carry out the effects of a ban: they follow the table. */
export class Bans {
  readonly #world: World;
  readonly #clock: Clock;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  isBanned(userId: string): boolean {
    const ban = this.#world.tables.account_bans.get(userId);
    return ban !== undefined && !this.#isOver(ban);
  }

  /**
   * Bans a user until a time (ms since the Unix epoch), or permanently.
   * @throws SettingError for a user who cannot be banned, and for a time in the past.
   */
  ban(userId: string, until: number | null): Ban {
    const { users, account_bans: bans } = this.#world.tables;
    const user = users.get(userId);
    if (user === undefined) throw new SettingError('user', 'there is no such user');
    const { username } = user;
    if (user.bot) throw new SettingError('user', `${username} is a bot; only users can be banned`);
    const old = bans.get(userId);
    if (old !== undefined) {
      throw new SettingError('user', `${username} is banned already, ${untilText(old)}; unban them first`);
    }
    const now = this.#clock.now();
    if (until !== null && until <= now) {
      const timeText = new Date(now).toISOString();
      throw new SettingError('until', `must be after ${timeText}, which is the time of the emulator`);
    }
    const written = until === null ? null : new Date(until).toISOString();
    return this.#world.transaction((writing) => writing.account_bans.put({ user: userId, until: written }));
  }

  /** Lifts a ban early. @throws SettingError for a user who is not banned. */
  unban(userId: string): void {
    const { users, account_bans: bans } = this.#world.tables;
    if (!bans.has(userId)) {
      throw new SettingError('user', `${users.get(userId)?.username ?? userId} is not banned`);
    }
    lift(this.#world, userId);
  }

  #isOver({ until }: Ban): boolean {
    return until !== null && Date.parse(until) <= this.#clock.now();
  }
}

function lift(world: World, user: string): void {
  world.transaction(({ account_bans }) => account_bans.remove(user));
}

/** Text such as `until 2030-01-31T12:00:00.000Z` or `for good`. */
function untilText({ until }: Ban): string {
  return until === null ? 'for good' : `until ${until}`;
}
