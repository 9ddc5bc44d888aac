import type { Committed, Reading } from '../../api/world.ts';
import { type AccessRows, mayView, rowsBefore } from './access.ts';
import { type ChannelRecord, hasVoice, isCategory, isThread } from './records.ts';

/** Day from which channels that are not visible are not sent (change-log of 2026-08-12). */
export const HIDDEN_SINCE = Date.parse('2026-11-16T00:00:00Z');

/** Rows that determine which channels are visible: those of the current state or of an earlier one. */
interface VisibilityRows extends AccessRows {
  readonly voice_states: Pick<Reading['voice_states'], 'get'>;
  /** Channels of a category. */
  readonly children: (categoryId: string) => Iterable<ChannelRecord>;
}

/** Whether a user can see a channel. Results are cached, so an instance is valid for one state of the rows. */
export type ChannelVisibility = (channel: ChannelRecord, userId: string) => boolean;

/** Current rows. */
function rowsNow(tables: Reading): VisibilityRows {
  const { guilds, users, members, departures, roles, external_identities } = tables;
  const { channels, role_overwrites, user_overwrites, thread_members, voice_states } = tables;
  return {
    guilds,
    users,
    members,
    departures,
    roles,
    external_identities,
    channels,
    role_overwrites,
    user_overwrites,
    thread_members,
    voice_states,
    children: (id) => channels.by('parent', id),
  };
}

/** Rows before a transaction. */
function visibilityRowsBefore(commit: Committed, tables: Reading): VisibilityRows {
  return {
    ...rowsBefore(commit, tables),
    voice_states: { get: (...key) => commit.was('voice_states', key.join(' ')) },
    *children(id) {
      for (const child of tables.channels.by('parent', id)) {
        const was = commit.was('channels', child.id);
        if (was?.parent === id) yield was;
      }
      const { updated, removed } = commit.of('channels');
      for (const { before, after } of updated) if (before.parent === id && after.parent !== id) yield before;
      for (const row of removed) if (row.parent === id) yield row;
    },
  };
}

/**
 * Visibility of channels for a user. Visible are channels that the user may view, the voice channel in which the user
 * is, and categories that contain such a channel. A timeout has no effect on visibility.
 */
export function visibilityOf(tables: Reading): ChannelVisibility {
  return remembered(rowsNow(tables));
}

/** Visibility of channels before a transaction. */
export function visibilityBefore(commit: Committed, tables: Reading): ChannelVisibility {
  return remembered(visibilityRowsBefore(commit, tables));
}

function remembered(rows: VisibilityRows): ChannelVisibility {
  const known = new Map<string, boolean>();
  const check: ChannelVisibility = (channel, userId) => {
    const key = `${userId} ${channel.id}`;
    let isSeen = known.get(key);
    if (isSeen === undefined) {
      isSeen = canSee(rows, channel, userId, check);
      known.set(key, isSeen);
    }
    return isSeen;
  };
  return check;
}

function canSee(
  rows: VisibilityRows,
  channel: ChannelRecord,
  userId: string,
  check: ChannelVisibility,
): boolean {
  if (mayView(rows, channel, userId)) return true;
  if (hasVoice(channel)) return rows.voice_states.get(userId)?.channel === channel.id;
  if (isCategory(channel))
    for (const child of rows.children(channel.id)) if (check(child, userId)) return true;
  return false;
}

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
