// How an operator calls an operation on the command line, declared beside the operation.
import type { ReadonlyDeep } from './read-only.ts';

/** Names that the program knows itself: client cores, commands and events of the protocol, keys of the voice settings. */
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
  | 'voice-channels';

/** Completions of a value: one of the lists, or these words. */
export type Completes = WordList | LiveList | readonly string[];

/** How one argument is written on the command line. */
export interface ArgumentSyntax {
  readonly help: string;
  /** Placeholder in the help, such as `USER`; none for an option without a value. */
  readonly name?: string;
  /** Name of its option, without the dashes; default: a word behind the command. */
  readonly option?: string;
  /**
   * `number` and `whole` are parsed, `list` is split at commas, `flag` is true when the option is there. Default:
   * text.
   */
  readonly type?: 'number' | 'whole' | 'list' | 'flag';
  /** The only valid words, or the value of each of them. */
  readonly choices?: readonly string[] | Readonly<Record<string, unknown>>;
  /** Completions in addition to others. */
  readonly completes?: Completes;
  /**
   * `optional` may be left out; `many` is a list, which the single word `none` empties where `none` is set.
   * Default: exactly one.
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
  /** The line of its help, where the summary of the operation does not fit the command line. */
  readonly summary?: string;
  /** How each argument is written, in the order of the command line; an argument that is missing here has no syntax. */
  readonly syntax?: { readonly [K in keyof A]?: ArgumentSyntax };
  readonly details?: readonly string[];
  /** Command lines behind `footbridge emulator`, each with its use. At least one; a test runs each. */
  readonly examples: readonly (readonly [line: string, use: string])[];
  /** The result as one line of text. */
  say(result: ReadonlyDeep<R>, args: A): string;
}
