import type { ActivityInvite } from './activity-invite.ts';
import { callBack } from './call-back.ts';
import type { CallStatus, ClientStatus, ConnectionError } from './enums.ts';
import { optionalCallable } from './values.ts';
import type { VoiceSettings } from './voice-settings.ts';

/** One callback setter; `Args` are the arguments of its callback. */
interface Row<Args extends unknown[]> {
  /** Carries the type for the compiler; the member is never set. */
  readonly args?: Args;
}

const row = <Args extends unknown[]>(): Row<Args> => ({});

/**
 * Callbacks for events, by the entry point that sets them; each entry point has the docstring of its row. Undefined
 * removes a callback.
 */
export const CALLBACKS = {
  /**
   * Called when the status of the connection to the service changes; receives the error and the service's own error
   * number. Undefined removes the callback.
   */
  SetStatusChangedCallback: row<[status: ClientStatus, error: ConnectionError, errorDetail: number]>(),
  /**
   * Called when the token has ended: the service rejects it, or its lifetime is over (known only for tokens that this
   * client requested). Undefined removes the callback.
   */
  SetTokenExpirationCallback: row<[]>(),

  /**
   * Called with each lobby that the player enters. Undefined removes the callback, as it does for the other lobby
   * callbacks.
   */
  SetLobbyCreatedCallback: row<[lobbyId: bigint]>(),
  SetLobbyUpdatedCallback: row<[lobbyId: bigint]>(),
  /** Called when a lobby is deleted, or the player is no longer in it. */
  SetLobbyDeletedCallback: row<[lobbyId: bigint]>(),
  SetLobbyMemberAddedCallback: row<[lobbyId: bigint, memberId: bigint]>(),
  SetLobbyMemberUpdatedCallback: row<[lobbyId: bigint, memberId: bigint]>(),
  SetLobbyMemberRemovedCallback: row<[lobbyId: bigint, memberId: bigint]>(),

  /**
   * Called with each message of a lobby, from another player or from this player. Undefined removes the callback, as it
   * does for the other message callbacks.
   */
  SetMessageCreatedCallback: row<[messageId: bigint]>(),
  SetMessageUpdatedCallback: row<[messageId: bigint]>(),
  SetMessageDeletedCallback: row<[messageId: bigint, channelId: bigint]>(),

  /**
   * Called when a list of `GetRelationshipsByGroup` may have changed. Undefined removes the callback, as it does for
   * the other relationship callbacks.
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
  /**
   * Called like the callback of `SetActivityJoinCallback`, with the application to be joined in addition, which may be
   * a sibling of the game. Undefined removes the callback.
   */
  SetActivityJoinWithApplicationCallback: row<[applicationId: bigint, joinSecret: string]>(),

  /** Called when a user enters or leaves the call of a lobby. Undefined removes the callback. */
  SetVoiceParticipantChangedCallback: row<[lobbyId: bigint, memberId: bigint, added: boolean]>(),
  /**
   * Called when the status of a call changes, also for a call that the service began. The SDK has no such callback; the
   * name is our own. Undefined removes the callback.
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

  /** @param onSet called after a callback was set or removed */
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
