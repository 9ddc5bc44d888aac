import type { Localizations } from './locales.ts';

/** Command types by their names in a fixture. */
export const KINDS = { chat_input: 1, user: 2, message: 3, primary_entry_point: 4 } as const;
/** Option types by their names in a fixture. */
export const OPTIONS = {
  sub_command: 1,
  sub_command_group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
  attachment: 11,
} as const;
/** Contexts of a command: a guild, a direct message with its bot, other private channels. */
export const CONTEXTS = { guild: 0, bot_dm: 1, private_channel: 2 } as const;
/** Installation types of a command. */
export const INSTALLS = { guild: 0, user: 1 } as const;
/** Handler of an activity launch: the application, or the platform. */
export const HANDLERS = { app_handler: 1, discord_launch_activity: 2 } as const;

/**
 * Maximum number of commands per type, for the global commands and for those of each guild. The last type exists only
 * among global commands.
 */
export const MAX_COMMANDS_BY_TYPE: Readonly<Record<number, number>> = {
  [KINDS.chat_input]: 100,
  [KINDS.user]: 15,
  [KINDS.message]: 15,
  [KINDS.primary_entry_point]: 1,
};
/** Maximum number of options of a command, group or subcommand, and of choices of an option. */
export const MAX_OPTIONS = 25;
/** Maximum size of a command: characters of names, descriptions and values. */
export const MAX_COMMAND_CHARS = 8000;
/** Maximum text value of a choice, as the documentation states it. */
export const MAX_CHOICE_CHARS = 100;
/** Maximum length of a text option's value. */
export const MAX_VALUE_CHARS = 6000;
/** Channel types that an option may be limited to. */
export const CHANNEL_TYPES: readonly number[] = [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16];

/** One allowed value of an option. */
export interface CommandChoice {
  readonly name: string;
  readonly name_localizations?: Localizations | undefined;
  readonly value: string | number;
}

/** An option, a subcommand or a group of subcommands. It has only the fields of its type. */
export interface CommandOption {
  readonly type: number;
  readonly name: string;
  readonly name_localizations?: Localizations | undefined;
  readonly description: string;
  readonly description_localizations?: Localizations | undefined;
  readonly required?: boolean | undefined;
  readonly autocomplete?: boolean | undefined;
  readonly choices?: readonly CommandChoice[] | undefined;
  readonly channel_types?: readonly number[] | undefined;
  readonly min_value?: number | undefined;
  readonly max_value?: number | undefined;
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  readonly file_types?: readonly string[] | undefined;
  readonly options?: readonly CommandOption[] | undefined;
}

/** An application's definition of a command. */
export interface Definition {
  readonly type: number;
  readonly name: string;
  readonly name_localizations: Localizations | null;
  /** Empty for user and message commands. */
  readonly description: string;
  readonly description_localizations: Localizations | null;
  readonly options: readonly CommandOption[];
  /** Permission bits that a member needs; null allows everyone, '0' only administrators. */
  readonly default_member_permissions: string | null;
  /** Null for all contexts. */
  readonly contexts: readonly number[] | null;
  readonly integration_types: readonly number[];
  readonly nsfw: boolean;
  /** Only for an entry point. */
  readonly handler: number | null;
}

/** Whether an option is a subcommand or a group of them. */
export function isSubcommand({ type }: { readonly type: number }): boolean {
  return type === OPTIONS.sub_command || type === OPTIONS.sub_command_group;
}

/** Size of a command that counts for the limit, in characters; each text counts with its longest translation. */
export function sizeOf(command: Pick<Definition, 'name' | 'description'> & Named): number {
  const options = command.options ?? [];
  return (
    maxLength(command.name, command.name_localizations) +
    maxLength(command.description, command.description_localizations) +
    options.reduce((sum, option) => sum + sizeOf(option), 0) +
    (command.choices ?? []).reduce(
      (sum, { name, name_localizations, value }) =>
        sum + maxLength(name, name_localizations) + String(value).length,
      0,
    )
  );
}

interface Named {
  readonly name_localizations?: Localizations | null | undefined;
  readonly description_localizations?: Localizations | null | undefined;
  readonly options?: readonly CommandOption[] | undefined;
  readonly choices?: readonly CommandChoice[] | undefined;
}

function maxLength(text: string, others: Localizations | null | undefined): number {
  return Math.max(text.length, ...Object.values(others ?? {}).map((other) => other.length));
}
