import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { flagText, list, namedShape, queryInteger, snowflake } from '../../api/fields.ts';
import { defineOperation, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import { requestingMember } from '../guild-access.ts';
import { memberAnswer, memberShape } from '../members/answers.ts';
import { memberOf } from '../members/membership.ts';
import type { EventException } from './records.ts';
import { eventIn } from './rights.ts';

const eventUserShape = namedShape('ScheduledEventUser', {
  guild_scheduled_event_id: z.string(),
  guild_scheduled_event_exception_id: z.optional(z.string()),
  user_id: z.string(),
  user: userShape,
  member: z.optional(memberShape),
  response: z.literal(1),
});

const query = z.object({
  with_member: z.optional(flagText()),
  limit: z.optional(queryInteger(1, 100)),
  before: z.optional(snowflake()),
  after: z.optional(snowflake()),
});

/** A page of users, ordered by id. */
function usersAnswer(
  tables: Reading,
  of: { readonly guild: string; readonly event: string; readonly exception?: string },
  users: readonly string[],
  { with_member, limit = 100, before, after }: z.output<typeof query>,
): z.output<typeof eventUserShape>[] {
  const ids = users.map(BigInt).sort((a, b) => (a < b ? -1 : 1));
  // If both bounds are given, `after` is ignored: the page ends directly below `before`.
  const page =
    before === undefined
      ? ids.filter((id) => id > BigInt(after ?? 0)).slice(0, limit)
      : ids.filter((id) => id < BigInt(before)).slice(-limit);
  return page.flatMap((id) => {
    const user = tables.users.get(String(id));
    if (user === undefined) return [];
    const member = with_member === true ? memberOf(tables, of.guild, user.id) : undefined;
    return [
      {
        guild_scheduled_event_id: of.event,
        ...(of.exception === undefined ? {} : { guild_scheduled_event_exception_id: of.exception }),
        user_id: user.id,
        user: userAnswer(user),
        ...(member === undefined ? {} : { member: memberAnswer(tables, member) }),
        response: 1,
      },
    ];
  });
}

/** An exception of an event. @throws ApiError 404 for an unknown exception. */
export function exceptionIn({ event_exceptions }: Reading, eventId: string, id: string): EventException {
  const exception = event_exceptions.get(id);
  if (exception?.event !== eventId) throw new ApiError('UnknownGuildScheduledEventException');
  return exception;
}

const ONE = '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}';

/** Routes of users who are interested in events. */
export const eventUserOperations = [
  defineOperation({
    id: 'list_guild_scheduled_event_users',
    summary: 'Users who are interested in an event, ordered by id.',
    route: `GET ${ONE}/users`,
    query,
    answers: { 200: z.array(eventUserShape) },
    handle: ({ caller, params, query: pageQuery }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { id } = eventIn(platform, caller, guild.id, params.guild_scheduled_event_id);
      const { tables } = platform.world;
      const users = [...tables.event_users.by('event', id)].map(({ user }) => user);
      return ok(usersAnswer(tables, { guild: guild.id, event: id }, users, pageQuery));
    },
  }),
  defineOperation({
    id: 'list_guild_scheduled_event_exception_users',
    summary: 'Users who are interested in an exception of an event, ordered by id.',
    route: `GET ${ONE}/{guild_scheduled_event_exception_id}/users`,
    query,
    answers: { 200: z.array(eventUserShape) },
    handle: ({ caller, params, query: pageQuery }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { id } = eventIn(platform, caller, guild.id, params.guild_scheduled_event_id);
      const { tables } = platform.world;
      const exception = exceptionIn(tables, id, params.guild_scheduled_event_exception_id);
      const users = [...tables.exception_users.by('exception', exception.id)].map(({ user }) => user);
      return ok(
        usersAnswer(tables, { guild: guild.id, event: id, exception: exception.id }, users, pageQuery),
      );
    },
  }),
  defineOperation({
    id: 'count_guild_scheduled_event_users',
    summary: 'Number of users who are interested in an event, and in those of its exceptions that are named.',
    route: `GET ${ONE}/users/counts`,
    query: z.object({ guild_scheduled_event_exception_ids: z.optional(list(snowflake(), 0, 10)) }),
    answers: {
      200: z.object({
        guild_scheduled_event_count: z.int(),
        guild_scheduled_event_exception_counts: z.record(z.string(), z.int()),
      }),
    },
    handle: ({ caller, params, query: { guild_scheduled_event_exception_ids: ids = [] } }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { id } = eventIn(platform, caller, guild.id, params.guild_scheduled_event_id);
      const { tables } = platform.world;
      const counts = ids.map((one) => {
        const exception = exceptionIn(tables, id, one);
        return [one, tables.exception_users.by('exception', exception.id).size] as const;
      });
      return ok({
        guild_scheduled_event_count: tables.event_users.by('event', id).size,
        guild_scheduled_event_exception_counts: Object.fromEntries(counts),
      });
    },
  }),
];
