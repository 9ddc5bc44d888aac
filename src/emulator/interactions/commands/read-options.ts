import { didYouMean } from '../../../base/nearest.ts';
import { SettingError } from '../../kernel/errors.ts';
import { type CommandOption, isSubcommand, OPTIONS } from './definition.ts';
import { type ReadingContext, readValue } from './read-value.ts';
import type { CommandRecord } from './records.ts';

/** An option in an interaction. */
export interface OptionValue {
  readonly name: string;
  readonly type: number;
  /** Value of an option, absent for subcommands and groups; an id for users, roles, channels and attachments. */
  readonly value?: string | number | boolean;
  readonly options?: readonly OptionValue[];
  /** Set on the option that the user is typing. */
  readonly focused?: true;
}

/** Input of a user after the name of a command. */
export interface Typed {
  /** Path of the subcommand, such as `['role', 'add']`. */
  readonly path?: readonly string[];
  /** Typed text per option name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Name of the option that the client completes; required options may still be missing then. */
  readonly focused?: string;
}

/**
 * Converts a user's input into the options of an interaction, with the checks that the client makes before it sends.
 * @throws SettingError that names the option, the fault and the accepted values.
 */
export function readOptions(context: ReadingContext, command: CommandRecord, typed: Typed): OptionValue[] {
  return within(context, command.options, [...(typed.path ?? [])], typed, `/${command.name}`);
}

function within(
  context: ReadingContext,
  options: readonly CommandOption[],
  path: string[],
  typed: Typed,
  commandPath: string,
): OptionValue[] {
  const [first] = options;
  const [word, ...rest] = path;
  if (first === undefined || !isSubcommand(first)) {
    if (word !== undefined) {
      throw new SettingError(
        '',
        `${commandPath} has no subcommand ${quoted(word)}; options are written name=value`,
      );
    }
    return leaves(context, options, typed, commandPath);
  }
  const names = options.map(({ name }) => name);
  if (word === undefined) {
    throw new SettingError(
      '',
      `${commandPath} cannot be used as such: name one of its subcommands ${names.join(', ')}`,
    );
  }
  const found = options.find(({ name }) => name === word);
  if (found === undefined) {
    const meant = didYouMean(word, names);
    throw new SettingError(
      '',
      `${commandPath} has no subcommand ${quoted(word)}: it has ${names.join(', ')}.${meant}`,
    );
  }
  const { name, type } = found;
  return [
    { name, type, options: within(context, found.options ?? [], rest, typed, `${commandPath} ${name}`) },
  ];
}

function leaves(
  context: ReadingContext,
  options: readonly CommandOption[],
  { texts, focused }: Typed,
  commandPath: string,
): OptionValue[] {
  const names = options.map(({ name }) => name);
  const unknown = [...Object.keys(texts), ...(focused === undefined ? [] : [focused])].find(
    (name) => !names.includes(name),
  );
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    const meant = didYouMean(unknown, names);
    throw new SettingError('', `${commandPath} has no option ${quoted(unknown)}: ${known}.${meant}`);
  }
  return options.flatMap((option): OptionValue[] => {
    const { name, type } = option;
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (name === focused) {
      if (option.autocomplete !== true) {
        throw new SettingError(name, `has no autocomplete: ${commandPath} does not declare it`);
      }
      // The text that the user is typing is sent unchanged.
      return [{ name, type, value: text ?? '', focused: true }];
    }
    if (text !== undefined) return [{ name, type, value: readValue(context, option, text) }];
    if (option.required === true && focused === undefined) {
      throw new SettingError(name, `is required: ${commandPath} takes ${described(type)} there`);
    }
    return [];
  });
}

function described(type: number): string {
  const name = Object.entries(OPTIONS).find(([, one]) => one === type)?.[0] ?? 'value';
  return `${/^[ai]/.test(name) ? 'an' : 'a'} ${name}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
