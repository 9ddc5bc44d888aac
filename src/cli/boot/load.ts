import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/** Names the bundle's text: V8 compares only its length. */
declare const __FOOTBRIDGE_BUNDLE__: string;

/** The program's bundle: `runMain` of `bundle.ts` among its exports. */
export interface Program {
  runMain(argv: readonly string[]): Promise<number>;
}

/** A loaded bundle, and what V8 made of it. */
export interface LoadedProgram {
  readonly program: Program;
  /** Where V8's code for this bundle is kept; V8 takes none of another version, processor or set of flags. */
  readonly cachePath: string;
  /** What belongs into that file: the code of every function that has run so far. */
  cacheContent(): Buffer;
}

/**
 * Loads `program.cjs` beside the caller with the code that V8 kept of it, if there is any that fits. Compiling the
 * bundle is a third of the time until the bridge listens. `here` is the caller's `import.meta.url`, and `load` its
 * `import()`: a script has none of its own.
 */
export function loadProgram(here: string, load: (specifier: string) => Promise<unknown>): LoadedProgram {
  const path = fileURLToPath(new URL('./program.cjs', here));
  const cachePath = path.replace(/\.cjs$/, `-${__FOOTBRIDGE_BUNDLE__}-${cachedDataVersionTag()}.cache`);
  const cachedData = keptCode(cachePath);
  // The bundle is ASCII, which V8 keeps as it is.
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(cachedData ? { cachedData } : {}),
  });
  const require = createRequire(path);
  const module = new Module(path);
  module.filename = path;
  // Whoever imports a subpath of the package meanwhile, such as a core's module, gets this very copy.
  require.cache[path] = module;
  const body = script.runInThisContext() as (...parts: unknown[]) => void;
  body.call(module.exports, module.exports, require, module, path, dirname(path), load);
  module.loaded = true;
  return {
    program: module.exports as Program,
    cachePath,
    cacheContent() {
      const code = script.createCachedData();
      return Buffer.concat([digestOf(code), code]);
    },
  };
}

/** V8 trusts what it kept, and a damaged file would crash it: only whole code gets there. */
function keptCode(path: string): Buffer | undefined {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch {
    // The first start, or another Node: V8 compiles.
    return undefined;
  }
  const code = content.subarray(DIGEST_BYTES);
  return digestOf(code).equals(content.subarray(0, DIGEST_BYTES)) ? code : undefined;
}

const DIGEST_BYTES = 32;

function digestOf(code: Buffer): Buffer {
  return createHash('sha256').update(code).digest();
}
