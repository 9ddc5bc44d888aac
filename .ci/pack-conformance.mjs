// Leaves dist/footbridge-conformance.tgz: the conformance suite as a package of its own, without dependencies.
import { chmodSync, cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packPart } from './pack.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await packPart(root, 'conformance', resolve(process.argv[2] ?? join(root, 'dist')), async (stage) => {
  await build({
    absWorkingDir: root,
    entryPoints: { index: 'src/conformance/run.ts', main: 'src/conformance/main.ts' },
    outdir: stage,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  chmodSync(join(stage, 'main.js'), 0o755);
  // For suites in other languages.
  cpSync(join(root, 'src/conformance/vectors'), join(stage, 'vectors'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  cpSync(join(root, 'src/conformance/requirements.json'), join(stage, 'requirements.json'));
});
