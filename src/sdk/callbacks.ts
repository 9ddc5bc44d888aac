import type { ActivityInvite } from './activity-invite.ts';
import { callBack } from './call-back.ts';
import type { CallStatus, ClientStatus, ConnectionError } from './enums.ts';
import { optionalCallable } from './values.ts';
import type { VoiceSettings } from './voice-settings.ts';

/** A callback with these arguments. */
interface Row<Args extends unknown[]> {
  /** For the compiler only; never set. */
  readonly args?: Args;
}

const row = <Args extends unknown[]>(): Row<Args> => ({});

/**
 * Callbacks for events, by the entry point that takes them; each has the docstring of its row. Undefined removes the
 * callback.
 */
export const CALLBACKS = {
  /**
   * Called when the status of the connection to the service changes, with the error and the service's own number.
   * Undefined removes it.
   */
  SetStatusChangedCallback: row<[status: ClientStatus, error: ConnectionError, errorDetail: number]>(),
  /**
   * Called when the token has ended: the service rejects it, or its lifetime is over where this client requested it.
   * Undefined removes the callback.
   */
  SetTokenExpirationCallback: row<[]>(),

  /** Called with each lobby that the player enters. Undefined removes the callback, here and below. */
  SetLobbyCreatedCallback: row<[lobbyId: bigint]>(),
  SetLobbyUpdatedCallback: row<[lobbyId: bigint]>(),
  /** Called when a lobby is deleted, or the player is no longer in it. */
  SetLobbyDeletedCallback: row<[lobbyId: bigint]>(),
  SetLobbyMemberAddedCallback: row<[lobbyId: bigint, memberId: bigint]>(),
  SetLobbyMemberUpdatedCallback: row<[lobbyId: bigint, memberId: bigint]>(),
  SetLobbyMemberRemovedCallback: row<[lobbyId: bigint, memberId: bigint]>(),

  /**
   * Called with each message of a lobby or of another player, and with those of this player. Undefined removes the
   * callback, here and below.
   */
  SetMessageCreatedCallback: row<[messageId: bigint]>(),
  SetMessageUpdatedCallback: row<[messageId: bigint]>(),
  SetMessageDeletedCallback: row<[messageId: bigint, channelId: bigint]>(),

  /**
   * Called when a list of `GetRelationshipsByGroup` may have changed. Undefined removes the callback, here and below.
   */
  SetRelationshipGroupsUpdatedCallback: row<[userId: bigint]>(),
  SetRelationshipCreatedCallback: row<[userId: bigint, isDiscordRelationshipUpdate: boolean]>(),
  SetRelationshipDeletedCallback: row<[userId: bigint, isDiscordRelationshipUpdate: boolean]>(),
  /** Called when the data of a user has changed. */
  SetUserUpdatedCallback: row<[userId: bigint]>(),

  /**
   * Called for each invite to a friend's game, and each request for an invite, from any source. Undefined removes the
   * callback.
   */
  SetActivityInviteCreatedCallback: row<[invite: ActivityInvite]>(),
  /**
   * Called when the sender of an invite can no longer be joined, or can be joined again: see `IsValid`. Undefined
   * removes the callback.
   */
  SetActivityInviteUpdatedCallback: row<[invite: ActivityInvite]>(),
  /** Called with the secret when the player accepts an invite in the chat client. Undefined removes the callback. */
  SetActivityJoinCallback: row<[joinSecret: string]>(),
  /** As above, with the application to be joined, which may be a sibling. Undefined removes the callback. */
  SetActivityJoinWithApplicationCallback: row<[applicationId: bigint, joinSecret: string]>(),

  /** Called when a user enters or leaves the call of a lobby. Undefined removes the callback. */
  SetVoiceParticipantChangedCallback: row<[lobbyId: bigint, memberId: bigint, added: boolean]>(),
  /**
   * Called when the status of a call changes, also of one that the service began. A name of our own. Undefined removes
   * the callback.
   */
  SetCallStatusChangedCallback: row<[channelId: bigint, status: CallStatus]>(),
  /**
   * Called with the current voice settings of the chat client, then after each change. Undefined removes the callback.
   */
  SetVoiceSettingsUpdatedCallback: row<[settings: VoiceSettings]>(),
};

/** Arguments of each callback, by its entry point. */
export type CallbackArguments = {
  [Name in keyof typeof CALLBACKS]: (typeof CALLBACKS)[Name] extends Row<infer Args> ? Args : never;
};

/** An entry point that takes a callback for events. */
export type CallbackName = keyof CallbackArguments;

/** The game's callback of one entry point. */
export type CallbackOf<Name extends CallbackName> = (...args: CallbackArguments[Name]) => void;

/** The game's callbacks. */
export class Callbacks {
  readonly #set = new Map<CallbackName, (...args: never[]) => void>();
  readonly #onSet: (name: CallbackName) => void;

  /** @param onSet runs after each change */
  constructor(onSet: (name: CallbackName) => void) {
    this.#onSet = onSet;
  }

  /** Throws TypeError for a value that is not a function; undefined removes the callback. */
  set<Name extends CallbackName>(name: Name, callback: CallbackOf<Name> | undefined): void {
    if (optionalCallable('callback', callback) === undefined) this.#set.delete(name);
    else this.#set.set(name, callback as (...args: never[]) => void);
    this.#onSet(name);
  }

  has(name: CallbackName): boolean {
    return this.#set.has(name);
  }

  notify<Name extends CallbackName>(name: Name, ...args: CallbackArguments[Name]): void {
    const callback = this.#set.get(name);
    if (callback !== undefined) callBack(name, () => callback(...(args as never[])));
  }
}
