import * as z from 'zod';
import { permissionSet } from '../api/fields.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import { explicitPermissionsIn, permissionsIn } from '../guilds/channels/access.ts';
import { channelAnswer } from '../guilds/channels/answers.ts';
import { channelShape } from '../guilds/channels/shapes.ts';
import { memberAnswer, memberShape } from '../guilds/members/answers.ts';
import { isIn, memberOf } from '../guilds/members/membership.ts';
import { roleAnswer, roleShape } from '../guilds/roles/answers.ts';
import { messageAnswer } from '../messages/answers.ts';
import { attachmentAnswer } from '../messages/attachments/attachments.ts';
import { attachmentShape, messageShape } from '../messages/shapes.ts';
import { userAnswer } from '../users/answers.ts';
import { userShape } from '../users/shapes.ts';
import { viewerOfAnswers } from './ephemeral.ts';
import type { HasInteractions } from './interactions.ts';
import type { Interaction } from './records.ts';

/** Services that these functions need. */
type Needs = Base & HasFileAddresses & HasInteractions;

const resolvedMember = memberShape
  .omit({ user: true, mute: true, deaf: true })
  .extend({ permissions: permissionSet() });

/** Channels of a guild, each with the permissions of the user who uses an application. */
export const usedChannelShapes = channelShape.options.map((shape) =>
  shape.extend({ permissions: permissionSet(), app_permissions: z.optional(permissionSet()) }),
);

/** Referenced objects of an interaction, by id. */
export const resolvedShape = z
  .object({
    users: z.record(z.string(), userShape),
    members: z.record(z.string(), resolvedMember),
    roles: z.record(z.string(), roleShape),
    channels: z.record(z.string(), z.union(usedChannelShapes)),
    messages: z.record(z.string(), messageShape),
    attachments: z.record(z.string(), attachmentShape.extend({ ephemeral: z.literal(true) })),
  })
  .partial()
  .meta({ id: 'Resolved' });

/** Existing objects that an interaction refers to; undefined when none of them exists. */
export function resolvedAnswer(
  platform: Needs,
  interaction: Interaction,
  base: string,
): z.output<typeof resolvedShape> | undefined {
  const { tables } = platform.world;
  const { resolves, user: invoker, channel: channelId } = interaction;
  const now = platform.clock.now();
  const channel = tables.channels.get(channelId);
  const guild = channel?.guild;
  const bot = tables.applications.get(interaction.application)?.bot_user ?? interaction.application;
  const objects = {
    users: each(resolves.users, (id) => tables.users.get(id), userAnswer),
    members: each(
      resolves.users,
      (id) => (guild === undefined ? undefined : memberOf(tables, guild, id)),
      (member) => {
        const { user, mute: _, deaf: __, ...rest } = memberAnswer(tables, member);
        const may = channel === undefined ? 0n : permissionsIn(tables, channel, user.id, now);
        return { ...rest, permissions: String(may) };
      },
    ),
    roles: each(resolves.roles, (id) => tables.roles.get(id), roleAnswer),
    channels: each(
      resolves.channels,
      (id) => tables.channels.get(id),
      (one) => ({
        ...channelAnswer(tables, one),
        permissions: String(permissionsIn(tables, one, invoker, now)),
        // Only guilds with the bot have this field. Missing basic permissions, such as viewing the channel, deduct
        // nothing from it.
        ...(isIn(tables, one.guild, bot)
          ? { app_permissions: String(explicitPermissionsIn(tables, one, bot, now)) }
          : {}),
      }),
    ),
    messages: each(
      resolves.messages,
      (id) => platform.interactions.message(id),
      (message) => messageAnswer(viewerOfAnswers(platform, base, message), message),
    ),
    attachments: each(
      resolves.attachments,
      (id) => tables.ephemeral_attachments.get(id),
      (file) => ({
        ...attachmentAnswer(file, (one) => platform.files.of(base, channelId, one)),
        ephemeral: true as const,
      }),
    ),
  };
  const named = Object.fromEntries(Object.entries(objects).filter(([, found]) => found !== undefined));
  return Object.keys(named).length === 0 ? undefined : named;
}

/** Payloads of the existing objects, by id; undefined when none of the objects exists. */
function each<Row, Answer>(
  ids: readonly string[] | undefined,
  find: (id: string) => Row | undefined,
  answer: (row: Row) => Answer,
): Record<string, Answer> | undefined {
  const found = [...new Set(ids)].flatMap((id): [string, Answer][] => {
    const row = find(id);
    return row === undefined ? [] : [[id, answer(row)]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
