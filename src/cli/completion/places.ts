import type { Completes, LiveList, WordList } from '../../base/operator-command.ts';
import type { CliCommand, CliOption, CliPositional } from '../command.ts';
import { optionsOf, repeats } from '../parse.ts';

/** What may be typed for a value; nothing of all this where no table knows it. */
export interface Values {
  readonly words: readonly string[];
  /** The name of a file, too. */
  readonly files: boolean;
  /** Words that the running bridge is asked for. */
  readonly live: LiveList | undefined;
}

/** An option, by every way to write it. */
export interface CompletedOption {
  readonly flags: readonly string[];
  readonly help: string;
  /** Absent for one that takes no value. */
  readonly values?: Values;
}

/** A point of the command line: behind these words of a command's name. */
export interface Place {
  /** Such as `emulator voice`; the empty one is the beginning. */
  readonly path: string;
  /** The words of longer names that may follow. */
  readonly words: readonly { readonly word: string; readonly help: string }[];
  readonly options: readonly CompletedOption[];
  /** For each word behind the name; the last one counts for all that follow where it is repeated. */
  readonly positionals: readonly Values[];
  readonly repeats: boolean;
}

/** The words of the lists that the program knows. */
export type KnownWords = { readonly [list in WordList]: readonly string[] };

/** Every place of a command table, in its order. */
export function completedPlaces(table: readonly CliCommand[], known: KnownWords): readonly Place[] {
  const paths = new Set(['']);
  for (const { name } of table) {
    const words = name.split(' ');
    for (let length = 1; length <= words.length; length++) paths.add(words.slice(0, length).join(' '));
  }
  return [...paths].map((path) => placeAt(path, table, known));
}

function placeAt(path: string, table: readonly CliCommand[], known: KnownWords): Place {
  const command = table.find(({ name }) => name === path);
  const positionals = command?.positionals ?? [];
  const own = positionals.map((positional) => valuesOf(positional, positional.name, known));
  return {
    path,
    words: wordsAfter(path, table),
    options: command === undefined || command.raw === true ? [] : options(command, known),
    // Behind the word of a tool with a command line of its own nothing is known.
    positionals: command?.raw === true ? [...own, { words: [], files: true, live: undefined }] : own,
    repeats: command?.raw === true || repeats(positionals.at(-1)),
  };
}

function wordsAfter(path: string, table: readonly CliCommand[]): Place['words'] {
  const prefix = path === '' ? '' : `${path} `;
  const found = new Map<string, string>();
  for (const { name, summary } of table) {
    if (!name.startsWith(prefix) || name === path) continue;
    const [word = '', ...more] = name.slice(prefix.length).split(' ');
    // A group is described by no single command of it.
    if (more.length === 0) found.set(word, summary);
    else if (!found.has(word)) found.set(word, `${prefix}${word} …`);
  }
  return [...found].map(([word, help]) => ({ word, help }));
}

function options(command: CliCommand, known: KnownWords): CompletedOption[] {
  return Object.entries(optionsOf(command)).map(([name, option]) => ({
    flags: [`--${name}`, ...(option.short === undefined ? [] : [`-${option.short}`])],
    help: option.help,
    ...(option.type === 'string' ? { values: valuesOf(option, option.value ?? '', known) } : {}),
  }));
}

/** By what is declared, and by what stands for the value in the help. */
function valuesOf(
  { choices, completes }: Pick<CliOption | CliPositional, 'choices' | 'completes'>,
  name: string,
  known: KnownWords,
): Values {
  const files = /\b(?:FILE|DIR|PATH|COMMAND)\b|\.json$/.test(name) && !name.includes('@');
  if (choices !== undefined) return { words: choices, files: false, live: undefined };
  if (completes === undefined) return { words: [], files, live: undefined };
  if (isLive(completes, known)) return { words: [], files: false, live: completes };
  return { words: typeof completes === 'string' ? known[completes] : completes, files, live: undefined };
}

function isLive(completes: Completes, known: KnownWords): completes is LiveList {
  return typeof completes === 'string' && !Object.hasOwn(known, completes);
}

/** What is typed to get the words of a live list, one a line, each with a tab and its meaning behind it. */
export const LIVE_COMMAND = 'footbridge completion ids';
