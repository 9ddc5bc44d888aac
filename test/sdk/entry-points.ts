import {
  Activity,
  ActivityActionTypes,
  ActivityInvite,
  AuthorizationTokenType,
  type Client,
  LoggingSeverity,
  StatusType,
} from '../../src/sdk/index.ts';
import { argsWith } from './harness.ts';

/** An entry point, called with a good argument in every place but the callback's. */
export type Call = (client: Client, callback?: never) => unknown;

const VERIFIER = 'v'.repeat(43);

function invite(type: ActivityActionTypes): ActivityInvite {
  const made = new ActivityInvite();
  made.SetType(type);
  made.SetSenderId(1n);
  made.SetSessionId('s');
  return made;
}

/** Entry points that ask the service for a player with a token; their callback may be left out. */
export const ofService: Readonly<Record<string, Call>> = {
  CreateOrJoinLobby: (client, callback) => client.CreateOrJoinLobby('secret', callback),
  CreateOrJoinLobbyWithMetadata: (client, callback) =>
    client.CreateOrJoinLobbyWithMetadata('secret', {}, {}, callback),
  LeaveLobby: (client, callback) => client.LeaveLobby(1n, callback),
  SendLobbyMessage: (client, callback) => client.SendLobbyMessage(1n, 'text', callback),
  SendLobbyMessageWithMetadata: (client, callback) =>
    client.SendLobbyMessageWithMetadata(1n, 'text', {}, callback),
  GetLobbyMessagesWithLimit: (client, callback) => client.GetLobbyMessagesWithLimit(1n, 1, callback),
  SendUserMessage: (client, callback) => client.SendUserMessage(1n, 'text', callback),
  SendUserMessageWithMetadata: (client, callback) =>
    client.SendUserMessageWithMetadata(1n, 'text', {}, callback),
  EditUserMessage: (client, callback) => client.EditUserMessage(1n, 2n, 'text', callback),
  DeleteUserMessage: (client, callback) => client.DeleteUserMessage(1n, 2n, callback),
  GetUserMessagesWithLimit: (client, callback) => client.GetUserMessagesWithLimit(1n, 1, callback),
  GetUserGuilds: (client, callback) => client.GetUserGuilds(callback),
  GetGuildChannels: (client, callback) => client.GetGuildChannels(1n, callback),
  LinkChannelToLobby: (client, callback) => client.LinkChannelToLobby(1n, 2n, callback),
  UnlinkChannelFromLobby: (client, callback) => client.UnlinkChannelFromLobby(1n, callback),
  JoinLinkedLobbyGuild: (client, callback) => client.JoinLinkedLobbyGuild(1n, () => {}, callback),
  SendDiscordFriendRequest: (client, callback) => client.SendDiscordFriendRequest('name', callback),
  SendDiscordFriendRequestById: (client, callback) => client.SendDiscordFriendRequestById(1n, callback),
  SendGameFriendRequest: (client, callback) => client.SendGameFriendRequest('name', callback),
  SendGameFriendRequestById: (client, callback) => client.SendGameFriendRequestById(1n, callback),
  AcceptDiscordFriendRequest: (client, callback) => client.AcceptDiscordFriendRequest(1n, callback),
  AcceptGameFriendRequest: (client, callback) => client.AcceptGameFriendRequest(1n, callback),
  RejectDiscordFriendRequest: (client, callback) => client.RejectDiscordFriendRequest(1n, callback),
  RejectGameFriendRequest: (client, callback) => client.RejectGameFriendRequest(1n, callback),
  CancelDiscordFriendRequest: (client, callback) => client.CancelDiscordFriendRequest(1n, callback),
  CancelGameFriendRequest: (client, callback) => client.CancelGameFriendRequest(1n, callback),
  RemoveGameFriend: (client, callback) => client.RemoveGameFriend(1n, callback),
  RemoveDiscordAndGameFriend: (client, callback) => client.RemoveDiscordAndGameFriend(1n, callback),
  BlockUser: (client, callback) => client.BlockUser(1n, callback),
  UnblockUser: (client, callback) => client.UnblockUser(1n, callback),
  SendActivityInvite: (client, callback) => client.SendActivityInvite(1n, 'text', callback),
  SendActivityJoinRequest: (client, callback) => client.SendActivityJoinRequest(1n, callback),
  SendActivityJoinRequestReply: (client, callback) =>
    client.SendActivityJoinRequestReply(invite(ActivityActionTypes.JoinRequest), callback),
  UpdateProvisionalAccountDisplayName: (client, callback) =>
    client.UpdateProvisionalAccountDisplayName('name', callback),
};

/** Entry points that ask the service without a token. */
export const ofTokens: Readonly<Record<string, Call>> = {
  RefreshToken: (client, callback) => client.RefreshToken(1n, 'refresh', callback),
  RevokeToken: (client, callback) => client.RevokeToken(1n, 'token', callback),
  ExchangeChildToken: (client, callback) => client.ExchangeChildToken('token', 1n, callback),
  FetchCurrentUser: (client, callback) =>
    client.FetchCurrentUser(AuthorizationTokenType.Bearer, 'a-token', callback),
  GetProvisionalToken: (client, callback) => client.GetProvisionalToken(1n, 0, 'token', callback),
  UnmergeIntoProvisionalAccount: (client, callback) =>
    client.UnmergeIntoProvisionalAccount(1n, 0, 'token', callback),
};

/** Entry points whose callback gets no result. */
export const ofCalls: Readonly<Record<string, Call>> = {
  EndCall: (client, callback) => client.EndCall(1n, callback),
  EndCalls: (client, callback) => client.EndCalls(callback),
};

/** Entry points whose callback may be left out. */
export const asynchronous: Readonly<Record<string, Call>> = {
  ...ofService,
  ...ofTokens,
  ...ofCalls,
  Authorize: (client, callback) => client.Authorize(argsWith(), callback),
  GetToken: (client, callback) => client.GetToken(1n, 'code', VERIFIER, '', callback),
  GetTokenFromProvisionalMerge: (client, callback) =>
    client.GetTokenFromProvisionalMerge(1n, 'code', VERIFIER, '', 0, 'token', callback),
  UpdateToken: (client, callback) => client.UpdateToken(AuthorizationTokenType.Bearer, 'token', callback),
  GetVoiceSettings: (client, callback) => client.GetVoiceSettings(callback),
  UpdateRichPresence: (client, callback) => client.UpdateRichPresence(new Activity(), callback),
  AcceptActivityInvite: (client, callback) =>
    client.AcceptActivityInvite(invite(ActivityActionTypes.Join), callback),
  GetUserMessageSummaries: (client, callback) => client.GetUserMessageSummaries(callback),
  GetDiscordClientConnectedUser: (client, callback) => client.GetDiscordClientConnectedUser(1n, callback),
  SetOnlineStatus: (client, callback) => client.SetOnlineStatus(StatusType.Idle, callback),
};

const setters = [
  'SetStatusChangedCallback',
  'SetTokenExpirationCallback',
  'SetLobbyCreatedCallback',
  'SetLobbyUpdatedCallback',
  'SetLobbyDeletedCallback',
  'SetLobbyMemberAddedCallback',
  'SetLobbyMemberUpdatedCallback',
  'SetLobbyMemberRemovedCallback',
  'SetMessageCreatedCallback',
  'SetMessageUpdatedCallback',
  'SetMessageDeletedCallback',
  'SetRelationshipCreatedCallback',
  'SetRelationshipDeletedCallback',
  'SetRelationshipGroupsUpdatedCallback',
  'SetUserUpdatedCallback',
  'SetActivityInviteCreatedCallback',
  'SetActivityInviteUpdatedCallback',
  'SetActivityJoinCallback',
  'SetActivityJoinWithApplicationCallback',
  'SetVoiceSettingsUpdatedCallback',
  'SetVoiceParticipantChangedCallback',
  'SetCallStatusChangedCallback',
] as const;

/** Entry points that are about their callback. */
export const listening: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(
    setters.map((name) => [name, (client, callback) => client[name](callback)] as [string, Call]),
  ),
  RegisterAuthorizeRequestCallback: (client, callback) =>
    client.RegisterAuthorizeRequestCallback(callback as never),
  AddLogCallback: (client, callback) => client.AddLogCallback(callback as never, LoggingSeverity.Info),
};

/** Entry points without a callback. */
export const others = [
  'constructor',
  'SetApplicationId',
  'GetApplicationId',
  'Connect',
  'Disconnect',
  'GetStatus',
  'IsAuthenticated',
  'GetDefaultCommunicationScopes',
  'GetDefaultPresenceScopes',
  'CreateAuthorizationCodeVerifier',
  'AbortAuthorize',
  'RemoveAuthorizeRequestCallback',
  'ClearRichPresence',
  'GetCurrentUserV2',
  'GetCurrentUser',
  'GetUser',
  'GetRelationships',
  'GetRelationshipHandle',
  'GetRelationshipsByGroup',
  'GetLobbyHandle',
  'GetLobbyIds',
  'GetMessageHandle',
  'StartCall',
  'GetChannelHandle',
  'CanOpenMessageInDiscord',
  'SearchFriendsByUsername',
  'ProvisionalUserMergeCompleted',
  'GetCalls',
  'GetCall',
  'GetSelfMuteAll',
  'SetSelfMuteAll',
  'GetSelfDeafAll',
  'SetSelfDeafAll',
  'SetHttpRequestTimeout',
];
