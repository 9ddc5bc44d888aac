export { Activity } from './activity.ts';
export {
  ActivityAssets,
  ActivityButton,
  ActivityParty,
  ActivitySecrets,
  ActivityTimestamps,
} from './activity-parts.ts';
export type { Authorized } from './authorization.ts';
export {
  AuthorizationArgs,
  AuthorizationCodeChallenge,
  AuthorizationCodeVerifier,
} from './authorization-args.ts';
export {
  type AuthorizationCallback,
  Client,
  type ExchangeChildTokenCallback,
  type ResultCallback,
  type TokenExchangeCallback,
  type VoiceSettingsCallback,
} from './client.ts';
export {
  ActivityActionTypes,
  ActivityGamePlatforms,
  ActivityPartyPrivacy,
  ActivityTypes,
  AuthenticationCodeChallengeMethod,
  AuthenticationExternalAuthType,
  AuthorizationTokenType,
  ErrorType,
  IntegrationType,
  LoggingSeverity,
  RelationshipGroupType,
  RelationshipType,
  StatusDisplayTypes,
  VoiceInputModeType,
} from './enums.ts';
export type { RelationshipGroupsUpdatedCallback } from './friends.ts';
export { ActivityInvite, RelationshipHandle, UserHandle } from './handles.ts';
export type { LogCallback } from './log.ts';
export type { Outcome } from './outcome.ts';
export type { ClientResult } from './result.ts';
export type { ClientSettings } from './settings.ts';
export type { ChildToken, Tokens } from './tokens.ts';
export type { UnsupportedCallback } from './unsupported.ts';
export { VoiceSettings } from './voice-settings.ts';
