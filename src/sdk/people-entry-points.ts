import { type Answer, answer } from './bond-calls.ts';
import type { CallbackOf } from './callbacks.ts';
import { idText, needText } from './checks.ts';
import type { Core } from './core.ts';
import { RelationshipGroupType as Groups, type RelationshipGroupType, RelationshipType } from './enums.ts';
import { GuildEntryPoints } from './guild-entry-points.ts';
import type { RelationshipHandle, UserHandle } from './handles.ts';
import type { Outcome } from './outcome.ts';
import { type Kind, LISTS } from './relationships.ts';
import type { ResultCallback } from './result.ts';
import { type Id, oneOf, text, uint64 } from './values.ts';

/**
 * Whom the player knows: on the platform, in this game, or both. Each call that accepts, refuses, takes back or ends is for one thing
 * that there is between the two, and fails where there is another.
 */
export class PeopleEntryPoints extends GuildEntryPoints {
  readonly #core: Core;

  constructor(core: Core) {
    super(core);
    this.#core = core;
  }

  /** The logged-in user: of the service where there is a session, else of the chat client; undefined without either. */
  GetCurrentUserV2(): UserHandle | undefined {
    const { users, chat, isChatForeign } = this.#core;
    if (users.me !== undefined) return users.handle(users.me);
    if (isChatForeign) return undefined;
    return chat?.rpc.state === 'ready' && chat.rpc.user ? users.handle(chat.rpc.user) : undefined;
  }

  /** The same under its older, deprecated name. */
  GetCurrentUser(): UserHandle | undefined {
    return this.GetCurrentUserV2();
  }

  /** Somebody of whom something was told; undefined for anybody else. */
  GetUser(userId: Id): UserHandle | undefined {
    const { users, friends } = this.#core;
    const id = uint64('userId', userId);
    const friend = friends.user(String(id));
    return users.get(id) ?? (friend && users.handle(friend));
  }

  /** Everybody whom the player knows. */
  GetRelationships(): RelationshipHandle[] {
    return this.#all();
  }

  /** Somebody whom the player knows, or of type None. */
  GetRelationshipHandle(userId: Id): RelationshipHandle {
    const id = uint64('userId', userId);
    const known = this.#all().find((handle) => handle.Id() === id);
    const { users } = this.#core;
    return known ?? users.bond(users.raw(String(id)) ?? { id: String(id) });
  }

  /** Friends of one group, as far as the token's scopes show them. Throws RangeError for what is no group. */
  GetRelationshipsByGroup(group: RelationshipGroupType): RelationshipHandle[] {
    const wanted = oneOf('group', group, Groups);
    return this.#all().filter((handle) => handle.Group(this.#core.applicationId) === wanted);
  }

  /**
   * Friends, on the platform or in this game, whose user name or display name holds a text, upper and lower case alike: those that
   * begin with it first. Every friend for an empty text.
   */
  SearchFriendsByUsername(searchStr: string): UserHandle[] {
    const sought = text('searchStr', searchStr).toLowerCase();
    const { OnlinePlayingGame, OnlineElsewhere, Offline } = Groups;
    const friends = [OnlinePlayingGame, OnlineElsewhere, Offline].flatMap((group) =>
      this.GetRelationshipsByGroup(group).flatMap((friend) => friend.User() ?? []),
    );
    const at = (user: UserHandle): number =>
      Math.min(
        ...[user.Username(), user.DisplayName()].map((name) => {
          const place = name.toLowerCase().indexOf(sought);
          return place < 0 ? Number.POSITIVE_INFINITY : place;
        }),
      );
    const found = friends.filter((user) => Number.isFinite(at(user)));
    return found.toSorted((one, other) => Math.sign(at(one)) - Math.sign(at(other)));
  }

  SendDiscordFriendRequest(username: string, callback?: ResultCallback): Promise<Outcome> {
    return this.#named('SendDiscordFriendRequest', 'type', username, callback);
  }

  SendDiscordFriendRequestById(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#put('SendDiscordFriendRequestById', 'type', userId, {}, callback);
  }

  SendGameFriendRequest(username: string, callback?: ResultCallback): Promise<Outcome> {
    return this.#named('SendGameFriendRequest', 'gameType', username, callback);
  }

  SendGameFriendRequestById(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#put('SendGameFriendRequestById', 'gameType', userId, {}, callback);
  }

  AcceptDiscordFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('AcceptDiscordFriendRequest', userId, callback);
  }

  AcceptGameFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('AcceptGameFriendRequest', userId, callback);
  }

  RejectDiscordFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('RejectDiscordFriendRequest', userId, callback);
  }

  RejectGameFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('RejectGameFriendRequest', userId, callback);
  }

  CancelDiscordFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('CancelDiscordFriendRequest', userId, callback);
  }

  CancelGameFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('CancelGameFriendRequest', userId, callback);
  }

  RemoveGameFriend(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('RemoveGameFriend', userId, callback);
  }

  /** Ends the friendship on the platform and the one in this game, or whichever there is. */
  RemoveDiscordAndGameFriend(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('RemoveDiscordAndGameFriend', userId, callback);
  }

  BlockUser(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#put('BlockUser', 'type', userId, { type: RelationshipType.Blocked }, callback);
  }

  UnblockUser(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#answer('UnblockUser', userId, callback);
  }

  /** Called when a list of `GetRelationshipsByGroup` may have changed. Undefined ends it, here and below. */
  SetRelationshipGroupsUpdatedCallback(
    callback: CallbackOf<'SetRelationshipGroupsUpdatedCallback'> | undefined,
  ): void {
    this.#core.callbacks.set('SetRelationshipGroupsUpdatedCallback', callback);
  }

  SetRelationshipCreatedCallback(callback: CallbackOf<'SetRelationshipCreatedCallback'> | undefined): void {
    this.#core.callbacks.set('SetRelationshipCreatedCallback', callback);
  }

  SetRelationshipDeletedCallback(callback: CallbackOf<'SetRelationshipDeletedCallback'> | undefined): void {
    this.#core.callbacks.set('SetRelationshipDeletedCallback', callback);
  }

  /** Called when something else is told of somebody than before. */
  SetUserUpdatedCallback(callback: CallbackOf<'SetUserUpdatedCallback'> | undefined): void {
    this.#core.callbacks.set('SetUserUpdatedCallback', callback);
  }

  /** Of the service where it has told, else of the chat client. */
  #all(): RelationshipHandle[] {
    const { relationships, friends, users } = this.#core;
    const all = relationships.isLoaded ? relationships.all() : friends.all();
    return all.map((user) => users.bond(user));
  }

  #named(name: string, kind: Kind, username: string, callback: ResultCallback | undefined): Promise<Outcome> {
    const work = async (): Promise<object> => {
      await this.#core.service.ask('POST', LISTS[kind], { username: needText('username', username) });
      return {};
    };
    return this.#core.settle(name, {}, work, callback, (call, { result }) => call(result));
  }

  #put(
    name: string,
    kind: Kind,
    userId: Id,
    body: object,
    callback: ResultCallback | undefined,
  ): Promise<Outcome> {
    const work = async (): Promise<object> => {
      await this.#core.service.ask('PUT', `${LISTS[kind]}/${idText('userId', userId)}`, body);
      return {};
    };
    return this.#core.settle(name, {}, work, callback, (call, { result }) => call(result));
  }

  #answer(name: Answer, userId: Id, callback: ResultCallback | undefined): Promise<Outcome> {
    const work = async (): Promise<object> => {
      await answer(this.#core, name, idText('userId', userId));
      return {};
    };
    return this.#core.settle(name, {}, work, callback, (call, { result }) => call(result));
  }
}
