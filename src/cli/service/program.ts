import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { LocalError } from '../../base/local-error.ts';

/** Program for the background service: a package that Node runs, or a single executable. */
export type OwnProgram =
  | { readonly kind: 'package'; readonly node: string; readonly root: string }
  | { readonly kind: 'executable'; readonly path: string };

/**
 * Flags of Node for the bridge. Before the first statement of the program runs, SIGUSR1 would open Node's inspector;
 * with this flag it cannot, because no machine has the address (RFC 5737). `--disable-sigusr1` is no alternative: Node
 * 20 does not know it, and in newer versions the signal then ends a starting bridge.
 */
export const NODE_FLAGS = ['--inspect-port=192.0.2.1:9229'] as const;

/** Bundle of a package, relative to its root. */
const MAIN = join('dist', 'footbridge.js');

/** This process's own program. Throws `LocalError` FOOTBRIDGE_NOT_BUILT in a checkout without a bundle. */
export function ownProgram(): OwnProgram {
  if (isSea()) return { kind: 'executable', path: realpathSync(process.execPath) };
  const root = packageRoot(dirname(realpathSync(fileURLToPath(import.meta.url))));
  if (!existsSync(join(root, MAIN))) {
    throw new LocalError('FOOTBRIDGE_NOT_BUILT', `${join(root, MAIN)} is missing. Run: npm run build`);
  }
  return { kind: 'package', node: realpathSync(process.execPath), root };
}

/** Command line that runs the bridge with these options; the program may be a copy of the package. */
export function commandOf(
  program: OwnProgram,
  options: Readonly<Record<string, string>>,
): [string, ...string[]] {
  const args = [
    'run',
    '--service',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ];
  if (program.kind === 'executable') return [program.path, ...args];
  return [program.node, ...NODE_FLAGS, join(program.root, MAIN), ...args];
}

/** Reason why the program's location is temporary; undefined for an installed program. */
export function whyTemporary(
  program: OwnProgram,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const path = program.kind === 'package' ? program.root : program.path;
  if (program.kind === 'package' && existsSync(join(path, '.git'))) return 'a checkout';
  // npx, pnpm dlx and others store packages in these folders until they clean up.
  if (/[/\\](?:_npx|\.cache)[/\\]/i.test(path)) return 'a cache';
  const temporary = [
    tmpdir(),
    '/tmp',
    '/var/tmp',
    '/dev/shm',
    env['XDG_RUNTIME_DIR'] ?? '',
    env['XDG_CACHE_HOME'] ?? '',
  ];
  return temporary.some((folder) => folder !== '' && path.startsWith(`${folder}${sep}`))
    ? 'a temporary folder'
    : undefined;
}

function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && nameIn(manifest) === 'footbridge') return folder;
    if (dirname(folder) === folder) {
      throw new LocalError(
        'FOOTBRIDGE_NOT_BUILT',
        `${from} lies in no package of ours. Install the npm package, the Debian package or the executable: see README, "Install".`,
      );
    }
  }
}

function nameIn(manifest: string): unknown {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: unknown }).name;
}
