import * as z from 'zod';
import { invalidForm } from '../../api/api-error.ts';
import { choice, clearable, fault, integer, snowflake, text } from '../../api/fields.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import {
  CONTEXTS,
  type Definition,
  HANDLERS,
  INSTALLS,
  KINDS,
  MAX_OPTIONS,
  MAX_VALUE_CHARS,
} from './definition.ts';
import { commandFaults } from './faults.ts';
import { MAX_FILE_TYPES } from './file-types.ts';
import { LOCALES } from './locales.ts';
import { normalOptions, texts } from './normalization.ts';
import type { Scope } from './scope.ts';

/** Maximum number of commands in a bulk request, as the public documentation states it. */
const MAX_BULK_COMMANDS = 130;
/** Maximum permission set, as the public documentation states it: 54 bits. */
const MAX_PERMISSIONS = 2n ** 54n - 1n;
/** Maximum number of validation errors in a response. */
const MAX_FAULTS = 32;

const few = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(item)
    .refine(
      (value) => value.length <= max,
      fault('BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`),
    )
    .meta({ maxItems: max });

/** Schema of a text's translations; null removes the translation into a language. */
const localized = (maxLength: number) =>
  clearable(
    z
      .record(z.string(), z.nullable(text(1, maxLength)))
      .refine(
        (value) => Object.keys(value).length <= LOCALES.length,
        fault('BASE_TYPE_MAX_LENGTH', `Must be ${LOCALES.length} or fewer in length.`),
      )
      .meta({ maxProperties: LOCALES.length }),
  );

const leaf = {
  type: choice(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
  name: text(1, 32),
  name_localizations: localized(32),
  description: text(1, 100),
  description_localizations: localized(100),
  required: clearable(z.boolean()),
  autocomplete: clearable(z.boolean()),
  choices: clearable(
    few(
      z.object({
        name: text(1, 100),
        name_localizations: localized(100),
        value: z.union([z.string(), z.number()]),
      }),
      MAX_OPTIONS,
    ),
  ),
  channel_types: clearable(few(z.int(), 32)),
  min_value: clearable(z.number()),
  max_value: clearable(z.number()),
  min_length: clearable(integer(0, MAX_VALUE_CHARS)),
  max_length: clearable(integer(1, MAX_VALUE_CHARS)),
  file_types: clearable(few(z.string(), MAX_FILE_TYPES)),
};
const inSubcommand = z.object(leaf);
const inGroup = z.object({ ...leaf, options: clearable(few(inSubcommand, MAX_OPTIONS)) });
const option = z.object({ ...leaf, options: clearable(few(inGroup, MAX_OPTIONS)) });

const permissionBits = z
  .union([z.int(), z.string()])
  .refine((value) => isBits(value), fault('PERMISSION_TYPE_INVALID', 'Value is no set of permissions.'));

function isBits(value: string | number): boolean {
  return /^(0|[1-9]\d{0,16})$/.test(String(value)) && BigInt(value) <= MAX_PERMISSIONS;
}

const fields = {
  name_localizations: localized(32),
  description: clearable(
    z
      .string()
      .refine(
        (value) => value.length <= 100,
        fault('BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.'),
      )
      .meta({ maxLength: 100 }),
  ),
  description_localizations: localized(100),
  options: clearable(few(option, MAX_OPTIONS)),
  default_member_permissions: clearable(permissionBits),
  dm_permission: clearable(z.boolean()),
  default_permission: clearable(z.boolean()),
  contexts: clearable(few(z.int(), 3)),
  integration_types: clearable(few(z.int(), 2)),
  handler: clearable(choice(HANDLERS.app_handler, HANDLERS.discord_launch_activity)),
  nsfw: clearable(z.boolean()),
};

/** A command to create. */
export const newCommand = z.object({ name: text(1, 32), type: clearable(choice(1, 2, 3, 4)), ...fields });
/** Changes to a command; absent fields keep their values. */
export const changedCommand = z.object({ name: z.optional(text(1, 32)), ...fields });
/** All commands of a bulk request. */
export const allCommands = z.nullable(
  few(newCommand.extend({ id: clearable(snowflake()) }), MAX_BULK_COMMANDS),
);

/** A command in a request. */
type NewCommand = z.output<typeof newCommand>;

/** Definition of a new command, or of a command that replaces another. */
export function newDefinition(sent: NewCommand, scope: Scope): Definition {
  return definitionAfter(undefined, { ...sent, type: sent.type ?? KINDS.chat_input }, scope);
}

/** Definition of a command after a request. */
export function definitionAfter(
  before: Definition | undefined,
  sent: z.output<typeof changedCommand> & { readonly type: number },
  { guild }: Scope,
): Definition {
  const or = <T>(value: T | null | undefined, otherwise: T | undefined, none: T): T =>
    value === undefined ? (otherwise ?? none) : (value ?? none);
  const localizations = (name: 'name_localizations' | 'description_localizations') =>
    sent[name] === undefined ? (before?.[name] ?? null) : (texts(sent[name]) ?? null);
  const options = or(sent.options, undefined, []);
  const isEntryPoint = sent.type === KINDS.primary_entry_point;
  return {
    type: sent.type,
    name: sent.name ?? before?.name ?? '',
    name_localizations: localizations('name_localizations'),
    description: or(sent.description, before?.description, ''),
    description_localizations: localizations('description_localizations'),
    options: sent.options === undefined ? (before?.options ?? []) : normalOptions(options),
    default_member_permissions: permissionsAfter(before, sent),
    contexts: guild === null ? contextsAfter(before, sent) : null,
    integration_types:
      guild !== null
        ? [INSTALLS.guild]
        : or<readonly number[]>(sent.integration_types, before?.integration_types, [INSTALLS.guild]),
    nsfw: or(sent.nsfw, before?.nsfw, false),
    handler: isEntryPoint
      ? or<number>(sent.handler, before?.handler ?? undefined, HANDLERS.app_handler)
      : null,
  };
}

type SentChange = z.output<typeof changedCommand>;

/** `default_permission` is the platform's older field: false allows only administrators. */
function permissionsAfter(before: Definition | undefined, sent: SentChange): string | null {
  const { default_member_permissions: bits, default_permission } = sent;
  if (bits !== undefined) return bits === null ? null : String(bits);
  if (default_permission === undefined || default_permission === null) {
    return before?.default_member_permissions ?? null;
  }
  return default_permission ? null : '0';
}

/** `dm_permission` is the platform's older field: false limits a command to guilds. */
function contextsAfter(before: Definition | undefined, sent: SentChange): readonly number[] | null {
  const { contexts, dm_permission } = sent;
  if (contexts !== undefined) return contexts;
  if (dm_permission === undefined || dm_permission === null) return before?.contexts ?? null;
  return dm_permission ? null : [CONTEXTS.guild];
}

/** Validation errors of a request, and of the definition that results from the request. */
export function requestFaults(
  definition: Definition,
  sent: z.output<typeof changedCommand>,
  { guild }: Scope,
): FieldFault[] {
  const faults = commandFaults(definition, guild !== null);
  const isMissing =
    definition.type === KINDS.chat_input && definition.description === '' && sent.description == null;
  if (!isMissing) return faults;
  const required = { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  return faults.map((fault) => (fault.path[0] === 'description' ? { ...fault, ...required } : fault));
}

/** Refuses a request with validation errors. @throws ApiError 50035 where the list is not empty. */
export function refuseFaults(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw invalidForm(faults.slice(0, MAX_FAULTS));
}
