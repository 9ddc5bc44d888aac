import * as z from 'zod';
import { notFound } from '../api/api-error.ts';
import { noContent, ok } from '../api/reply.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import { asking, missingPermissions, need } from '../guilds/asking.ts';
import { AUDIT, auditChanges, writeAudit } from '../guilds/audit.ts';
import { isIn, leave } from '../guilds/membership.ts';
import { bot, defineOperation } from '../operation.ts';
import { userAnswer, userShape } from '../users/answers.ts';
import type { User } from '../users/records.ts';
import type { Reading, Writing } from '../world.ts';

const UNKNOWN_INTEGRATION = 10005;
/** How many are told. */
const MOST = 50;

const integrationShape = z
  .object({
    id: z.string(),
    type: z.literal('discord'),
    name: z.string(),
    enabled: z.boolean(),
    account: z.object({ id: z.string(), name: z.string() }),
    application: z.object({
      id: z.string(),
      name: z.string(),
      icon: z.nullable(z.string()),
      description: z.string(),
      type: z.null(),
      bot: userShape,
    }),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Integration' });

/** An application whose bot is in a guild. */
interface Installed {
  readonly application: ApplicationRecord;
  readonly bot: User;
}

function installedIn(tables: Reading, guildId: string): Installed[] {
  return [...tables.applications].flatMap((application) => {
    const user = tables.users.get(application.bot_user ?? application.id);
    return user?.bot === true && isIn(tables, guildId, user.id) ? [{ application, bot: user }] : [];
  });
}

function integrationAnswer({ application, bot: user }: Installed): z.output<typeof integrationShape> {
  const { id, name, icon, description } = application;
  return {
    id: user.id,
    type: 'discord',
    name,
    enabled: true,
    account: { id: user.id, name: user.username },
    application: { id, name, icon, description, type: null, bot: userAnswer(user) },
    scopes: ['bot'],
  };
}

/** The webhooks that an application has in a guild. */
function webhooksOf(
  { channel_webhooks: webhooks, channels }: Writing,
  guildId: string,
  applicationId: string,
) {
  return [...webhooks].filter(
    ({ application, channel }) =>
      application === applicationId && channels.get(channel ?? '')?.guild === guildId,
  );
}

/** The routes of the applications that are added to a guild. */
export const integrationOperations = [
  defineOperation({
    id: 'list_guild_integrations',
    summary: 'The applications whose bots are in a guild, up to 50.',
    method: 'GET',
    path: '/guilds/{guild_id}/integrations',
    who: [bot],
    ours: 'An integration bears the id of its bot. There are none of other services. Who added one is not told.',
    answers: { 200: z.array(integrationShape) },
    handle: ({ caller, params }, platform) => {
      const { guild } = need(asking(caller, params.guild_id, platform), 'MANAGE_GUILD');
      return ok(installedIn(platform.world.tables, guild.id).slice(0, MOST).map(integrationAnswer));
    },
  }),
  defineOperation({
    id: 'delete_guild_integration',
    summary: 'Takes an application out of a guild: its bot with its role, and its webhooks.',
    method: 'DELETE',
    path: '/guilds/{guild_id}/integrations/{integration_id}',
    who: [bot],
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = need(asking(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const { guild } = who;
      const found = installedIn(world.tables, guild.id).find((one) => one.bot.id === params.integration_id);
      if (found === undefined) throw notFound('Unknown Integration', UNKNOWN_INTEGRATION);
      // Nobody takes the owner out.
      if (guild.owner === found.bot.id) throw missingPermissions();
      world.transaction((tables) => {
        leave(tables, guild, found.bot.id);
        for (const { id } of webhooksOf(tables, guild.id, found.application.id)) {
          tables.channel_webhooks.remove(id);
        }
        const { name, type } = integrationAnswer(found);
        writeAudit(world, tables, who, {
          action: AUDIT.INTEGRATION_DELETE,
          target: found.bot.id,
          reason,
          changes: auditChanges({ name, type }, undefined),
        });
      });
      return noContent();
    },
  }),
];
