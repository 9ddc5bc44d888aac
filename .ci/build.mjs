// Bundles dist/: one file a public entry, shared and lazily imported parts as chunks beside them.
// --types: the public .d.ts files too. --release: as for a user, not for a checkout. --out DIR: somewhere else.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { fewFiles } from './few-files.mjs';
import { lean } from './lean.mjs';
import { bundleLibrary, bundleTypes, copyTypes, libraries } from './library.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values: flags } = parseArgs({
  options: { types: { type: 'boolean' }, release: { type: 'boolean' }, out: { type: 'string' } },
});
const out = resolve(flags.out ?? join(root, 'dist'));
const fresh = `${out}.${process.pid}`;

const common = {
  absWorkingDir: root,
  outdir: fresh,
  bundle: true,
  // All in one folder: an import of the daemon's bundle is then the same from everywhere.
  chunkNames: '[name]-[hash]',
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  // koffi finds its native library beside its own package; node-ipc is the user's to install.
  external: ['koffi', 'node-ipc'],
  define: {
    __FOOTBRIDGE_VERSION__: JSON.stringify(version),
    __FOOTBRIDGE_RELEASE__: String(flags.release ?? !existsSync(join(root, '.git'))),
  },
  // pino and ws are CommonJS and call require() for Node's own modules.
  banner: {
    js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
  },
  logLevel: 'warning',
};

// The daemon has a bundle of its own, in few files: see few-files.mjs.
const daemonApart = {
  name: 'daemon-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/daemon\/(run|start)\.ts$/ }, () => ({ path: './daemon.js', external: true }));
  },
};

await build({
  ...common,
  entryPoints: {
    footbridge: 'src/cli/main.ts',
    testing: 'src/cli/testing.ts',
    core: 'src/core/entry.ts',
  },
  plugins: [lean, daemonApart],
});
await build({
  ...common,
  entryPoints: { daemon: 'src/cli/daemon/entry.ts' },
  plugins: [lean, fewFiles(root)],
});
for (const [name, library] of Object.entries(libraries)) {
  await bundleLibrary(root, library, join(fresh, name), common.define);
}
// For browsers: one file, nothing of ours or Node's around it.
await build({
  ...common,
  entryPoints: { attach: 'src/attach/attach.ts' },
  platform: 'neutral',
  target: 'es2022',
  splitting: false,
  banner: {},
});
// In one step, so that a command started meanwhile never sees half a folder.
rmSync(out, { recursive: true, force: true });
renameSync(fresh, out);

if (flags.types) {
  for (const [name, library] of Object.entries(libraries)) bundleTypes(root, library, join(out, name));
  copyTypes(root, ['src/cli/testing.ts', 'src/core/entry.ts', 'src/attach/attach.ts'], join(out, 'types'));
}
