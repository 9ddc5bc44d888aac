// `npm run pack:client`, `npm run pack:conformance`, each with `[-- DIR]`: packs a part of the project as a package of
// its own, without dependencies, in a folder next to the checkout. Writes DIR/footbridge-<name>.tgz; DIR is dist/ by
// default.
import { chmodSync, cpSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { guidePath } from '../src/cli/guides.ts';
import { bundleConformance, bundleLibrary, CLIENT, root, version } from './bundle.ts';
import { declared, writeDeclarations } from './declarations.ts';
import { inFolder, outputOf, read, write } from './staging.ts';

/** Functions that write the files of each part into the staging folder. */
const parts: Readonly<Record<string, (stage: string) => Promise<void>>> = {
  async client(stage) {
    await bundleLibrary(stage, CLIENT);
    await writeDeclarations(stage, declared(CLIENT, 'd.mts', 'd.cts'));
    // This folder is for tools that do not support "exports" and search a folder instead.
    write(join(stage, 'oauth2/package.json'), '{"main":"../oauth2.cjs","types":"../oauth2.d.cts"}\n');
  },
  async conformance(stage) {
    await bundleConformance(stage, { index: 'src/conformance/run.ts', main: 'src/conformance/main.ts' });
    chmodSync(join(stage, 'main.js'), 0o755);
    // The vectors are included for suites in other languages.
    const vectors = join(root, 'src/conformance/vectors');
    cpSync(vectors, join(stage, 'vectors'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
    cpSync(join(root, 'src/conformance/requirements.json'), join(stage, 'requirements.json'));
  },
};

const [name = '', out = join(root, 'dist')] = process.argv.slice(2);
const fill = parts[name];
if (fill === undefined) throw new Error(`There are these parts: ${Object.keys(parts).join(', ')}`);
const folder = resolve(out);
mkdirSync(folder, { recursive: true });
await inFolder(async (stage) => {
  await fill(stage);
  const manifest = JSON.parse(read(`src/${name}/package.json`)) as object;
  write(join(stage, 'package.json'), `${JSON.stringify({ ...manifest, version })}\n`);
  // The text after the mark is cut off: it is for readers of the repository, but a registry displays a package's page
  // outside the repository.
  const page = name === 'conformance' ? guidePath('judge-a-server-or-client') : `src/${name}/README.md`;
  const [readme = ''] = read(page).split('<!-- package: end -->');
  write(join(stage, 'README.md'), readme);
  write(join(stage, 'LICENSE'), read('LICENSE'));
  const flags = ['--ignore-scripts', '--json', '--loglevel=error', `--pack-destination=${folder}`];
  const [packed] = JSON.parse(outputOf('npm', ['pack', ...flags], { cwd: stage }));
  const target = join(folder, `footbridge-${name}.tgz`);
  renameSync(join(folder, packed.filename), target);
  process.stdout.write(`${target}: ${packed.size} bytes, ${packed.unpackedSize} unpacked\n`);
});
