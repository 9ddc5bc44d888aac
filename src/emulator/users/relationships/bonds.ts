import { ApiError } from '../../api/api-error.ts';
import type { Reading, Writing } from '../../api/world.ts';
import { relationshipTypes } from './records.ts';

const { friend, blocked, incoming, outgoing, implicit } = relationshipTypes;
/** Types that one user sets alone; actions of the other user do not affect them. */
const OWN: readonly (number | undefined)[] = [blocked, implicit];

/** Limit of a user's friends. */
const MAX_FRIENDS = 1000;

/** Relationships on the platform or in one game. A relationship consists of two rows, one in the list of each user. */
export interface Bonds {
  /** Type of the relationship that `of` has to `user`; undefined without a relationship. */
  type(of: string, user: string): number | undefined;
  put(of: string, user: string, type: number): void;
  remove(of: string, user: string): void;
  friends(of: string): number;
}

/** Relationships on the whole platform; `now` is the date of new relationships. */
export function platformBonds({ relationships }: Writing, now: string): Bonds {
  return {
    type: (of, user) => relationships.get(of, user)?.type,
    put: (of, user, type) => {
      const known = relationships.get(of, user) ?? { of, user, status: 'offline', activity: null };
      relationships.put({ since: now, ...known, type });
    },
    remove: (of, user) => void relationships.remove(`${of} ${user}`),
    friends: (of) => [...relationships.by('of', of)].filter(({ type }) => type === friend).length,
  };
}

/** Relationships in one game. */
export function bondsOfGame({ game_relationships: table }: Writing, application: string, now: string): Bonds {
  return {
    type: (of, user) => table.get(of, user, application)?.type,
    put: (of, user, type) =>
      void table.put({ since: now, ...table.get(of, user, application), of, user, application, type }),
    remove: (of, user) => void table.remove(`${of} ${user} ${application}`),
    friends: (of) =>
      [...table.by('of', of)].filter((row) => row.type === friend && row.application === application).length,
  };
}

/**
 * Sends a friend request, or accepts the one of the other user. Friends stay friends.
 * @throws ApiError 80005 for an acceptance without a request, 30002 at the limit of friends.
 */
export function befriend(bonds: Bonds, who: string, other: string, onlyAccept = false): void {
  const [own, theirs] = [bonds.type(who, other), bonds.type(other, who)];
  if (own === friend && theirs === friend) return;
  const isRequested = own === incoming || theirs === outgoing;
  if (onlyAccept && !isRequested) throw new ApiError('NoIncomingFriendRequestFromThatUser');
  // A friendship that only one list contains is added to the other list, too.
  if (isRequested || own === friend) {
    if (own !== friend && [who, other].some((one) => bonds.friends(one) >= MAX_FRIENDS)) {
      throw new ApiError('MaximumNumberOfFriendsReached', { limit: MAX_FRIENDS });
    }
    bonds.put(who, other, friend);
    bonds.put(other, who, friend);
    return;
  }
  bonds.put(who, other, outgoing);
  bonds.put(other, who, incoming);
}

/** Removes the relationship of two users from both lists. A block by the other user remains. */
export function part(bonds: Bonds, who: string, other: string): void {
  const wasBlocked = bonds.type(who, other) === blocked;
  bonds.remove(who, other);
  if (!wasBlocked && !OWN.includes(bonds.type(other, who))) bonds.remove(other, who);
}

/** Blocks a user and ends the relationship on the platform and in every game. */
export function block(tables: Writing, who: string, other: string, now: string): void {
  const bonds = platformBonds(tables, now);
  part(bonds, who, other);
  bonds.put(who, other, blocked);
  const { game_relationships: table } = tables;
  for (const { of, user, application } of [...table.by('of', who), ...table.by('of', other)]) {
    if (of === other ? user === who : user === other) table.remove(`${of} ${user} ${application}`);
  }
}

/** Whether either of two users blocks the other. */
export function isBlocked(
  { relationships }: Pick<Reading, 'relationships'>,
  by: string,
  whom: string,
): boolean {
  return relationships.get(by, whom)?.type === blocked;
}

/** Whether two users are friends on the platform or in any game. An entry in one of the two lists is enough. */
export function areFriends(
  { relationships, game_relationships }: Pick<Reading, 'relationships' | 'game_relationships'>,
  application: string,
  one: string,
  other: string,
): boolean {
  const pairs = [
    [one, other],
    [other, one],
  ] as const;
  return pairs.some(
    ([of, user]) =>
      relationships.get(of, user)?.type === friend ||
      game_relationships.get(of, user, application)?.type === friend,
  );
}
