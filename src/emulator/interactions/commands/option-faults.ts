import type { FieldFault } from '../../kernel/errors.ts';
import { CHANNEL_TYPES, type CommandOption, MAX_CHOICE_CHARS, OPTIONS } from './definition.ts';
import { isFileType } from './file-types.ts';
import { LOCALES, type Localizations } from './locales.ts';

type Path = FieldFault['path'];

/** Maximum absolute value of a number in an option: 2^53. */
const MAX_NUMBER = 2 ** 53;

/** Validation errors in an option's limits and choices. */
export function valueFaults(option: CommandOption, at: Path): FieldFault[] {
  const { type, autocomplete, choices = [], channel_types = [], file_types = [] } = option;
  const faults = [...rangeFaults(option, at), ...choiceFaults(option, at)];
  if (autocomplete === true && choices.length > 0) {
    // The platform does not publish the code of this error.
    const message = 'Value must be one of {false}: an option with choices has nothing to complete.';
    faults.push({ path: [...at, 'autocomplete'], code: 'BASE_TYPE_CHOICES', message });
  }
  if (type === OPTIONS.channel) {
    faults.push(...eachOnce(channel_types, [...at, 'channel_types'], (one) => CHANNEL_TYPES.includes(one)));
  }
  if (type === OPTIONS.attachment) {
    faults.push(...eachOnce(file_types, [...at, 'file_types'], isFileType));
  }
  return faults;
}

function eachOnce<Value>(
  values: readonly Value[],
  path: Path,
  isKnown: (value: Value) => boolean,
): FieldFault[] {
  return values.flatMap((value, index): FieldFault[] => {
    if (!isKnown(value)) {
      const message = 'Value is none of those that can be listed here.';
      return [{ path: [...path, index], code: 'BASE_TYPE_CHOICES', message }];
    }
    if (values.indexOf(value) === index) return [];
    return [
      { path, code: 'SET_TYPE_ALREADY_CONTAINS_VALUE', message: 'The set already contains this value' },
    ];
  });
}

function rangeFaults(option: CommandOption, at: Path): FieldFault[] {
  const { type, min_value, max_value, min_length, max_length } = option;
  const faults: FieldFault[] = [];
  for (const [name, value] of Object.entries({ min_value, max_value })) {
    if (value !== undefined) faults.push(...numberFaults(type, value, [...at, name]));
  }
  const below = (name: string, min: number): void => {
    const message = `${type === OPTIONS.number ? 'float' : 'int'} value should be greater than or equal to ${min}.`;
    faults.push({ path: [...at, name], code: 'NUMBER_TYPE_MIN', message });
  };
  if (min_value !== undefined && max_value !== undefined && max_value < min_value)
    below('max_value', min_value);
  if (min_length !== undefined && max_length !== undefined && max_length < min_length) {
    below('max_length', min_length);
  }
  return faults;
}

/**
 * Checks a number: an integer must be exactly representable in a double, and any other number must be between -2^53 and
 * 2^53.
 */
function numberFaults(type: number, value: number, path: Path): FieldFault[] {
  if (type === OPTIONS.integer && !Number.isSafeInteger(value)) {
    return [{ path, code: 'NUMBER_TYPE_COERCE', message: `Value "${value}" is not int.` }];
  }
  if (Math.abs(value) <= MAX_NUMBER) return [];
  const message = `float value should be less than or equal to ${MAX_NUMBER}.`;
  return [{ path, code: 'NUMBER_TYPE_MAX', message }];
}

function choiceFaults({ type, choices = [] }: CommandOption, at: Path): FieldFault[] {
  const names = new Set<string>();
  return choices.flatMap(({ name, name_localizations, value }, index) => {
    const path = [...at, 'choices', index];
    const faults: FieldFault[] = [];
    const isText = type === OPTIONS.string;
    if (isText && typeof value !== 'string') {
      const message = 'Could not interpret the value as string.';
      faults.push({ path: [...path, 'value'], code: 'STRING_TYPE_CONVERT', message });
    } else if (!isText && typeof value !== 'number') {
      const message = `Value ${JSON.stringify(String(value).slice(0, 64))} is not ${type === OPTIONS.integer ? 'int' : 'float'}.`;
      faults.push({ path: [...path, 'value'], code: 'NUMBER_TYPE_COERCE', message });
    } else if (typeof value === 'number') faults.push(...numberFaults(type, value, [...path, 'value']));
    else if (value.length > MAX_CHOICE_CHARS) {
      const message = `Must be ${MAX_CHOICE_CHARS} or fewer in length.`;
      faults.push({ path: [...path, 'value'], code: 'BASE_TYPE_MAX_LENGTH', message });
    }
    if (names.has(name)) {
      // The platform does not publish the code of this error.
      const message = `Choice name ${name} is already used in these choices`;
      faults.push({ path, code: 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID', message });
    }
    names.add(name);
    return [...faults, ...localeFaults(name_localizations, [...path, 'name_localizations'])];
  });
}

/** Validation errors for translations into unknown languages. */
export function localeFaults(texts: Localizations | null | undefined, path: Path): FieldFault[] {
  const unknown = Object.keys(texts ?? {}).filter((locale) => !LOCALES.includes(locale));
  return unknown.map((locale) => oneOf([...path, locale], LOCALES));
}

/** Validation error for a value that is not one of the allowed values. */
export function oneOf(path: Path, values: readonly (string | number | boolean)[]): FieldFault {
  return { path, code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${values.join(', ')}}.` };
}
