import type * as types from 'discord-api-types/v10';

/** What is always there in a payload, name by name: the compiler holds it against the types of discord-api-types. */
type Always<T> = { readonly [Key in keyof T as object extends Pick<T, Key> ? never : Key]-?: 1 };

const guild: Always<types.GatewayGuildUpdateDispatchData> = {
  id: 1,
  name: 1,
  icon: 1,
  splash: 1,
  discovery_splash: 1,
  banner: 1,
  description: 1,
  features: 1,
  emojis: 1,
  roles: 1,
  owner_id: 1,
  application_id: 1,
  hub_type: 1,
  afk_channel_id: 1,
  afk_timeout: 1,
  system_channel_id: 1,
  system_channel_flags: 1,
  rules_channel_id: 1,
  public_updates_channel_id: 1,
  safety_alerts_channel_id: 1,
  verification_level: 1,
  default_message_notifications: 1,
  explicit_content_filter: 1,
  mfa_level: 1,
  nsfw_level: 1,
  premium_tier: 1,
  premium_progress_bar_enabled: 1,
  preferred_locale: 1,
  vanity_url_code: 1,
  incidents_data: 1,
};
const wholeGuild: Always<types.GatewayGuildCreateDispatchData> = {
  ...guild,
  joined_at: 1,
  large: 1,
  member_count: 1,
  voice_states: 1,
  members: 1,
  channels: 1,
  threads: 1,
  presences: 1,
  stage_instances: 1,
  guild_scheduled_events: 1,
  soundboard_sounds: 1,
};
const role: Always<types.GatewayGuildRoleModifyDispatchData> = { guild_id: 1, role: 1 };
const newMember: Always<types.GatewayGuildMemberAddDispatchData> = {
  guild_id: 1,
  user: 1,
  roles: 1,
  joined_at: 1,
  deaf: 1,
  mute: 1,
  flags: 1,
};
const changedMember: Always<types.GatewayGuildMemberUpdateDispatchData> = {
  guild_id: 1,
  user: 1,
  roles: 1,
  joined_at: 1,
  avatar: 1,
  banner: 1,
};
const userOfGuild: Always<
  types.GatewayGuildBanModifyDispatchData & types.GatewayGuildMemberRemoveDispatchData
> = {
  guild_id: 1,
  user: 1,
};
const channel: Always<types.GatewayChannelModifyDispatchData> = {
  guild_id: 1,
  id: 1,
  name: 1,
  position: 1,
  type: 1,
};
const thread: Always<types.GatewayThreadCreateDispatchData & types.GatewayThreadUpdateDispatchData> = {
  id: 1,
  name: 1,
  type: 1,
};
const stage: Always<types.GatewayStageInstanceCreateDispatchData> = {
  id: 1,
  guild_id: 1,
  channel_id: 1,
  topic: 1,
  privacy_level: 1,
  discoverable_disabled: 1,
};
const event: Always<types.GatewayGuildScheduledEventCreateDispatchData> = {
  id: 1,
  guild_id: 1,
  channel_id: 1,
  name: 1,
  status: 1,
  entity_id: 1,
  entity_metadata: 1,
  entity_type: 1,
  privacy_level: 1,
  recurrence_rule: 1,
  scheduled_start_time: 1,
  scheduled_end_time: 1,
};
const eventUser: Always<types.GatewayGuildScheduledEventUserAddDispatchData> = {
  guild_id: 1,
  guild_scheduled_event_id: 1,
  user_id: 1,
};
const sound: Always<types.GatewayGuildSoundboardSoundCreateDispatchData> = {
  sound_id: 1,
  name: 1,
  volume: 1,
  available: 1,
  emoji_id: 1,
  emoji_name: 1,
};
const integration: Always<types.GatewayIntegrationCreateDispatchData> = {
  id: 1,
  guild_id: 1,
  name: 1,
  type: 1,
  enabled: 1,
  account: 1,
};
const rule: Always<types.GatewayAutoModerationRuleModifyDispatchData> = {
  id: 1,
  guild_id: 1,
  name: 1,
  creator_id: 1,
  event_type: 1,
  trigger_type: 1,
  trigger_metadata: 1,
  actions: 1,
  enabled: 1,
  exempt_roles: 1,
  exempt_channels: 1,
};

/** What has to be in the data of the events of a guild and of what is in it. */
export const required: Readonly<Record<string, Readonly<Record<string, 1>>>> = {
  GUILD_CREATE: wholeGuild,
  GUILD_UPDATE: guild,
  GUILD_DELETE: { id: 1 },
  GUILD_ROLE_CREATE: role,
  GUILD_ROLE_UPDATE: role,
  GUILD_ROLE_DELETE: { guild_id: 1, role_id: 1 } satisfies Always<types.GatewayGuildRoleDeleteDispatchData>,
  GUILD_MEMBER_ADD: newMember,
  GUILD_MEMBER_UPDATE: changedMember,
  GUILD_MEMBER_REMOVE: userOfGuild,
  GUILD_BAN_ADD: userOfGuild,
  GUILD_BAN_REMOVE: userOfGuild,
  CHANNEL_CREATE: channel,
  CHANNEL_UPDATE: channel,
  CHANNEL_DELETE: channel,
  THREAD_CREATE: thread,
  THREAD_UPDATE: thread,
  THREAD_DELETE: {
    id: 1,
    guild_id: 1,
    parent_id: 1,
    type: 1,
  } satisfies Always<types.GatewayThreadDeleteDispatchData>,
  THREAD_LIST_SYNC: { guild_id: 1, threads: 1, members: 1 } satisfies Always<types.GatewayThreadListSync>,
  THREAD_MEMBER_UPDATE: {
    guild_id: 1,
    join_timestamp: 1,
    flags: 1,
  } satisfies Always<types.GatewayThreadMemberUpdateDispatchData>,
  THREAD_MEMBERS_UPDATE: {
    id: 1,
    guild_id: 1,
    member_count: 1,
  } satisfies Always<types.GatewayThreadMembersUpdate>,
  STAGE_INSTANCE_CREATE: stage,
  STAGE_INSTANCE_UPDATE: stage,
  STAGE_INSTANCE_DELETE: stage,
  GUILD_SCHEDULED_EVENT_CREATE: event,
  GUILD_SCHEDULED_EVENT_UPDATE: event,
  GUILD_SCHEDULED_EVENT_DELETE: event,
  GUILD_SCHEDULED_EVENT_USER_ADD: eventUser,
  GUILD_SCHEDULED_EVENT_USER_REMOVE: eventUser,
  GUILD_EMOJIS_UPDATE: {
    guild_id: 1,
    emojis: 1,
  } satisfies Always<types.GatewayGuildEmojisUpdateDispatchData>,
  GUILD_STICKERS_UPDATE: {
    guild_id: 1,
    stickers: 1,
  } satisfies Always<types.GatewayGuildStickersUpdateDispatchData>,
  GUILD_SOUNDBOARD_SOUND_CREATE: sound,
  GUILD_SOUNDBOARD_SOUND_UPDATE: sound,
  GUILD_SOUNDBOARD_SOUND_DELETE: {
    guild_id: 1,
    sound_id: 1,
  } satisfies Always<types.GatewayGuildSoundboardSoundDeleteDispatchData>,
  GUILD_SOUNDBOARD_SOUNDS_UPDATE: {
    guild_id: 1,
    soundboard_sounds: 1,
  } satisfies Always<types.GatewayGuildSoundboardSoundsUpdateDispatchData>,
  GUILD_INTEGRATIONS_UPDATE: {
    guild_id: 1,
  } satisfies Always<types.GatewayGuildIntegrationsUpdateDispatchData>,
  INTEGRATION_CREATE: integration,
  INTEGRATION_UPDATE: integration,
  INTEGRATION_DELETE: { id: 1, guild_id: 1 } satisfies Always<types.GatewayIntegrationDeleteDispatchData>,
  WEBHOOKS_UPDATE: { guild_id: 1, channel_id: 1 } satisfies Always<types.GatewayWebhooksUpdateDispatchData>,
  INVITE_CREATE: {
    channel_id: 1,
    code: 1,
    created_at: 1,
    max_age: 1,
    max_uses: 1,
    temporary: 1,
    uses: 1,
    expires_at: 1,
  } satisfies Always<types.GatewayInviteCreateDispatchData>,
  INVITE_DELETE: { channel_id: 1, code: 1 } satisfies Always<types.GatewayInviteDeleteDispatchData>,
  AUTO_MODERATION_RULE_CREATE: rule,
  AUTO_MODERATION_RULE_UPDATE: rule,
  AUTO_MODERATION_RULE_DELETE: rule,
  AUTO_MODERATION_ACTION_EXECUTION: {
    guild_id: 1,
    action: 1,
    rule_id: 1,
    rule_trigger_type: 1,
    user_id: 1,
    content: 1,
    matched_keyword: 1,
    matched_content: 1,
  } satisfies Always<types.GatewayAutoModerationActionExecutionDispatchData>,
  GUILD_AUDIT_LOG_ENTRY_CREATE: {
    id: 1,
    guild_id: 1,
    action_type: 1,
    target_id: 1,
    user_id: 1,
  } satisfies Always<types.GatewayGuildAuditLogEntryCreateDispatchData>,
};
