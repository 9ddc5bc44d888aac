// Vitest's global setup: the command line, bundled once for all tests. A test that starts the program would otherwise
// compile each of its sources again, which takes ten times as long as the program does.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The bundle's entry, a file that `node` runs. */
    readonly program: string;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};

/** Bundles the sources as they are now; what this returns removes the bundle. */
export default async function bundleProgram({ provide }: TestProject): Promise<() => void> {
  // In here it finds the packages that the sources find.
  const parent = join(root, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'footbridge-program-'));
  await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    define: { __FOOTBRIDGE_VERSION__: JSON.stringify(version) },
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  provide('program', join(folder, 'main.mjs'));
  return () => rmSync(folder, { recursive: true, force: true });
}
