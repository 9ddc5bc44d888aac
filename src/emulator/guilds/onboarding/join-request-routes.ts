import * as z from 'zod';
import { generalError, notFound } from '../../api/api-error.ts';
import {
  choice,
  clearable,
  namedShape,
  queryInteger,
  snowflake,
  textUpTo,
  timestamp,
} from '../../api/fields.ts';
import { defineOperation, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { isBefore, timeOf } from '../../kernel/snowflake.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import { need, requestingMember } from '../guild-access.ts';
import { join } from '../members/membership.ts';
import type { GuildJoinRequest } from './records.ts';

const requestShape = namedShape('GuildJoinRequest', {
  id: z.string(),
  created_at: z.string(),
  reviewed_at: z.nullable(z.string()),
  application_status: z.string(),
  rejection_reason: z.nullable(z.string()),
  guild_id: z.string(),
  user_id: z.string(),
  user: z.nullable(userShape),
  form_responses: z.array(z.looseObject({ field_type: z.string() })),
  actioned_by_user: z.nullable(userShape),
});

function requestAnswer({ users }: Reading, request: GuildJoinRequest): z.output<typeof requestShape> {
  const { id, guild, user, status, reviewed_at, reviewer, rejection_reason, form_responses } = request;
  const optionalUser = (userId: string | null) => {
    const found = userId === null ? undefined : users.get(userId);
    return found === undefined ? null : userAnswer(found);
  };
  return {
    id,
    created_at: timestamp(timeOf(id)),
    reviewed_at: reviewed_at === null ? null : timestamp(Date.parse(reviewed_at)),
    application_status: status,
    rejection_reason,
    guild_id: guild,
    user_id: user,
    user: optionalUser(user),
    form_responses: form_responses.map((one) => ({ ...one })) as z.output<
      typeof requestShape
    >['form_responses'],
    actioned_by_user: optionalUser(reviewer),
  };
}

/** Routes of join requests of a guild. */
export const joinRequestOperations = [
  defineOperation({
    id: 'get_guild_join_requests',
    summary: 'Join requests of a guild, the newest first; after an id, the oldest first.',
    route: 'GET /guilds/{guild_id}/requests',
    query: z.object({
      status: z.optional(choice('STARTED', 'SUBMITTED', 'REJECTED', 'APPROVED')),
      limit: z.optional(queryInteger(1, 100)),
      before: z.optional(snowflake()),
      after: z.optional(snowflake()),
    }),
    ours: 'For members who may kick others. Join requests come from the fixture or from a patch; total counts all of the status.',
    answers: { 200: z.object({ total: z.int(), guild_join_requests: z.array(requestShape) }) },
    handle: ({ caller, params, query }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'KICK_MEMBERS');
      const { status, limit = 100, before, after } = query;
      const { tables } = platform.world;
      const all = [...tables.guild_join_requests.by('guild', guild.id)].filter(
        (one) => status === undefined || one.status === status,
      );
      const inside = all.filter(
        ({ id }) =>
          (before === undefined || isBefore(id, before)) && (after === undefined || isBefore(after, id)),
      );
      const page = after === undefined ? inside.slice(-limit).reverse() : inside.slice(0, limit);
      return ok({
        total: all.length,
        guild_join_requests: page.map((one) => requestAnswer(tables, one)),
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
    ours: 'An unknown request is 404 with code 0, and one that is not pending 400 with code 0: their codes are not published.',
    answers: { 200: requestShape },
    handle: ({ caller, params, body: { action, rejection_reason } }, platform) => {
      const { guild, member, now } = need(
        requestingMember(caller, params.guild_id, platform),
        'KICK_MEMBERS',
      );
      const { world } = platform;
      const request = world.tables.guild_join_requests.get(params.request_id);
      if (request?.guild !== guild.id) throw notFound('Unknown Guild Join Request');
      if (request.status !== 'SUBMITTED') {
        throw generalError(400, `The join request is ${request.status}, not pending`);
      }
      const isIn = action === 'APPROVED';
      const settled = world.transaction((tables) => {
        if (isIn) join(tables, { guild: guild.id, user: request.user, now });
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
