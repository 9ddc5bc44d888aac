import * as z from 'zod';
import { namedShape, permissionSet } from '../api/fields.ts';
import type { Base } from '../api/world.ts';
import { entitlementAnswer } from '../applications/monetization/answers.ts';
import { isEnded } from '../applications/monetization/entitlements.ts';
import { entitlementShape } from '../applications/monetization/shapes.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import { permissionsIn } from '../guilds/channels/access.ts';
import { channelAnswer } from '../guilds/channels/answers.ts';
import { privateChannelAnswer, privateChannelShape } from '../guilds/channels/private-answers.ts';
import { isDirect } from '../guilds/channels/private-records.ts';
import { memberAnswer, memberShape } from '../guilds/members/answers.ts';
import { isIn, memberOf } from '../guilds/members/membership.ts';
import { bitsOf } from '../kernel/permission-bits.ts';
import { messageAnswer } from '../messages/answers.ts';
import { maxFileBytes } from '../messages/attachments/uploads.ts';
import { messageShape } from '../messages/shapes.ts';
import { userAnswer } from '../users/answers.ts';
import type { User } from '../users/records.ts';
import { userShape } from '../users/shapes.ts';
import { dataShape } from './data-shape.ts';
import { viewerOfAnswers } from './ephemeral.ts';
import type { HasInteractions } from './interactions.ts';
import type { Interaction } from './records.ts';
import { resolvedAnswer, usedChannelShapes } from './resolved.ts';

/** Services that these functions need. */
type Needs = Base & HasFileAddresses & HasInteractions;

/** A private channel that the emulator does not have. */
const unknownChannelShape = z.object({ id: z.string(), type: z.int() });

/** Schema of an interaction as applications receive it. */
export const interactionShape = namedShape('Interaction', {
  id: z.string(),
  application_id: z.string(),
  type: z.int(),
  version: z.literal(1),
  token: z.string(),
  data: dataShape,
  guild: z.optional(z.object({ id: z.string(), locale: z.string(), features: z.array(z.string()) })),
  guild_id: z.optional(z.string()),
  channel: z.union([...usedChannelShapes, ...privateChannelShape.options, unknownChannelShape]),
  channel_id: z.string(),
  member: z.optional(memberShape.extend({ permissions: permissionSet() })),
  user: z.optional(userShape),
  message: z.optional(messageShape),
  app_permissions: permissionSet(),
  locale: z.string(),
  guild_locale: z.optional(z.string()),
  entitlements: z.array(entitlementShape),
  authorizing_integration_owners: z.record(z.string(), z.string()),
  context: z.int(),
  attachment_size_limit: z.int(),
});

/** Context of an interaction. */
const CONTEXTS = { guild: 0, botDirect: 1, privateChannel: 2 } as const;

/** Permissions of an application in private channels, and its maximum permissions in a guild without its bot. */
const FROM_OUTSIDE = bitsOf(
  'ATTACH_FILES',
  'EMBED_LINKS',
  'MENTION_EVERYONE',
  'USE_EXTERNAL_EMOJIS',
  'USE_EXTERNAL_STICKERS',
  'SEND_VOICE_MESSAGES',
  'SEND_POLLS',
);

/** An interaction as applications receive it. `base` is the base URL of the API, for the addresses of files. */
export function interactionAnswer(
  platform: Needs,
  interaction: Interaction,
  base: string,
): z.output<typeof interactionShape> {
  const { id, application, type, token, data, channel, locale, owners } = interaction;
  const resolved = resolvedAnswer(platform, interaction, base);
  const message = platform.interactions.message(interaction.message ?? '');
  return {
    id,
    application_id: application,
    type,
    version: 1,
    token,
    data: { ...data, ...(resolved === undefined ? {} : { resolved }) },
    channel_id: channel,
    ...contextAnswer(platform, interaction),
    ...(message === undefined
      ? {}
      : { message: messageAnswer(viewerOfAnswers(platform, base, message), message) }),
    locale,
    entitlements: entitlementsOf(platform, interaction),
    authorizing_integration_owners: { ...owners },
    attachment_size_limit: maxFileBytes(platform),
  };
}

/** Channel and user of an interaction, with the permissions of the user and of the application. */
function contextAnswer({ world, clock }: Needs, { application, user: userId, channel: id }: Interaction) {
  const { tables } = world;
  const now = clock.now();
  const bot = tables.applications.get(application)?.bot_user ?? application;
  const user = userAnswer(tables.users.get(userId) as User);
  const channel = tables.channels.get(id);
  if (channel === undefined) {
    const direct = tables.private_channels.get(id);
    const isWithBot = direct !== undefined && isDirect(direct) && direct.recipients.includes(bot);
    return {
      channel: direct === undefined ? { id, type: 1 } : privateChannelAnswer(tables, direct, bot),
      user,
      app_permissions: String(FROM_OUTSIDE),
      context: isWithBot ? CONTEXTS.botDirect : CONTEXTS.privateChannel,
    };
  }
  const guild = tables.guilds.get(channel.guild);
  const member = memberOf(tables, channel.guild, userId);
  const permissions = permissionsIn(tables, channel, userId, now);
  const isHere = isIn(tables, channel.guild, bot);
  return {
    channel: { ...channelAnswer(tables, channel), permissions: String(permissions) },
    guild_id: channel.guild,
    ...(guild === undefined
      ? {}
      : {
          guild: { id: guild.id, locale: guild.preferred_locale, features: [...guild.features] },
          guild_locale: guild.preferred_locale,
        }),
    ...(member === undefined
      ? { user }
      : { member: { ...memberAnswer(tables, member), permissions: String(permissions) } }),
    app_permissions: String(isHere ? permissionsIn(tables, channel, bot, now) : permissions & FROM_OUTSIDE),
    context: CONTEXTS.guild,
  };
}

/** Entitlements of the user or the guild for the application. */
function entitlementsOf({ world, clock }: Needs, { application, user, channel }: Interaction) {
  const guild = world.tables.channels.get(channel)?.guild;
  return [...world.tables.entitlements]
    .filter(
      (one) =>
        one.application === application &&
        !one.deleted &&
        !isEnded(one, clock.now()) &&
        (one.guild === null ? one.user === user : one.guild === guild),
    )
    .map(entitlementAnswer);
}
