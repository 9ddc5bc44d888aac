import { type IdentityChange, identityChanges } from './accounts/external-accounts.ts';
import { type ApplicationChange, applicationChanges } from './applications/applications.ts';
import { type BanChange, banChanges } from './bans/bans.ts';
import { type ChannelChange, channelChanges } from './channels/channels.ts';
import { type ClientChange, clientChanges } from './client/client.ts';
import { type DirectMessageChange, directMessageChanges } from './direct/changes.ts';
import type { InviteChange } from './direct/play-invites.ts';
import type { AuthorizedGuild } from './guilds/answers.ts';
import { type GuildChange, guildChanges, guildRemovals, memberChanges } from './guilds/guilds.ts';
import { type LobbyMessageChange, lobbyMessageChanges } from './lobbies/messages.ts';
import { type MessageChange, messageChanges } from './messages/messages.ts';
import type { Settlement, WaitingRequest } from './people/request.ts';
import { relationshipPresenceChanges } from './presence/changed-presences.ts';
import { type PresenceChange, presenceChanges } from './presence/presences.ts';
import { type RelationshipChange, relationshipChanges } from './relationships/relationships.ts';
import { type EntitlementChange, entitlementChanges } from './store/entitlements.ts';
import { type ParticipantsChange, participantChanges } from './store/store.ts';
import { type UserChange, userChanges } from './users/users.ts';
import { type VoiceChange, voiceChanges } from './voice/changes.ts';
import type { Derive } from './world.ts';

/** A difference that became true in the emulator, told once and after the state holds it. */
export type Change =
  | UserChange
  | BanChange
  | ApplicationChange
  | GuildChange
  | ChannelChange
  | VoiceChange
  | MessageChange
  | LobbyMessageChange
  | DirectMessageChange
  | RelationshipChange
  | EntitlementChange
  | ParticipantsChange
  | ClientChange
  | PresenceChange
  | InviteChange
  | IdentityChange
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
      readonly guild?: AuthorizedGuild | undefined;
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
    };

/** What a transaction means to those who listen, in the order in which it is told. */
export const derivations: readonly Derive<Change>[] = [
  userChanges,
  banChanges,
  applicationChanges,
  guildChanges,
  channelChanges,
  guildRemovals,
  voiceChanges,
  memberChanges,
  messageChanges,
  lobbyMessageChanges,
  directMessageChanges,
  relationshipChanges,
  relationshipPresenceChanges,
  entitlementChanges,
  participantChanges,
  clientChanges,
  presenceChanges,
  identityChanges,
];
