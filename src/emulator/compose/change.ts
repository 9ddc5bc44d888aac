import { type BanChange, banChanges } from '../accounts/bans/bans.ts';
import { type DirectMessageChange, directMessageChanges } from '../accounts/direct/changes.ts';
import { type IdentityChange, identityChanges } from '../accounts/external-accounts.ts';
import type { Signal } from '../api/signals.ts';
import type { Derive } from '../api/world.ts';
import { type ApplicationChange, applicationChanges } from '../applications/applications.ts';
import { type EntitlementChange, entitlementChanges } from '../applications/monetization/entitlements.ts';
import { type ParticipantsChange, participantChanges } from '../applications/monetization/store.ts';
import { type ChannelChange, channelChanges } from '../guilds/channels/channels.ts';
import { type ClientChange, clientChanges } from '../guilds/client/client.ts';
import { type GuildChange, guildChanges, guildRemovals, memberChanges } from '../guilds/guilds.ts';
import { type VoiceChange, voiceChanges } from '../guilds/voice/changes.ts';
import { type LobbyMessageChange, lobbyMessageChanges } from '../lobbies/messages.ts';
import { type MessageChange, messageChanges } from '../messages/messages.ts';
import { relationshipPresenceChanges } from '../users/presence/changed-presences.ts';
import { type PresenceChange, presenceChanges } from '../users/presence/presences.ts';
import { type RelationshipChange, relationshipChanges } from '../users/relationships/relationships.ts';
import { type UserChange, userChanges } from '../users/users.ts';

/** What transactions are told as. */
export type Derived =
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
  | IdentityChange;

/** What the emulator tells: differences that became true, each once and after the state holds it, and signals. */
export type Change = Derived | Signal;

/** What a transaction means to those who listen, in the order in which it is told. */
export const derivations: readonly Derive<Derived>[] = [
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
