import { callBack } from './call-back.ts';
import { ErrorType } from './enums.ts';
import type { Outcome } from './outcome.ts';
import { ClientResult } from './result.ts';
import { type Id, optionalCallable } from './values.ts';

/** Gets the result, and nothing else: there is nothing else to give. */
export type UnsupportedCallback = (result: ClientResult) => void;

/** Entry points whose service is not offered: each answers NotSupported at once. */
export class UnsupportedEntryPoints {
  GetLobbyMessagesWithLimit(_lobbyId: Id, _limit: number, callback?: UnsupportedCallback): Promise<Outcome> {
    return notSupported('GetLobbyMessagesWithLimit', callback);
  }

  GetUserMessagesWithLimit(_userId: Id, _limit: number, callback?: UnsupportedCallback): Promise<Outcome> {
    return notSupported('GetUserMessagesWithLimit', callback);
  }

  GetUserMessageSummaries(callback?: UnsupportedCallback): Promise<Outcome> {
    return notSupported('GetUserMessageSummaries', callback);
  }

  JoinLinkedLobbyGuild(_lobbyId: Id, callback?: UnsupportedCallback): Promise<Outcome> {
    return notSupported('JoinLinkedLobbyGuild', callback);
  }

  GetGuildChannels(_guildId: Id, callback?: UnsupportedCallback): Promise<Outcome> {
    return notSupported('GetGuildChannels', callback);
  }

  CreateOrJoinLobbyWithMetadata(
    _secret: string,
    _lobbyMetadata: Readonly<Record<string, string>>,
    _memberMetadata: Readonly<Record<string, string>>,
    callback?: UnsupportedCallback,
  ): Promise<Outcome> {
    return notSupported('CreateOrJoinLobbyWithMetadata', callback);
  }
}

function notSupported(name: string, callback: UnsupportedCallback | undefined): Promise<Outcome> {
  const call = optionalCallable('callback', callback);
  const result = new ClientResult(ErrorType.NotSupported, `NotSupported: ${name} is not offered`);
  if (call !== undefined) callBack(name, () => call(result));
  return Promise.resolve({ result });
}
