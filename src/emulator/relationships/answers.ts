import * as z from 'zod';
import { timestamp } from '../api/fields.ts';
import { timeOf } from '../snowflake.ts';
import { userAnswer } from '../users/answers.ts';
import type { User } from '../users/records.ts';
import { userShape } from '../users/shapes.ts';
import type { Reading } from '../world.ts';
import type { GameRelationship, Relationship } from './records.ts';

/** What somebody is to a person. */
export const relationshipShape = z
  .object({
    id: z.string(),
    type: z.int(),
    user: userShape,
    nickname: z.nullable(z.string()),
    user_ignored: z.boolean(),
    since: z.optional(z.string()),
  })
  .meta({ id: 'Relationship' });

/** What somebody is to a person, as that is told. */
export function relationshipAnswer(
  { users }: Reading,
  { user, type, since }: Relationship,
): z.output<typeof relationshipShape> {
  return {
    id: user,
    type,
    user: userAnswer(users.get(user) as User),
    // Nobody gives another name or ignores anybody here: both are for the client alone.
    nickname: null,
    user_ignored: false,
    ...(since === undefined ? {} : { since: timestamp(Date.parse(since)) }),
  };
}

/** What somebody is to a person in one game. */
export const gameRelationshipShape = z
  .object({
    id: z.string(),
    application_id: z.string(),
    type: z.int(),
    user: userShape,
    since: z.string(),
    dm_access_type: z.int(),
    user_id: z.string(),
  })
  .meta({ id: 'GameRelationship' });

/** The same in one game. */
export function gameRelationshipAnswer(
  { users }: Reading,
  { of, user, application, type, since }: GameRelationship,
): z.output<typeof gameRelationshipShape> {
  return {
    id: user,
    application_id: application,
    type,
    user: userAnswer(users.get(user) as User),
    // One that nobody dated is as old as the account.
    since: timestamp(since === undefined ? timeOf(user) : Date.parse(since)),
    dm_access_type: 0,
    user_id: of,
  };
}
