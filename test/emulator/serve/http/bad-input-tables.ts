import type { Operation } from '../../../../src/emulator/api/operation.ts';

/** What no operation asks for rights in a guild for: it is of the application, of a person, or of everybody. */
const OF_NO_GUILD =
  /^\/(applications|oauth2|partner-sdk|gateway|sticker-packs|stickers|soundboard-default-sounds|skus|voice|lobbies|users\/@me(?!\/guilds\/))(\/|$)|^\/users\/\{user_id\}/;

/** Whether an operation of bots is about a guild, in which it needs membership and mostly a right. */
export function isOfGuild({ path, who }: Operation): boolean {
  return who.some(({ kind }) => kind === 'bot') && !OF_NO_GUILD.test(path);
}

const INVITER = 'who made an invite says whom it is for';
const LOOKED_AT = { invite_resolve: 'whoever has the code of an invite may look at it' } as const;
const ofInvites: Readonly<Record<string, string>> = {
  ...LOOKED_AT,
  get_invite_target_users: INVITER,
  update_invite_target_users: INVITER,
  get_invite_target_users_job_status: INVITER,
  add_invite_target_user: INVITER,
  remove_invite_target_user: INVITER,
  bulk_add_invite_target_users: INVITER,
  bulk_delete_invite_target_users: INVITER,
};

/** Operations that read what somebody else's service sends: what is wrong is named as the platform calls it. */
export const TRANSLATED: readonly string[] = [
  'execute_slack_compatible_webhook',
  'execute_github_compatible_webhook',
];

const MEMBERS = 'every member may';
const IN_PRIVATE = 'who is in a group, and nobody else, may';
const SEEN = 'shows what the bot may see';

/** Operations of bots that need no right in a guild, and why. */
export const FREE: Readonly<Record<string, string>> = {
  get_guild: MEMBERS,
  leave_guild: MEMBERS,
  list_guild_roles: MEMBERS,
  guild_role_member_counts: MEMBERS,
  get_guild_role: MEMBERS,
  list_guild_members: 'needs an intent instead',
  search_guild_members: MEMBERS,
  get_guild_member: MEMBERS,
  list_guild_emojis: MEMBERS,
  get_guild_emoji: MEMBERS,
  list_guild_stickers: MEMBERS,
  get_guild_sticker: MEMBERS,
  get_guild_preview: MEMBERS,
  list_guild_voice_regions: MEMBERS,
  list_guild_soundboard_sounds: MEMBERS,
  get_guild_soundboard_sound: MEMBERS,
  get_guild_welcome_screen: 'every member may while it is shown',
  get_guild_new_member_welcome: MEMBERS,
  get_guilds_onboarding: MEMBERS,
  list_guild_scheduled_events: SEEN,
  get_guild_scheduled_event: SEEN,
  list_guild_scheduled_event_users: SEEN,
  list_guild_scheduled_event_exception_users: SEEN,
  count_guild_scheduled_event_users: SEEN,
  add_group_dm_user: IN_PRIVATE,
  delete_group_dm_user: IN_PRIVATE,
  list_guild_channels: SEEN,
  get_active_guild_threads: SEEN,
  guild_search: SEEN,
  get_webhook: 'an application may see what is its own',
  ...ofInvites,
};

/** Operations that find nothing any more without the right, because whoever sees no channel is in none. */
export const GONE_WITHOUT: readonly string[] = ['get_voice_state', 'update_voice_state'];

/** Operations of a guild that need no membership, and why. */
export const NEEDS_NO_MEMBERSHIP: Readonly<Record<string, string>> = {
  get_webhook: 'an application may see what is its own',
  add_group_dm_user: IN_PRIVATE,
  delete_group_dm_user: IN_PRIVATE,
  ...LOOKED_AT,
};

/** Operations that do not let on that there is such a guild. */
export const SECRETIVE: readonly string[] = ['get_guild_preview'];

const STORIES = 'test/stories/bad-lines.ts';
const IDENTITIES = 'test/emulator/accounts/identities/routes.test.ts';
const OAUTH2 = 'test/emulator/oauth2';

/** Operations that another test holds against bad input, and where. */
export const JUDGED_ELSEWHERE: Readonly<Record<string, string>> = {
  exchange_token: STORIES,
  authorize_device: STORIES,
  revoke_token: STORIES,
  create_rpc_token: `${OAUTH2}/rpc-token.test.ts`,
  exchange_overlay_code: 'test/interop/overlay.test.ts',
  get_openid_configuration: 'takes nothing',
  authorize_page: `${OAUTH2}/pages.test.ts`,
  authorize_page_answer: `${OAUTH2}/pages.test.ts`,
  authorize_page_wait: `${OAUTH2}/pages.test.ts`,
  authorize: STORIES,
  authorized_page: 'takes nothing',
  sign_in_page: `${OAUTH2}/pages.test.ts`,
  activate_page: `${OAUTH2}/pages.test.ts`,
  activate_page_answer: `${OAUTH2}/pages.test.ts`,
  verify_device: STORIES,
  finish_device: STORIES,
  exchange_child_token: 'test/emulator/accounts/child-tokens.test.ts',
  get_application_identity_profile: IDENTITIES,
  update_application_identity_profile: IDENTITIES,
  get_application_identities_by_user: IDENTITIES,
  get_application_identities_by_external_id: IDENTITIES,
  delete_application_identity: IDENTITIES,
  get_activity_secret: 'test/emulator/accounts/direct/play-invites.test.ts',
  accept_invite: 'test/emulator/guilds/invites/accept.test.ts',
  get_attachment_file: 'test/emulator/messages/attachments.test.ts',
  get_application_attachment_file: 'test/emulator/applications/files/routes.test.ts',
  get_emoji_file: 'test/emulator/guilds/expressions/emoji.test.ts',
  get_sound_file: 'test/emulator/guilds/expressions/sounds.test.ts',
  get_event_cover: 'test/emulator/guilds/events/routes.test.ts',
  get_sticker_file: 'test/emulator/guilds/expressions/stickers.test.ts',
};
