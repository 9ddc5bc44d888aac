import type { Reading } from '../../api/world.ts';
import { memberOf, rolesOf } from '../../guilds/members/membership.ts';
import { SettingError } from '../../kernel/errors.ts';
import { presenceOf } from '../../users/presence/statuses.ts';
import type { User } from '../../users/records.ts';
import { avatarAddress, colorOf } from './names.ts';

/** A user with status, activities and voice channel; with a guild, as a member of it. @throws SettingError */
export function profileOf(
  tables: Reading,
  { id, username, global_name, bot }: User,
  guild: string | undefined,
) {
  if (guild !== undefined && !tables.guilds.has(guild)) throw new SettingError('guild', 'is unknown');
  const member = guild === undefined ? undefined : memberOf(tables, guild, id);
  const { status, activities } = presenceOf(tables, id);
  const channel = tables.channels.get(tables.voice_states.get(id)?.channel ?? '');
  const roles = member === undefined ? [] : rolesOf(tables, member);
  return {
    id,
    username,
    global_name,
    bot,
    avatar: avatarAddress(id),
    status,
    activities: activities.map((one) => ({ ...one })),
    member: member !== undefined,
    nick: member?.nick ?? null,
    timed_out_until: member?.communication_disabled_until ?? null,
    roles: roles
      .toSorted((a, b) => b.position - a.position)
      .map((role) => ({ id: role.id, name: role.name, color: colorOf(role) })),
    voice: channel === undefined ? null : { channel: channel.id, name: channel.name },
  };
}
