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

/** Members of koffi that are used here; tests replace them with a library that fails. */
export interface ForeignLibrary {
  load(path: null): {
    // biome-ignore lint/suspicious/noExplicitAny: a foreign function has whatever signature we declare for it
    func(definition: string): (...args: any[]) => any;
  };
  errno(): number;
}

/** Name of koffi's native file when it is distributed without koffi's own package. */
const FILE_NAME = 'koffi.node';

/**
 * Opens koffi's native file for a program whose code is the file `here` (a URL), without koffi's own loader. Undefined
 * when the file is missing.
 */
export function libraryBeside(here: string): ForeignLibrary | undefined {
  const path = libraryFile(here);
  return path === undefined ? undefined : openLibrary(path);
}

/**
 * Returns the path of koffi's native file: next to `here`, as in the Debian package and in a copy of the program, or in
 * koffi's package, which npm installs below ours or next to it. The path needs no check, because an attacker who can
 * create a file there can change our code, too. koffi's own loader is not used, because it would also search every
 * parent folder.
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
 * Returns the native files for this system. The folder names contain the C library and, for a processor with several
 * floating-point calling conventions, the convention: `linux_x64`, `musl_armhf`.
 */
function librariesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const system = process.platform === 'linux' && usesMusl() ? 'musl' : process.platform;
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${system}_${process.arch}`))
    .map((name) => join(folder, name, FILE_NAME));
}

/** Whether this Node was built for musl. A file for another C library may load and fail later. */
function usesMusl(): boolean {
  return readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-');
}

/**
 * Loads koffi's native part from its bytes. The system's loader accepts only files, so the bytes are written once to a
 * file below `folder`; the folder has mode 0700 and the file 0600. Before the load, owner, mode and content are checked
 * on the very file that is loaded. An invalid file is written again; an invalid folder throws.
 */
export function libraryFromBytes(bytes: Uint8Array, folder: string, uid: number): ForeignLibrary {
  const hash = sha256(bytes);
  const home = join(folder, 'native');
  const path = join(home, `koffi-${hash.slice(0, 16)}.node`);
  makeFolder(folder);
  makeOwnFolder(home, uid);
  let fd = openVerified(path, hash, uid);
  if (fd === undefined) {
    // The write is unlocked, because two programs that start at the same time write the same content.
    writePrivateFile(path, bytes, { unlocked: true });
    fd = openVerified(path, hash, uid);
  }
  if (fd === undefined) throw new Error(`${path} is not what was written there`);
  try {
    // The file is loaded through its descriptor, so that it is the file that was checked, even if its name was replaced
    // meanwhile.
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

/**
 * Opens the file and returns its descriptor if only we have access to it and its content has that hash; else undefined.
 */
function openVerified(path: string, hash: string, uid: number): number | undefined {
  let fd: number;
  try {
    // O_NONBLOCK is set because a FIFO at this path must not block us.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // These errors mean that there is no file, or that it is a link or a socket.
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
