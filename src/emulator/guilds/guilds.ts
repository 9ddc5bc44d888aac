import { ofOtherKind } from '../api/lookup.ts';
import type { Reading, World } from '../api/world.ts';
import { SettingError } from '../kernel/errors.ts';
import { unknownKey } from '../kernel/unknown-key.ts';
import type { User } from '../users/records.ts';
import type { Guild } from './records.ts';

/** Display name of a user in a guild: the nickname, or else the user's display name, or else the username. */
export function nameIn({ members }: Reading, guildId: string, user: User): string {
  return members.get(guildId, user.id)?.nick ?? user.global_name ?? user.username;
}

/**
 * Changes one property of a guild. `icon` sets `icon_url`; null or an empty text removes the icon. @throws SettingError
 * that describes the mistake.
 */
export function setGuild(world: World, id: string, key: string, value: string | null): Guild {
  if (!world.tables.guilds.has(id)) {
    const quotedId = JSON.stringify(id.slice(0, 20));
    const other = ofOtherKind(world.tables, id);
    throw new SettingError('', `there is no guild ${quotedId}${other}; give the id of one`);
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
