import { type CommandChoice, type CommandOption, isSubcommand, OPTIONS } from './definition.ts';
import { normalFileType } from './file-types.ts';
import type { Localizations } from './locales.ts';

/** Fields of an option that a request may omit or set to null. */
type Loose<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | null | undefined };

/** Translations in a request; null removes the translation into a language. */
export type SentLocalizations = Readonly<Record<string, string | null>> | null | undefined;

/** An option in a request or a fixture. */
export interface SentOption
  extends Loose<
    Pick<
      CommandOption,
      | 'required'
      | 'autocomplete'
      | 'channel_types'
      | 'min_value'
      | 'max_value'
      | 'min_length'
      | 'max_length'
      | 'file_types'
    >
  > {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly name_localizations?: SentLocalizations;
  readonly description_localizations?: SentLocalizations;
  readonly choices?: readonly SentChoice[] | null | undefined;
  readonly options?: readonly SentOption[] | null | undefined;
}

interface SentChoice extends Pick<CommandChoice, 'name' | 'value'> {
  readonly name_localizations?: SentLocalizations;
}

const CHOOSABLE: readonly number[] = [OPTIONS.string, OPTIONS.integer, OPTIONS.number];

/** Reduces options to the fields that their types allow, without empty fields. */
export function normalOptions(options: readonly SentOption[]): CommandOption[] {
  return options.map((option) => {
    const { type, name, description } = option;
    const isNumber = type === OPTIONS.integer || type === OPTIONS.number;
    const isText = type === OPTIONS.string;
    const isChoosable = CHOOSABLE.includes(type);
    const { choices, channel_types, file_types, options: inner } = option;
    return {
      type,
      name,
      description,
      ...definedFields({
        name_localizations: texts(option.name_localizations),
        description_localizations: texts(option.description_localizations),
        required: !isSubcommand(option) && option.required === true ? true : undefined,
        autocomplete: isChoosable && option.autocomplete === true ? true : undefined,
        choices: isChoosable && choices?.length ? choices.map(normalChoice) : undefined,
        channel_types: type === OPTIONS.channel && channel_types?.length ? channel_types : undefined,
        min_value: isNumber ? option.min_value : undefined,
        max_value: isNumber ? option.max_value : undefined,
        min_length: isText ? option.min_length : undefined,
        max_length: isText ? option.max_length : undefined,
        file_types:
          type === OPTIONS.attachment && file_types?.length ? file_types.map(normalFileType) : undefined,
        options: isSubcommand(option) && inner?.length ? normalOptions(inner) : undefined,
      }),
    };
  });
}

function normalChoice({ name, name_localizations, value }: SentChoice): CommandChoice {
  return { name, ...definedFields({ name_localizations: texts(name_localizations) }), value };
}

/** Translations without those that null removes; undefined where no translation remains. */
export function texts(sent: SentLocalizations): Localizations | undefined {
  const left = Object.entries(sent ?? {}).filter((one): one is [string, string] => one[1] !== null);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

type DefinedFields<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

function definedFields<Fields extends object>(fields: Fields): DefinedFields<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as DefinedFields<Fields>;
}
