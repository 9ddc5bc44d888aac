// Writes the single executable: a copy of the Node that runs this script, with the program as one CommonJS blob and
// koffi's native part as an asset.
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';
import { guidePath, guides } from '../src/cli/guides.ts';
import { NODE_FLAGS } from '../src/cli/service/program.ts';
import { bundleExecutable, bundlePage, PAGE_FILES, root } from './bundle.ts';
import { licencesOf } from './notices.ts';
import { inFolder, outputOf, write } from './staging.ts';

/** Mark that Node searches in its own executable at every start; it is the same in all versions. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const POSTJECT = createRequire(import.meta.url).resolve('postject/dist/cli.js');

/** Reads koffi's native part, the console's page and the guides from the assets: no files are next to the executable. */
const filesFromAssets: Plugin = {
  name: 'files-from-assets',
  resolveId(path, importer) {
    const name = path.split('/').at(-1) ?? '';
    const isOther = name === 'library-file.ts' && importer !== join(root, 'platform/native/native.ts');
    const file = FROM_ASSETS[name];
    return file === undefined || isOther ? undefined : join(root, 'src/cli', file);
  },
};
const FROM_ASSETS: Readonly<Record<string, string>> = {
  'library-file.ts': 'library-in-executable.ts',
  'built-file.ts': 'page-in-executable.ts',
  'guide-file.ts': 'guide-in-executable.ts',
};

/** Writes the executable. `library` is the path of koffi's native part. Resolves with the licences of what is in it. */
export async function writeExecutable(path: string, library: string | undefined): Promise<string> {
  const sources = await inFolder(async (work) => {
    const bundled = [
      ...(await bundleExecutable(join(work, 'main.cjs'), [filesFromAssets])),
      ...(await bundlePage(join(work, 'console'))),
    ];
    const assets = [
      ...PAGE_FILES.map((name) => [`console/${name}`, `console/${name}`]),
      ...guides.map(({ topic }) => [`guide/${topic}.md`, join(root, guidePath(topic))]),
      ...(library === undefined ? [] : [['koffi.node', library]]),
    ];
    const config = {
      // The path is relative, because it becomes part of the blob.
      main: 'main.cjs',
      output: 'blob',
      disableExperimentalSEAWarning: true,
      // Older versions of Node silently ignore `execArgv`.
      execArgv: NODE_FLAGS,
      assets: Object.fromEntries(assets) as object,
    };
    write(join(work, 'sea.json'), JSON.stringify(config));
    outputOf(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: work });
    const fresh = `${path}.${process.pid}`;
    copyFileSync(process.execPath, fresh);
    chmodSync(fresh, 0o755);
    // postject is run as a command, because as a library it would print a dozen warnings about Node's own sections to
    // our stderr.
    const inject = [POSTJECT, fresh, 'NODE_SEA_BLOB', join(work, 'blob'), '--sentinel-fuse', FUSE];
    outputOf(process.execPath, inject);
    renameSync(fresh, path);
    return bundled;
  });
  const licences = licencesOf(sources, 'It holds code of these packages.', library !== undefined);
  return `${licences}\nThe rest of the executable is Node.js.\n\n${nodeLicence()}`;
}

/** Returns the licence of the Node that the executable copies, from next to Node or from Debian's folder. */
function nodeLicence(): string {
  const prefix = dirname(dirname(process.execPath));
  const found = ['LICENSE', 'share/doc/nodejs/copyright'].map((name) => join(prefix, name)).find(existsSync);
  if (found !== undefined) return readFileSync(found, 'utf8');
  const missing = `that of ${process.version} to the executable's licences`;
  process.stdout.write(`This Node has no licence beside it; add ${missing}.\n`);
  return `Its licence: https://github.com/nodejs/node/blob/${process.version}/LICENSE\n`;
}
