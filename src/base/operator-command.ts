// How an operation for the operator is called on the command line, declared beside what it does.
import type { ReadonlyDeep } from './read-only.ts';

/** Names that the program knows itself: client cores, commands and events of the protocol, keys of the voice settings. */
export type WordList = 'cores' | 'commands' | 'events' | 'names' | 'voice-keys';

/** What a running bridge is asked for, to complete a word. */
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

/** What completion offers for a value: one of the lists, or these words. */
export type Completes = WordList | LiveList | readonly string[];

/** How one argument is written on the command line. */
export interface ArgumentSyntax {
  readonly help: string;
  /** What stands for it in the help, such as `USER`; none for an option without a value. */
  readonly name?: string;
  /** The option that gives it, without the dashes; a word behind the command unless given. */
  readonly option?: string;
  /** `number` and `whole` are parsed, `list` is split at commas, `flag` is true when the option is there. Text unless given. */
  readonly type?: 'number' | 'whole' | 'list' | 'flag';
  /** The only words it takes, or what each of them stands for. */
  readonly choices?: readonly string[] | Readonly<Record<string, unknown>>;
  /** Words that it takes besides others. */
  readonly completes?: Completes;
  /** `optional` may be left out; `many` is a list, which the single word `none` empties where `none` is set. One unless given. */
  readonly arity?: 'optional' | 'many';
  readonly none?: true;
  /** `""` means something. */
  readonly mayBeEmpty?: true;
}

/** The command `footbridge emulator …` that calls an operation. */
export interface OperatorCommand<A = unknown, R = unknown> {
  /** Its words behind `emulator`, such as `clock advance`. */
  readonly name: string;
  /** The line of its help, where the summary of the operation does not say it for the command line. */
  readonly summary?: string;
  /** How each argument is written, in the order in which they are typed; one that is missing here cannot be given. */
  readonly syntax?: { readonly [K in keyof A]?: ArgumentSyntax };
  readonly details?: readonly string[];
  /** Command lines behind `footbridge emulator`, and what each is good for. At least one; a test runs each. */
  readonly examples: readonly (readonly [line: string, use: string])[];
  /** What a person reads of the result, in one line. */
  say(result: ReadonlyDeep<R>, args: A): string;
}
