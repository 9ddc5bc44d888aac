import { defineRecord, type RelationCheck, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import {
  CONTEXTS,
  type Definition,
  HANDLERS,
  INSTALLS,
  KINDS,
  MAX_CHOICE_CHARS,
  MAX_OPTIONS,
  MAX_VALUE_CHARS,
  OPTIONS,
} from './definition.ts';
import { commandFaults } from './faults.ts';
import { isFileType, MAX_FILE_TYPES } from './file-types.ts';
import { LOCALES } from './locales.ts';
import { normalOptions } from './normalization.ts';

interface Scoped {
  readonly application: string;
  readonly guild: string | null;
  readonly type: number;
  readonly name: string;
}

/** Unique key of a command: its name within its type and its guild, or among global commands. */
export function nameKey({ application, guild, type, name }: Scoped): string {
  return `${application} ${guild ?? ''} ${type} ${name}`;
}

const MAX_LOCALE_CHARS = 8;

/** Fixture fields of an option; groups and subcommands add nested options. */
function optionParts(parts: SchemaParts) {
  const { table, text, optional, numberOrName, texts, many, whole, anyNumber, yesOrNo } = parts;
  const localized = (maxLength: number) => optional(texts(LOCALES.length, MAX_LOCALE_CHARS, maxLength));
  return {
    type: numberOrName(OPTIONS),
    name: text(32),
    name_localizations: localized(32),
    description: text(100),
    description_localizations: localized(100),
    required: optional(yesOrNo()),
    autocomplete: optional(yesOrNo()),
    choices: optional(
      many(
        table({
          name: text(100),
          name_localizations: localized(100),
          value: parts.textOrNumber(MAX_CHOICE_CHARS),
        }),
        MAX_OPTIONS,
      ),
    ),
    channel_types: optional(many(whole(0, 16), 16)),
    min_value: optional(anyNumber()),
    max_value: optional(anyNumber()),
    min_length: optional(whole(0, MAX_VALUE_CHARS)),
    max_length: optional(whole(1, MAX_VALUE_CHARS)),
    file_types: optional(
      many(
        parts.textThat(isFileType, 32, 'must be image, video, audio, or an end such as .pdf'),
        MAX_FILE_TYPES,
      ),
    ),
  };
}

function written(parts: SchemaParts) {
  const { table, snowflake, text, textOrEmpty, texts, or, orNull, optional, many, list, filledList } = parts;
  const { numberOrName, permissions, flag } = parts;
  const leaf = optionParts(parts);
  const within = { ...leaf, options: optional(many(table(leaf), MAX_OPTIONS)) };
  const option = table({ ...leaf, options: optional(many(table(within), MAX_OPTIONS)) });
  return table({
    id: snowflake(),
    /** Id of its application. */
    application: snowflake(),
    /** Id of the only guild that has the command; null for a global command. */
    guild: orNull(snowflake()),
    type: or(numberOrName(KINDS), KINDS.chat_input),
    name: text(32),
    name_localizations: orNull(texts(LOCALES.length, MAX_LOCALE_CHARS, 32)),
    description: or(textOrEmpty(100), ''),
    description_localizations: orNull(texts(LOCALES.length, MAX_LOCALE_CHARS, 100)),
    options: list(option, MAX_OPTIONS),
    /** Permissions that a member needs to use the command; '0' allows only administrators. */
    default_member_permissions: orNull(permissions('0')),
    /** Contexts in which the command is available; default: all. */
    contexts: orNull(many(numberOrName(CONTEXTS), 3)),
    /** Installation types that enable the command. */
    integration_types: filledList(numberOrName(INSTALLS), 2, [INSTALLS.guild]),
    nsfw: flag(false),
    /** Handler of an activity launch, for a command of the type `primary_entry_point`. */
    handler: optional(orNull(numberOrName(HANDLERS))),
    /** Version id that changes with each edit; default: the id of the command. */
    version: optional(snowflake()),
  });
}

/** A command of an application, global or of one guild. */
export const commands = defineRecord({
  name: 'commands',
  noun: 'command',
  about:
    'commands of an application, of one `guild` or of all: `type` is chat_input (default), user, message or primary_entry_point; `options` have a `type` such as string or sub_command, `name`, `description`, `required`, `choices`, `options` …; `contexts` are guild, bot_dm, private_channel; `integration_types` are guild, user',
  key: ['id'],
  indexes: {
    application: { order: 'key' },
    guild: { order: 'key' },
    name: { unique: true, of: nameKey },
  },
  references: {
    application: { to: 'applications', onRemoval: 'remove' },
    guild: { to: 'guilds', onRemoval: 'remove' },
  },
  check: (command) => {
    const [fault] = commandFaults(command, command.guild !== null);
    return fault && { path: fault.path, reason: `is not as the platform has it: ${fault.message}` };
  },
  printedForms: { type: KINDS },
  schema: (parts: SchemaParts) =>
    parts.derived(written(parts), (command) =>
      Object.assign(command, {
        options: normalOptions(command.options),
        // A command of one guild needs no contexts, and only the guild can install it.
        contexts: command.guild === null ? command.contexts : null,
        integration_types: command.guild === null ? command.integration_types : [INSTALLS.guild],
        handler:
          command.type === KINDS.primary_entry_point ? (command.handler ?? HANDLERS.app_handler) : null,
        version: command.version ?? command.id,
      }),
    ),
});

/** A command of an application, global or of one guild. */
export type CommandRecord = RowOf<typeof commands>;

/** Targets of a command permission, by their names in a fixture. */
export const PERMISSION_TYPES = { role: 1, user: 2, channel: 3 } as const;

interface Permitted {
  readonly application: string;
  readonly guild: string;
}

/** Permissions in a guild may refer to global commands and to commands of this guild, of the same application. */
const ofTheGuild: RelationCheck = {
  errorText: 'of another application or guild',
  of: (row: Permitted, command: { readonly application: string; readonly guild: string | null }) =>
    row.application === command.application && (command.guild === null || command.guild === row.guild),
};

/** Permissions of a command in a guild. A row with the application's id covers all commands of the application. */
export const commandPermissions = defineRecord({
  name: 'command_permissions',
  noun: 'permissions of a command',
  about:
    "who may use a command in a guild: `command` is the application's id for all of them; `permissions` have `id`, `type` (role, user, channel) and `permission`",
  key: ['guild', 'command'],
  references: {
    application: { to: 'applications', onRemoval: 'remove' },
    guild: { to: 'guilds', onRemoval: 'remove' },
    command: { to: 'commands', or: 'applications', onRemoval: 'remove', relationCheck: ofTheGuild },
  },
  schema: ({ table, snowflake, many, numberOrName, yesOrNo }: SchemaParts) =>
    table({
      application: snowflake(),
      guild: snowflake(),
      /** Id of a command, or the application's id for all commands without their own permissions. */
      command: snowflake(),
      permissions: many(
        table({
          /**
           * Id of a role, a user or a channel. The guild's id stands for @everyone, and the guild's id minus one for
           * all channels.
           */
          id: snowflake(),
          type: numberOrName(PERMISSION_TYPES),
          permission: yesOrNo(),
        }),
        100,
      ),
    }),
});

/** Permissions of a command in a guild. */
export type CommandPermissions = RowOf<typeof commandPermissions>;

/** Installation of an application's commands without its bot: in a guild, or for a user in all places. */
export const commandInstalls = defineRecord({
  name: 'command_installs',
  noun: 'installation of commands',
  about: 'who has the commands of an application without its bot: `owner`, a guild or a user',
  key: ['application', 'owner'],
  references: {
    application: { to: 'applications', onRemoval: 'remove' },
    owner: { to: 'guilds', or: 'users', onRemoval: 'remove' },
  },
  schema: ({ table, snowflake, text }: SchemaParts) =>
    table({
      application: snowflake(),
      /** Id of a guild or of a user. */
      owner: text(64),
    }),
});

/** Number of commands that an application created within a day, in a guild or globally. */
export const commandCreates = defineRecord({
  name: 'command_creates',
  noun: 'count of new commands',
  key: ['application', 'scope'],
  transient: true,
  references: { application: { to: 'applications', onRemoval: 'remove' } },
  schema: ({ table, anyText, anyNumber }: SchemaParts) =>
    table({
      application: anyText(),
      /** Id of the guild; the empty text for global commands. */
      scope: anyText(),
      /** Time of the first creation (emulator time, ms). */
      since: anyNumber(),
      made: anyNumber(),
    }),
});

/** Definition of an existing command. */
export function definitionOf(command: CommandRecord): Definition {
  const { id: _id, application: _application, guild: _guild, version: _version, ...definition } = command;
  return definition;
}
