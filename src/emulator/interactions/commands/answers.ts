import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import { present } from '../../api/present.ts';
import { CONTEXTS, type CommandChoice, type CommandOption } from './definition.ts';
import { inLocale, type Localizations } from './locales.ts';
import type { CommandPermissions, CommandRecord } from './records.ts';

const localizations = z.optional(z.nullable(z.record(z.string(), z.string())));

const called = {
  name: z.string(),
  name_localized: z.optional(z.string()),
  name_localizations: localizations,
};
const described = {
  ...called,
  description: z.string(),
  description_localized: z.optional(z.string()),
  description_localizations: localizations,
};

const leaf = {
  type: z.int(),
  ...described,
  required: z.optional(z.boolean()),
  autocomplete: z.optional(z.boolean()),
  choices: z.optional(z.array(z.object({ ...called, value: z.union([z.string(), z.number()]) }))),
  channel_types: z.optional(z.array(z.int())),
  min_value: z.optional(z.number()),
  max_value: z.optional(z.number()),
  min_length: z.optional(z.int()),
  max_length: z.optional(z.int()),
  file_types: z.optional(z.array(z.string())),
};
const inGroup = z.object({ ...leaf, options: z.optional(z.array(z.object(leaf))) });
const option = namedShape('ApplicationCommandOption', { ...leaf, options: z.optional(z.array(inGroup)) });

/** Schema of a command as its application receives it. */
export const commandShape = namedShape('ApplicationCommand', {
  id: z.string(),
  application_id: z.string(),
  version: z.string(),
  default_member_permissions: z.nullable(z.string()),
  type: z.int(),
  ...described,
  guild_id: z.optional(z.string()),
  dm_permission: z.optional(z.boolean()),
  contexts: z.nullable(z.array(z.int())),
  integration_types: z.array(z.int()),
  options: z.optional(z.array(option)),
  nsfw: z.boolean(),
  handler: z.optional(z.int()),
});

type CommandAnswer = z.output<typeof commandShape>;

interface Called {
  readonly name_localizations?: Localizations | null | undefined;
  readonly description_localizations?: Localizations | null | undefined;
}

/** Returns the translations of a name and description: all, or those of one language. */
type Naming = (of: Called) => object;

/** All translations. */
const inAll: Naming = ({ name_localizations, description_localizations }) => ({
  ...(name_localizations === undefined ? {} : { name_localizations }),
  ...(description_localizations === undefined ? {} : { description_localizations }),
});

/** Returns only the translation into one language, if there is one. */
function inOne(locale: string): Naming {
  return ({ name_localizations, description_localizations }) => {
    const name_localized = inLocale(name_localizations, locale);
    const description_localized = inLocale(description_localizations, locale);
    return {
      ...(name_localized === undefined ? {} : { name_localized }),
      ...(description_localized === undefined ? {} : { description_localized }),
    };
  };
}

/** A command as its application receives it: with all translations, or with those of one language. */
export function commandAnswer(command: CommandRecord, locale?: string): CommandAnswer {
  const naming = locale === undefined ? inAll : inOne(locale);
  const { guild, contexts, options, handler } = command;
  return {
    id: command.id,
    application_id: command.application,
    version: command.version,
    default_member_permissions: command.default_member_permissions,
    type: command.type,
    name: command.name,
    description: command.description,
    ...naming(command),
    ...(guild === null
      ? { dm_permission: contexts === null || contexts.includes(CONTEXTS.bot_dm) }
      : { guild_id: guild }),
    contexts: contexts === null ? null : [...contexts],
    integration_types: [...command.integration_types],
    ...(options.length === 0 ? {} : { options: options.map((one) => optionAnswer(one, naming)) }),
    nsfw: command.nsfw,
    ...(handler === null ? {} : { handler }),
  };
}

function optionAnswer(source: CommandOption, naming: Naming): z.output<typeof option> {
  const { choices, options } = source;
  return {
    type: source.type,
    name: source.name,
    description: source.description,
    ...naming(source),
    ...present({
      required: source.required,
      autocomplete: source.autocomplete,
      choices: choices?.map((one) => choiceAnswer(one, naming)),
      channel_types: source.channel_types,
      min_value: source.min_value,
      max_value: source.max_value,
      min_length: source.min_length,
      max_length: source.max_length,
      file_types: source.file_types,
      options: options?.map((one) => optionAnswer(one, naming)),
    }),
  } as z.output<typeof option>;
}

function choiceAnswer({ name, name_localizations, value }: CommandChoice, naming: Naming) {
  return { name, ...naming({ name_localizations }), value };
}

/** Permissions of a command in a guild. */
export const commandPermissionsShape = namedShape('ApplicationCommandPermissions', {
  id: z.string(),
  application_id: z.string(),
  guild_id: z.string(),
  permissions: z.array(z.object({ id: z.string(), type: z.int(), permission: z.boolean() })),
});

/** Permissions of a command in a guild; an empty list where none are set. */
export function commandPermissionsAnswer(
  row: Pick<CommandPermissions, 'application' | 'guild' | 'command' | 'permissions'>,
): z.output<typeof commandPermissionsShape> {
  return {
    id: row.command,
    application_id: row.application,
    guild_id: row.guild,
    permissions: row.permissions.map(({ id, type, permission }) => ({ id, type, permission })),
  };
}
