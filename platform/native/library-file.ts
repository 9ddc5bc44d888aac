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

/** The part of koffi used here; the tests put a stand-in for a failing library in its place. */
export interface ForeignLibrary {
  load(path: null): {
    // biome-ignore lint/suspicious/noExplicitAny: a foreign function has whatever signature we declare for it
    func(definition: string): (...args: any[]) => any;
  };
  errno(): number;
}

/** What koffi's native part is called wherever it travels without koffi's own package. */
const FILE_NAME = 'koffi.node';

/**
 * koffi's native part for a program whose code is the file `here` (a URL), opened without koffi's own loader. Undefined
 * where the file is not found.
 */
export function libraryBeside(here: string): ForeignLibrary | undefined {
  const path = libraryFile(here);
  return path === undefined ? undefined : openLibrary(path);
}

/**
 * Where that file is: beside `here`, as in the Debian package and in a copy of the program, or in koffi's package, which
 * npm puts below ours or beside it. Whoever can put a file there can change our code as well: there is nothing to check.
 * koffi's own loader is not used: it would look in every folder above as well.
 */
export function libraryFile(here: string): string | undefined {
  const beside = fileURLToPath(new URL(`./${FILE_NAME}`, here));
  if (existsSync(beside)) return beside;
  return ownPackageFolders(here)
    .map((folder) => join(folder, `@koromix/koffi-${process.platform}-${process.arch}`))
    .flatMap(librariesIn)
    .find(existsSync);
}

/** One for each C library and, where a processor has several ways to pass numbers, each of those: `linux_x64`, `musl_armhf`. */
function librariesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const system = process.platform === 'linux' && usesMusl() ? 'musl' : process.platform;
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${system}_${process.arch}`))
    .map((name) => join(folder, name, FILE_NAME));
}

/** Which C library this Node was made for: a file for the other one may load, and fail later. */
function usesMusl(): boolean {
  return readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-');
}

/**
 * Loads koffi's native part from its bytes, which the loader of the system takes from files only. The file is written
 * once, below `folder`, with mode 0700 for the folder and 0600 for itself. Before it is loaded, its owner, mode and content
 * are checked on the very file that is loaded. What is wrong with it is mended; what is wrong with the folder throws.
 */
export function libraryFromBytes(bytes: Uint8Array, folder: string, uid: number): ForeignLibrary {
  const hash = sha256(bytes);
  const home = join(folder, 'native');
  const path = join(home, `koffi-${hash.slice(0, 16)}.node`);
  makeFolder(folder);
  makeOwnFolder(home, uid);
  let fd = openVerified(path, hash, uid);
  if (fd === undefined) {
    // Two programs that start at once write the same.
    writePrivateFile(path, bytes, { unlocked: true });
    fd = openVerified(path, hash, uid);
  }
  if (fd === undefined) throw new Error(`${path} is not what was written there`);
  try {
    // Through the descriptor, so that it is the file that was checked, whatever its name leads to by now.
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
    // O_NONBLOCK: a FIFO in its place must not hold us up.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // Nothing, a link, a socket.
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
