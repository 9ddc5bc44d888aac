// Bundles dist/: one file a public entry, shared and lazily imported parts as chunks beside them.
// With --types the public .d.ts files are made too.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { fewFiles } from './few-files.mjs';
import { bundleLibrary, bundleTypes, libraries } from './library.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const out = join(root, 'dist');
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
    __FOOTBRIDGE_RELEASE__: String(!existsSync(join(root, '.git'))),
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
    onResolve({ filter: /\/daemon\/(judge-core|run|start)\.ts$/ }, () => ({
      path: './daemon.js',
      external: true,
    }));
  },
};

await build({
  ...common,
  entryPoints: {
    footbridge: 'src/cli/main.ts',
    testing: 'src/cli/testing.ts',
    core: 'src/core/entry.ts',
  },
  plugins: [daemonApart],
});
await build({ ...common, entryPoints: { daemon: 'src/cli/daemon/entry.ts' }, plugins: [fewFiles(root)] });
// What a host embeds is the daemon's own server: a second copy would be a sixth of the package.
const hosted = 'createServer, defaultLimits, localSocket, loopbackPort, memoryTransport, silentLogger';
writeFileSync(join(fresh, 'server.js'), `export { ${hosted} } from './daemon.js';\n`);
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

if (process.argv.includes('--types')) {
  for (const [name, library] of Object.entries(libraries)) bundleTypes(root, library, join(out, name));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = [
    '--noEmit',
    'false',
    '--emitDeclarationOnly',
    '--declaration',
    '--outDir',
    join(out, 'types'),
  ];
  const { status } = spawnSync(process.execPath, [tsc, '-p', root, ...flags], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}
