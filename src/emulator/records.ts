import { externalIdentities, externalIssuers } from './accounts/records.ts';
import { activityInstances, activityUsers, urlMappings } from './activities/records.ts';
import { applicationAttachments } from './application-files/records.ts';
import { applications, roleConnectionMetadata, roleConnections, strict } from './applications/records.ts';
import { automodExecutions } from './automod/execution-records.ts';
import { automodRules } from './automod/records.ts';
import { accountBans } from './bans/records.ts';
import { channelWebhooks } from './channel-webhooks/records.ts';
import { roleOverwrites, userOverwrites } from './channels/overwrite-records.ts';
import { privateChannels } from './channels/private-records.ts';
import { channels } from './channels/records.ts';
import { threadMembers } from './channels/thread-member-records.ts';
import { client, overlays } from './client/records.ts';
import { commandCreates, commandInstalls, commandPermissions, commands } from './commands/records.ts';
import {
  guildJoinRequests,
  onboardingAnswers,
  onboardingPrompts,
  welcomeChannels,
} from './community/records.ts';
import { applicationEmojis, emojis } from './emoji/records.ts';
import { uploadLimit } from './files/records.ts';
import { auditLog } from './guilds/audit-records.ts';
import { guildBans } from './guilds/ban-records.ts';
import { departures, members } from './guilds/member-records.ts';
import { guilds } from './guilds/records.ts';
import { roles } from './guilds/role-records.ts';
import { communicationLimits, rateLimits } from './http/records.ts';
import { identityProfiles } from './identities/records.ts';
import {
  ephemeralAttachments,
  ephemeralMessages,
  interactions,
  modalComponents,
} from './interactions/records.ts';
import { channelInvites, inviteMaxAge, inviteTargets } from './invites/records.ts';
import { lobbyVoiceStates } from './lobbies/call-records.ts';
import { lobbyMessages } from './lobbies/message-records.ts';
import { lobbies, lobbyMembers, lobbyMetadataLimit } from './lobbies/records.ts';
import { attachments } from './messages/attachment-records.ts';
import { removedNonces } from './messages/nonce-records.ts';
import { clearedReactions, reactions } from './messages/reaction-records.ts';
import { messages } from './messages/records.ts';
import { pollVotes } from './polls/records.ts';
import { activityRules } from './presence/activity-rules.ts';
import { gameInvites, joinRequests, participants, presences } from './presence/records.ts';
import { gameRelationships, relationships } from './relationships/records.ts';
import { eventExceptions, eventUsers, exceptionUsers, scheduledEvents } from './scheduled-events/records.ts';
import { searchHolds } from './search/records.ts';
import { stageInstances } from './stages/records.ts';
import { sessionPresences, userPresences } from './statuses/records.ts';
import { packStickers, stickerPacks, stickers } from './stickers/records.ts';
import { entitlements, skus, subscriptions } from './store/records.ts';
import { guildTemplates } from './templates/records.ts';
import { connections, me, users } from './users/records.ts';
import { applicationVoice, sounds, userVoice, voice, voiceStates } from './voice/records.ts';
import { eventWebhooks, webhookDeliveries } from './webhooks/records.ts';

/** Every kind of record, in the order of a printed fixture, and those that are never printed. */
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
