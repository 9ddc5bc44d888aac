import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { type GuildPlatform, inGuild, ROLES } from '../../../helpers/guild-platform.ts';
import { APP, type PlatformRequest, type TestPlatform } from '../../../helpers/platform.ts';

type Asked = readonly [what: string, PlatformRequest];

/** An invite of the bot with everything that one can have. */
export const INVITE = {
  code: 'quayside',
  channel: ids.lounge,
  created_at: '2026-11-20T12:00:00Z',
  max_age: 0,
  inviter: APP,
} as const;

/** A body with a file of target users, and perhaps other fields. */
export function targetsForm(text: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('target_users_file', new Blob([text], { type: 'text/csv' }), 'users.csv');
  return form;
}

function asked(
  what: string,
  request: PlatformRequest = {},
  permissions: readonly Permission[] = ['ADMINISTRATOR'],
  prepare: (platform: GuildPlatform) => unknown = ({ emulator }) =>
    emulator.apply({
      channel_invites: [
        {
          ...INVITE,
          target_type: 2,
          target_application: APP,
          roles: [ROLES.crew],
          targeted: true,
          targets: [{ user: ids.otter }],
          job: { state: 'failed', total: 2, processed: 1, created_at: INVITE.created_at, error: 'broken' },
        },
      ],
    }),
) {
  return async (platform: TestPlatform): Promise<Asked> => {
    await prepare(await inGuild(platform, permissions));
    return [what, { headers: platform.bot(), ...request }];
  };
}

/** How each operation of invites is asked by somebody who may. */
export const inviteAsked: Readonly<Record<string, (platform: TestPlatform) => Promise<Asked>>> = {
  create_channel_invite: asked(`POST /channels/${ids.lounge}/invites`, {
    json: { target_type: 2, target_application_id: APP, role_ids: [ROLES.crew], target_user_ids: ['7'] },
  }),
  list_channel_invites: asked(`GET /channels/${ids.lounge}/invites`),
  list_guild_invites: asked(`GET /guilds/${ids.riverBank}/invites`),
  get_guild_vanity_url: asked(`GET /guilds/${ids.riverBank}/vanity-url`),
  invite_resolve: asked('GET /invites/quayside?with_counts=true'),
  invite_revoke: asked('DELETE /invites/quayside'),
  get_invite_target_users: asked('GET /invites/quayside/target-users'),
  update_invite_target_users: asked('PUT /invites/quayside/target-users', { body: targetsForm('7\n') }),
  get_invite_target_users_job_status: asked('GET /invites/quayside/target-users/job-status'),
};
