import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A broken peer as one JavaScript file: it starts four times as fast as through a TypeScript loader. */
export async function bundle(entry: string): Promise<{ readonly file: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'cb-'));
  const file = join(folder, 'peer.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import { createRequire as __makeRequire } from 'node:module';\nconst require = __makeRequire(import.meta.url);",
    },
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
