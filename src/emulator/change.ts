import type { Activity } from './activity/presences.ts';
import type { Application, Channel, Guild, User, VoiceSettings } from './fixture/fixture.ts';
import type {
  ClientState,
  Entitlement,
  GuildMember,
  Message,
  Overlay,
  Relationship,
  VoiceState,
} from './fixture/records.ts';
import type { AuthorizationRequest, Settlement } from './oauth2/consent.ts';
import type { VoiceConnectionStatus } from './voice/connection.ts';

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
  | { readonly type: 'logged-in'; readonly user: User }
  | { readonly type: 'logged-out'; readonly user: User }
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
  | { readonly type: 'voice-state-created'; readonly state: VoiceState }
  /** Not told of `speaking`, which has changes of its own. */
  | { readonly type: 'voice-state-updated'; readonly state: VoiceState }
  | { readonly type: 'voice-state-removed'; readonly state: VoiceState }
  | {
      readonly type: 'speaking-started' | 'speaking-stopped';
      readonly userId: string;
      readonly channelId: string;
    }
  | { readonly type: 'voice-connection-updated'; readonly connection: VoiceConnectionStatus }
  /** How this client plays somebody. */
  | { readonly type: 'user-voice-updated'; readonly userId: string }
  | { readonly type: 'application-voice-updated'; readonly applicationId: string }
  | { readonly type: 'sound-played'; readonly soundId: string; readonly channelId: string }
  | { readonly type: 'member-updated'; readonly guildId: string; readonly member: GuildMember }
  /** Messages are told for channels that the logged-in user may read. */
  | { readonly type: 'message-created'; readonly message: Message }
  | { readonly type: 'message-updated'; readonly message: Message }
  | { readonly type: 'message-removed'; readonly message: Message }
  /** Follows the `message-created` of the same message. */
  | { readonly type: 'notification-created'; readonly message: Message }
  /** Of the logged-in user; type 0 is one that ended. */
  | { readonly type: 'relationship-updated'; readonly relationship: Relationship }
  | { readonly type: 'entitlement-created'; readonly entitlement: Entitlement }
  | { readonly type: 'entitlement-removed'; readonly entitlement: Entitlement }
  | { readonly type: 'participants-updated'; readonly applicationId: string }
  | { readonly type: 'overlay-updated'; readonly overlay: Overlay }
  /** `keys` names what is different, never `logged_in`. */
  | {
      readonly type: 'client-updated';
      readonly client: ClientState;
      readonly keys: readonly (keyof ClientState)[];
    }
  /** What others see of an app's activity; null when it is gone. */
  | { readonly type: 'activity-shown'; readonly key: string; readonly activity: Activity | null }
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
