import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ApiError, generalError, invalidField } from '../../api/api-error.ts';
import type { UploadedFile } from '../../api/file.ts';
import type { Files } from '../../api/operation.ts';
import { ownText } from '../../kernel/own-text.ts';
import { BodyTooLarge, MultipartError } from './body-fault.ts';
import { PAYLOAD_FIELD } from './texts.ts';
import type { Held } from './upload-room.ts';

/** Maximum number of fields, which no operation exceeds, and maximum length of a file name (characters). */
const MAX_FIELDS = 32;
const MAX_FILE_NAME_LENGTH = 255;

/** Limits of a multipart body. */
export interface MultipartLimits {
  /** Maximum size of the whole body in bytes. */
  readonly maxBytes: number;
  /** Maximum size of a field other than a file, in bytes. */
  readonly field: number;
  /** Rules for files; undefined when the operation accepts no files. */
  readonly files: Files | undefined;
  readonly held: Held;
}

/** Contents of a body, in order. */
export interface Multipart {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly UploadedFile[];
}

/**
 * Parses a multipart/form-data body as a stream, within the limits: each is checked before bytes are stored. The rest of a
 * refused body is discarded, so that the peer can read the reply.
 * @throws MultipartError, BodyTooLarge, or ApiError for a file that is not permitted or too large.
 */
export function readMultipart(
  source: Readable,
  contentType: string,
  { maxBytes, field: fieldSize, files: allowed, held }: MultipartLimits,
): Promise<Multipart> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const files: UploadedFile[] = [];
    const named = new Set<string>();
    let parser: InstanceType<typeof Busboy> | undefined;
    let size = 0;
    let waiting = 0;
    let isParsed = false;
    const stop = (): void => {
      source.off('data', take);
      source.resume();
    };
    const fail = (error: Error): void => {
      stop();
      reject(error);
    };
    const broken = (why = 'The multipart body is not well-formed.') => fail(new MultipartError(why));
    const finish = (): void => {
      if (isParsed && waiting === 0) resolve({ fields, files });
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) return fail(new BodyTooLarge());
      if (!held.take(chunk.length)) return fail(noRoom());
      parser?.write(chunk);
    };
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          fields: MAX_FIELDS,
          fieldSize,
          files: allowed?.maxCount ?? 0,
          fileSize: allowed?.maxFileBytes ?? 0,
          parts: MAX_FIELDS + (allowed?.maxCount ?? 0),
          headerPairs: 16,
          headerSize: 4096,
        },
        isPartAFile: (name, _type, fileName) => isFile(name, fileName, allowed),
      });
    } catch {
      // The parser throws when the boundary is missing.
      return broken();
    }
    parser.on('field', (name: string | undefined, value, _, valueCut) => {
      if (name === undefined) broken();
      else if (valueCut) fail(new BodyTooLarge());
      else fields.push([name, value]);
    });
    parser.on('file', (field: string | undefined, stream, fileName: string | undefined, _encoding, type) => {
      const chunks: Buffer[] = [];
      waiting += 1;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () => fail(tooLarge(field ?? '')));
      // The parser emits this error for a part that ends too early.
      stream.on('error', () => broken());
      stream.on('end', () => {
        waiting -= 1;
        // A form in which no file was chosen sends an empty file without a name.
        const isChosen = (fileName ?? '') !== '' || chunks.length > 0;
        if (field !== undefined && isChosen)
          files.push({ field, name: nameOf(fileName), type, bytes: Buffer.concat(chunks) });
        finish();
      });
      if (field === undefined || allowed === undefined) broken();
      else if (!mayCome(field, allowed) || named.has(field)) fail(unexpected(field));
      else named.add(field);
    });
    parser.on('filesLimit', () => (allowed === undefined ? broken() : fail(tooMany(allowed))));
    for (const limit of ['partsLimit', 'fieldsLimit'] as const) parser.on(limit, () => broken());
    parser.on('error', () => broken());
    parser.on('finish', () => {
      isParsed = true;
      finish();
    });
    let isWhole = false;
    const onIncomplete = (): void => {
      if (!isWhole) broken('The body is incomplete.');
    };
    // The request may have been destroyed before this call.
    if (source.destroyed) return onIncomplete();
    source.on('data', take);
    for (const end of ['error', 'close'] as const) source.on(end, onIncomplete);
    source.on('end', () => {
      isWhole = true;
      parser.end();
    });
  });
}

/**
 * Whether a part is a file. Its type does not decide: hikari sends `payload_json` as application/octet-stream, and
 * programs that build it from a Blob give it a file name.
 */
function isFile(name: string | undefined, fileName: string | undefined, allowed: Files | undefined): boolean {
  if (name === undefined || name === PAYLOAD_FIELD) return false;
  return fileName !== undefined || (allowed !== undefined && mayCome(name, allowed));
}

/**
 * Whether the operation declares a file field. `files[n]` in a declaration matches `files[0]`, `files[1]` and so on;
 * `file{n}` matches `file0`, `file1` and so on.
 */
function mayCome(field: string, { fields }: Files): boolean {
  return [field, field.replace(/\[\d{1,4}\]$/, '[n]'), field.replace(/\d{1,4}$/, '{n}')].some((name) =>
    fields.includes(name),
  );
}

/** The file name without the sender's folders and without control characters. */
function nameOf(fileName: string | undefined): string {
  const name = ownText(
    (fileName ?? '')
      .replace(/^.*[/\\]/s, '')
      .replaceAll(/\p{C}/gu, '')
      .slice(0, MAX_FILE_NAME_LENGTH),
  );
  return /^\.*$/.test(name) ? 'file' : name;
}

function tooMany({ tooMany: code, maxCount }: Files): Error {
  return code === undefined ? new BodyTooLarge() : new ApiError(code, { limit: maxCount });
}

function unexpected(field: string): ApiError {
  return invalidField(
    [field.slice(0, 64)],
    'BASE_TYPE_UNKNOWN_KEY',
    'No file may come here, or no second one.',
  );
}

function tooLarge(field: string): ApiError {
  return new ApiError('FileUploadedExceedsMaximumSize', {
    message: `The file in ${field.slice(0, 64)} is too large`,
  });
}

function noRoom(): ApiError {
  return generalError(503, 'Too many files are being sent at once', { headers: { 'Retry-After': '1' } });
}
