import type { Completes } from '../base/operator-command.ts';
import type { Io } from '../daemon/io.ts';

/** An option of a command; its key is its name on the command line. */
export interface CliOption {
  readonly type: 'string' | 'boolean';
  /** One letter. */
  readonly short?: string;
  /** Placeholder of the value in the help, such as `FILE`. */
  readonly value?: string;
  /** The only values that the option accepts. */
  readonly choices?: readonly string[];
  /** Values offered as completions; other values are accepted, too. */
  readonly completes?: Completes;
  readonly help: string;
}

type OptionFacts = Pick<CliOption, 'short' | 'choices' | 'completes'>;

/** Option with a value, whose placeholder in the help is `value`. */
export function textOption(value: string, help: string, facts?: OptionFacts): CliOption & { type: 'string' } {
  return { type: 'string', value, help, ...facts };
}

/** Option without a value. */
export function flag(help: string, facts?: OptionFacts): CliOption & { type: 'boolean' } {
  return { type: 'boolean', help, ...facts };
}

/** Argument after the command's name. Only the last argument, and the one before a command line behind `--`, may be optional or repeated. */
export interface CliPositional {
  readonly name: string;
  readonly help: string;
  /** `many`: one value or more; `any`: any number of values, including none. */
  readonly arity: 'one' | 'optional' | 'many' | 'any';
  /** True when the argument is the command line of another program. */
  readonly isCommandLine?: true;
  /** The only values that the argument accepts. */
  readonly choices?: readonly string[];
  /** Values offered as completions; other values are accepted, too. */
  readonly completes?: Completes;
  /** The empty string is a valid value. */
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

/** One parsed call of a command. */
export interface Invocation<O extends CliOptions = CliOptions> {
  readonly values: ValuesOf<O>;
  readonly positionals: readonly string[];
  /** Words behind `--`, where the command declares a command line that stands there; `positionals` then lacks them. */
  readonly behind?: readonly string[];
  /** True with `--json`: the command prints exactly one JSON value on stdout. */
  readonly json: boolean;
}

/** Titles of the groups in the list of commands, in their order. */
export const groupTitles = {
  bridge: 'The bridge',
  service: 'In the background',
  consent: 'What apps may do',
  emulator: 'The emulator',
  attach: 'Chat clients that attach',
  develop: 'For developers',
  setup: 'Settings and shell',
} as const;

/** Example line that works as typed, and its purpose. */
export type CliExample = readonly [line: string, use: string];

/** One row of the command table: the parser, the help, the completions and the manual page all read it. */
export interface CliCommand<O extends CliOptions = CliOptions> {
  /** Full name, such as `emulator voice set`. */
  readonly name: string;
  readonly summary: string;
  readonly group: keyof typeof groupTitles;
  readonly positionals?: readonly CliPositional[];
  readonly options?: O;
  /** Takes `--json`. */
  readonly json?: boolean;
  /**
   * True for a tool that parses its own command line: every argument after the command's name is a positional, options
   * included.
   */
  readonly raw?: boolean;
  /** Lines after the options in the help, for details that do not fit in the summary. */
  readonly details?: readonly string[];
  /** Example lines, at least one. A test runs each line. */
  readonly examples: readonly CliExample[];
  /**
   * Runs the command and returns the exit code. Throw a `LocalError` for a failure that the user can fix. Import
   * modules of a bridge with `import()`, so that help and completions are shown without them.
   * `table` holds every command.
   */
  run(invocation: Invocation<O>, io: Io, table: readonly CliCommand[]): Promise<number>;
}

/** Declares a command with the types of its options inferred. */
export function defineCommand<const O extends CliOptions>(command: CliCommand<O>): CliCommand {
  return command as unknown as CliCommand;
}
