import * as z from 'zod';
import { namedShape, timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import type { GuildJoinRequest } from './records.ts';

/** A join request, in answers and in events. */
export const requestShape = namedShape('GuildJoinRequest', {
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

/** A join request in the platform's form. */
export function requestAnswer({ users }: Reading, request: GuildJoinRequest): z.output<typeof requestShape> {
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
