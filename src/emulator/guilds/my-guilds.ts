import * as z from 'zod';
import { ApiError, invalidField } from '../api/api-error.ts';
import { flagText, namedShape, permissionSet, queryInteger, snowflake } from '../api/fields.ts';
import { bearer, bot, noContent, ok, operationsFor } from '../api/operation.ts';
import type { Base, Reading } from '../api/world.ts';
import type { HasApplications } from '../applications/applications.ts';
import { isBefore } from '../kernel/snowflake.ts';
import { requestingMember } from './guild-access.ts';
import { memberCount, presenceCount } from './members/list.ts';
import { isIn, leave } from './members/membership.ts';
import type { Guild } from './records.ts';
import { guildPermissions } from './roles/rights.ts';

const defineOperation = operationsFor<Base & HasApplications>();

const MAX_GUILDS = 200;

const myGuildShape = namedShape('MyGuild', {
  id: z.string(),
  name: z.string(),
  icon: z.nullable(z.string()),
  banner: z.nullable(z.string()),
  owner: z.boolean(),
  permissions: permissionSet(),
  features: z.array(z.string()),
  approximate_member_count: z.optional(z.int()),
  approximate_presence_count: z.optional(z.int()),
});

/** Guilds of a user in the order of their ids: guilds that list the user as a member, and open guilds. */
function guildsOf(tables: Reading, userId: string): Guild[] {
  const ids = new Set<string>();
  for (const { guild } of tables.members.by('user', userId)) ids.add(guild);
  for (const { id } of tables.guilds.by('owner', userId)) ids.add(id);
  for (const { id } of tables.guilds.by('membership', 'everybody')) {
    if (isIn(tables, id, userId)) ids.add(id);
  }
  const guilds = [...ids].map((id) => tables.guilds.get(id)).filter((guild) => guild !== undefined);
  return guilds.sort((a, b) => (isBefore(a.id, b.id) ? -1 : 1));
}

function page(
  guilds: readonly Guild[],
  {
    before,
    after,
    limit = MAX_GUILDS,
  }: { readonly before?: string; readonly after?: string; readonly limit?: number },
): readonly Guild[] {
  const inside = guilds.filter(
    ({ id }) =>
      (before === undefined || isBefore(id, before)) && (after === undefined || isBefore(after, id)),
  );
  // With only `before`, the page consists of the last guilds below that id.
  return before !== undefined && after === undefined ? inside.slice(-limit) : inside.slice(0, limit);
}

/** Routes with which a user lists and leaves their guilds. */
export const myGuildOperations = [
  defineOperation({
    id: 'list_my_guilds',
    summary: 'Guilds of the user of the token, or of the bot, ordered by id, in pages.',
    route: 'GET /users/@me/guilds',
    who: [bot, bearer('guilds')],
    query: z.object({
      before: z.optional(snowflake()),
      after: z.optional(snowflake()),
      limit: z.optional(queryInteger(1, MAX_GUILDS)),
      with_counts: z.optional(flagText()),
      shard: z.optional(queryInteger(0, 2 ** 31 - 1)),
    }),
    answers: { 200: z.array(myGuildShape) },
    ours: 'An application with large sharding must name a shard: 50035 with BASE_TYPE_REQUIRED otherwise.',
    handle: ({ caller, query }, { world, clock, application }) => {
      const { tables } = world;
      const userId = caller.kind === 'bot' ? caller.user.id : caller.userId;
      const record = caller.kind === 'bot' ? caller.application : application(caller.clientId)?.record;
      const shards = record?.max_concurrency ?? 1;
      const shard = shardOf(query.shard, shards);
      const { before, after, limit } = query;
      const own = guildsOf(tables, userId).filter(({ id }) => shard === undefined || isOn(id, shard, shards));
      const listed = page(own, {
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        ...(limit === undefined ? {} : { limit }),
      });
      const now = clock.now();
      return ok(
        listed.map((guild) => ({
          id: guild.id,
          name: guild.name,
          icon: guild.icon,
          banner: guild.banner,
          owner: guild.owner === userId,
          permissions: String(guildPermissions(tables, guild.id, userId, now)),
          features: [...guild.features],
          ...(query.with_counts === true
            ? {
                approximate_member_count: memberCount(tables, guild),
                approximate_presence_count: presenceCount(tables, guild),
              }
            : {}),
        })),
      );
    },
  }),
  defineOperation({
    id: 'leave_guild',
    summary: 'Removes the bot from a guild.',
    route: 'DELETE /users/@me/guilds/{guild_id}',
    answers: { 204: null },
    handle: ({ caller, params }, platform) => {
      const { guild, member } = requestingMember(caller, params.guild_id, platform);
      if (guild.owner === member.user) throw new ApiError('InvalidGuild');
      platform.world.transaction((tables) => leave(tables, guild, member.user));
      return noContent();
    },
  }),
];

/**
 * The shard number of a request. @throws ApiError 50035 for a number that is missing although there are several shards,
 * or that is too large.
 */
function shardOf(shard: number | undefined, shards: number): number | undefined {
  const wrong = (code: string, message: string) => invalidField(['shard'], code, message);
  if (shards === 1) {
    if (shard === undefined || shard === 0) return undefined;
    throw wrong('NUMBER_TYPE_MAX', 'int value should be less than or equal to 0.');
  }
  if (shard === undefined) throw wrong('BASE_TYPE_REQUIRED', 'This field is required');
  if (shard >= shards)
    throw wrong('NUMBER_TYPE_MAX', `int value should be less than or equal to ${shards - 1}.`);
  return shard;
}

function isOn(guildId: string, shard: number, shards: number): boolean {
  return Number((BigInt(guildId) >> 22n) % BigInt(shards)) === shard;
}
