import type { Permission } from '../../src/emulator/kernel/permission-bits.ts';
import { ids } from './emulator-world.ts';
import { type GuildPlatform, inGuild, ROLES } from './guild-platform.ts';
import { APP, type PlatformRequest, type TestPlatform } from './platform.ts';

type Asked = readonly [what: string, PlatformRequest];

/** Asked by the bot below the guild, with these permissions and after that preparation. */
function below(
  what: string,
  json?: unknown,
  permissions: readonly Permission[] = ['ADMINISTRATOR'],
  prepare: (platform: GuildPlatform) => unknown = () => undefined,
) {
  return async (platform: TestPlatform): Promise<Asked> => {
    await prepare(await inGuild(platform, permissions));
    const [method, path] = what.split(' ');
    const request = { headers: platform.bot(), ...(json === undefined ? {} : { json }) };
    return [`${method} /guilds/${ids.riverBank}${path}`, request];
  };
}

const RULE = { id: '97', name: 'No cats', trigger_type: 'keyword', keyword_filter: ['cat*'] };
const RULED = ({ guild }: GuildPlatform) =>
  guild({
    automod_rules: [
      {
        ...RULE,
        actions: [
          { type: 'block_message', custom_message: 'No.' },
          { type: 'send_alert', channel: ids.general },
          { type: 'timeout', duration_seconds: 60 },
        ],
      },
      { id: '98', name: 'Lists', trigger_type: 'keyword_preset', presets: ['slurs'] },
      { id: '99', name: 'Spam', trigger_type: 'spam' },
      { id: '100', name: 'Mentions', trigger_type: 'mention_spam', mention_total_limit: 5 },
      {
        id: '101',
        name: 'Names',
        trigger_type: 'member_profile',
        event_type: 'member_update',
        actions: [{ type: 'block_member_interaction' }],
      },
    ],
  });

const WELCOMING = ({ guild }: GuildPlatform) =>
  guild({
    features: ['WELCOME_SCREEN_ENABLED'],
    welcome_description: 'Ahoy',
    welcome_channels: [{ channel: ids.general, description: 'Talk' }],
    default_channels: [ids.general],
    onboarding_prompts: [
      {
        id: '96',
        title: 'Which boat?',
        options: [{ id: '95', title: 'Tug', description: '', roles: [ROLES.crew] }],
      },
    ],
    new_member_welcome: {
      authors: ['200000000000000001'],
      message: 'Hello',
      actions: [{ channel: ids.general, title: 'Talk', description: '', emoji: { name: '⛵' } }],
      resources: [{ channel: ids.general, title: 'Rules', description: '' }],
    },
  });

const SHOWN = async ({ guild, emulator }: GuildPlatform) => {
  await guild({ widget_enabled: true, widget_channel: ids.general });
  await emulator.apply({ voice_states: [{ user: 'river', channel: ids.lounge }] });
};

const TEMPLATED = ({ guild }: GuildPlatform) =>
  guild({
    templates: [
      {
        code: 'boats',
        name: 'Boats',
        creator: 'heron',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
      },
    ],
    channels: [
      { id: ids.general, role_overwrites: [{ role: ids.riverBank, deny: ['SPEAK'] }] },
      {
        id: '88',
        name: 'talk',
        type: 'forum',
        available_tags: [{ id: '87', name: 'boat' }],
        default_reaction_emoji: { emoji_name: '⛵' },
      },
    ],
  });

const REQUESTED = ({ guild }: GuildPlatform) =>
  guild({
    features: ['MEMBER_VERIFICATION_GATE_ENABLED', 'MEMBER_VERIFICATION_MANUAL_APPROVAL'],
    departed: [{ user: 'otter' }],
    join_requests: [
      { id: '93', user: 'river', status: 'REJECTED', reviewer: 'heron', rejection_reason: 'wet' },
      {
        id: '94',
        user: 'otter',
        form_responses: [
          { field_type: 'TERMS', label: 'Rules', values: ['Be dry'], response: true },
          { field_type: 'MULTIPLE_CHOICE', label: 'Boat?', choices: ['Tug', 'Raft'], response: 1 },
        ],
      },
    ],
  });

const BANNED = ({ guild }: GuildPlatform) => guild({ bans: [{ user: 'otter', reason: 'wet' }] });

/** How each operation of guilds is asked by somebody who may. */
export const ASKED_OF_GUILDS: Readonly<Record<string, (platform: TestPlatform) => Promise<Asked>>> = {
  get_guild: below('GET ?with_counts=true'),
  update_guild: below('PATCH ', { name: 'Harbour Wall', system_channel_id: ids.general }),
  list_my_guilds: async (platform) => {
    await inGuild(platform, []);
    return ['GET /users/@me/guilds?with_counts=true', { headers: platform.bot() }];
  },
  leave_guild: async (platform) => {
    await inGuild(platform, []);
    return [`DELETE /users/@me/guilds/${ids.riverBank}`, { headers: platform.bot() }];
  },
  list_guild_channels: below('GET /channels', undefined, [], ({ guild }) =>
    guild({
      channels: [
        { id: ids.general, role_overwrites: [{ role: ids.riverBank, deny: ['SPEAK'] }], deny: ['otter'] },
      ],
    }),
  ),
  list_guild_bans: below('GET /bans', undefined, ['BAN_MEMBERS'], BANNED),
  get_guild_ban: below(`GET /bans/${ids.otter}`, undefined, ['BAN_MEMBERS'], BANNED),
  ban_user_from_guild: below(`PUT /bans/${ids.otter}`, {}),
  unban_user_from_guild: below(`DELETE /bans/${ids.otter}`, undefined, ['BAN_MEMBERS'], BANNED),
  bulk_ban_users_from_guild: below('POST /bulk-ban', { user_ids: [ids.otter, ids.river] }),
  preview_prune_guild: below('GET /prune?days=1'),
  prune_guild: below('POST /prune', { days: 1 }),
  list_guild_audit_log_entries: below('GET /audit-logs', undefined, ['ADMINISTRATOR'], async ({ ask }) => {
    await ask(`PATCH /members/${ids.otter}`, {
      json: { nick: 'Lontra', roles: [ROLES.crew] },
      headers: { 'x-audit-log-reason': 'spring' },
    });
    await ask('POST /prune', { json: {} });
  }),
  list_auto_moderation_rules: below('GET /auto-moderation/rules', undefined, ['MANAGE_GUILD'], RULED),
  get_auto_moderation_rule: below('GET /auto-moderation/rules/97', undefined, ['MANAGE_GUILD'], RULED),
  create_auto_moderation_rule: below('POST /auto-moderation/rules', {
    name: 'Names',
    event_type: 2,
    trigger_type: 6,
    trigger_metadata: { keyword_filter: ['admin'], regex_patterns: ['^mod'] },
    actions: [{ type: 4 }, { type: 2, metadata: { channel_id: ids.general } }],
  }),
  update_auto_moderation_rule: below(
    'PATCH /auto-moderation/rules/97',
    { enabled: false },
    ['MANAGE_GUILD', 'MODERATE_MEMBERS'],
    RULED,
  ),
  delete_auto_moderation_rule: below('DELETE /auto-moderation/rules/97', undefined, ['MANAGE_GUILD'], RULED),
  update_guild_incident_actions: below('PUT /incident-actions', { invites_disabled_until: null }),
  get_guild_preview: below('GET /preview', undefined, []),
  list_guild_voice_regions: below('GET /regions', undefined, []),
  list_voice_regions: async (platform) => ['GET /voice/regions', { headers: platform.bot() }],
  get_guild_widget_settings: below('GET /widget'),
  update_guild_widget_settings: below('PATCH /widget', { enabled: true, channel_id: ids.general }),
  get_guild_widget: below('GET /widget.json', undefined, [], SHOWN),
  get_guild_widget_png: below('GET /widget.png?style=banner2', undefined, [], SHOWN),
  get_guild_template: async (platform) => {
    await TEMPLATED(await inGuild(platform, []));
    return ['GET /guilds/templates/boats', {}];
  },
  list_guild_templates: below('GET /templates', undefined, ['MANAGE_GUILD'], TEMPLATED),
  create_guild_template: below('POST /templates', { name: 'Boats', description: null }),
  sync_guild_template: below('PUT /templates/boats', undefined, ['MANAGE_GUILD'], TEMPLATED),
  update_guild_template: below('PATCH /templates/boats', { name: 'Ships' }, ['MANAGE_GUILD'], TEMPLATED),
  delete_guild_template: below('DELETE /templates/boats', undefined, ['MANAGE_GUILD'], TEMPLATED),
  list_guild_integrations: below('GET /integrations'),
  delete_guild_integration: below(`DELETE /integrations/${APP}`),
  get_guild_join_requests: below('GET /requests', undefined, ['KICK_MEMBERS'], REQUESTED),
  action_guild_join_request: below('PATCH /requests/94', { action: 'APPROVED' }, ['KICK_MEMBERS'], REQUESTED),
  get_guild_welcome_screen: below('GET /welcome-screen', undefined, [], WELCOMING),
  update_guild_welcome_screen: below('PATCH /welcome-screen', {
    enabled: true,
    description: 'Ahoy',
    welcome_channels: [{ channel_id: ids.general, description: 'Talk', emoji_name: '⛵' }],
  }),
  get_guild_new_member_welcome: below('GET /new-member-welcome', undefined, [], WELCOMING),
  get_guilds_onboarding: below('GET /onboarding', undefined, [], WELCOMING),
  put_guilds_onboarding: below('PUT /onboarding', {
    default_channel_ids: [ids.general],
    prompts: [{ id: '0', title: 'Which boat?', options: [{ title: 'Tug', role_ids: [ROLES.crew] }] }],
  }),
  list_guild_members: below('GET /members?limit=10', undefined, [], ({ emulator }) =>
    emulator.apply({ applications: [{ id: APP, intents: ['guild_members'] }] }),
  ),
  search_guild_members: below('GET /members/search?query=h'),
  get_guild_member: below(`GET /members/${ids.heron}`),
  get_my_guild_member: async ({ bearer }) => [
    `GET /users/@me/guilds/${ids.riverBank}/member`,
    { headers: await bearer(['guilds.members.read']) },
  ],
  update_my_guild_member: below('PATCH /members/@me', { nick: 'Tuggy' }),
  update_guild_member: below(`PATCH /members/${ids.otter}`, { nick: 'Lontra' }),
  add_guild_member: async (platform) => {
    await (await inGuild(platform, [])).guild({ departed: [{ user: 'river' }], owner: 'heron' });
    const { authorization } = await platform.bearer(['guilds.join']);
    return [
      `PUT /guilds/${ids.riverBank}/members/${ids.river}`,
      { headers: platform.bot(), json: { access_token: authorization.replace('Bearer ', '') } },
    ];
  },
  delete_guild_member: below(`DELETE /members/${ids.otter}`),
  add_guild_member_role: below(`PUT /members/${ids.otter}/roles/${ROLES.crew}`),
  delete_guild_member_role: below(`DELETE /members/${ids.otter}/roles/${ROLES.crew}`),
  list_guild_roles: below('GET /roles'),
  guild_role_member_counts: below('GET /roles/member-counts'),
  get_guild_role: below(`GET /roles/${ROLES.own}`),
  create_guild_role: below('POST /roles', { name: 'deck' }),
  bulk_update_guild_roles: below('PATCH /roles', [{ id: ROLES.crew, position: 1 }]),
  update_guild_role: below(`PATCH /roles/${ROLES.crew}`, { name: 'deck' }),
  delete_guild_role: below(`DELETE /roles/${ROLES.crew}`),
};
