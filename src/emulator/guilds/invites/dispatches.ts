import * as z from 'zod';
import { dispatchesFor, type GatewayListener } from '../../api/dispatch.ts';
import { timestamp } from '../../api/fields.ts';
import type { Base } from '../../api/world.ts';
import { applicationShape } from '../../applications/answers.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { userShape } from '../../users/shapes.ts';
import { accessTo } from '../channels/channel-access.ts';
import { stays } from '../dispatch-audience.ts';
import { inviteAnswer } from './answers.ts';

/** Services of these events. */
type Needs = Base & HasApplications;

const defineDispatch = dispatchesFor<Needs>();

const intents = ['GUILD_INVITES'] as const;
const tables = ['channel_invites'] as const;

/** Audience that consists of the bots that may manage the channel. */
function manages(platform: Needs, channel: string): (listener: GatewayListener) => boolean {
  return ({ kind, user }) =>
    kind === 'bot' && accessTo(platform, channel, { id: user, bot: true })?.may('MANAGE_CHANNELS') === true;
}

/** Gateway events of invites. */
export const inviteDispatches = [
  defineDispatch({
    event: 'INVITE_CREATE',
    summary: 'An invite to a channel was created; sent to bots that manage the channel.',
    intents,
    tables,
    shape: z.object({
      channel_id: z.string(),
      code: z.string(),
      created_at: z.string(),
      guild_id: z.string(),
      inviter: z.optional(userShape),
      max_age: z.int(),
      max_uses: z.int(),
      target_type: z.optional(z.int()),
      target_user: z.optional(userShape),
      target_application: z.optional(applicationShape),
      temporary: z.boolean(),
      uses: z.int(),
      expires_at: z.nullable(z.string()),
      role_ids: z.optional(z.array(z.string())),
    }),
    *derive(commit, platform) {
      const { tables: now } = platform.world;
      for (const invite of commit.of('channel_invites').created) {
        const guild = now.channels.get(invite.channel)?.guild;
        if (guild === undefined || !stays(commit, now, guild)) continue;
        const { max_age, max_uses, temporary, uses, roles } = invite;
        yield {
          guild,
          canSee: manages(platform, invite.channel),
          data: () => {
            const {
              guild: _guild,
              channel,
              roles: _roles,
              type: _type,
              ...inviteFields
            } = inviteAnswer(platform, invite);
            return {
              ...inviteFields,
              channel_id: channel.id,
              created_at: timestamp(Date.parse(invite.created_at)),
              max_age,
              max_uses,
              temporary,
              uses,
              ...(roles.length === 0 ? {} : { role_ids: [...roles] }),
            };
          },
        };
      }
    },
  }),
  defineDispatch({
    event: 'INVITE_DELETE',
    summary: 'An invite was deleted or used up; sent to bots that manage the channel.',
    intents,
    tables,
    shape: z.object({ channel_id: z.string(), guild_id: z.string(), code: z.string() }),
    ours: 'Not sent for invites that are deleted with their channel.',
    *derive(commit, platform) {
      const { tables: now } = platform.world;
      for (const { code, channel } of commit.of('channel_invites').removed) {
        const guild = now.channels.get(channel)?.guild;
        if (guild === undefined || !stays(commit, now, guild)) continue;
        yield {
          guild,
          canSee: manages(platform, channel),
          data: () => ({ channel_id: channel, guild_id: guild, code }),
        };
      }
    },
  }),
];
