import { lstatSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type * as z from 'zod';
import { checksumOf } from '../../platform/files/checksum.ts';
import { tightenFile, writePrivateFile } from '../../platform/files/private-file.ts';
import { readRegularFile } from '../../platform/files/read-regular.ts';
import { withIssueText } from '../base/issue-text.ts';
import { messageOf } from '../base/local-error.ts';
import type { Logger } from '../server/options.ts';

/** Version of the file format; the owner of the file defines the shape of the content. */
const VERSION = 1;

/** A file whose content no longer matched its checksum, and its new path. */
export interface DamagedFile {
  readonly path: string;
  readonly movedTo: string;
  readonly reason: string;
}

/** How a file is read. */
export interface CheckedRead<T> {
  readonly maxBytes: number;
  /** User, besides root, that may have written the file; undefined on a system without user ids. */
  readonly uid: number | undefined;
  /** Parses the content. Throws an error that describes the problem. */
  readonly parse: (content: unknown) => T;
  readonly onDamaged: (damaged: DamagedFile) => void;
}

/** Replaces a file as a whole, with a checksum over its content. Throws the system's error; the old file then stays. */
export function writeChecked(path: string, content: unknown): void {
  const document = { version: VERSION, sha256: checksumOf([VERSION, content]), content };
  writePrivateFile(path, `${JSON.stringify(document)}\n`);
}

/**
 * Reads content that {@link writeChecked} wrote. Returns undefined for a damaged file, which is moved aside: its
 * content grants nothing, and nothing in it is lost. Throws the system's error for a file that is missing or cannot be
 * read or moved, and an `Error` for an irregular file or a file that another user may have written.
 */
export function readChecked<T>(
  path: string,
  { maxBytes, uid, parse, onDamaged }: CheckedRead<T>,
): T | undefined {
  const isLarge = statSync(path).size > maxBytes;
  const text = isLarge ? '' : new TextDecoder().decode(readRegularFile(path, maxBytes, uid));
  try {
    if (isLarge) throw new Error(`it is larger than ${maxBytes} bytes`);
    return parse(contentOf(text));
  } catch (error) {
    const reason = messageOf(error).replace(/\.$/, '');
    const movedTo = `${path}.corrupt-${Date.now()}`;
    renameSync(path, movedTo);
    onDamaged({ path, movedTo, reason });
    return undefined;
  }
}

/**
 * Reads a file as {@link readChecked} does, which only this bridge has made: a symbolic link leads to another file, and is
 * refused with an `Error`. A valid file whose mode was loosened later is tightened to 0600.
 */
export function readOwnChecked<T>(path: string, read: CheckedRead<T>): T | undefined {
  const status = lstatSync(path);
  if (!status.isFile()) throw new Error('it is no file');
  const content = readChecked(path, read);
  if (content !== undefined && (status.mode & 0o077) !== 0) tightenFile(path);
  return content;
}

/** Parses content by its schema. The error names the path in the content and the expected value. */
export function contentBy<Schema extends z.ZodType>(schema: Schema, content: unknown): z.output<Schema> {
  const parsed = schema.safeParse(content, withIssueText());
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : `"${issue.path.join('.')}" in it`;
  throw new Error(`${where} ${issue?.message}`);
}

/** Logs the path of a damaged file, and its new path. */
export function warnOfDamage(logger: Pick<Logger, 'warn'>, { path, movedTo, reason }: DamagedFile): void {
  logger.warn(
    { path: movedTo, reason: `${path}: ${reason}` },
    'a damaged file was moved aside; it allows nothing',
  );
}

function contentOf(text: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  const { version, sha256, content } = Object(document) as Readonly<Record<string, unknown>>;
  const isUnchecked = sha256 === undefined && content === undefined;
  // Versions of Footbridge without the checksum wrote the content alone, and the list of pages without a version. The
  // user's permissions from such a file stay valid; the next change writes the checksum.
  if (isUnchecked && (version === undefined || version === VERSION)) return document;
  if (version !== VERSION) throw new Error('it has no known version');
  if (sha256 !== checksumOf([version, content])) throw new Error('its checksum is wrong');
  return content;
}

/** Paths of the damaged copies of a file, oldest first; empty for a folder that cannot be read. */
export function damagedCopies(path: string): readonly string[] {
  const prefix = `${basename(path)}.corrupt-`;
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(prefix))
      .sort()
      .map((name) => join(dirname(path), name));
  } catch {
    return [];
  }
}
