import { SettingError } from '../../kernel/errors.ts';
import type { SentFile } from '../interactions.ts';

/** Input for an option, a select or a field: one value or several values. */
export type InputValue = string | number | boolean | readonly string[];

/** A file of a user with its bytes in base64, or the reason why the client could not read the file. */
export type InputFile =
  | { readonly filename: string; readonly content_type?: string | undefined; readonly data: string }
  | { readonly filename: string; readonly problem: string };

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

/** Padding of base64 (bytes). */
const PADDING = 2;

/** Decodes files. @throws SettingError for an unreadable, too large or invalid file */
export function readFiles(key: string, files: readonly InputFile[], maxBytes: number): readonly SentFile[] {
  return files.map((file) => {
    const name = file.filename.slice(0, 100);
    if ('problem' in file) throw new SettingError(key, `${name} cannot be read: ${file.problem}`);
    const size = Math.floor((file.data.length * 3) / 4);
    if (size > maxBytes + PADDING) {
      throw new SettingError(key, `${name} has ${size} bytes, and a file has at most ${maxBytes}`);
    }
    const bytes = Buffer.from(file.data, 'base64');
    return { name: file.filename, bytes, type: file.content_type ?? typeOf(file.filename) };
  });
}

/** Media types by extension, as browsers name them for uploads. */
const TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
};

function typeOf(filename: string): string | undefined {
  return TYPES[/\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''];
}

/** Text of another user in quotes, truncated for an error message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Items as a comma-separated list for an error message, truncated after 25. */
export function listed(items: readonly string[]): string {
  return items.length > 25 ? `${items.slice(0, 25).join(', ')} …` : items.join(', ');
}
