import type { ActivityInvite } from './activity-invite.ts';
import { callBack } from './call-back.ts';
import type { CallStatus, ClientStatus, ConnectionError } from './enums.ts';
import { optionalCallable } from './values.ts';

/** What a game may be called with besides answers, by the entry point that the callback was given to. */
export interface CallbackArguments {
  SetStatusChangedCallback: [status: ClientStatus, error: ConnectionError, errorDetail: number];
  SetTokenExpirationCallback: [];
  SetLobbyCreatedCallback: [lobbyId: bigint];
  SetLobbyUpdatedCallback: [lobbyId: bigint];
  SetLobbyDeletedCallback: [lobbyId: bigint];
  SetLobbyMemberAddedCallback: [lobbyId: bigint, memberId: bigint];
  SetLobbyMemberUpdatedCallback: [lobbyId: bigint, memberId: bigint];
  SetLobbyMemberRemovedCallback: [lobbyId: bigint, memberId: bigint];
  SetMessageCreatedCallback: [messageId: bigint];
  SetMessageUpdatedCallback: [messageId: bigint];
  SetMessageDeletedCallback: [messageId: bigint, channelId: bigint];
  SetRelationshipCreatedCallback: [userId: bigint, isDiscordRelationshipUpdate: boolean];
  SetRelationshipDeletedCallback: [userId: bigint, isDiscordRelationshipUpdate: boolean];
  SetRelationshipGroupsUpdatedCallback: [userId: bigint];
  SetUserUpdatedCallback: [userId: bigint];
  SetActivityInviteCreatedCallback: [invite: ActivityInvite];
  SetActivityInviteUpdatedCallback: [invite: ActivityInvite];
  SetActivityJoinCallback: [joinSecret: string];
  SetActivityJoinWithApplicationCallback: [applicationId: bigint, joinSecret: string];
  SetVoiceParticipantChangedCallback: [lobbyId: bigint, memberId: bigint, added: boolean];
  SetCallStatusChangedCallback: [channelId: bigint, status: CallStatus];
}

type Names = keyof CallbackArguments;

/** A callback of the game for one of them. */
export type CallbackOf<Name extends Names> = (...args: CallbackArguments[Name]) => void;

/** The callbacks that a game has set; undefined ends one. */
export class Callbacks {
  readonly #set = new Map<Names, (...args: never[]) => void>();

  /** Throws TypeError for what is no function. */
  set<Name extends Names>(name: Name, callback: CallbackOf<Name> | undefined): void {
    if (optionalCallable('callback', callback) === undefined) this.#set.delete(name);
    else this.#set.set(name, callback as (...args: never[]) => void);
  }

  has(name: Names): boolean {
    return this.#set.has(name);
  }

  tell<Name extends Names>(name: Name, ...args: CallbackArguments[Name]): void {
    const callback = this.#set.get(name);
    if (callback !== undefined) callBack(name, () => callback(...(args as never[])));
  }
}
