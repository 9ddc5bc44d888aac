import { ApiError } from '../../api/api-error.ts';
import type { Reading } from '../../api/world.ts';
import type { User } from '../../users/records.ts';
import { isBlocked } from '../../users/relationships/bonds.ts';
import { memberOf } from '../members/membership.ts';
import { otherThan, type PrivateChannel } from './private-records.ts';

/**
 * The error 50007: the user accepts no messages from the caller. `status` is 400 when a channel is opened, and 403 in
 * an existing channel.
 */
export function cannotSend(status: 400 | 403): ApiError {
  return new ApiError('CannotSendMessagesToThisUser', { status });
}

/**
 * Forbids messages between two users where one blocked the other, and from bots to users without a common guild.
 * @throws ApiError 403 with code 50007 or 50278.
 */
export function checkReachable(tables: Reading, channel: PrivateChannel, sender: User): void {
  const other = otherThan(channel, sender.id);
  if (other === undefined) return;
  if (isBlocked(tables, other, sender.id) || isBlocked(tables, sender.id, other)) throw cannotSend(403);
  if (!sender.bot) return;
  if (tables.users.get(other)?.bot) throw cannotSend(403);
  if (shareGuild(tables, sender.id, other)) return;
  throw new ApiError('CannotSendMessagesToThisUserDueToHavingNoMutualGuilds');
}

/** Whether two users are members of one guild. */
export function shareGuild(tables: Reading, one: string, other: string): boolean {
  for (const { id } of tables.guilds) {
    if (memberOf(tables, id, one) !== undefined && memberOf(tables, id, other) !== undefined) return true;
  }
  return false;
}
