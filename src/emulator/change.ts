import type { Application, Channel, Guild, User, VoiceSettings } from './fixture/fixture.ts';
import type { AuthorizationRequest, Settlement } from './oauth2/consent.ts';

/**
 * A difference that became true in the emulator, told once and after the state holds it.
 * Channels are told to the logged-in user's eyes: one that becomes visible is `channel-created`, one that
 * becomes hidden is `channel-removed`.
 */
export type Change =
  | { readonly type: 'user-created'; readonly user: User }
  | { readonly type: 'user-updated'; readonly user: User }
  | { readonly type: 'user-removed'; readonly user: User }
  /** Another account is logged in; `previous` is the id of the one before. */
  | { readonly type: 'me-changed'; readonly user: User; readonly previous: string }
  | { readonly type: 'application-created'; readonly application: Application }
  | { readonly type: 'application-updated'; readonly application: Application }
  | { readonly type: 'application-removed'; readonly application: Application }
  | { readonly type: 'guild-created'; readonly guild: Guild }
  | { readonly type: 'guild-updated'; readonly guild: Guild }
  | { readonly type: 'guild-removed'; readonly guild: Guild }
  | { readonly type: 'channel-created'; readonly channel: Channel }
  | { readonly type: 'channel-updated'; readonly channel: Channel }
  | { readonly type: 'channel-removed'; readonly channel: Channel }
  | { readonly type: 'voice-settings-updated'; readonly settings: VoiceSettings }
  | {
      readonly type: 'voice-channel-selected';
      readonly channelId: string | null;
      readonly guildId: string | null;
    }
  | { readonly type: 'request-added'; readonly request: AuthorizationRequest }
  | {
      readonly type: 'request-settled';
      readonly request: AuthorizationRequest;
      readonly settlement: Settlement;
    }
  /** `tokenIds` are the ids of access tokens (see `Introspection`), never the tokens themselves. */
  | {
      readonly type: 'tokens-revoked';
      readonly clientId: string;
      readonly userId: string;
      readonly tokenIds: readonly string[];
    };
