import * as z from 'zod';
import { generalError, notFound } from '../../api/api-error.ts';
import { choice, clearable, queryInteger, snowflake, textUpTo } from '../../api/fields.ts';
import { defineOperation, ok } from '../../api/operation.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { isBefore, timeOf } from '../../kernel/snowflake.ts';
import { need, requestingMember } from '../guild-access.ts';
import { needAny } from '../invites/access.ts';
import { join } from '../members/membership.ts';
import type { Guild } from '../records.ts';
import { APPROVAL_FEATURES, takesRequests } from './ask-to-join.ts';
import { requestAnswer, requestShape } from './join-request-answers.ts';
import type { GuildJoinRequest } from './records.ts';

const UNKNOWN = 'Unknown Guild Join Request';

/** The 403 for a guild that lets everybody in. */
function needApproval(guild: Guild): void {
  if (takesRequests(guild)) return;
  throw generalError(
    403,
    `The guild has no join requests: its features need ${APPROVAL_FEATURES.join(' and ')}`,
  );
}

/** Time of the review of a request; where the fixture has none, that of the request. */
function reviewedAt({ id, reviewed_at }: GuildJoinRequest): number {
  return reviewed_at === null ? timeOf(id) : Date.parse(reviewed_at);
}

type Listed = (request: GuildJoinRequest, id: string) => number;

/** Order of waiting requests by their ids, and of reviewed ones by the time of the review. */
const byId: Listed = (request, id) => (isBefore(request.id, id) ? -1 : Number(request.id !== id));
const byReview: Listed = (request, id) => reviewedAt(request) - timeOf(id);

/** Routes of join requests of a guild. */
export const joinRequestOperations = [
  defineOperation({
    id: 'get_guild_join_requests',
    summary: 'Join requests of a guild, the newest first, with one status.',
    route: 'GET /guilds/{guild_id}/requests',
    query: z.object({
      status: z.optional(choice('STARTED', 'SUBMITTED', 'REJECTED', 'APPROVED')),
      limit: z.optional(queryInteger(1, 100)),
      before: z.optional(snowflake()),
      after: z.optional(snowflake()),
    }),
    ours: 'The 403 for a guild without manual approval has code 0, because its code is not published. Requests that are not submitted are never listed. After an id, a page has those next to it.',
    answers: {
      200: z.object({
        total: z.optional(z.int()),
        guild_join_requests: z.optional(z.array(requestShape)),
      }),
    },
    handle: ({ caller, params, query }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      needAny(who, 'KICK_MEMBERS', 'MANAGE_GUILD');
      const { guild, bits } = who;
      needApproval(guild);
      const { status = 'SUBMITTED', limit = 100, before, after } = query;
      const { tables } = platform.world;
      const all = [...tables.guild_join_requests.by('guild', guild.id)].filter(
        (one) => one.status === status && one.status !== 'STARTED',
      );
      const total = status === 'SUBMITTED' ? { total: all.length } : {};
      if ((bits & bitsOf('KICK_MEMBERS')) === 0n) return ok(total);
      const order = status === 'SUBMITTED' ? byId : byReview;
      if (order === byReview) all.sort((a, b) => reviewedAt(a) - reviewedAt(b));
      const inside = all.filter((one) =>
        after === undefined ? before === undefined || order(one, before) < 0 : order(one, after) > 0,
      );
      const page = after === undefined ? inside.slice(-limit) : inside.slice(0, limit);
      return ok({
        ...total,
        guild_join_requests: page.reverse().map((one) => requestAnswer(tables, one)),
      });
    },
  }),
  defineOperation({
    id: 'action_guild_join_request',
    summary: 'Approves a join request, which makes the user a member, or rejects it.',
    route: 'PATCH /guilds/{guild_id}/requests/{request_id}',
    body: z.object({
      action: choice('APPROVED', 'REJECTED'),
      rejection_reason: clearable(textUpTo(160)),
    }),
    ours: 'An unknown request is 404 with code 0, because its code is not published.',
    answers: { 200: requestShape },
    handle: ({ caller, params, body: { action, rejection_reason } }, platform) => {
      const { guild, member, now } = need(
        requestingMember(caller, params.guild_id, platform),
        'KICK_MEMBERS',
      );
      needApproval(guild);
      const { world } = platform;
      const request = world.tables.guild_join_requests.get(params.request_id);
      if (request?.guild !== guild.id || request.status === 'STARTED') throw notFound(UNKNOWN);
      if (request.status !== 'SUBMITTED') return ok(requestAnswer(world.tables, request));
      const isIn = action === 'APPROVED';
      const settled = world.transaction((tables) => {
        if (isIn) join(tables, { guild: guild.id, user: request.user, now }, { pending: false });
        return tables.guild_join_requests.update(request.id, {
          status: action,
          reviewed_at: new Date(now).toISOString(),
          reviewer: member.user,
          rejection_reason: isIn ? null : (rejection_reason ?? null),
        });
      });
      return ok(requestAnswer(world.tables, settled));
    },
  }),
];
