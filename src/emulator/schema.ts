import { accountBans } from './accounts/bans/records.ts';
import { identityProfiles } from './accounts/identities/records.ts';
import { externalIdentities, externalIssuers } from './accounts/records.ts';
import { applicationAttachments } from './applications/files/records.ts';
import { entitlements, skus, subscriptions } from './applications/monetization/records.ts';
import { applications, roleConnectionMetadata, roleConnections, strict } from './applications/records.ts';
import { eventWebhooks, webhookDeliveries } from './applications/webhooks/records.ts';
import { uploadLimit } from './files/records.ts';
import { auditLog } from './guilds/audit/records.ts';
import { automodExecutions, automodRules } from './guilds/automod/records.ts';
import { guildBans } from './guilds/bans/records.ts';
import { roleOverwrites, userOverwrites } from './guilds/channels/overwrite-records.ts';
import { privateChannels } from './guilds/channels/private-records.ts';
import { channels, deletedMessages } from './guilds/channels/records.ts';
import { client, overlays } from './guilds/client/records.ts';
import { applicationEmojis, emojis } from './guilds/emoji/records.ts';
import { eventExceptions, eventUsers, exceptionUsers, scheduledEvents } from './guilds/events/records.ts';
import { channelInvites, inviteMaxAge, inviteTargets } from './guilds/invites/records.ts';
import { departures, members } from './guilds/members/records.ts';
import {
  guildJoinRequests,
  onboardingAnswers,
  onboardingPrompts,
  welcomeChannels,
} from './guilds/onboarding/records.ts';
import { guilds } from './guilds/records.ts';
import { roles } from './guilds/roles/records.ts';
import { stageInstances } from './guilds/stages/records.ts';
import { packStickers, stickerPacks, stickers } from './guilds/stickers/records.ts';
import { guildTemplates } from './guilds/templates/records.ts';
import { threadMembers } from './guilds/threads/member-records.ts';
import { applicationVoice, sounds, userVoice, voice, voiceStates } from './guilds/voice/records.ts';
import { channelWebhooks } from './guilds/webhooks/records.ts';
import { activityInstances, activityUsers, urlMappings } from './interactions/activities/records.ts';
import {
  commandCreates,
  commandInstalls,
  commandPermissions,
  commands,
} from './interactions/commands/records.ts';
import {
  ephemeralAttachments,
  ephemeralMessages,
  interactions,
  modalComponents,
} from './interactions/records.ts';
import {
  lobbies,
  lobbyMembers,
  lobbyMessages,
  lobbyMetadataLimit,
  lobbyVoiceStates,
} from './lobbies/records.ts';
import { attachments } from './messages/attachments/records.ts';
import { pollVotes } from './messages/polls/records.ts';
import { clearedReactions, reactions } from './messages/reactions/records.ts';
import { messages, removedNonces } from './messages/records.ts';
import { searchHolds } from './messages/search/records.ts';
import { communicationLimits, rateLimits } from './serve/http/records.ts';
import {
  activityRules,
  gameInvites,
  joinRequests,
  participants,
  presences,
} from './users/presence/records.ts';
import { sessionPresences, userPresences } from './users/presence/status-records.ts';
import { connections, me, users } from './users/records.ts';
import { gameRelationships, relationships } from './users/relationships/records.ts';

/** Every kind of record: first those of a printed fixture in its order, then those that are never printed. */
export const kinds = {
  me,
  strict,
  rate_limits: rateLimits,
  communication_limits: communicationLimits,
  lobby_metadata_limit: lobbyMetadataLimit,
  upload_limit: uploadLimit,
  invite_max_age: inviteMaxAge,
  modal_components: modalComponents,
  activity_rules: activityRules,
  users,
  account_bans: accountBans,
  applications,
  application_attachments: applicationAttachments,
  url_mappings: urlMappings,
  guilds,
  roles,
  members,
  departures,
  guild_bans: guildBans,
  audit_log: auditLog,
  emojis,
  stickers,
  channels,
  role_overwrites: roleOverwrites,
  user_overwrites: userOverwrites,
  thread_members: threadMembers,
  private_channels: privateChannels,
  automod_rules: automodRules,
  welcome_channels: welcomeChannels,
  onboarding_prompts: onboardingPrompts,
  onboarding_answers: onboardingAnswers,
  guild_templates: guildTemplates,
  guild_join_requests: guildJoinRequests,
  channel_webhooks: channelWebhooks,
  commands,
  command_permissions: commandPermissions,
  command_installs: commandInstalls,
  voice,
  messages,
  reactions,
  poll_votes: pollVotes,
  attachments,
  lobbies,
  lobby_members: lobbyMembers,
  lobby_messages: lobbyMessages,
  search_holds: searchHolds,
  scheduled_events: scheduledEvents,
  event_exceptions: eventExceptions,
  event_users: eventUsers,
  exception_users: exceptionUsers,
  stage_instances: stageInstances,
  voice_states: voiceStates,
  user_voice: userVoice,
  application_voice: applicationVoice,
  user_presences: userPresences,
  relationships,
  application_emojis: applicationEmojis,
  sticker_packs: stickerPacks,
  pack_stickers: packStickers,
  game_relationships: gameRelationships,
  soundboard_sounds: sounds,
  skus,
  entitlements,
  subscriptions,
  participants,
  connections,
  role_connection_metadata: roleConnectionMetadata,
  role_connections: roleConnections,
  external_issuers: externalIssuers,
  external_identities: externalIdentities,
  identity_profiles: identityProfiles,
  event_webhooks: eventWebhooks,
  webhook_deliveries: webhookDeliveries,
  channel_invites: channelInvites,
  invite_targets: inviteTargets,
  overlays,
  client,
  activity_instances: activityInstances,
  activity_users: activityUsers,
  presences,
  session_presences: sessionPresences,
  lobby_voice_states: lobbyVoiceStates,
  deleted_messages: deletedMessages,
  cleared_reactions: clearedReactions,
  join_requests: joinRequests,
  game_invites: gameInvites,
  command_creates: commandCreates,
  interactions,
  ephemeral_messages: ephemeralMessages,
  ephemeral_attachments: ephemeralAttachments,
  automod_executions: automodExecutions,
  removed_nonces: removedNonces,
};

/** Every kind of record. */
export type Kinds = typeof kinds;
