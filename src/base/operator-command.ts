// How an operator calls an operation on the command line, declared beside the operation.
import type { ReadonlyDeep } from './read-only.ts';

/**
 * Completion lists whose words the program itself knows: client cores, commands and events of the protocol, keys of the
 * voice settings.
 */
export type WordList = 'cores' | 'commands' | 'events' | 'names' | 'voice-keys';

/** Lists requested from a running bridge, to complete a word. */
export type LiveList =
  | 'requests'
  | 'grants'
  | 'clients'
  | 'accounts'
  | 'applications'
  | 'slash-commands'
  | 'guilds'
  | 'faults'
  | 'users'
  | 'text-channels'
  | 'worlds'
  | 'voice-channels';

/** Completions of a value: the name of a list, or the words themselves. */
export type Completes = WordList | LiveList | readonly string[];

/** How one argument is written on the command line. */
export interface ArgumentSyntax {
  readonly help: string;
  /** Placeholder in the help, such as `USER`; absent for an option without a value. */
  readonly name?: string;
  /** Name of the argument's option, without the dashes. Default: the argument is a word behind the command. */
  readonly option?: string;
  /**
   * `number` and `whole` are parsed, `list` is split at commas, `flag` is true when the option is there. Default:
   * text.
   */
  readonly type?: 'number' | 'whole' | 'list' | 'flag';
  /** The only valid words, or a map from each valid word to its value. */
  readonly choices?: readonly string[] | Readonly<Record<string, unknown>>;
  /** Values offered as completions; other values are accepted, too. */
  readonly completes?: Completes;
  /**
   * `optional` may be left out; `many` is a list. Where `none` is set, the single word `none` stands for the empty
   * list. Default: exactly one word.
   */
  readonly arity?: 'optional' | 'many';
  readonly none?: true;
  /** `""` means something. */
  readonly mayBeEmpty?: true;
}

/** The command `footbridge emulator …` that calls an operation. */
export interface OperatorCommand<A = unknown, R = unknown> {
  /** The words of the command behind `emulator`, such as `clock advance`. */
  readonly name: string;
  /** Help line of the command, where the summary of the operation does not fit the command line. */
  readonly summary?: string;
  /** How each argument is written, in the order of the command line; an argument that is missing here has no syntax. */
  readonly syntax?: { readonly [K in keyof A]?: ArgumentSyntax };
  readonly details?: readonly string[];
  /** Command lines behind `footbridge emulator`, each with its purpose. At least one; a test runs each line. */
  readonly examples: readonly (readonly [line: string, use: string])[];
  /** Formats the result as one line of text, or as rows of a table, the first of which has the titles. */
  resultText(result: ReadonlyDeep<R>, args: A): string | readonly (readonly string[])[];
}

/** How an operation is written as `footbridge emulator …`, as plain data. */
export interface CommandForm {
  readonly name: string;
  /** By argument, in the order of the command line. */
  readonly syntax: Readonly<Record<string, ArgumentSyntax>>;
}
