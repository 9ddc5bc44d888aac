// The names of the SDK but for `Client`, which is another one in Node than in a page.
export { Activity } from './activity.ts';
export { ActivityInvite } from './activity-invite.ts';
export {
  ActivityAssets,
  ActivityButton,
  ActivityParty,
  ActivitySecrets,
  ActivityTimestamps,
} from './activity-parts.ts';
export { AdditionalContent } from './additional-content.ts';
export {
  AuthorizationArgs,
  AuthorizationCodeChallenge,
  AuthorizationCodeVerifier,
} from './authorization-args.ts';
export type { Authorized, ChildToken, Tokens } from './authorized.ts';
export { Call, type CallStatusCallback } from './call.ts';
export { CallInfoHandle, VoiceStateHandle } from './call-info.ts';
export type { CallbackArguments, CallbackOf } from './callbacks.ts';
export type {
  AuthorizationCallback,
  ExchangeChildTokenCallback,
  TokenExchangeCallback,
} from './entry-points/accounts.ts';
export type { AcceptActivityInviteCallback } from './entry-points/activities.ts';
export type { EndCallCallback } from './entry-points/calls.ts';
export type {
  GuildChannelsCallback,
  JoinLinkedLobbyGuildCallback,
  UserGuildsCallback,
} from './entry-points/guilds.ts';
export type { LobbyCallback } from './entry-points/lobbies.ts';
export type { MessagesCallback, SendMessageCallback } from './entry-points/message-values.ts';
export type { UserMessageSummariesCallback } from './entry-points/messages.ts';
export type { VoiceSettingsCallback } from './entry-points/session.ts';
export type { DiscordClientConnectedUserCallback, FetchCurrentUserCallback } from './entry-points/users.ts';
export {
  ActivityActionTypes,
  ActivityGamePlatforms,
  ActivityPartyPrivacy,
  ActivityTypes,
  AdditionalContentType,
  AuthenticationCodeChallengeMethod,
  AuthenticationExternalAuthType,
  AuthorizationTokenType,
  AvatarType,
  CallError,
  CallStatus,
  ChannelType,
  ClientStatus,
  ConnectionError,
  DisclosureTypes,
  ErrorType,
  IntegrationType,
  LoggingSeverity,
  RelationshipGroupType,
  RelationshipType,
  StatusDisplayTypes,
  StatusType,
  VoiceInputModeType,
} from './enums.ts';
export { GuildChannel, GuildMinimal, LinkedLobby } from './guild-handles.ts';
export { ChannelHandle, RelationshipHandle, UserHandle } from './handles.ts';
export { LinkedChannel, LobbyHandle, LobbyMemberHandle } from './lobby-handle.ts';
export type { LogCallback } from './log.ts';
export { MessageHandle, UserMessageSummary } from './message-handle.ts';
export type { Outcome } from './outcome.ts';
export { ClientResult, type ResultCallback } from './result.ts';
export type { ClientSettings } from './settings.ts';
export { VoiceSettings } from './voice-settings.ts';
