import type { Reading } from '../../api/world.ts';
import { isIn } from '../../guilds/members/membership.ts';
import type { UseLocation } from './location.ts';

/** Whether a user is at the location: a member of the guild, or of the private channel. */
export function isThere(
  tables: Reading,
  location: Pick<UseLocation, 'id' | 'guild'>,
  userId: string,
): boolean {
  return location.guild === null
    ? (tables.private_channels.get(location.id)?.recipients.includes(userId) ?? false)
    : isIn(tables, location.guild, userId);
}
