import type { Committed, Reading } from '../../api/world.ts';
import { type ChannelRecord, isThread } from './records.ts';

/** Tables that determine which channels are visible to bots. */
export const VISIBILITY_TABLES = [
  'guilds',
  'roles',
  'members',
  'channels',
  'role_overwrites',
  'user_overwrites',
  'voice_states',
] as const;

/** Bots for whom the visibility of a channel may have changed; `any` for all bots. */
type Touched = 'any' | ReadonlySet<string>;

/**
 * Channels (not threads) that existed before and after a transaction and whose visibility for a bot may have changed.
 * All channels of a guild are included for all bots if the owner or a role changed, and for a single bot if only the
 * bot's roles changed.
 */
export function channelsWithChangedVisibility(
  commit: Committed,
  tables: Reading,
): ReadonlyMap<string, Touched> {
  const found = new Map<string, Touched>();
  if (!commit.touches(...VISIBILITY_TABLES)) return found;
  const add = (channel: ChannelRecord | undefined, user?: string): void => {
    if (channel === undefined || isThread(channel)) return;
    const known = found.get(channel.id);
    if (user === undefined) found.set(channel.id, 'any');
    else if (known !== 'any') found.set(channel.id, new Set([...(known ?? []), user]));
    // A category is visible while one of its channels is visible.
    if (channel.parent !== null) add(tables.channels.get(channel.parent), user);
  };
  const addById = (id: string, user?: string): void => add(tables.channels.get(id), user);
  const addGuild = (id: string, user?: string): void => {
    for (const channel of tables.channels.by('guild', id)) add(channel, user);
  };
  const isBot = (id: string): boolean => tables.users.get(id)?.bot === true;

  for (const { before, after } of commit.of('guilds').updated) {
    if (before.owner !== after.owner) addGuild(after.id);
  }
  const roles = commit.of('roles');
  for (const { before, after } of roles.updated) {
    if (before.permissions !== after.permissions) addGuild(after.guild);
  }
  for (const { guild } of roles.removed) addGuild(guild);
  // Only updated members count, because a new member receives the whole guild.
  for (const { before, after } of commit.of('members').updated) {
    if (before.roles !== after.roles && isBot(after.user)) addGuild(after.guild, after.user);
  }
  const channels = commit.of('channels');
  for (const row of [...channels.created, ...channels.removed]) add(row);
  for (const { before, after } of channels.updated) for (const row of [before, after]) add(row);
  for (const name of ['role_overwrites', 'user_overwrites'] as const) {
    const { created, updated, removed } = commit.of(name);
    for (const row of [...created, ...updated.map(({ after }) => after), ...removed]) addById(row.channel);
  }
  const { created, updated, removed } = commit.of('voice_states');
  for (const row of [...created, ...removed, ...updated.flatMap(({ before, after }) => [before, after])]) {
    if (isBot(row.user)) addById(row.channel, row.user);
  }
  for (const id of [...found.keys()]) {
    if (!tables.channels.has(id) || commit.was('channels', id) === undefined) found.delete(id);
  }
  return found;
}
