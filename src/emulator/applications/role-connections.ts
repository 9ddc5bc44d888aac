import * as z from 'zod';
import { ApiError, invalidForm } from '../api/api-error.ts';
import type { TokenCaller } from '../api/caller.ts';
import { choice, clearable, fault, namedShape, text } from '../api/fields.ts';
import { bearer, defineOperation, noContent, ok } from '../api/operation.ts';
import type { World } from '../api/world.ts';
import { isRealDay } from '../kernel/time-text.ts';

const MAX_LOCALIZATIONS_LENGTH = 16_384;

const key = z
  .string()
  .refine(
    (value) => /^[a-z0-9_]{1,50}$/.test(value),
    fault('STRING_TYPE_REGEX', 'String value did not match validation regex.'),
  );

/** Translations of a text, each with a maximum length. The total length of all translations is limited as well. */
const localizations = (maxLength: number) =>
  clearable(
    z
      .record(z.string().max(16), z.nullable(text(1, maxLength)))
      .refine(
        (value) => JSON.stringify(value).length <= MAX_LOCALIZATIONS_LENGTH,
        fault('BASE_TYPE_MAX_LENGTH', 'Must be 16384 or fewer in length.'),
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
export const metadataItemShape = namedShape('RoleConnectionMetadata', {
  type: z.int(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  name_localizations: z.optional(z.record(z.string(), z.unknown())),
  description_localizations: z.optional(z.record(z.string(), z.unknown())),
});

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

/** A value of a role connection. The platform's own sample sends numbers; they are stored as text. */
const metadataValue = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform(String)
  .pipe(text(1, 100));

/** Kinds of values by the type of their field, with the platform's error for a value of another kind. */
const VALUE_KINDS = [
  {
    upTo: 4,
    isOne: (value: string) => /^-?\d+$/.test(value),
    code: 'NUMBER_TYPE_COERCE',
    message: 'Value is not int.',
  },
  {
    upTo: 6,
    isOne: (value: string) =>
      /^\d{4}-\d{2}-\d{2}(T|$)/.test(value) && !Number.isNaN(Date.parse(value)) && isRealDay(value),
    code: 'DATE_TIME_TYPE_PARSE',
    message: 'Could not parse the value as a date and time.',
  },
  {
    upTo: 8,
    isOne: (value: string) => /^(true|false|1|0)$/i.test(value),
    code: 'BOOLEAN_TYPE_CONVERT',
    message: 'Must be either true or false.',
  },
];

/** Checks values against the fields of the application. A value without a field may be any text. @throws ApiError 50035 */
function checkKinds(world: World, application: string, metadata: Readonly<Record<string, string>>): void {
  const faults = Object.entries(metadata).flatMap(([name, value]) => {
    const field = world.tables.role_connection_metadata.get(application, name);
    const kind = VALUE_KINDS.find(({ upTo }) => field !== undefined && field.type <= upTo);
    if (kind === undefined || kind.isOne(value)) return [];
    return [{ path: ['metadata', name], code: kind.code, message: kind.message }];
  });
  if (faults.length > 0) throw invalidForm(faults);
}

const roleConnectionShape = namedShape('RoleConnection', {
  platform_name: z.optional(z.string()),
  platform_username: z.nullable(z.string()),
  metadata: z.record(z.string(), z.string()),
});

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
    route: `GET ${path}`,
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
    route: `PUT ${path}`,
    who,
    body: z.object({
      platform_name: clearable(text(0, 50)),
      platform_username: clearable(text(0, 100)),
      metadata: clearable(
        z
          .record(key, metadataValue)
          .refine(
            (value) => Object.keys(value).length <= 5,
            fault('BASE_TYPE_BAD_LENGTH', 'Must be between 0 and 5 in length.'),
          ),
      ),
    }),
    ours: 'A value that is not of the kind of its field is refused with 50035: integers for types 1 to 4, a day or time in ISO 8601 for 5 and 6, and true, false, 1 or 0 for 7 and 8.',
    answers: { 200: roleConnectionShape },
    handle: ({ caller, params, body }, { world }) => {
      const application = params.application_id;
      checkOwn(caller, application);
      checkKinds(world, application, body.metadata ?? {});
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
    route: `DELETE ${path}`,
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
