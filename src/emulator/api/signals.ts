import type { GameInvite, JoinRequest } from '../users/presence/records.ts';
import type { Settlement, WaitingRequest } from './waiting-request.ts';

/** How far a voice connection has come. */
export type VoiceConnectionState =
  | 'disconnected'
  | 'awaiting-endpoint'
  | 'connecting'
  | 'authenticating'
  | 'voice-connecting'
  | 'voice-connected';

/** The voice connection as the client reports it; times in milliseconds. */
export interface VoiceConnectionStatus {
  readonly state: VoiceConnectionState;
  /** Null while there is no endpoint. */
  readonly hostname: string | null;
  /** Round trips of this connection, newest last. */
  readonly pings: readonly { readonly time: number; readonly value: number }[];
}

/** What happens and is no change of the state. */
export type Signal =
  | { readonly type: 'request-added'; readonly request: WaitingRequest }
  | {
      readonly type: 'request-settled';
      readonly request: WaitingRequest;
      readonly settlement: Settlement;
    }
  /** A user authorized an application, of which it had no token before, or added it to a guild. */
  | {
      readonly type: 'authorized';
      readonly clientId: string;
      readonly userId: string;
      readonly scopes: readonly string[];
      /** On the wire. */
      readonly guild?: object | undefined;
      /** 0 to a guild, 1 to the user; undefined when nothing was installed. */
      readonly integrationType?: number | undefined;
    }
  /**
   * Every token of a user and an application is no more or, where `family` is given, those that descend from one code, or just
   * the access token with the hash `token` of those.
   */
  | {
      readonly type: 'tokens-revoked';
      readonly clientId: string;
      readonly userId: string;
      readonly family?: string;
      readonly token?: string;
    }
  /** A game of somebody invites another, or asks another to be invited; told to no session by itself. */
  | { readonly type: 'play-invited'; readonly invite: GameInvite }
  | { readonly type: 'join-asked'; readonly request: JoinRequest }
  | { readonly type: 'voice-connection-updated'; readonly connection: VoiceConnectionStatus }
  | { readonly type: 'sound-played'; readonly soundId: string; readonly channelId: string };
