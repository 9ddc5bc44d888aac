import { isSnowflake } from '../../base/snowflake.ts';
import type { World } from '../api/world.ts';
import { MAX_RECORDS } from '../kernel/limits.ts';
import { newUser, type User } from '../users/records.ts';
import type { ApplicationRecord } from './records.ts';

/**
 * The bot token of an application: the configured token, or `base64(id).emulator.bot`. Libraries read the application's
 * id from the first part of a token. In a world, its name is the second part, which leads a request to the world without
 * its address.
 */
export function botTokenOf(
  { id, bot_token }: Pick<ApplicationRecord, 'id' | 'bot_token'>,
  world = NO_WORLD,
): string {
  return bot_token ?? `${Buffer.from(id).toString('base64url')}.${world}.${END}`;
}

/** Second part of a token that no world has, and third part of every token that is not configured. */
const NO_WORLD = 'emulator';
const END = 'bot';

/** The world in a bot token; undefined for a configured token. */
export function worldOfBotToken(token: string): string | undefined {
  const [, world = '', end] = token.split('.');
  return end === END ? world : undefined;
}

/** Whether a name is free for a world: the second part of every bot's token outside of worlds is none. */
export function isWorldName(name: string): boolean {
  return name !== NO_WORLD && /^[a-z0-9][a-z0-9-]{0,31}$/.test(name);
}

/** The application id in a bot token; undefined for a token without one. */
export function clientIdOfBotToken(token: string): string | undefined {
  const [first = '', ...rest] = token.split('.');
  const id = Buffer.from(first, 'base64').toString('latin1');
  return rest.length === 2 && isSnowflake(id) ? id : undefined;
}

/**
 * The bot user of an application: the configured user, or one with the application's own id. It is created on demand.
 * It is stored only if the application is listed, because any other snowflake has a bot as well, whose token can be
 * guessed. With `invited`, the bot of an unlisted application is also stored, as long as the table has space.
 */
export function botUserOf(world: World, application: ApplicationRecord, invited = false): User {
  const { users, applications } = world.tables;
  const found = users.get(botIdOf(application));
  if (found !== undefined) return found;
  const made = newUser(botIdOf(application), application.name.slice(0, 32), {
    discriminator: '0000',
    bot: true,
  });
  const isStored = applications.has(application.id) || (invited && users.size < MAX_RECORDS);
  if (!isStored) return made;
  return world.transaction((writing) => writing.users.put(made));
}

/** The id of the account of an application's bot, which may not exist yet. */
export function botIdOf({ id, bot_user }: Pick<ApplicationRecord, 'id' | 'bot_user'>): string {
  return bot_user ?? id;
}

/** Whether an ordinary user has the id of the application. The application's bot would then act as that user. */
export function isUserId({ tables }: World, { id, bot_user }: ApplicationRecord): boolean {
  return bot_user === null && tables.users.get(id)?.bot === false;
}
