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

/** The voice connection as the client reports it; times in milliseconds. */
export interface VoiceConnectionStatus {
  readonly state: VoiceConnectionState;
  /** Null while there is no endpoint. */
  readonly hostname: string | null;
  /** Round trips of this connection, newest last. */
  readonly pings: readonly { readonly time: number; readonly value: number }[];
}

/** Events that are no change of the state. */
export type Signal =
  | { readonly type: 'request-added'; readonly request: WaitingRequest }
  | {
      readonly type: 'request-settled';
      readonly request: WaitingRequest;
      readonly settlement: Settlement;
    }
  /** A user authorized an application that had no token of theirs before, or added it to a guild. */
  | {
      readonly type: 'authorized';
      readonly clientId: string;
      readonly userId: string;
      readonly scopes: readonly string[];
      /** As sent on the wire. */
      readonly guild?: object | undefined;
      /** 0 to a guild, 1 to the user; undefined when nothing was installed. */
      readonly integrationType?: number | undefined;
    }
  /**
   * Every token of a user and an application was revoked or, with `family`, those that descend from one authorization code
   * or, with `token`, just the access token with that hash.
   */
  | {
      readonly type: 'tokens-revoked';
      readonly clientId: string;
      readonly userId: string;
      readonly family?: string;
      readonly token?: string;
    }
  /** A user's game invites another user, or requests an invite from another user; no session receives it by itself. */
  | { readonly type: 'play-invited'; readonly invite: GameInvite }
  | { readonly type: 'join-asked'; readonly request: JoinRequest }
  | { readonly type: 'voice-connection-updated'; readonly connection: VoiceConnectionStatus }
  | { readonly type: 'sound-played'; readonly soundId: string; readonly channelId: string };
