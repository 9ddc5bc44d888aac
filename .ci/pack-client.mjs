// Leaves dist/footbridge-client.tgz: the client library as a package of its own, without dependencies.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTypes } from './declarations.mjs';
import { bundleLibrary, libraries } from './library.mjs';
import { packPart } from './pack.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await packPart(root, 'client', resolve(process.argv[2] ?? join(root, 'dist')), async (stage) => {
  await bundleLibrary(root, libraries.client, stage);
  bundleTypes(root, libraries.client, stage);
  // For tools that look for a folder, because they know nothing of "exports".
  mkdirSync(join(stage, 'oauth2'));
  writeFileSync(join(stage, 'oauth2/package.json'), '{"main":"../oauth2.cjs","types":"../oauth2.d.cts"}\n');
});
