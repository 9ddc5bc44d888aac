import { SettingError } from '../../kernel/errors.ts';

/** Input for an option, a select or a field: one value, or several. */
export type Given = string | number | boolean | readonly string[];

/** A file of a user, its bytes in base64; or the reason why it could not be read. */
export type GivenFile =
  | { readonly filename: string; readonly content_type?: string | undefined; readonly data: string }
  | { readonly filename: string; readonly problem: string };

/** Values and files by the name of their field. */
export interface Filled {
  readonly values: Readonly<Record<string, Given>>;
  readonly files: Readonly<Record<string, readonly GivenFile[]>>;
}

/** A decoded file. */
export interface ReadFile {
  readonly name: string;
  readonly type?: string | undefined;
  readonly bytes: Buffer;
}

/** Input as a list of texts. */
export function texts(given: Given | undefined): readonly string[] {
  if (given === undefined) return [];
  return typeof given === 'object' ? given : [String(given)];
}

/** Input as one text; undefined for none. @throws SettingError for several */
export function oneText(key: string, given: Given | undefined): string | undefined {
  const [first, second] = texts(given);
  if (second !== undefined) throw new SettingError(key, 'takes one value, but got several');
  return first;
}

const YES = ['true', 'yes', 'on', '1'];
const NO = ['false', 'no', 'off', '0'];

/** Parses a yes or no. @throws SettingError */
export function yesOrNo(key: string, text: string): boolean {
  const word = text.toLowerCase();
  if (YES.includes(word)) return true;
  if (NO.includes(word)) return false;
  throw new SettingError(key, `must be true or false, not ${shown(text)}`);
}

/** Padding of base64 (bytes). */
const PADDING = 2;

/** Decodes files. @throws SettingError for an unreadable, too large or invalid file */
export function readFiles(key: string, files: readonly GivenFile[], largest: number): readonly ReadFile[] {
  return files.map((file) => {
    const name = file.filename.slice(0, 100);
    if ('problem' in file) throw new SettingError(key, `${name} cannot be read: ${file.problem}`);
    const size = Math.floor((file.data.length * 3) / 4);
    if (size > largest + PADDING) {
      throw new SettingError(key, `${name} has ${size} bytes, and a file has at most ${largest}`);
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

/** Another user's text in quotes, truncated. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** A list for messages, truncated. */
export function listed(words: readonly string[]): string {
  return words.length > 25 ? `${words.slice(0, 25).join(', ')} …` : words.join(', ');
}
