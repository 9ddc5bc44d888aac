import type { ActivityInvite } from './activity-invite.ts';
import { callBack } from './call-back.ts';
import type { CallStatus, ClientStatus, ConnectionError } from './enums.ts';
import { optionalCallable } from './values.ts';
import type { VoiceSettings } from './voice-settings.ts';

/** A callback with these arguments. */
interface Row<Args extends unknown[]> {
  /** For the compiler alone: it is never set. */
  readonly args?: Args;
}

const row = <Args extends unknown[]>(): Row<Args> => ({});

/**
 * What a game may be called with besides answers, by the entry point that takes the callback; each has the docstring of its row.
 * Undefined ends the callback.
 */
export const CALLBACKS = {
  /** Called when the connection to the service is further or less far; with why, and the service's own number. Undefined ends it. */
  SetStatusChangedCallback: row<[status: ClientStatus, error: ConnectionError, errorDetail: number]>(),
  /**
   * Called when the token has ended: because the service does not take it, or by the clock where this client itself got it. Undefined
   * ends it.
   */
  SetTokenExpirationCallback: row<[]>(),

  /** Called with each lobby that the player comes into. Undefined ends it, here and below. */
  SetLobbyCreatedCallback: row<[lobbyId: bigint]>(),
  SetLobbyUpdatedCallback: row<[lobbyId: bigint]>(),
  /** Called when a lobby is no more, or the player is in it no more. */
  SetLobbyDeletedCallback: row<[lobbyId: bigint]>(),
  SetLobbyMemberAddedCallback: row<[lobbyId: bigint, memberId: bigint]>(),
  SetLobbyMemberUpdatedCallback: row<[lobbyId: bigint, memberId: bigint]>(),
  SetLobbyMemberRemovedCallback: row<[lobbyId: bigint, memberId: bigint]>(),

  /** Called with each message of a lobby or of another player, also with those of this player. Undefined ends it, here and below. */
  SetMessageCreatedCallback: row<[messageId: bigint]>(),
  SetMessageUpdatedCallback: row<[messageId: bigint]>(),
  SetMessageDeletedCallback: row<[messageId: bigint, channelId: bigint]>(),

  /** Called when a list of `GetRelationshipsByGroup` may have changed. Undefined ends it, here and below. */
  SetRelationshipGroupsUpdatedCallback: row<[userId: bigint]>(),
  SetRelationshipCreatedCallback: row<[userId: bigint, isDiscordRelationshipUpdate: boolean]>(),
  SetRelationshipDeletedCallback: row<[userId: bigint, isDiscordRelationshipUpdate: boolean]>(),
  /** Called when something else is told of somebody than before. */
  SetUserUpdatedCallback: row<[userId: bigint]>(),

  /** Called for each invite to a friend's game, and each wish to be invited, wherever it reached the player. Undefined ends it. */
  SetActivityInviteCreatedCallback: row<[invite: ActivityInvite]>(),
  /** Called when whoever sent an invite cannot be joined any more, or again: `IsValid` says which. Undefined ends it. */
  SetActivityInviteUpdatedCallback: row<[invite: ActivityInvite]>(),
  /** Called with the secret when the player takes an invite up in the chat client. Undefined ends it. */
  SetActivityJoinCallback: row<[joinSecret: string]>(),
  /** The same, with the application that is to be joined, which may be a sibling. Undefined ends it. */
  SetActivityJoinWithApplicationCallback: row<[applicationId: bigint, joinSecret: string]>(),

  /** Called when somebody comes into the call of a lobby or leaves it. Undefined ends it. */
  SetVoiceParticipantChangedCallback: row<[lobbyId: bigint, memberId: bigint, added: boolean]>(),
  /** Called when a call is further or less far, also one that the service began. A name of our own. Undefined ends it. */
  SetCallStatusChangedCallback: row<[channelId: bigint, status: CallStatus]>(),
  /** Called with the current voice settings of the chat client at first, and after each change. Undefined ends it. */
  SetVoiceSettingsUpdatedCallback: row<[settings: VoiceSettings]>(),
};

/** Arguments of each callback, by the entry point that it is given to. */
export type CallbackArguments = {
  [Name in keyof typeof CALLBACKS]: (typeof CALLBACKS)[Name] extends Row<infer Args> ? Args : never;
};

/** An entry point that takes a callback for what happens. */
export type CallbackName = keyof CallbackArguments;

/** A callback of the game for one of them. */
export type CallbackOf<Name extends CallbackName> = (...args: CallbackArguments[Name]) => void;

/** The callbacks that a game has set; undefined ends one. */
export class Callbacks {
  readonly #set = new Map<CallbackName, (...args: never[]) => void>();
  readonly #onSet: (name: CallbackName) => void;

  /** @param onSet runs after each change */
  constructor(onSet: (name: CallbackName) => void) {
    this.#onSet = onSet;
  }

  /** Throws TypeError for what is no function. */
  set<Name extends CallbackName>(name: Name, callback: CallbackOf<Name> | undefined): void {
    if (optionalCallable('callback', callback) === undefined) this.#set.delete(name);
    else this.#set.set(name, callback as (...args: never[]) => void);
    this.#onSet(name);
  }

  has(name: CallbackName): boolean {
    return this.#set.has(name);
  }

  tell<Name extends CallbackName>(name: Name, ...args: CallbackArguments[Name]): void {
    const callback = this.#set.get(name);
    if (callback !== undefined) callBack(name, () => callback(...(args as never[])));
  }
}
