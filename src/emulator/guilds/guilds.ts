import { SettingError } from '../errors.ts';
import { ofOtherKind } from '../lookup.ts';
import { unknownKey } from '../unknown-key.ts';
import type { User } from '../users/records.ts';
import type { Derive, Reading, World } from '../world.ts';
import type { Member } from './member-records.ts';
import type { Guild } from './records.ts';

/** What becomes different about guilds and their members. */
export type GuildChange =
  | { readonly type: 'guild-created'; readonly guild: Guild }
  | { readonly type: 'guild-updated'; readonly guild: Guild }
  | { readonly type: 'guild-removed'; readonly guild: Guild }
  | { readonly type: 'member-updated'; readonly guildId: string; readonly member: Member };

/** Guilds that come or look different; their channels are told after them. */
export const guildChanges: Derive<GuildChange> = (commit) => {
  const { created, updated } = commit.of('guilds');
  return [
    ...created.map((guild) => ({ type: 'guild-created', guild }) as const),
    ...updated.map(({ after }) => ({ type: 'guild-updated', guild: after }) as const),
  ];
};

/** Guilds that go; their channels are told before them. */
export const guildRemovals: Derive<GuildChange> = (commit) =>
  commit.of('guilds').removed.map((guild) => ({ type: 'guild-removed', guild }));

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
