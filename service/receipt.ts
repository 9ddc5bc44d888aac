import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lstatOf } from '../platform/files/inode.ts';
import { makeFolder, writePrivateFile } from '../platform/files/private-file.ts';
import { systemErrorText } from '../platform/system-error-text.ts';
import { isLocalError, LocalError, systemCode } from '../src/base/local-error.ts';
import type { PlannedFile, ServiceKind } from './manager.ts';

/** Record of an installation on this machine, so that its removal undoes exactly this installation. */
export interface Receipt {
  readonly kind: ServiceKind;
  readonly version: string;
  readonly core: string;
  /** Options of `run` that the user set. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** Further steps that the manager must undo, in its own notation: `linger`, or the name of a registry value. */
  readonly marks: readonly string[];
}

/** State of an installed file. */
export type FileState = 'ours' | 'edited' | 'missing';

const MAX_BYTES = 256 * 1024;

/** The path of the receipt. */
export function receiptPath(stateFolder: string): string {
  return join(stateFolder, 'service.json');
}

/**
 * Reads the receipt; undefined when nothing is installed. Throws `LocalError` FOOTBRIDGE_RECEIPT for an invalid
 * receipt.
 */
export function readReceipt(stateFolder: string): Receipt | undefined {
  const path = receiptPath(stateFolder);
  const bytes = readOwn(path);
  if (bytes === undefined) return undefined;
  try {
    const value = JSON.parse(bytes.toString('utf8')) as unknown;
    if (isReceipt(value)) return value;
  } catch {
    // The error is thrown below, as for any other content that is no receipt.
  }
  throw new LocalError(
    'FOOTBRIDGE_RECEIPT',
    `${path} does not say what was installed. Remove it, then run "footbridge install" again.`,
  );
}

/**
 * Writes a part of an installation. Throws `LocalError` FOOTBRIDGE_CONFIG with its path for an error of the system.
 */
export function placed<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    if (isLocalError(cause)) throw cause;
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `${path} cannot be written: ${systemErrorText(cause)}. Make room on its disk, or make its folder writable, and ` +
        'run "footbridge install" again.',
      { cause },
    );
  }
}

/** Stores the receipt, or removes it. Throws as {@link placed} does. */
export function writeReceipt(stateFolder: string, receipt: Receipt | undefined): void {
  const path = receiptPath(stateFolder);
  if (receipt === undefined) return rmSync(path, { force: true });
  placed(path, () => writePrivateFile(path, `${JSON.stringify(receipt, null, 2)}\n`, { unlocked: true }));
}

/** Compares an installed file with the hash in the receipt. A link or another kind of file counts as edited. */
export function stateOf({ path, sha256 }: Receipt['files'][number]): FileState {
  if (lstatOf(path) === undefined) return 'missing';
  const bytes = readOwn(path);
  return bytes !== undefined && hashOf(bytes) === sha256 ? 'ours' : 'edited';
}

/** Returns the hashes of files in the form in which the receipt stores them. */
export function receiptFiles(files: readonly PlannedFile[]): Receipt['files'] {
  return files.map(({ path, content }) => ({ path, sha256: hashOf(content) }));
}

/**
 * Writes the files of an installation; returns the files that changed. Writes no file when one of them was edited after
 * the installation or was not installed by us; `force` replaces such files, too. `finish` then stores the receipt. When it
 * or a write fails, the files are as before. Throws `LocalError` FOOTBRIDGE_EDITED, and as {@link placed} does.
 */
export function writeFiles(
  files: readonly PlannedFile[],
  receipt: Receipt | undefined,
  force: boolean,
  finish: () => void = () => {},
): readonly string[] {
  const changed = files
    .map((file) => ({ ...file, before: readOwn(file.path) }))
    .filter(({ content, before }) => before === undefined || hashOf(before) !== hashOf(content));
  if (!force) {
    const foreign = changed.find(({ path }) => {
      const known = receipt?.files.find((file) => file.path === path);
      return known === undefined ? lstatOf(path) !== undefined : stateOf(known) === 'edited';
    });
    if (foreign !== undefined) throw edited(foreign.path);
  }
  const replaced: typeof changed = [];
  try {
    for (const file of changed) {
      place(file, file.content);
      replaced.push(file);
    }
    finish();
  } catch (error) {
    for (const file of replaced) {
      if (file.before === undefined) rmSync(file.path, { force: true });
      else place(file, file.before);
    }
    throw error;
  }
  return changed.map(({ path }) => path);
}

function place({ path, mode }: PlannedFile, content: string | Uint8Array): void {
  placed(path, () => {
    makeFolder(dirname(path), 0o755);
    writePrivateFile(path, content, { mode, unlocked: true });
  });
}

/**
 * Removes the files that the receipt names and returns them as `removed`. Edited files stay, unless `force` is set, and
 * are returned as `editedPaths`.
 */
export function removeFiles(
  files: Receipt['files'],
  force: boolean,
): { readonly removed: readonly string[]; readonly editedPaths: readonly string[] } {
  const removed: string[] = [];
  const editedPaths: string[] = [];
  for (const file of files) {
    const state = stateOf(file);
    if (state === 'missing') continue;
    if (state === 'edited' && !force) {
      editedPaths.push(file.path);
      continue;
    }
    rmSync(file.path, { force: true });
    removed.push(file.path);
  }
  return { removed, editedPaths };
}

/** Returns notes for the user about the files that {@link removeFiles} kept, one line each. */
export function editedNotes(editedPaths: readonly string[]): string[] {
  return editedPaths.map((path) => `${path} was edited and stays where it is: take it away yourself.`);
}

function edited(path: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_EDITED',
    `${path} was edited, or is not ours. Keep a copy and give --force to replace it.`,
  );
}

/** Returns the bytes of a regular file; undefined for any other path. Follows no link, and waits for no FIFO. */
function readOwn(path: string): Buffer | undefined {
  const status = lstatOf(path);
  if (status?.isFile() !== true || status.size > MAX_BYTES) return undefined;
  try {
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function isReceipt(value: unknown): value is Receipt {
  const { kind, version, core, flags, files, marks } = { ...(value as Partial<Receipt>) };
  return (
    [kind, version, core].every((text) => typeof text === 'string') &&
    Array.isArray(files) &&
    files.every((file) => typeof file?.path === 'string' && typeof file.sha256 === 'string') &&
    Array.isArray(marks) &&
    marks.every((mark) => typeof mark === 'string') &&
    (flags === undefined ||
      (typeof flags === 'object' &&
        flags !== null &&
        Object.values(flags).every((flag) => typeof flag === 'string')))
  );
}
