import { ofOtherKind } from '../api/lookup.ts';
import type { Reading, World } from '../api/world.ts';
import { SettingError } from '../kernel/errors.ts';
import type { User } from '../users/records.ts';
import type { Guild } from './records.ts';

/** Display name of a user in a guild: the nickname, or else the user's display name, or else the username. */
export function nameIn({ members }: Reading, guildId: string, user: User): string {
  return members.get(guildId, user.id)?.nick ?? user.global_name ?? user.username;
}

type GuildProperty = 'name' | 'icon';

/**
 * Changes one property of a guild. `icon` sets `icon_url`; null or an empty text removes the icon. @throws SettingError
 * that describes the mistake.
 */
export function setGuild(world: World, id: string, key: GuildProperty, value: string | null): Guild {
  if (!world.tables.guilds.has(id)) {
    const quotedId = JSON.stringify(id.slice(0, 20));
    const other = ofOtherKind(world.tables, id);
    throw new SettingError('', `there is no guild ${quotedId}${other}; give the id of one`);
  }
  const change = propertyOf(key, value);
  return world.transaction(({ guilds }) => guilds.update(id, change));
}

function propertyOf(key: GuildProperty, value: string | null): Partial<Guild> {
  if (key === 'icon') return { icon_url: value === '' ? null : value };
  if (value === null || value === '' || value.length > 100) {
    throw new SettingError('name', 'must be a text of 1 to 100 characters');
  }
  return { name: value };
}
