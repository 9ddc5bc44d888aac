import type { CallbackOf } from './callbacks.ts';
import { idText, needText } from './checks.ts';
import type { Core } from './core.ts';
import { RelationshipGroupType as Groups, type RelationshipGroupType, RelationshipType } from './enums.ts';
import { GuildEntryPoints } from './guild-entry-points.ts';
import { RelationshipHandle, UserHandle } from './handles.ts';
import type { Outcome } from './outcome.ts';
import type { ResultCallback } from './result.ts';
import { type Id, oneOf, uint64 } from './values.ts';

/** Whom the player knows: on the platform, in this game, or both. */
export class PeopleEntryPoints extends GuildEntryPoints {
  readonly #core: Core;

  constructor(core: Core) {
    super(core);
    this.#core = core;
  }

  /** The logged-in user: of the service where there is a session, else of the chat client; undefined without either. */
  GetCurrentUserV2(): UserHandle | undefined {
    const { users, chat } = this.#core;
    if (users.me !== undefined) return new UserHandle(users.me);
    return chat?.rpc.state === 'ready' && chat.rpc.user ? new UserHandle(chat.rpc.user) : undefined;
  }

  /** The same under its older, deprecated name. */
  GetCurrentUser(): UserHandle | undefined {
    return this.GetCurrentUserV2();
  }

  /** Somebody of whom something was told; undefined for anybody else. */
  GetUser(userId: Id): UserHandle | undefined {
    return this.#core.users.get(uint64('userId', userId));
  }

  /** Everybody whom the player knows. */
  GetRelationships(): RelationshipHandle[] {
    return this.#all();
  }

  /** Somebody whom the player knows, or of type None. */
  GetRelationshipHandle(userId: Id): RelationshipHandle {
    const id = uint64('userId', userId);
    const known = this.#all().find((handle) => handle.Id() === id);
    if (known !== undefined) return known;
    const user = this.#core.users.raw(String(id)) ?? { id: String(id) };
    return new RelationshipHandle({ type: RelationshipType.None, user } as never);
  }

  /** Friends of one group, as far as the token's scopes show them. Throws RangeError for what is no group. */
  GetRelationshipsByGroup(group: RelationshipGroupType): RelationshipHandle[] {
    const wanted = oneOf('group', group, Groups);
    return this.#all().filter((handle) => handle.Group(this.#core.applicationId) === wanted);
  }

  SendDiscordFriendRequest(username: string, callback?: ResultCallback): Promise<Outcome> {
    return this.#named('SendDiscordFriendRequest', '/users/@me/relationships', username, callback);
  }

  SendDiscordFriendRequestById(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#put('SendDiscordFriendRequestById', 'relationships', userId, {}, callback);
  }

  SendGameFriendRequest(username: string, callback?: ResultCallback): Promise<Outcome> {
    return this.#named('SendGameFriendRequest', '/users/@me/game-relationships', username, callback);
  }

  SendGameFriendRequestById(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#put('SendGameFriendRequestById', 'game-relationships', userId, {}, callback);
  }

  AcceptDiscordFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#put('AcceptDiscordFriendRequest', 'relationships', userId, {}, callback);
  }

  AcceptGameFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#put('AcceptGameFriendRequest', 'game-relationships', userId, {}, callback);
  }

  RejectDiscordFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#remove('RejectDiscordFriendRequest', ['relationships'], userId, callback);
  }

  RejectGameFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#remove('RejectGameFriendRequest', ['game-relationships'], userId, callback);
  }

  CancelDiscordFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#remove('CancelDiscordFriendRequest', ['relationships'], userId, callback);
  }

  CancelGameFriendRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#remove('CancelGameFriendRequest', ['game-relationships'], userId, callback);
  }

  RemoveGameFriend(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#remove('RemoveGameFriend', ['game-relationships'], userId, callback);
  }

  /** Ends what there is of both. */
  RemoveDiscordAndGameFriend(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    const kinds = (id: string): string[] => {
      const known = this.#core.relationships.get(BigInt(id));
      return [
        ...(known?.DiscordRelationshipType() === RelationshipType.None ? [] : ['relationships']),
        ...(known?.GameRelationshipType() === RelationshipType.None ? [] : ['game-relationships']),
      ];
    };
    return this.#remove('RemoveDiscordAndGameFriend', kinds, userId, callback);
  }

  BlockUser(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    const type = RelationshipType.Blocked;
    return this.#put('BlockUser', 'relationships', userId, { type }, callback);
  }

  UnblockUser(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    return this.#remove('UnblockUser', ['relationships'], userId, callback);
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
    const { relationships, friends } = this.#core;
    return relationships.isLoaded ? relationships.all() : friends.all();
  }

  #named(
    name: string,
    path: string,
    username: string,
    callback: ResultCallback | undefined,
  ): Promise<Outcome> {
    const work = async (): Promise<object> => {
      await this.#core.service.ask('POST', path, { username: needText('username', username) });
      return {};
    };
    return this.#core.settle(name, {}, work, callback, (call, { result }) => call(result));
  }

  #put(
    name: string,
    kind: string,
    userId: Id,
    body: object,
    callback: ResultCallback | undefined,
  ): Promise<Outcome> {
    const work = async (): Promise<object> => {
      await this.#core.service.ask('PUT', `/users/@me/${kind}/${idText('userId', userId)}`, body);
      return {};
    };
    return this.#core.settle(name, {}, work, callback, (call, { result }) => call(result));
  }

  #remove(
    name: string,
    kinds: readonly string[] | ((id: string) => readonly string[]),
    userId: Id,
    callback: ResultCallback | undefined,
  ): Promise<Outcome> {
    const work = async (): Promise<object> => {
      const id = idText('userId', userId);
      for (const kind of typeof kinds === 'function' ? kinds(id) : kinds)
        await this.#core.service.ask('DELETE', `/users/@me/${kind}/${id}`);
      return {};
    };
    return this.#core.settle(name, {}, work, callback, (call, { result }) => call(result));
  }
}
