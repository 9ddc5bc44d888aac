import type { Permission } from '../../src/emulator/permissions/bits.ts';
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
