import * as z from 'zod';
import { ApiError } from '../api/api-error.ts';
import type { TokenCaller } from '../api/caller.ts';
import { choice, text } from '../api/fields.ts';
import { bearer, defineOperation } from '../api/operation.ts';
import { noContent, ok } from '../api/reply.ts';
import type { World } from '../api/world.ts';

const MAX_LOCALIZATIONS_LENGTH = 16_384;

const key = z.string().refine((value) => /^[a-z0-9_]{1,50}$/.test(value), {
  params: { code: 'STRING_TYPE_REGEX', message: 'String value did not match validation regex.' },
});

/** Translations of a text, each with a maximum length. The total length of all translations is limited as well. */
const localizations = (maxLength: number) =>
  z.optional(
    z.nullable(
      z
        .record(z.string().max(16), z.nullable(text(1, maxLength)))
        .refine((value) => JSON.stringify(value).length <= MAX_LOCALIZATIONS_LENGTH, {
          params: { code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 16384 or fewer in length.' },
        }),
    ),
  );

/** A metadata field of role connections in a request. */
export const metadataItem = z.object({
  type: choice(1, 2, 3, 4, 5, 6, 7, 8),
  key,
  name: text(1, 100),
  description: text(1, 200),
  name_localizations: localizations(100),
  description_localizations: localizations(200),
});

/** A metadata field in a reply. */
export const metadataItemShape = z
  .object({
    type: z.int(),
    key: z.string(),
    name: z.string(),
    description: z.string(),
    name_localizations: z.optional(z.record(z.string(), z.unknown())),
    description_localizations: z.optional(z.record(z.string(), z.unknown())),
  })
  .meta({ id: 'RoleConnectionMetadata' });

/** The metadata fields of an application, as a reply contains them. */
export function metadataAnswer(world: World, application: string): z.output<typeof metadataItemShape>[] {
  const rows = [...world.tables.role_connection_metadata.by('application', application)];
  return rows.map((row) => ({
    type: row.type,
    key: row.key,
    name: row.name,
    description: row.description,
    // Missing translations are omitted, because the public document does not permit null for them.
    ...(row.name_localizations === null ? {} : { name_localizations: row.name_localizations }),
    ...(row.description_localizations === null
      ? {}
      : { description_localizations: row.description_localizations }),
  }));
}

const roleConnectionShape = z
  .object({
    platform_name: z.optional(z.string()),
    platform_username: z.nullable(z.string()),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'RoleConnection' });

const path = '/users/@me/applications/{application_id}/role-connection';
const who = [bearer('role_connections.write')];

/** Checks that the application is the one that the token was issued to. @throws ApiError for any other application. */
function checkOwn(caller: TokenCaller, applicationId: string): void {
  if (caller.clientId !== applicationId) throw new ApiError('UnknownApplication');
}

function answer(world: World, application: string, user: string): z.output<typeof roleConnectionShape> {
  const row = world.tables.role_connections.get(application, user);
  return {
    // A missing name is omitted, because the public document does not permit null for it.
    ...(row?.platform_name == null ? {} : { platform_name: row.platform_name }),
    platform_username: row?.platform_username ?? null,
    metadata: Object.fromEntries((row?.metadata ?? []).map(({ key: name, value }) => [name, value])),
  };
}

/** The routes of role connections. */
export const roleConnectionOperations = [
  defineOperation({
    id: 'get_application_user_role_connection',
    summary: 'The application’s role connection of the user.',
    method: 'GET',
    path,
    who,
    answers: { 200: roleConnectionShape },
    handle: ({ caller, params }, { world }) => {
      checkOwn(caller, params.application_id);
      return ok(answer(world, params.application_id, caller.userId));
    },
  }),
  defineOperation({
    id: 'update_application_user_role_connection',
    summary: 'Updates the role connection of the user; omitted fields stay.',
    method: 'PUT',
    path,
    who,
    body: {
      kinds: ['json'],
      schema: z.object({
        platform_name: z.optional(z.nullable(text(0, 50))),
        platform_username: z.optional(z.nullable(text(0, 100))),
        metadata: z.optional(
          z.nullable(
            z.record(key, text(1, 100)).refine((value) => Object.keys(value).length <= 5, {
              params: { code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be between 0 and 5 in length.' },
            }),
          ),
        ),
      }),
    },
    answers: { 200: roleConnectionShape },
    handle: ({ caller, params, body }, { world }) => {
      const application = params.application_id;
      checkOwn(caller, application);
      const user = caller.userId;
      world.transaction(({ role_connections: table }) => {
        const before = table.get(application, user);
        const { platform_name, platform_username, metadata } = body;
        const entries = (metadata === undefined ? undefined : Object.entries(metadata ?? {}))?.map(
          ([name, value]) => ({ key: name, value }),
        );
        table.put({
          application,
          user,
          platform_name: platform_name === undefined ? (before?.platform_name ?? null) : platform_name,
          platform_username:
            platform_username === undefined ? (before?.platform_username ?? null) : platform_username,
          metadata: entries ?? before?.metadata ?? [],
        });
      });
      return ok(answer(world, application, user));
    },
  }),
  defineOperation({
    id: 'delete_application_user_role_connection',
    summary: 'Deletes the role connection of the user.',
    method: 'DELETE',
    path,
    who,
    answers: { 204: null },
    handle: ({ caller, params }, { world }) => {
      checkOwn(caller, params.application_id);
      world.transaction(({ role_connections: table }) =>
        table.remove(`${params.application_id} ${caller.userId}`),
      );
      return noContent();
    },
  }),
];
