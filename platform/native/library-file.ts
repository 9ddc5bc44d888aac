import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemCode } from '../../src/base/local-error.ts';
import { lstatOf } from '../files/inode.ts';
import { makeFolder, writePrivateFile } from '../files/private-file.ts';
import { ownPackageFolders } from './own-packages.ts';

/** The part of koffi used here; the tests substitute a stand-in for a failing library. */
export interface ForeignLibrary {
  load(path: null): {
    // biome-ignore lint/suspicious/noExplicitAny: a foreign function has whatever signature we declare for it
    func(definition: string): (...args: any[]) => any;
  };
  errno(): number;
}

/** File name of koffi's native part wherever it is distributed without koffi's own package. */
const FILE_NAME = 'koffi.node';

/**
 * koffi's native part for a program whose code is the file `here` (a URL), opened without koffi's own loader. Undefined
 * for a missing file.
 */
export function libraryBeside(here: string): ForeignLibrary | undefined {
  const path = libraryFile(here);
  return path === undefined ? undefined : openLibrary(path);
}

/**
 * Path of that file: next to `here`, as in the Debian package and in a copy of the program, or in koffi's package,
 * which npm puts below ours or next to it. An attacker who can put a file there can change our code as well, so the
 * path needs no check. koffi's own loader is not used: it would search every folder above as well.
 */
export function libraryFile(here: string): string | undefined {
  const beside = fileURLToPath(new URL(`./${FILE_NAME}`, here));
  if (existsSync(beside)) return beside;
  return ownPackageFolders(here)
    .map((folder) => join(folder, `@koromix/koffi-${process.platform}-${process.arch}`))
    .flatMap(librariesIn)
    .find(existsSync);
}

/**
 * Folder names by C library and, for a processor with several calling conventions for numbers, by convention:
 * `linux_x64`, `musl_armhf`.
 */
function librariesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const system = process.platform === 'linux' && usesMusl() ? 'musl' : process.platform;
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${system}_${process.arch}`))
    .map((name) => join(folder, name, FILE_NAME));
}

/** Whether this Node was made for musl: a file for the other C library may load, and fail later. */
function usesMusl(): boolean {
  return readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-');
}

/**
 * Loads koffi's native part from its bytes, which the loader of the system accepts from files only. The file is written
 * once, below `folder`, with mode 0700 for the folder and 0600 for itself. Before the load, owner, mode and content are
 * checked on the very file that is loaded. A fault of the file is repaired; a fault of the folder throws.
 */
export function libraryFromBytes(bytes: Uint8Array, folder: string, uid: number): ForeignLibrary {
  const hash = sha256(bytes);
  const home = join(folder, 'native');
  const path = join(home, `koffi-${hash.slice(0, 16)}.node`);
  makeFolder(folder);
  makeOwnFolder(home, uid);
  let fd = openVerified(path, hash, uid);
  if (fd === undefined) {
    // Two programs that start at once write the same content.
    writePrivateFile(path, bytes, { unlocked: true });
    fd = openVerified(path, hash, uid);
  }
  if (fd === undefined) throw new Error(`${path} is not what was written there`);
  try {
    // Through the descriptor, so that it is the file that was checked, wherever its name leads by now.
    const byDescriptor = `/proc/self/fd/${fd}`;
    return openLibrary(existsSync(byDescriptor) ? byDescriptor : path);
  } finally {
    closeSync(fd);
  }
}

function openLibrary(path: string): ForeignLibrary {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports as ForeignLibrary;
}

function makeOwnFolder(folder: string, uid: number): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  const status = lstatOf(folder);
  if (status?.isDirectory() !== true) throw new Error(`${folder} is not a folder`);
  if (Number(status.uid) !== uid) throw new Error(`${folder} belongs to uid ${status.uid}`);
  const mode = Number(status.mode & 0o7777n);
  if (mode !== 0o700) throw new Error(`${folder} has mode ${mode.toString(8)}, not 700`);
}

/** An open descriptor of the file when it is ours alone and has that content. */
function openVerified(path: string, hash: string, uid: number): number | undefined {
  let fd: number;
  try {
    // O_NONBLOCK: a FIFO at this path must not block us.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // A free path, a link, a socket.
    if (['ENOENT', 'ELOOP', 'ENXIO'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
  const status = fstatSync(fd);
  const isOurs = status.isFile() && status.uid === uid && (status.mode & 0o7777) === 0o600;
  if (isOurs && sha256(readFileSync(fd)) === hash) return fd;
  closeSync(fd);
  return undefined;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
