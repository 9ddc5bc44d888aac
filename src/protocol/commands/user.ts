import * as z from 'zod';
import { defineCommand } from '../command.ts';
import { anyOf, EMBEDDED_SCOPE, LOCAL_SCOPE } from '../scope.ts';
import { noArgs, snowflake, user } from '../shapes/common.ts';
import { relationship } from '../shapes/relationship.ts';

/** One user, or null for a user whom the client does not know. */
export const GET_USER = defineCommand({
  scope: anyOf(LOCAL_SCOPE, EMBEDDED_SCOPE),
  args: () => z.object({ id: snowflake() }),
  result: () => z.nullable(user()),
});

/** A user's avatar as a `data:` URL; `size` in pixels. Error 4010 for an unknown user. */
export const GET_IMAGE = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  errors: [4010],
  args: () =>
    z.object({
      type: z.literal('user'),
      id: snowflake(),
      format: z.enum(['png', 'webp', 'jpg']),
      size: z.literal([16, 32, 64, 128, 256, 512, 1024]),
    }),
  result: () => z.looseObject({ data_url: z.string() }),
});

/** Friends, requests and blocked users, each with their activity in the requesting application. */
export const GET_RELATIONSHIPS = defineCommand({
  scope: anyOf('relationships.read'),
  about: ['relationships', 'presences'],
  args: noArgs,
  result: () => z.looseObject({ relationships: z.array(relationship()) }),
});

/** The language of the client as an IETF tag. */
export const USER_SETTINGS_GET_LOCALE = defineCommand({
  scope: anyOf('identify'),
  about: ['language'],
  args: noArgs,
  result: () => z.looseObject({ locale: z.string() }),
});
