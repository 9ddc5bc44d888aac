import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lstatOf } from '../../../platform/files/inode.ts';
import { makeFolder } from '../../../platform/files/private-file.ts';
import { libraryFile } from '../../../platform/native/library-file.ts';
import { loadNative } from '../../../platform/native/native.ts';
import { placed } from '../../../service/receipt.ts';
import { version } from '../../daemon/version.ts';
import type { OwnProgram } from './program.ts';

/** Folder of the copies below the data folder: one folder per version and content, and no foreign files. */
const FOLDER = 'app';

/** File of the program, and its path in the copy. */
interface Part {
  readonly from: string;
  readonly to: string;
}

/**
 * Existing or future copy. The name of the copy contains version and content hash, so that an existing copy is never
 * modified.
 */
export interface DurableCopy {
  readonly program: OwnProgram;
  readonly folder: string;
  /** Creates the copy atomically; returns false if it exists. */
  make(): boolean;
  /** Removes the copy, and the folder of the copies if it is empty afterwards. */
  discard(): void;
  /** Removes the copies of other versions. */
  dropOthers(): void;
}

/** Copy of a program whose own location is temporary. */
export function durableCopy(program: OwnProgram, dataFolder: string): DurableCopy {
  const parts = program.kind === 'package' ? packageParts(program.root) : [executablePart(program.path)];
  const folder = join(dataFolder, FOLDER, `${version()}-${fingerprint(parts)}`);
  return {
    folder,
    program:
      program.kind === 'package'
        ? { ...program, root: folder }
        : { kind: 'executable', path: join(folder, basename(program.path)) },
    make() {
      if (existsSync(folder) && fingerprint(inCopy(parts, folder)) === fingerprint(parts)) return false;
      const fresh = `${folder}.${process.pid}.new`;
      try {
        placed(folder, () => {
          rmSync(fresh, { recursive: true, force: true });
          for (const { from, to } of parts) {
            makeFolder(dirname(join(fresh, to)));
            copyFileSync(from, join(fresh, to));
            chmodSync(join(fresh, to), program.kind === 'executable' ? 0o700 : 0o600);
          }
          rmSync(folder, { recursive: true, force: true });
          renameSync(fresh, folder);
        });
      } catch (error) {
        remove(fresh);
        throw error;
      }
      return true;
    },
    discard: () => remove(folder),
    dropOthers() {
      for (const name of readdirSync(dirname(folder))) {
        if (name !== basename(folder)) rmSync(join(dirname(folder), name), { recursive: true, force: true });
      }
    },
  };
}

/** Removes a copy, and the folder of the copies if it is empty afterwards; what cannot be removed stays. */
function remove(copy: string): void {
  try {
    rmSync(copy, { recursive: true, force: true });
    rmdirSync(dirname(copy));
  } catch {
    // The folder has another copy, or its disk can only be read.
  }
}

/** Removes every copy; returns whether there was one. */
export function removeCopies(dataFolder: string): boolean {
  const folder = join(dataFolder, FOLDER);
  if (lstatOf(folder)?.isDirectory() !== true) return false;
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/** Whether the native calls load for the installed program, tested with its own Node and folder. */
export async function loadsNative(program: OwnProgram): Promise<boolean> {
  // A program of this kind is this executable or a copy of it.
  if (program.kind === 'executable') return (await loadNative()).kind === 'loaded';
  const library = libraryFile(pathToFileURL(join(program.root, 'dist', 'footbridge.js')).href);
  if (library === undefined) return false;
  const script = `require(${JSON.stringify(library)})`;
  return new Promise((resolve) => {
    execFile(program.node, ['-e', script], { cwd: program.root, timeout: 10_000 }, (error) =>
      resolve(error === null),
    );
  });
}

/**
 * Files that the command line needs: the bundle without the libraries for programs, the console's page, and the native
 * calls.
 */
function packageParts(root: string): Part[] {
  const dist = join(root, 'dist');
  return [
    { from: join(root, 'package.json'), to: 'package.json' },
    ...['dist', join('dist', 'console')].flatMap((folder) =>
      filesIn(join(root, folder)).map((name) => ({
        from: join(root, folder, name),
        to: join(folder, name),
      })),
    ),
    ...nativeParts(join(dist, 'footbridge.js')),
  ];
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

/** Native library, where it is installed; the service works without it. */
function nativeParts(main: string): Part[] {
  const library = libraryFile(pathToFileURL(main).href);
  // The library is optional, and files in dist/ are already in the list.
  if (library === undefined || dirname(library) === dirname(main)) return [];
  return [{ from: library, to: join('dist', basename(library)) }];
}

function executablePart(path: string): Part {
  return { from: path, to: basename(path) };
}

function inCopy(parts: readonly Part[], folder: string): Part[] {
  return parts.map(({ to }) => ({ from: join(folder, to), to }));
}

/** Hash of the files; empty if a file is missing, so that it differs from the hash of every complete copy. */
function fingerprint(parts: readonly Part[]): string {
  const hash = createHash('sha256');
  for (const { from, to } of [...parts].sort((a, b) => (a.to < b.to ? -1 : 1))) {
    if (!existsSync(from)) return '';
    const content = readFileSync(from);
    hash.update(`${to}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 12);
}
