import type { GameInvite, JoinRequest } from '../users/presence/records.ts';
import type { Settlement, WaitingRequest } from './waiting-request.ts';

/** State of a voice connection. */
export type VoiceConnectionState =
  | 'disconnected'
  | 'awaiting-endpoint'
  | 'connecting'
  | 'authenticating'
  | 'voice-connecting'
  | 'voice-connected';

/** State of the voice connection as the client reports it. Times are in milliseconds. */
export interface VoiceConnectionStatus {
  readonly state: VoiceConnectionState;
  /** Host of the voice endpoint; null while there is no endpoint. */
  readonly hostname: string | null;
  /** Round-trip times of this connection, newest last. */
  readonly pings: readonly { readonly time: number; readonly value: number }[];
}

/** Events that do not change the state. */
export type Signal =
  | { readonly type: 'request-added'; readonly request: WaitingRequest }
  | {
      readonly type: 'request-settled';
      readonly request: WaitingRequest;
      readonly settlement: Settlement;
    }
  /** A user authorized an application that held no token of the user before, or added the application to a guild. */
  | {
      readonly type: 'authorized';
      readonly clientId: string;
      readonly userId: string;
      readonly scopes: readonly string[];
      /** As sent on the wire. */
      readonly guild?: object | undefined;
      /** Type of installation: 0 for a guild, 1 for the user; undefined when nothing was installed. */
      readonly integrationType?: number | undefined;
    }
  /**
   * Tokens of a user and an application were revoked: with `token`, the access token with that hash; with only
   * `family`, the tokens that descend from one authorization code; otherwise all tokens.
   */
  | {
      readonly type: 'tokens-revoked';
      readonly clientId: string;
      readonly userId: string;
      readonly family?: string;
      readonly token?: string;
    }
  /** A user's game invites another user or requests an invite from that user. The signal alone reaches no session. */
  | { readonly type: 'play-invited'; readonly invite: GameInvite }
  | { readonly type: 'join-asked'; readonly request: JoinRequest }
  | { readonly type: 'voice-connection-updated'; readonly connection: VoiceConnectionStatus }
  | { readonly type: 'sound-played'; readonly soundId: string; readonly channelId: string };
