export type { ActivityInput } from './activity.ts';
export type { Client } from './client.ts';
export {
  type Attempt,
  ClientError,
  type ClientErrorCode,
  type CloseReason,
  RpcError,
} from './errors.ts';
export type {
  Activity,
  CertifiedDevice,
  Channel,
  Commands,
  Entitlement,
  Events,
  Guild,
  GuildMember,
  Message,
  NoArgs,
  PartialChannel,
  PartialGuild,
  Ready,
  Relationship,
  ShownActivity,
  Sku,
  SoundboardSound,
  User,
  VoiceSettings,
  VoiceSettingsPatch,
  VoiceState,
} from './generated.ts';
export type {
  ClientEvents,
  ClientOptions,
  ClientState,
  CommandArgs,
  CommandName,
  CommandResult,
  DispatchedEvent,
  EventArgs,
  EventData,
  EventName,
  Lenient,
  RequestArguments,
  RequestOptions,
  StreamOptions,
  TokenSource,
  Unsubscribe,
} from './options.ts';
export type { JsonCodec } from './payload.ts';
export { connect, createClient } from './socket-client.ts';
