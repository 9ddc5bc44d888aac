import * as z from 'zod';
import { namedShape, timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import { userAnswer } from '../answers.ts';
import type { User } from '../records.ts';
import { userShape } from '../shapes.ts';
import type { GameRelationship, Relationship } from './records.ts';

/** Relationship of a user to another. */
export const relationshipShape = namedShape('Relationship', {
  id: z.string(),
  type: z.int(),
  user: userShape,
  nickname: z.nullable(z.string()),
  user_ignored: z.boolean(),
  since: z.optional(z.string()),
});

/** A relationship without the other user, whose account may have been deleted. */
export const bareRelationshipShape = z.object(relationshipShape.omit({ user: true }).shape);

/** A relationship in the form that its owner receives. */
export function relationshipAnswer(
  { users }: Reading,
  relationship: Relationship,
): z.output<typeof relationshipShape> {
  const user = userAnswer(users.get(relationship.user) as User);
  return { ...bareRelationshipAnswer(relationship), user };
}

/** A relationship without the other user. */
export function bareRelationshipAnswer(relationship: Relationship): z.output<typeof bareRelationshipShape> {
  const { user, type, since } = relationship;
  return {
    id: user,
    type,
    // Friend nicknames and ignored users exist only in the client, so the emulator has neither.
    nickname: null,
    user_ignored: false,
    ...(since === undefined ? {} : { since: timestamp(Date.parse(since)) }),
  };
}

/** Relationship of a user to another in one game. */
export const gameRelationshipShape = namedShape('GameRelationship', {
  id: z.string(),
  application_id: z.string(),
  type: z.int(),
  user: userShape,
  since: z.string(),
  dm_access_type: z.int(),
  user_id: z.string(),
});

/** A game relationship without the other user, whose account may have been deleted. */
export const bareGameRelationshipShape = z.object(gameRelationshipShape.omit({ user: true }).shape);

/** A game relationship in the form that its owner receives. */
export function gameRelationshipAnswer(
  { users }: Reading,
  relationship: GameRelationship,
): z.output<typeof gameRelationshipShape> {
  const user = userAnswer(users.get(relationship.user) as User);
  return { ...bareGameRelationshipAnswer(relationship), user };
}

/** A game relationship without the other user. */
export function bareGameRelationshipAnswer(
  relationship: GameRelationship,
): z.output<typeof bareGameRelationshipShape> {
  const { of, user, application, type, since } = relationship;
  return {
    id: user,
    application_id: application,
    type,
    // The default date is the creation time of the account.
    since: timestamp(since === undefined ? timeOf(user) : Date.parse(since)),
    dm_access_type: 0,
    user_id: of,
  };
}
