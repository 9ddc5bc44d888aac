import * as z from 'zod';
import { ApiError, missingPermissions } from '../../api/api-error.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import type { Writing } from '../../api/world.ts';
import { AUDIT, auditChanges, writeAudit } from '../audit/audit.ts';
import { need, requestingMember } from '../guild-access.ts';
import { leave } from '../members/membership.ts';
import { installedIn, integrationAnswer, integrationShape } from './answers.ts';

/** Maximum number of integrations in the list. */
const MAX_INTEGRATIONS = 50;

/** Webhooks of an application in a guild. */
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

/** Routes of integrations. */
export const integrationOperations = [
  defineOperation({
    id: 'list_guild_integrations',
    summary: 'The applications whose bots are in a guild, up to 50.',
    route: 'GET /guilds/{guild_id}/integrations',
    ours: 'An integration has the id of its bot. There are none of other services. The user who added one is not included.',
    answers: { 200: z.array(integrationShape) },
    handle: ({ caller, params }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      return ok(
        installedIn(platform.world.tables, guild.id).slice(0, MAX_INTEGRATIONS).map(integrationAnswer),
      );
    },
  }),
  defineOperation({
    id: 'delete_guild_integration',
    summary: 'Removes an application from a guild: its bot with its role, and its webhooks.',
    route: 'DELETE /guilds/{guild_id}/integrations/{integration_id}',
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const { guild } = who;
      const found = installedIn(world.tables, guild.id).find((one) => one.bot.id === params.integration_id);
      if (found === undefined) throw new ApiError('UnknownIntegration');
      // A bot that owns the guild cannot be removed from it.
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
