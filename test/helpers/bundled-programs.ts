// Vitest's global setup: every program that tests start, bundled once for all of them. A test that starts one would otherwise
// load a compiler and compile each of its sources again, which takes ten times as long as the program does.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { bundleProgram, root } from '../../.ci/bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `bundled` finds them. */
    readonly programs: string;
  }
}

/** What is started besides the program itself, by the name of its bundle. */
export const PROGRAMS = {
  client: 'src/client/index.ts',
  sdk: 'src/sdk/index.ts',
  native: 'platform/native/native.ts',
  lock: 'platform/native/lock.ts',
  signals: 'src/daemon/signals.ts',
  umask: 'platform/files/umask.ts',
  'end-while-loading': 'src/cli/end-while-loading.ts',
  testing: 'src/testing/entry.ts',
  'testing-vitest': 'src/testing/vitest.ts',
  'testing.test': 'test/testing/testing.test.ts',
  'claim-racer': 'test/helpers/claim-racer.ts',
  'log-writer': 'test/daemon/log/writer.ts',
  'young-heap': 'test/daemon/young-heap.ts',
  'small-heap': 'test/emulator/compose/small-heap-program.ts',
  'closed-emulator': 'test/helpers/closed-emulator.ts',
  'discord-rpc': 'test/interop/apps/discord-rpc.ts',
  'xhayper-discord-rpc': 'test/interop/apps/xhayper-discord-rpc.ts',
  'voice-app': 'test/interop/apps/voice-app.ts',
} as const;

/** A folder in which programs find the packages that the sources find. */
function newFolder(): string {
  const name = 'footbridge-programs-';
  try {
    const parent = join(root, 'node_modules/.cache');
    mkdirSync(parent, { recursive: true });
    return mkdtempSync(join(parent, name));
  } catch {
    // Tests also run as a user who may only read the checkout.
    const folder = mkdtempSync(join(tmpdir(), name));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  }
}

/** Bundles the sources as they are now; what this returns removes the bundles. */
export default async function bundlePrograms({ provide }: TestProject): Promise<() => void> {
  const folder = newFolder();
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // As it is shipped: with its packages inside it starts in two thirds of the time.
  await bundleProgram(folder, {});
  await build({
    absWorkingDir: root,
    entryPoints: PROGRAMS,
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  provide('programs', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
