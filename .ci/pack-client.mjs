// Leaves dist/footbridge-client.tgz: the client library as a package of its own, without dependencies.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTypes } from './declarations.mjs';
import { bundleLibrary, libraries } from './library.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? join(root, 'dist'));
const stage = mkdtempSync(join(tmpdir(), 'footbridge-client-'));
try {
  await bundleLibrary(root, libraries.client, stage);
  bundleTypes(root, libraries.client, stage);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(root, 'src/client/package.json'), 'utf8'));
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify({ ...manifest, version })}\n`);
  // For tools that look for a folder, because they know nothing of "exports".
  mkdirSync(join(stage, 'oauth2'));
  writeFileSync(join(stage, 'oauth2/package.json'), '{"main":"../oauth2.cjs","types":"../oauth2.d.cts"}\n');
  // What follows the mark is for readers of the repository: a package is read where it is shown.
  const [readme] = readFileSync(join(root, 'src/client/README.md'), 'utf8').split('<!-- package: end -->');
  writeFileSync(join(stage, 'README.md'), readme);
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  const flags = ['pack', '--ignore-scripts', '--json', '--loglevel=error'];
  const { status, stdout } = spawnSync('npm', flags, {
    cwd: stage,
    stdio: ['ignore', 'pipe', 2],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error('npm pack failed');
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(stdout);
  mkdirSync(out, { recursive: true });
  const target = join(out, 'footbridge-client.tgz');
  // Another file system may hold the temporary folder.
  cpSync(join(stage, filename), `${target}.${process.pid}`);
  renameSync(`${target}.${process.pid}`, target);
  process.stdout.write(`${target}: ${size} bytes, ${unpackedSize} unpacked, ${entryCount} files\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
