import * as z from 'zod';
import { nameArg } from '../api/operator.ts';
import { SettingError } from '../kernel/errors.ts';

/** A file that a user sends. */
export interface SentFile {
  readonly name: string;
  /** Media type as the user's client sends it; never guessed, and absent where the client names none. */
  readonly type?: string | undefined;
  readonly bytes: Buffer;
}

/** A file of a user with its bytes in base64, or the reason why the client could not read the file. */
export type InputFile =
  | { readonly filename: string; readonly content_type?: string | undefined; readonly data: string }
  | { readonly filename: string; readonly problem: string };

/** Schema of a file in the arguments of an operation. */
export const inputFile = () =>
  z.union([
    z.object({ filename: nameArg(), content_type: z.optional(nameArg()), data: z.string() }),
    z.object({ filename: nameArg(), problem: z.string().check(z.maxLength(500)) }),
  ]);

/** Maximum size of a request (bytes), with room for files of 25 MiB in base64 and the other arguments. */
export const MAX_FILES_REQUEST_BYTES = 36 * 1024 * 1024;

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
