/** Installation type of an app. */
export const IntegrationType = { GuildInstall: 0, UserInstall: 1 } as const;
export type IntegrationType = (typeof IntegrationType)[keyof typeof IntegrationType];

/** Method that derives a code challenge from its verifier; S256 is the only supported method. */
export const AuthenticationCodeChallengeMethod = { S256: 0 } as const;
export type AuthenticationCodeChallengeMethod =
  (typeof AuthenticationCodeChallengeMethod)[keyof typeof AuthenticationCodeChallengeMethod];

/** Kind of access token. */
export const AuthorizationTokenType = { User: 0, Bearer: 1 } as const;
export type AuthorizationTokenType = (typeof AuthorizationTokenType)[keyof typeof AuthorizationTokenType];

/** Type of the identity provider that issued an external token. */
export const AuthenticationExternalAuthType = {
  OIDC: 0,
  EpicOnlineServicesAccessToken: 1,
  EpicOnlineServicesIdToken: 2,
  SteamSessionTicket: 3,
  UnityServicesIdToken: 4,
  DiscordBotIssuedAccessToken: 5,
  AppleIdToken: 6,
  PlayStationNetworkIdToken: 7,
} as const;
export type AuthenticationExternalAuthType =
  (typeof AuthenticationExternalAuthType)[keyof typeof AuthenticationExternalAuthType];

/** Kind of failure. */
export const ErrorType = {
  None: 0,
  /** The service could not be reached. */
  NetworkError: 1,
  /** The service answered with an error. */
  HTTPError: 2,
  /** No chat client answers. */
  ClientNotReady: 3,
  Disabled: 4,
  /** `Disconnect` was called. */
  ClientDestroyed: 5,
  /** An argument is invalid, and no request was sent. */
  ValidationError: 6,
  /** `AbortAuthorize` was called. */
  Aborted: 7,
  /** The user refused, or the service refused on the user's behalf. */
  AuthorizationFailed: 8,
  /** The chat client answered with an error. */
  RPCError: 9,
} as const;
export type ErrorType = (typeof ErrorType)[keyof typeof ErrorType];

/** Severity of a log line. */
export const LoggingSeverity = { Verbose: 1, Info: 2, Warning: 3, Error: 4, None: 5 } as const;
export type LoggingSeverity = (typeof LoggingSeverity)[keyof typeof LoggingSeverity];

/** Groups of friends by their presence, for `GetRelationshipsByGroup`. */
export const RelationshipGroupType = { OnlinePlayingGame: 0, OnlineElsewhere: 1, Offline: 2 } as const;
export type RelationshipGroupType = (typeof RelationshipGroupType)[keyof typeof RelationshipGroupType];

/** Type of the relationship between a user and the logged-in user. */
export const RelationshipType = {
  None: 0,
  Friend: 1,
  Blocked: 2,
  PendingIncoming: 3,
  PendingOutgoing: 4,
  Implicit: 5,
  Suggestion: 6,
} as const;
export type RelationshipType = (typeof RelationshipType)[keyof typeof RelationshipType];

/** How the microphone is activated. The SDK publishes no numbers for these values; the numbers are our own. */
export const VoiceInputModeType = { VoiceActivity: 0, PushToTalk: 1 } as const;
export type VoiceInputModeType = (typeof VoiceInputModeType)[keyof typeof VoiceInputModeType];

/** Kind of activity; a chat client accepts 0, 2, 3 and 5 from an app. */
export const ActivityTypes = {
  Playing: 0,
  Streaming: 1,
  Listening: 2,
  Watching: 3,
  CustomStatus: 4,
  Competing: 5,
  HangStatus: 6,
} as const;
export type ActivityTypes = (typeof ActivityTypes)[keyof typeof ActivityTypes];

/** Line of an activity that is displayed beside the user's name. */
export const StatusDisplayTypes = { Name: 0, State: 1, Details: 2 } as const;
export type StatusDisplayTypes = (typeof StatusDisplayTypes)[keyof typeof StatusDisplayTypes];

/** Access to a party. */
export const ActivityPartyPrivacy = { Private: 0, Public: 1 } as const;
export type ActivityPartyPrivacy = (typeof ActivityPartyPrivacy)[keyof typeof ActivityPartyPrivacy];

/** Kind of an invite. */
export const ActivityActionTypes = { Invalid: 0, Join: 1, JoinRequest: 5 } as const;
export type ActivityActionTypes = (typeof ActivityActionTypes)[keyof typeof ActivityActionTypes];

/** Platforms on which an activity can be joined; the values are bits that can be combined. */
export const ActivityGamePlatforms = {
  Desktop: 1,
  Xbox: 2,
  Samsung: 4,
  IOS: 8,
  Android: 16,
  Embedded: 32,
  PS4: 64,
  PS5: 128,
} as const;
export type ActivityGamePlatforms = (typeof ActivityGamePlatforms)[keyof typeof ActivityGamePlatforms];

/** Status of the connection to the service: `Client.Status`. */
export const ClientStatus = {
  Disconnected: 0,
  Connecting: 1,
  Connected: 2,
  Ready: 3,
  Reconnecting: 4,
  Disconnecting: 5,
  HttpWait: 6,
} as const;
export type ClientStatus = (typeof ClientStatus)[keyof typeof ClientStatus];

/** Reason why the connection to the service ended: `Client.Error`. */
export const ConnectionError = {
  None: 0,
  ConnectionFailed: 1,
  UnexpectedClose: 2,
  ConnectionCanceled: 3,
} as const;
export type ConnectionError = (typeof ConnectionError)[keyof typeof ConnectionError];

/** Status of a call: `Call.Status`. */
export const CallStatus = {
  Disconnected: 0,
  Joining: 1,
  Connecting: 2,
  SignalingConnected: 3,
  Connected: 4,
  Reconnecting: 5,
  Disconnecting: 6,
} as const;
export type CallStatus = (typeof CallStatus)[keyof typeof CallStatus];

/** Reason why a call ended: `Call.Error`. */
export const CallError = {
  None: 0,
  SignalingConnectionFailed: 1,
  SignalingUnexpectedClose: 2,
  VoiceConnectionFailed: 3,
  JoinTimeout: 4,
  Forbidden: 5,
} as const;
export type CallError = (typeof CallError)[keyof typeof CallError];

/** Online status of a user. */
export const StatusType = {
  Online: 0,
  Offline: 1,
  Blocked: 2,
  Idle: 3,
  Dnd: 4,
  Invisible: 5,
  Streaming: 6,
  Unknown: 7,
} as const;
export type StatusType = (typeof StatusType)[keyof typeof StatusType];

/** Image format of an avatar: `UserHandle.AvatarType`. */
export const AvatarType = { Gif: 0, Webp: 1, Png: 2, Jpeg: 3 } as const;
export type AvatarType = (typeof AvatarType)[keyof typeof AvatarType];

/** Kind of channel. */
export const ChannelType = {
  GuildText: 0,
  Dm: 1,
  GuildVoice: 2,
  GroupDm: 3,
  GuildCategory: 4,
  GuildNews: 5,
  GuildStore: 6,
  GuildNewsThread: 10,
  GuildPublicThread: 11,
  GuildPrivateThread: 12,
  GuildStageVoice: 13,
  GuildDirectory: 14,
  GuildForum: 15,
  GuildMedia: 16,
  Lobby: 17,
  EphemeralDm: 18,
} as const;
export type ChannelType = (typeof ChannelType)[keyof typeof ChannelType];

/** Kind of content of a message besides text. */
export const AdditionalContentType = {
  Other: 0,
  Attachment: 1,
  Poll: 2,
  VoiceMessage: 3,
  Thread: 4,
  Embed: 5,
  Sticker: 6,
} as const;
export type AdditionalContentType = (typeof AdditionalContentType)[keyof typeof AdditionalContentType];

/** Disclosure of a message that the SDK itself inserts. */
export const DisclosureTypes = { MessageDataVisibleOnDiscord: 3 } as const;
export type DisclosureTypes = (typeof DisclosureTypes)[keyof typeof DisclosureTypes];
