import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lstatOf } from './inode.ts';
import { systemCode } from './local-error.ts';
import type { ForeignLibrary } from './native.ts';

/** What koffi's native part is called wherever it travels without koffi's own package. */
const FILE_NAME = 'koffi.node';

/**
 * koffi's native part for a program whose code is the file `here` (a URL), opened without koffi's own loader: where the path
 * is long, that takes so many steps of Node's own that V8 begins to optimize them, at the cost of 4 MiB. Undefined where the
 * file is not found; koffi may still know where it is.
 */
export function libraryBeside(here: string): ForeignLibrary | undefined {
  const path = libraryFile(here);
  return path === undefined ? undefined : openLibrary(path);
}

/**
 * Where that file is: beside `here`, as in the Debian package and in a copy of the program, or in koffi's package, which
 * npm puts below ours or beside it. Whoever can put a file there can change our code as well: there is nothing to check.
 */
export function libraryFile(here: string): string | undefined {
  const beside = fileURLToPath(new URL(`./${FILE_NAME}`, here));
  if (existsSync(beside)) return beside;
  if (process.platform !== 'linux') return undefined;
  const inPackage = `@koromix/koffi-linux-${process.arch}/${usesMusl() ? 'musl' : 'linux'}_${process.arch}/${FILE_NAME}`;
  return ['../node_modules', '../..']
    .map((folder) => fileURLToPath(new URL(`${folder}/${inPackage}`, here)))
    .find(existsSync);
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
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  makeOwnFolder(home, uid);
  let fd = openVerified(path, hash, uid);
  if (fd === undefined) {
    writeWhole(path, bytes);
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

/** In one step: two programs that start at once write the same. */
function writeWhole(path: string, bytes: Uint8Array): void {
  const fresh = join(dirname(path), `.${process.pid}.fresh`);
  rmSync(fresh, { force: true });
  writeFileSync(fresh, bytes, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, path);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
