import { ApiError, full } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import type { User } from '../records.ts';
import { isBlocked } from './bonds.ts';

/** A user by id. @throws ApiError 404 with code 10013. */
export function userNamed({ world }: Pick<Base, 'world'>, id: string): User {
  const user = world.tables.users.get(id);
  if (user === undefined) throw new ApiError('UnknownUser');
  return user;
}

/** A user by name. @throws ApiError 80004. */
export function userCalled({ world }: Pick<Base, 'world'>, username: string): User {
  const [user] = [...world.tables.users.by('username', username)];
  if (user === undefined) throw new ApiError('NoUsersWithDiscordTagExist');
  return user;
}

/**
 * Checks that a user may send a friend request to another. @throws ApiError 80003, 80002 or 80001 for a request that is
 * not allowed, 503 when the number of rows is at its maximum.
 */
export function checkMayRequest({ world }: Pick<Base, 'world'>, who: string, other: User): void {
  if (other.id === who) throw new ApiError('CannotSendFriendRequestsToSelf');
  if (other.bot) throw new ApiError('BotsCannotHaveRelationships');
  if (isBlocked(world.tables, other.id, who)) throw new ApiError('FriendRequestBlocked');
  const { relationships, game_relationships } = world.tables;
  // A request adds two rows.
  if (relationships.size + 2 > MAX_RECORDS) throw full('relationships');
  if (game_relationships.size + 2 > MAX_RECORDS) throw full('game relationships');
}
