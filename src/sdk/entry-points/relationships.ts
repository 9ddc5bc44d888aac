import { type Answer, answer } from '../bond-calls.ts';
import { idText, needText } from '../checks.ts';
import type { Core } from '../core.ts';
import { RelationshipGroupType as Groups, type RelationshipGroupType, RelationshipType } from '../enums.ts';
import type { RelationshipHandle, UserHandle } from '../handles.ts';
import { type Kind, LISTS } from '../relationships.ts';
import { type Id, oneOf, text, uint64 } from '../values.ts';
import { action, method } from './row.ts';

/**
 * Entry points for the player's relationships: on the platform, in this game, or both. Each call that accepts, rejects,
 * cancels or ends a relationship requires one relationship type, and fails for any other type.
 */
export const RELATIONSHIPS = {
  /** All relationships of the player. */
  GetRelationships: method((core): RelationshipHandle[] => all(core)),

  /** The relationship with a user; a relationship of type None for a stranger. */
  GetRelationshipHandle: method((core, userId: Id): RelationshipHandle => {
    const id = uint64('userId', userId);
    const { users } = core.player;
    const known = all(core).find((handle) => handle.Id() === id);
    return known ?? users.bond(users.raw(String(id)) ?? { id: String(id) });
  }),

  /** Friends in one group, as far as the token's scopes allow. Throws RangeError for an unknown group. */
  GetRelationshipsByGroup: method((core, group: RelationshipGroupType): RelationshipHandle[] =>
    ofGroup(core, oneOf('group', group, Groups)),
  ),

  /**
   * Friends, on the platform or in this game, whose user name or display name contains a text, ignoring case. Names
   * that begin with the text come first. An empty text matches every friend.
   */
  SearchFriendsByUsername: method((core, searchStr: string): UserHandle[] => {
    const sought = text('searchStr', searchStr).toLowerCase();
    const { OnlinePlayingGame, OnlineElsewhere, Offline } = Groups;
    const friends = [OnlinePlayingGame, OnlineElsewhere, Offline].flatMap((group) =>
      ofGroup(core, group).flatMap((friend) => friend.User() ?? []),
    );
    const at = (user: UserHandle): number =>
      Math.min(
        ...[user.Username(), user.DisplayName()].map((name) => {
          const index = name.toLowerCase().indexOf(sought);
          return index < 0 ? Number.POSITIVE_INFINITY : index;
        }),
      );
    const found = friends.filter((user) => Number.isFinite(at(user)));
    return found.toSorted((one, other) => Math.sign(at(one)) - Math.sign(at(other)));
  }),

  SendDiscordFriendRequest: action((core, username: string) => postName(core, 'type', username)),
  SendDiscordFriendRequestById: action((core, userId: Id) => putUser(core, 'type', userId, {})),
  SendGameFriendRequest: action((core, username: string) => postName(core, 'gameType', username)),
  SendGameFriendRequestById: action((core, userId: Id) => putUser(core, 'gameType', userId, {})),

  AcceptDiscordFriendRequest: answering('AcceptDiscordFriendRequest'),
  AcceptGameFriendRequest: answering('AcceptGameFriendRequest'),
  RejectDiscordFriendRequest: answering('RejectDiscordFriendRequest'),
  RejectGameFriendRequest: answering('RejectGameFriendRequest'),
  CancelDiscordFriendRequest: answering('CancelDiscordFriendRequest'),
  CancelGameFriendRequest: answering('CancelGameFriendRequest'),
  RemoveGameFriend: answering('RemoveGameFriend'),
  /** Ends the friendship on the platform and the one in this game, as far as they exist. */
  RemoveDiscordAndGameFriend: answering('RemoveDiscordAndGameFriend'),
  BlockUser: action((core, userId: Id) => putUser(core, 'type', userId, { type: RelationshipType.Blocked })),
  UnblockUser: answering('UnblockUser'),
};

/** Relationships from the service when it has sent its list, else from the chat client. */
function all({ player, friends }: Core): RelationshipHandle[] {
  const { relationships, users } = player;
  const known = relationships.isLoaded ? relationships.all() : friends.all();
  return known.map((user) => users.bond(user));
}

function ofGroup(core: Core, group: RelationshipGroupType): RelationshipHandle[] {
  return all(core).filter((handle) => handle.Group(core.applicationId) === group);
}

async function postName({ service }: Core, kind: Kind, username: string): Promise<void> {
  await service.request('POST', LISTS[kind], { username: needText('username', username) });
}

async function putUser({ service }: Core, kind: Kind, userId: Id, body: object): Promise<void> {
  await service.request('PUT', `${LISTS[kind]}/${idText('userId', userId)}`, body);
}

function answering(name: Answer) {
  return action(async (core, userId: Id) => answer(core, name, idText('userId', userId)));
}
