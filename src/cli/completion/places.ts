import type { CliCommand } from '../command.ts';
import { optionsOf } from '../parse.ts';

/** What may be typed for a value: some words, a file, or something no table knows. */
export type Values = readonly string[] | 'files' | 'anything';

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

/** Every place of a command table, in its order. */
export function completedPlaces(table: readonly CliCommand[]): readonly Place[] {
  const paths = new Set(['']);
  for (const { name } of table) {
    const words = name.split(' ');
    for (let length = 1; length <= words.length; length++) paths.add(words.slice(0, length).join(' '));
  }
  return [...paths].map((path) => placeAt(path, table));
}

function placeAt(path: string, table: readonly CliCommand[]): Place {
  const command = table.find(({ name }) => name === path);
  const positionals = command?.positionals ?? [];
  return {
    path,
    words: wordsAfter(path, table),
    options: command === undefined || command.raw === true ? [] : options(command),
    positionals:
      command?.raw === true ? ['files'] : positionals.map(({ name, choices }) => choices ?? valuesOf(name)),
    repeats: command?.raw === true || positionals.at(-1)?.arity === 'many',
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

function options(command: CliCommand): CompletedOption[] {
  return Object.entries(optionsOf(command)).map(([name, { type, short, value, choices, help }]) => ({
    flags: [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
    help,
    ...(type === 'string' ? { values: choices ?? valuesOf(value ?? '') } : {}),
  }));
}

/** By what stands for the value in the help. */
function valuesOf(name: string): Values {
  return /\b(?:FILE|DIR|PATH|COMMAND)\b|\.json$/.test(name) && !name.includes('@') ? 'files' : 'anything';
}
