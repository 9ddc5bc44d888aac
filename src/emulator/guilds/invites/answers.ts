import * as z from 'zod';
import { namedShape, timestamp } from '../../api/fields.ts';
import { picked } from '../../api/present.ts';
import type { Base } from '../../api/world.ts';
import { applicationAnswer, applicationShape } from '../../applications/answers.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import type { ChannelRecord } from '../channels/records.ts';
import { guildAnswer, guildShape } from '../guild-answers.ts';
import type { Guild } from '../records.ts';
import { roleAnswer, roleShape } from '../roles/answers.ts';
import { endOf } from './invites.ts';
import type { ChannelInviteRecord } from './records.ts';

/** Services of these routes. */
type Needs = Base & HasApplications;

/** Type of a guild invite. */
const GUILD = 0;

const GUILD_FIELDS = {
  id: true,
  name: true,
  splash: true,
  banner: true,
  description: true,
  icon: true,
  features: true,
  verification_level: true,
  vanity_url_code: true,
  nsfw_level: true,
  nsfw: true,
  premium_tier: true,
  premium_subscription_count: true,
} as const;
const inviteGuildShape = guildShape.pick(GUILD_FIELDS);

/** Fields of a role in the public view of an invite that grants the role. */
const ROLE_FIELDS = {
  id: true,
  name: true,
  position: true,
  color: true,
  colors: true,
  icon: true,
  unicode_emoji: true,
} as const;
const inviteRoleShape = roleShape.pick(ROLE_FIELDS);

/** Public view of an invite. */
export const inviteShape = namedShape('Invite', {
  type: z.literal(GUILD),
  code: z.string(),
  inviter: z.optional(userShape),
  expires_at: z.nullable(z.string()),
  guild: inviteGuildShape,
  guild_id: z.string(),
  channel: z.object({ id: z.string(), name: z.string(), type: z.int() }),
  target_type: z.optional(z.int()),
  target_user: z.optional(userShape),
  target_application: z.optional(applicationShape),
  approximate_member_count: z.optional(z.int()),
  approximate_presence_count: z.optional(z.int()),
  roles: z.optional(z.array(inviteRoleShape)),
});

/** Public view of an invite plus the fields for managers. The latter are either all present or all absent. */
export const fullInviteShape = inviteShape
  .extend({
    uses: z.optional(z.int()),
    max_uses: z.optional(z.int()),
    max_age: z.optional(z.int()),
    temporary: z.optional(z.boolean()),
    created_at: z.optional(z.string()),
  })
  .meta({ id: 'InviteWithMetadata' });

/** An invite, as the user who accepted it receives it. */
export const acceptedInviteShape = inviteShape
  .extend({ new_member: z.boolean() })
  .meta({ id: 'AcceptedInvite' });

/** Public view of an invite. A list for one guild passes the guild's part, so that it is built only once. */
export function inviteAnswer(
  { world, application }: Pick<Base, 'world'> & HasApplications,
  invite: ChannelInviteRecord,
  guild?: InvitedGuild,
): z.output<typeof inviteShape> {
  const { tables } = world;
  const channel = tables.channels.get(invite.channel) as ChannelRecord;
  const inviter = tables.users.get(invite.inviter ?? '');
  const user = tables.users.get(invite.target_user ?? '');
  const opened = application(invite.target_application ?? '')?.record;
  const roles = invite.roles.flatMap((id) => tables.roles.get(id) ?? []);
  const end = endOf(invite);
  return {
    ...guildInviteAnswer(world.tables, channel, guild),
    code: invite.code,
    ...(inviter === undefined ? {} : { inviter: userAnswer(inviter) }),
    expires_at: end === undefined ? null : timestamp(end),
    ...(invite.target_type === null ? {} : { target_type: invite.target_type }),
    ...(user === undefined ? {} : { target_user: userAnswer(user) }),
    ...(opened === undefined ? {} : { target_application: applicationAnswer(world, opened) }),
    ...(roles.length === 0 ? {} : { roles: roles.map((role) => picked(roleAnswer(role), ROLE_FIELDS)) }),
  };
}

/** View of an invite for its managers. */
export function fullInviteAnswer(
  platform: Pick<Base, 'world'> & HasApplications,
  invite: ChannelInviteRecord,
  guild?: InvitedGuild,
): z.output<typeof fullInviteShape> {
  const { uses, max_uses, max_age, temporary, created_at } = invite;
  return {
    ...inviteAnswer(platform, invite, guild),
    uses,
    max_uses,
    max_age,
    temporary,
    created_at: timestamp(Date.parse(created_at)),
  };
}

type InvitedGuild = z.output<typeof inviteGuildShape>;

/** A guild in an invite. */
export function invitedGuild(tables: Needs['world']['tables'], guildId: string): InvitedGuild {
  return picked(guildAnswer(tables, tables.guilds.get(guildId) as Guild), GUILD_FIELDS);
}

/** The part that all invites to a channel of a guild have in common. */
export function guildInviteAnswer(
  tables: Needs['world']['tables'],
  { id, name, type, guild: guildId }: ChannelRecord,
  guild = invitedGuild(tables, guildId),
) {
  return { type: GUILD, guild, guild_id: guildId, channel: { id, name, type } } as const;
}
