import { ofOtherKind } from '../api/lookup.ts';
import type { Committed, Derive, Reading, World } from '../api/world.ts';
import { SettingError } from '../kernel/errors.ts';
import { isSameJson } from '../kernel/same-json.ts';
import { unknownKey } from '../kernel/unknown-key.ts';
import type { User } from '../users/records.ts';
import { isIn, memberRowsBefore } from './members/membership.ts';
import type { Member } from './members/records.ts';
import type { Guild } from './records.ts';

/** What becomes different about guilds and their members. */
export type GuildChange =
  | { readonly type: 'guild-created'; readonly guild: Guild }
  | { readonly type: 'guild-updated'; readonly guild: Guild }
  | { readonly type: 'guild-removed'; readonly guild: Guild }
  | { readonly type: 'member-updated'; readonly guildId: string; readonly member: Member };

/** Guilds that come or look different to the logged-in user; their channels are told after them. */
export const guildChanges: Derive<GuildChange> = (commit, tables) => {
  const { created, updated } = seenChanges(commit, tables);
  return [
    ...created.map((guild) => ({ type: 'guild-created', guild }) as const),
    ...updated.map((guild) => ({ type: 'guild-updated', guild }) as const),
  ];
};

/** Guilds that go, or that the logged-in user is no longer a member of; their channels are told before them. */
export const guildRemovals: Derive<GuildChange> = (commit, tables) =>
  seenChanges(commit, tables).removed.map((guild) => ({ type: 'guild-removed', guild }));

function seenChanges(commit: Committed, tables: Reading) {
  const changes = { created: [] as Guild[], updated: [] as Guild[], removed: [] as Guild[] };
  if (!commit.touches('guilds', 'members', 'departures', 'me')) return changes;
  const me = tables.me.value;
  const meBefore = commit.was('me') ?? me;
  const before = memberRowsBefore(commit, tables);
  const ids = new Set<string>();
  const { created, updated, removed } = commit.of('guilds');
  for (const { id } of [...created, ...updated.map(({ after }) => after), ...removed]) ids.add(id);
  for (const name of ['members', 'departures'] as const) {
    const rows = commit.of(name);
    for (const { guild, user } of [...rows.created, ...rows.removed]) if (user === me) ids.add(guild);
  }
  if (me !== meBefore) for (const { id } of tables.guilds) ids.add(id);
  for (const id of ids) {
    const was = isIn(before, id, meBefore) ? commit.was('guilds', id) : undefined;
    const is = isIn(tables, id, me) ? tables.guilds.get(id) : undefined;
    if (was === undefined) {
      if (is !== undefined) changes.created.push(is);
    } else if (is === undefined) changes.removed.push(was);
    else if (was !== is && !isSameJson(was, is)) changes.updated.push(is);
  }
  return changes;
}

/** What guilds that stay say of their members; nothing more of one is having no nickname. */
export const memberChanges: Derive<GuildChange> = (commit, { guilds }) => {
  const { created, updated, removed } = commit.of('members');
  return [
    ...created,
    ...updated.map(({ after }) => after),
    ...removed.map((member) => ({ ...member, nick: null })),
  ]
    .filter(({ guild }) => guilds.has(guild) && commit.was('guilds', guild) !== undefined)
    .map((member) => ({ type: 'member-updated', guildId: member.guild, member }));
};

/** What a user is called in a guild: nickname, else display name, else username. */
export function nameIn({ members }: Reading, guildId: string, user: User): string {
  return members.get(guildId, user.id)?.nick ?? user.global_name ?? user.username;
}

/**
 * Changes one property of a guild; `icon` sets `icon_url`, and null or an empty text takes the icon away.
 * @throws SettingError naming what is wrong.
 */
export function setGuild(world: World, id: string, key: string, value: string | null): Guild {
  if (!world.tables.guilds.has(id)) {
    const shown = JSON.stringify(id.slice(0, 20));
    const other = ofOtherKind(world.tables, id);
    throw new SettingError('', `there is no guild ${shown}${other}; give the id of one`);
  }
  const change = propertyOf(key, value);
  return world.transaction(({ guilds }) => guilds.update(id, change));
}

function propertyOf(key: string, value: string | null): Partial<Guild> {
  if (key === 'name') {
    if (value === null || value === '' || value.length > 100) {
      throw new SettingError('name', 'must be a text of 1 to 100 characters');
    }
    return { name: value };
  }
  if (key !== 'icon') throw new SettingError('', unknownKey(key, ['name', 'icon']));
  if (value !== null && value.length > 2048) {
    throw new SettingError('icon', 'must be an address of at most 2048 characters');
  }
  return { icon_url: value === '' ? null : value };
}
