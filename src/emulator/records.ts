import { externalIdentities, externalIssuers } from './accounts/records.ts';
import { applications, roleConnectionMetadata, roleConnections, strict } from './applications/records.ts';
import { accountBans } from './bans/records.ts';
import { roleOverwrites, userOverwrites } from './channels/overwrite-records.ts';
import { channels } from './channels/records.ts';
import { threadMembers } from './channels/thread-member-records.ts';
import { client, overlays } from './client/records.ts';
import { uploadLimit } from './files/records.ts';
import { auditLog } from './guilds/audit-records.ts';
import { guildBans } from './guilds/ban-records.ts';
import { departures, members } from './guilds/member-records.ts';
import { guilds } from './guilds/records.ts';
import { roles } from './guilds/role-records.ts';
import { rateLimits } from './http/records.ts';
import { channelInvites } from './invites/records.ts';
import { attachments } from './messages/attachment-records.ts';
import { reactions } from './messages/reaction-records.ts';
import { messages } from './messages/records.ts';
import { activityRules } from './presence/activity-rules.ts';
import { gameInvites, joinRequests, participants, presences } from './presence/records.ts';
import { relationships } from './relationships/records.ts';
import { entitlements, skus } from './store/records.ts';
import { connections, me, users } from './users/records.ts';
import { applicationVoice, sounds, userVoice, voice, voiceStates } from './voice/records.ts';
import { eventWebhooks, webhookDeliveries } from './webhooks/records.ts';

/** Every kind of record, in the order of a printed fixture, and those that are never printed. */
export const kinds = {
  me,
  strict,
  rate_limits: rateLimits,
  upload_limit: uploadLimit,
  activity_rules: activityRules,
  users,
  account_bans: accountBans,
  applications,
  guilds,
  roles,
  members,
  departures,
  guild_bans: guildBans,
  audit_log: auditLog,
  channels,
  role_overwrites: roleOverwrites,
  user_overwrites: userOverwrites,
  thread_members: threadMembers,
  voice,
  messages,
  reactions,
  attachments,
  voice_states: voiceStates,
  user_voice: userVoice,
  application_voice: applicationVoice,
  relationships,
  soundboard_sounds: sounds,
  skus,
  entitlements,
  participants,
  connections,
  role_connection_metadata: roleConnectionMetadata,
  role_connections: roleConnections,
  external_issuers: externalIssuers,
  external_identities: externalIdentities,
  event_webhooks: eventWebhooks,
  webhook_deliveries: webhookDeliveries,
  channel_invites: channelInvites,
  overlays,
  client,
  presences,
  join_requests: joinRequests,
  game_invites: gameInvites,
};

/** Every kind of record. */
export type Kinds = typeof kinds;
