// `npm run build [-- DIR]`: creates dist/, the content of `npm pack`, from scratch.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ATTACH, bundleAttach, bundleLibrary, bundleProgram, CLIENT, LEAN, PARTS, root } from './bundle.ts';
import { declared, writeDeclarations } from './declarations.ts';
import { notices } from './notices.ts';

const out = resolve(process.argv[2] ?? join(root, 'dist'));
const fresh = `${out}.${process.pid}`;
const libraries = {
  'client/index': CLIENT.index,
  'client/oauth2': CLIENT.oauth2,
  'sdk/index': 'src/sdk/index.ts',
};

process.once('exit', () => rmSync(fresh, { recursive: true, force: true }));
mkdirSync(fresh);
const [program, library] = await Promise.all([
  bundleProgram(fresh),
  // The files that a page loads are in one folder.
  bundleLibrary(fresh, { ...libraries, 'sdk/page': 'src/sdk/page.ts' }, 'sdk/', LEAN),
  bundleAttach(fresh),
  writeDeclarations(fresh, {
    ...declared({ ...PARTS, ...ATTACH }, 'd.ts'),
    ...declared(libraries, 'd.mts', 'd.cts'),
  }),
]);
const head = 'Footbridge, whose own licence is in LICENSE, holds code of these packages.';
writeFileSync(join(fresh, 'THIRD-PARTY.txt'), notices([...program, ...library], head));
// The new folder is complete before a rename gives it its name, and the old one is removed under another name: a command
// that starts meanwhile never finds a part of one.
const old = `${fresh}.old`;
if (existsSync(out)) renameSync(out, old);
renameSync(fresh, out);
rmSync(old, { recursive: true, force: true });
