import type { Localizations } from './locales.ts';

/** Kinds of commands by the names that a fixture may use. */
export const KINDS = { chat_input: 1, user: 2, message: 3, primary_entry_point: 4 } as const;
/** Kinds of options by the names that a fixture may use. */
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
/** Where a command can be used: in a guild, with its bot, among other people. */
export const CONTEXTS = { guild: 0, bot_dm: 1, private_channel: 2 } as const;
/** What an application is added to for it. */
export const INSTALLS = { guild: 0, user: 1 } as const;
/** Who answers whoever starts an activity: the application, or the platform in its place. */
export const HANDLERS = { app_handler: 1, discord_launch_activity: 2 } as const;

/** How many commands of a kind an application has, in all guilds and, but for the last, in each. */
export const MOST_OF_KIND: Readonly<Record<number, number>> = {
  [KINDS.chat_input]: 100,
  [KINDS.user]: 15,
  [KINDS.message]: 15,
  [KINDS.primary_entry_point]: 1,
};
/** Options of a command, of a group and of a subcommand; choices of an option. */
export const MOST_OPTIONS = 25;
/** Characters of all that a command is called. */
export const LARGEST = 8000;
/** Longest text that can be chosen, as the prose has it. */
export const LONGEST_CHOICE = 100;
/** Longest text that can be asked for. */
export const LONGEST_TEXT = 6000;
/** Types of channels that an option may be held to. */
export const CHANNEL_TYPES: readonly number[] = [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16];

/** One of the values that an option may have. */
export interface CommandChoice {
  readonly name: string;
  readonly name_localizations?: Localizations | undefined;
  readonly value: string | number;
}

/** An option, a subcommand or a group of subcommands. It has only what its type may have. */
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

/** What an application says of a command. */
export interface Definition {
  readonly type: number;
  readonly name: string;
  readonly name_localizations: Localizations | null;
  /** Empty for a user's and a message's. */
  readonly description: string;
  readonly description_localizations: Localizations | null;
  readonly options: readonly CommandOption[];
  /** Bits that somebody needs to use it; null is everybody, '0' nobody but administrators. */
  readonly default_member_permissions: string | null;
  /** Null is everywhere. */
  readonly contexts: readonly number[] | null;
  readonly integration_types: readonly number[];
  readonly nsfw: boolean;
  /** Of an entry point alone. */
  readonly handler: number | null;
}

/** Whether an option is a subcommand or a group of them. */
export function isSubcommand({ type }: { readonly type: number }): boolean {
  return type === OPTIONS.sub_command || type === OPTIONS.sub_command_group;
}

/** Characters that count: of each text the longest there is of it in any language. */
export function sizeOf(command: Pick<Definition, 'name' | 'description'> & Named): number {
  const options = command.options ?? [];
  return (
    longest(command.name, command.name_localizations) +
    longest(command.description, command.description_localizations) +
    options.reduce((sum, option) => sum + sizeOf(option), 0) +
    (command.choices ?? []).reduce(
      (sum, { name, name_localizations, value }) =>
        sum + longest(name, name_localizations) + String(value).length,
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

function longest(text: string, others: Localizations | null | undefined): number {
  return Math.max(text.length, ...Object.values(others ?? {}).map((other) => other.length));
}
