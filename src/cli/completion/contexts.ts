import type { Completes, LiveList, WordList } from '../../base/operator-command.ts';
import type { CliCommand, CliOption, CliPositional } from '../command.ts';
import { optionsOf, repeats } from '../parse.ts';

/** Possible values of an argument or option; every member is empty where the command table declares no values. */
export interface Values {
  readonly words: readonly string[];
  /** True when file names are offered, too. */
  readonly files: boolean;
  /** List that the running bridge supplies; undefined for none. */
  readonly live: LiveList | undefined;
}

/** Option with each of its spellings. */
export interface CompletedOption {
  readonly flags: readonly string[];
  readonly help: string;
  /** Absent for a flag. */
  readonly values?: Values;
}

/** Completion state after the first words of a command's name. */
export interface CompletionContext {
  /** Words so far, such as `emulator voice`; empty at the beginning. */
  readonly path: string;
  /** Next words of longer names. */
  readonly words: readonly { readonly word: string; readonly help: string }[];
  readonly options: readonly CompletedOption[];
  /** Values for each positional argument; with `repeats` the last entry applies to all further arguments, too. */
  readonly positionals: readonly Values[];
  readonly repeats: boolean;
}

/** Values of the static lists. */
export type KnownValues = { readonly [list in WordList]: readonly string[] };

/** Completion states of a command table, in its order. */
export function completionContexts(
  table: readonly CliCommand[],
  known: KnownValues,
): readonly CompletionContext[] {
  const paths = new Set(['']);
  for (const { name } of table) {
    const nameParts = name.split(' ');
    for (let length = 1; length <= nameParts.length; length++)
      paths.add(nameParts.slice(0, length).join(' '));
  }
  return [...paths].map((path) => contextAt(path, table, known));
}

function contextAt(path: string, table: readonly CliCommand[], known: KnownValues): CompletionContext {
  const command = table.find(({ name }) => name === path);
  const positionals = command?.positionals ?? [];
  const own = positionals.map((positional) => valuesOf(positional, positional.name, known));
  return {
    path,
    words: wordsAfter(path, table),
    options: command === undefined || command.raw === true ? [] : options(command, known),
    // A tool with its own command line declares no words here, so only file names are offered.
    positionals: command?.raw === true ? [...own, { words: [], files: true, live: undefined }] : own,
    repeats: command?.raw === true || repeats(positionals.at(-1)),
  };
}

function wordsAfter(path: string, table: readonly CliCommand[]): CompletionContext['words'] {
  const prefix = path === '' ? '' : `${path} `;
  const found = new Map<string, string>();
  for (const { name, summary } of table) {
    if (!name.startsWith(prefix) || name === path) continue;
    const [word = '', ...more] = name.slice(prefix.length).split(' ');
    // The help of a group is its name followed by `…`, not the summary of one of its commands.
    if (more.length === 0) found.set(word, summary);
    else if (!found.has(word)) found.set(word, `${prefix}${word} …`);
  }
  return [...found].map(([word, help]) => ({ word, help }));
}

function options(command: CliCommand, known: KnownValues): CompletedOption[] {
  return Object.entries(optionsOf(command)).map(([name, option]) => ({
    flags: [`--${name}`, ...(option.short === undefined ? [] : [`-${option.short}`])],
    help: option.help,
    ...(option.type === 'string' ? { values: valuesOf(option, option.value ?? '', known) } : {}),
  }));
}

/** Values of an option or argument, from the declared choices or from the placeholder in the help. */
function valuesOf(
  { choices, completes }: Pick<CliOption | CliPositional, 'choices' | 'completes'>,
  name: string,
  known: KnownValues,
): Values {
  const files = /\b(?:FILE|DIR|PATH|COMMAND)\b|\.json$/.test(name) && !name.includes('@');
  if (choices !== undefined) return { words: choices, files: false, live: undefined };
  if (completes === undefined) return { words: [], files, live: undefined };
  if (isLive(completes, known)) return { words: [], files: false, live: completes };
  return { words: typeof completes === 'string' ? known[completes] : completes, files, live: undefined };
}

function isLive(completes: Completes, known: KnownValues): completes is LiveList {
  return typeof completes === 'string' && !Object.hasOwn(known, completes);
}

/** Command that prints a live list: one value per line, followed by a tab and its description. */
export const LIVE_COMMAND = 'footbridge completion ids';
