import type { FieldFault } from '../../kernel/errors.ts';
import {
  CONTEXTS,
  type CommandOption,
  type Definition,
  INSTALLS,
  isSubcommand,
  KINDS,
  MAX_COMMAND_CHARS,
  OPTIONS,
  sizeOf,
} from './definition.ts';
import type { Localizations } from './locales.ts';
import { localeFaults, oneOf, valueFaults } from './option-faults.ts';

type Path = FieldFault['path'];

/** Form of the name of a slash command or an option. */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

const { chat_input, user, message, primary_entry_point } = KINDS;

/** Validation errors of a command that its schema does not find. `isOfGuild` is true for a command of one guild. */
export function commandFaults(command: Definition, isOfGuild: boolean): FieldFault[] {
  const faults = [
    ...kindFaults(command, isOfGuild),
    ...descriptionFaults(command),
    ...nameFaults(command, [], command.type === chat_input),
    ...localeFaults(command.description_localizations, ['description_localizations']),
    ...setFaults(command.contexts ?? [CONTEXTS.guild], ['contexts'], Object.values(CONTEXTS)),
    ...setFaults(command.integration_types, ['integration_types'], Object.values(INSTALLS)),
    ...optionFaults(command.options, ['options'], 'command'),
  ];
  if (faults.length === 0 && sizeOf(command) > MAX_COMMAND_CHARS) {
    faults.push({
      path: [],
      code: 'APPLICATION_COMMAND_TOO_LARGE',
      message: `Command exceeds maximum size (${MAX_COMMAND_CHARS})`,
    });
  }
  return faults;
}

function kindFaults({ type, options }: Definition, isOfGuild: boolean): FieldFault[] {
  if (isOfGuild && type === primary_entry_point) return [oneOf(['type'], [chat_input, user, message])];
  if (type === chat_input || options.length === 0) return [];
  // The code is not published.
  const sentence = 'Context menu commands cannot have options';
  return [{ path: ['options'], code: 'APPLICATION_COMMAND_INVALID_OPTIONS', message: sentence }];
}

function descriptionFaults({ type, description }: Definition): FieldFault[] {
  const path = ['description'];
  if (type === chat_input && description === '') {
    return [{ path, code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be between 1 and 100 in length.' }];
  }
  if ((type !== user && type !== message) || description === '') return [];
  const sentence = 'Context menu commands cannot have description';
  return [{ path, code: 'APPLICATION_COMMAND_INVALID_DESCRIPTION', message: sentence }];
}

interface Called {
  readonly name: string;
  readonly name_localizations?: Localizations | null | undefined;
}

/** Validation errors in the names of a command or one of its parts, in all languages. */
function nameFaults({ name, name_localizations }: Called, path: Path, isTyped: boolean): FieldFault[] {
  const others = localeFaults(name_localizations, [...path, 'name_localizations']);
  if (!isTyped) return others;
  const names = Object.entries(name_localizations ?? {});
  return [
    ...wordFaults(name, [...path, 'name']),
    ...others,
    ...names.flatMap(([locale, text]) => wordFaults(text, [...path, 'name_localizations', locale])),
  ];
}

function wordFaults(name: string, path: Path): FieldFault[] {
  if (!NAME.test(name)) {
    return [{ path, code: 'STRING_TYPE_REGEX', message: 'String value did not match validation regex.' }];
  }
  if (name === name.toLowerCase()) return [];
  return [{ path, code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' }];
}

/** Checks that a list of numbers is not empty and contains only known numbers, each once. */
function setFaults(values: readonly number[], path: Path, known: readonly number[]): FieldFault[] {
  if (values.length === 0) {
    return [
      { path, code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between 1 and ${known.length} in length.` },
    ];
  }
  return values.flatMap((value, index): FieldFault[] => {
    if (!known.includes(value)) return [oneOf([...path, index], known)];
    if (values.indexOf(value) === index) return [];
    const code = 'SET_TYPE_ALREADY_CONTAINS_VALUE';
    return [{ path, code, message: 'The set already contains this value' }];
  });
}

const LEAVES = Object.values(OPTIONS).filter((type) => !isSubcommand({ type }));

/** Validation errors in the options of a command, a group or a subcommand. */
function optionFaults(
  options: readonly CommandOption[],
  path: Path,
  of: 'command' | 'group' | 'subcommand',
): FieldFault[] {
  const [first] = options;
  const faults: FieldFault[] = [];
  let hasOptional = false;
  for (const [index, option] of options.entries()) {
    const at = [...path, index];
    const { type, required } = option;
    if (of === 'group' && type !== OPTIONS.sub_command)
      faults.push(oneOf([...at, 'type'], [OPTIONS.sub_command]));
    else if (of === 'subcommand' && isSubcommand(option)) faults.push(oneOf([...at, 'type'], LEAVES));
    else if (first !== undefined && isSubcommand(first) !== isSubcommand(option)) {
      const message =
        'Sub-command and sub-command group option types are mutually exclusive to all other types';
      faults.push({ path: at, code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', message });
    }
    if (required === true && hasOptional) {
      const message = 'Required options must be placed before non-required options';
      faults.push({ path: at, code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', message });
    }
    hasOptional ||= required !== true && !isSubcommand(option);
    faults.push(...nameFaults(option, at, true));
    faults.push(...localeFaults(option.description_localizations, [...at, 'description_localizations']));
    if (type === OPTIONS.sub_command_group) {
      faults.push(...optionFaults(option.options ?? [], [...at, 'options'], 'group'));
    } else if (type === OPTIONS.sub_command) {
      faults.push(...optionFaults(option.options ?? [], [...at, 'options'], 'subcommand'));
    } else faults.push(...valueFaults(option, at));
  }
  return [...faults, ...takenNames(options, path)];
}

/**
 * Validation errors for option names used twice: within one language, or as the name of one option and the translation
 * of another.
 */
function takenNames(options: readonly CommandOption[], path: Path): FieldFault[] {
  const names = new Set<string>();
  const translated = new Set<string>();
  const faults: FieldFault[] = [];
  const taken = (index: number, name: string): void => {
    const message = `Option name ${name} is already used in these options`;
    faults.push({ path: [...path, index], code: 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID', message });
  };
  for (const [index, { name }] of options.entries()) {
    if (names.has(name)) taken(index, name);
    names.add(name);
  }
  for (const [index, { name, name_localizations }] of options.entries()) {
    for (const [locale, text] of Object.entries(name_localizations ?? {})) {
      const key = `${locale} ${text}`;
      if (text !== name && (names.has(text) || translated.has(key))) taken(index, text);
      translated.add(key);
    }
  }
  return faults;
}
