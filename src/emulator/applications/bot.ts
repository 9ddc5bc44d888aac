import { isSnowflake } from '../../base/snowflake.ts';
import type { World } from '../api/world.ts';
import { MOST_RECORDS } from '../kernel/limits.ts';
import type { User } from '../users/records.ts';
import type { ApplicationRecord } from './records.ts';

/**
 * The bot token of an application: the one that is written down, or `base64(id).emulator.bot`. Libraries read the id of
 * the application out of the first part.
 */
export function botTokenOf({ id, bot_token }: Pick<ApplicationRecord, 'id' | 'bot_token'>): string {
  return bot_token ?? `${Buffer.from(id).toString('base64url')}.emulator.bot`;
}

/** Which application a bot token names; undefined when it names none. */
export function clientIdOfBotToken(token: string): string | undefined {
  const [first = '', ...rest] = token.split('.');
  const id = Buffer.from(first, 'base64').toString('latin1');
  return rest.length === 2 && isSnowflake(id) ? id : undefined;
}

/**
 * The bot user of an application, as written down, or with the application's own id. It is made when there is none yet, and
 * kept where the application is written down: every other id has a bot too, whose token anybody can guess. One that somebody
 * `invited` is kept as well, while there is room.
 */
export function botUserOf(world: World, application: ApplicationRecord, invited = false): User {
  const { users, applications } = world.tables;
  const found = users.get(botIdOf(application));
  if (found !== undefined) return found;
  const made = madeBot(botIdOf(application), application.name);
  const isKept = applications.has(application.id) || (invited && users.size < MOST_RECORDS);
  if (!isKept) return made;
  return world.transaction((writing) => writing.users.put(made));
}

/** The id of the account of an application's bot, which may be still to be made. */
export function botIdOf({ id, bot_user }: Pick<ApplicationRecord, 'id' | 'bot_user'>): string {
  return bot_user ?? id;
}

/** Whether the id of an application is that of a person: whoever calls as its bot would be that person. */
export function isOfPerson({ tables }: World, { id, bot_user }: ApplicationRecord): boolean {
  return bot_user === null && tables.users.get(id)?.bot === false;
}

function madeBot(id: string, name: string): User {
  return {
    id,
    username: name.slice(0, 32),
    discriminator: '0000',
    global_name: null,
    avatar: null,
    bot: true,
    flags: 0,
    premium_type: 0,
    email: null,
    locale: 'en-US',
    primary_guild: null,
  };
}
