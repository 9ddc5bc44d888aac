import * as z from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import { userAnswer } from '../answers.ts';
import type { User } from '../records.ts';
import { userShape } from '../shapes.ts';
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

/** The same without who they are: whose account that is may be no more. */
export const bareRelationshipShape = z.object(relationshipShape.omit({ user: true }).shape);

/** What somebody is to a person, as that is told. */
export function relationshipAnswer(
  { users }: Reading,
  relationship: Relationship,
): z.output<typeof relationshipShape> {
  const user = userAnswer(users.get(relationship.user) as User);
  return { ...bareRelationshipAnswer(relationship), user };
}

/** The same without who they are. */
export function bareRelationshipAnswer({
  user,
  type,
  since,
}: Relationship): z.output<typeof bareRelationshipShape> {
  return {
    id: user,
    type,
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

/** The same without who they are. */
export const bareGameRelationshipShape = z.object(gameRelationshipShape.omit({ user: true }).shape);

/** The same in one game. */
export function gameRelationshipAnswer(
  { users }: Reading,
  relationship: GameRelationship,
): z.output<typeof gameRelationshipShape> {
  const user = userAnswer(users.get(relationship.user) as User);
  return { ...bareGameRelationshipAnswer(relationship), user };
}

/** The same without who they are. */
export function bareGameRelationshipAnswer({
  of,
  user,
  application,
  type,
  since,
}: GameRelationship): z.output<typeof bareGameRelationshipShape> {
  return {
    id: user,
    application_id: application,
    type,
    // One that nobody dated is as old as the account.
    since: timestamp(since === undefined ? timeOf(user) : Date.parse(since)),
    dm_access_type: 0,
    user_id: of,
  };
}
