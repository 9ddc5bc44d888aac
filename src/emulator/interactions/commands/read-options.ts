import { didYouMean } from '../../../base/nearest.ts';
import { SettingError } from '../../kernel/errors.ts';
import { type CommandOption, isSubcommand, OPTIONS } from './definition.ts';
import { type ReadingContext, readValue } from './read-value.ts';
import type { CommandRecord } from './records.ts';

/** An option as an interaction carries it. */
export interface OptionValue {
  readonly name: string;
  readonly type: number;
  /** Of anything but a subcommand or a group; ids for users, roles, channels, attachments. */
  readonly value?: string | number | boolean;
  readonly options?: readonly OptionValue[];
  /** The one that is being typed. */
  readonly focused?: true;
}

/** What a person typed behind the name of a command. */
export interface Typed {
  /** Words that lead to a subcommand, such as `['role', 'add']`. */
  readonly words?: readonly string[];
  /** What they wrote for each option, by its name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Name of the option that is being completed: others may be missing yet. */
  readonly focused?: string;
}

/**
 * Turns what a person typed into the options of an interaction, with the checks that the client makes before it sends.
 * @throws SettingError that names the option, what was wrong, and what it takes.
 */
export function readOptions(context: ReadingContext, command: CommandRecord, typed: Typed): OptionValue[] {
  return within(context, command.options, [...(typed.words ?? [])], typed, `/${command.name}`);
}

function within(
  context: ReadingContext,
  options: readonly CommandOption[],
  words: string[],
  typed: Typed,
  place: string,
): OptionValue[] {
  const [first] = options;
  const [word, ...rest] = words;
  if (first === undefined || !isSubcommand(first)) {
    if (word !== undefined) {
      throw new SettingError(
        '',
        `${place} has no subcommand ${quoted(word)}; options are written name=value`,
      );
    }
    return leaves(context, options, typed, place);
  }
  const names = options.map(({ name }) => name);
  if (word === undefined) {
    throw new SettingError(
      '',
      `${place} cannot be used as such: name one of its subcommands ${names.join(', ')}`,
    );
  }
  const found = options.find(({ name }) => name === word);
  if (found === undefined) {
    const meant = didYouMean(word, names);
    throw new SettingError(
      '',
      `${place} has no subcommand ${quoted(word)}: it has ${names.join(', ')}.${meant}`,
    );
  }
  const { name, type } = found;
  return [{ name, type, options: within(context, found.options ?? [], rest, typed, `${place} ${name}`) }];
}

function leaves(
  context: ReadingContext,
  options: readonly CommandOption[],
  { texts, focused }: Typed,
  place: string,
): OptionValue[] {
  const names = options.map(({ name }) => name);
  const unknown = [...Object.keys(texts), ...(focused === undefined ? [] : [focused])].find(
    (name) => !names.includes(name),
  );
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    const meant = didYouMean(unknown, names);
    throw new SettingError('', `${place} has no option ${quoted(unknown)}: ${known}.${meant}`);
  }
  return options.flatMap((option): OptionValue[] => {
    const { name, type } = option;
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (name === focused) {
      if (option.autocomplete !== true) {
        throw new SettingError(
          name,
          `is not completed by the application: ${place} declares no autocomplete for it`,
        );
      }
      // What is being typed is sent as it stands.
      return [{ name, type, value: text ?? '', focused: true }];
    }
    if (text !== undefined) return [{ name, type, value: readValue(context, option, text) }];
    if (option.required === true && focused === undefined) {
      throw new SettingError(name, `is required: ${place} takes a ${nameOf(type)} there`);
    }
    return [];
  });
}

function nameOf(type: number): string {
  return Object.entries(OPTIONS).find(([, one]) => one === type)?.[0] ?? 'value';
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
