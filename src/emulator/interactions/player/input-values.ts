import type { InputFile } from '../../files/input-files.ts';
import { SettingError } from '../../kernel/errors.ts';

/** Input for an option, a select or a field: one value or several values. */
export type InputValue = string | number | boolean | readonly string[];

/** Values and files by the name of their field. */
export interface Filled {
  readonly values: Readonly<Record<string, InputValue>>;
  readonly files: Readonly<Record<string, readonly InputFile[]>>;
}

/** Input as a list of texts. */
export function texts(input: InputValue | undefined): readonly string[] {
  if (input === undefined) return [];
  return typeof input === 'object' ? input : [String(input)];
}

/** Input as one text; undefined without input. @throws SettingError for several values */
export function oneText(key: string, input: InputValue | undefined): string | undefined {
  const [first, second] = texts(input);
  if (second !== undefined) throw new SettingError(key, 'takes one value, but got several');
  return first;
}

const YES = ['true', 'yes', 'on', '1'];
const NO = ['false', 'no', 'off', '0'];

/** Parses a boolean that a user wrote, such as `yes` or `no`. @throws SettingError */
export function yesOrNo(key: string, text: string): boolean {
  const word = text.toLowerCase();
  if (YES.includes(word)) return true;
  if (NO.includes(word)) return false;
  throw new SettingError(key, `must be true or false, not ${quoted(text)}`);
}

/** Text of another user in quotes, truncated for an error message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Items as a comma-separated list for an error message, truncated after 25. */
export function listed(items: readonly string[]): string {
  return items.length > 25 ? `${items.slice(0, 25).join(', ')} …` : items.join(', ');
}
