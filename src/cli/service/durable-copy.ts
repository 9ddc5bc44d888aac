import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lstatOf } from '../../../platform/inode.ts';
import { libraryFile } from '../../../platform/library-file.ts';
import { loadNative } from '../../../platform/native.ts';
import { version } from '../version.ts';
import { NODE_FLAGS, type OwnProgram } from './program.ts';

/** Where the copies lie, below the data folder: one folder a version and content, and nothing of anybody else. */
const FOLDER = 'app';

/** A file of the program, and where it lies in the copy. */
interface Part {
  readonly from: string;
  readonly to: string;
}

/** A copy as it is or would be. Its name tells version and content, so that one that exists is never written to. */
export interface DurableCopy {
  readonly program: OwnProgram;
  readonly folder: string;
  /** Makes it, in one step; false where it stands already. */
  make(): boolean;
  /** Takes it away, and the folder of the copies when it was the only one. */
  discard(): void;
  /** Takes the copies of other versions away. */
  dropOthers(): void;
}

/** A copy of a program that is somewhere it cannot stay. */
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
      rmSync(fresh, { recursive: true, force: true });
      for (const { from, to } of parts) {
        mkdirSync(dirname(join(fresh, to)), { recursive: true, mode: 0o700 });
        copyFileSync(from, join(fresh, to));
        chmodSync(join(fresh, to), program.kind === 'executable' ? 0o700 : 0o600);
      }
      rmSync(folder, { recursive: true, force: true });
      renameSync(fresh, folder);
      return true;
    },
    discard() {
      rmSync(folder, { recursive: true, force: true });
      if (readdirSync(dirname(folder)).length === 0) rmSync(dirname(folder), { recursive: true });
    },
    dropOthers() {
      for (const name of readdirSync(dirname(folder))) {
        if (name !== basename(folder)) rmSync(join(dirname(folder), name), { recursive: true, force: true });
      }
    },
  };
}

/** Takes every copy away; says whether there was one. */
export function removeCopies(dataFolder: string): boolean {
  const folder = join(dataFolder, FOLDER);
  if (lstatOf(folder)?.isDirectory() !== true) return false;
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/** Lets V8 keep its code of a fresh copy, so that the service starts as fast as it can; without it, it only starts later. */
export function keepCode(program: OwnProgram): Promise<void> {
  if (program.kind === 'executable') return Promise.resolve();
  const dist = join(program.root, 'dist');
  const warm = join(dist, 'warm.js');
  if (!existsSync(warm) || readdirSync(dist).some((name) => name.endsWith('.cache')))
    return Promise.resolve();
  return new Promise((resolve) => {
    execFile(program.node, [...NODE_FLAGS, warm], { timeout: 10_000 }, () => resolve());
  });
}

/** Whether the native calls load for that program: asked of the very Node and folder that will run it. */
export async function loadsNative(program: OwnProgram): Promise<boolean> {
  // We are that executable, or it is a copy of us.
  if (program.kind === 'executable') return (await loadNative()).kind === 'loaded';
  const library = libraryFile(pathToFileURL(join(program.root, 'dist', 'footbridge.js')).href);
  const script = `require(${JSON.stringify(library ?? 'koffi')})`;
  return new Promise((resolve) => {
    execFile(program.node, ['-e', script], { cwd: program.root, timeout: 10_000 }, (error) =>
      resolve(error === null),
    );
  });
}

/** What the command line needs: the bundle without the libraries for programs, and the native calls. */
function packageParts(root: string): Part[] {
  const dist = join(root, 'dist');
  // V8's code of it is made anew for the copy: what lies there is another's, and perhaps not ours to read.
  const bundle = readdirSync(dist, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.cache'),
  );
  return [
    { from: join(root, 'package.json'), to: 'package.json' },
    ...bundle.map(({ name }) => ({ from: join(dist, name), to: join('dist', name) })),
    ...nativeParts(join(dist, 'footbridge.js')),
  ];
}

/** One file where it is found, which is loaded faster and with less; else koffi's packages as they are. */
function nativeParts(main: string): Part[] {
  const library = libraryFile(pathToFileURL(main).href);
  if (library !== undefined) {
    // What lies in dist/ is there already.
    return dirname(library) === dirname(main) ? [] : [{ from: library, to: join('dist', basename(library)) }];
  }
  let koffi: string;
  try {
    koffi = dirname(createRequire(main).resolve('koffi'));
  } catch {
    // Optional: the service then does without.
    return [];
  }
  const scope = join(dirname(koffi), '@koromix');
  const libraries = existsSync(scope) ? readdirSync(scope).filter((name) => name.startsWith('koffi-')) : [];
  return [koffi, ...libraries.map((name) => join(scope, name))].flatMap((folder) =>
    filesBelow(folder).map((from) => ({ from, to: join('node_modules', relative(dirname(koffi), from)) })),
  );
}

/** Its sources and documentation are half of it and never loaded. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:c?js|json|node)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function executablePart(path: string): Part {
  return { from: path, to: basename(path) };
}

function inCopy(parts: readonly Part[], folder: string): Part[] {
  return parts.map(({ to }) => ({ from: join(folder, to), to }));
}

/** Empty when a file is missing, which is like nothing that is complete. */
function fingerprint(parts: readonly Part[]): string {
  const hash = createHash('sha256');
  for (const { from, to } of [...parts].sort((a, b) => (a.to < b.to ? -1 : 1))) {
    if (!existsSync(from)) return '';
    const content = readFileSync(from);
    hash.update(`${to}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 12);
}
