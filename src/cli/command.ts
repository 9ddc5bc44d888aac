import type { Completes } from '../base/operator-command.ts';
import type { Io } from '../daemon/io.ts';

/** An option of a command; its key is its name on the command line. */
export interface CliOption {
  readonly type: 'string' | 'boolean';
  /** One letter. */
  readonly short?: string;
  /** What stands for the value in the help, such as `FILE`. */
  readonly value?: string;
  /** The only values it takes. */
  readonly choices?: readonly string[];
  /** Values that it takes besides others. */
  readonly completes?: Completes;
  readonly help: string;
}

/** A word after the command's name. Only the last one may be optional or repeated. */
export interface CliPositional {
  readonly name: string;
  readonly help: string;
  /** `many` is at least one, `any` none or more. */
  readonly arity: 'one' | 'optional' | 'many' | 'any';
  /** A command with its own arguments, of another program. */
  readonly isCommandLine?: true;
  /** The only words it takes. */
  readonly choices?: readonly string[];
  /** Words that it takes besides others. */
  readonly completes?: Completes;
  /** `""` means something. */
  readonly mayBeEmpty?: true;
}

/** The options of a command by name. */
export interface CliOptions {
  readonly [name: string]: CliOption;
}

type ValueOf<T extends CliOption['type']> = T extends 'boolean' ? true : string;

/** Parsed options: a boolean is true or absent. */
type ValuesOf<O extends CliOptions> = {
  readonly [N in keyof O]?: ValueOf<O[N]['type']> | undefined;
};

/** One call of a command, after parsing. */
export interface Invocation<O extends CliOptions = CliOptions> {
  readonly values: ValuesOf<O>;
  readonly positionals: readonly string[];
  /** `--json` was given: exactly one JSON value on stdout. */
  readonly json: boolean;
}

/** What the list of commands is divided into, in its order. */
export const groupTitles = {
  bridge: 'The bridge',
  service: 'In the background',
  consent: 'What apps may do',
  emulator: 'The emulator',
  attach: 'Chat clients that attach',
  develop: 'For developers',
  setup: 'Settings and shell',
} as const;

/** A line that works as it is typed, and what it is good for. */
export type CliExample = readonly [line: string, use: string];

/** One row of the command table: the parser, the help, the completions and the manual page all read it. */
export interface CliCommand<O extends CliOptions = CliOptions> {
  /** The words that call it, such as `emulator voice set`. */
  readonly name: string;
  readonly summary: string;
  readonly group: keyof typeof groupTitles;
  readonly positionals?: readonly CliPositional[];
  readonly options?: O;
  /** Takes `--json`. */
  readonly json?: boolean;
  /** Everything after the name is its positionals, options included: a tool with a command line of its own. */
  readonly raw?: boolean;
  /** Lines after the options in the help: what the summary cannot say. */
  readonly details?: readonly string[];
  /** At least one. A test runs each. */
  readonly examples: readonly CliExample[];
  /**
   * Returns the exit code. Throw a `LocalError` for a failure a person can do something about.
   * What has a bridge in it comes from `bridge-parts.ts`, with `import()`: the other commands start without. `table` holds every command there is.
   */
  run(invocation: Invocation<O>, io: Io, table: readonly CliCommand[]): Promise<number>;
}

/** Declares a command with the types of its options inferred. */
export function defineCommand<const O extends CliOptions>(command: CliCommand<O>): CliCommand {
  return command as unknown as CliCommand;
}
