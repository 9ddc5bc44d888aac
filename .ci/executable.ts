// Writes the single executable: a copy of the Node that runs this script, with the program as one CommonJS blob and
// koffi's native part as an asset.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { guidePath, guides } from '../src/cli/guides.ts';
import { NODE_FLAGS } from '../src/cli/service/program.ts';
import { bundleExecutable, bundlePage, PAGE_FILES, root } from './bundle.ts';

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

/** Writes the executable. `library` is the path of koffi's native part. Resolves with the program's sources. */
export async function writeExecutable(path: string, library: string | undefined): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'footbridge-executable-'));
  try {
    const sources = [
      ...(await bundleExecutable(join(work, 'main.cjs'), [filesFromAssets])),
      ...(await bundlePage(join(work, 'console'))),
    ];
    const page = PAGE_FILES.map((name) => [`console/${name}`, `console/${name}`] as const);
    writeFileSync(
      join(work, 'sea.json'),
      JSON.stringify({
        // The path is relative, because it becomes part of the blob.
        main: 'main.cjs',
        output: 'blob',
        disableExperimentalSEAWarning: true,
        // Older versions of Node silently ignore `execArgv`.
        execArgv: NODE_FLAGS,
        assets: {
          ...Object.fromEntries(page),
          ...Object.fromEntries(
            guides.map(({ topic }) => [`guide/${topic}.md`, join(root, guidePath(topic))]),
          ),
          ...(library === undefined ? {} : { 'koffi.node': library }),
        },
      }),
    );
    run(['--experimental-sea-config', 'sea.json'], work, 'Node made no blob');
    const fresh = `${path}.${process.pid}`;
    copyFileSync(process.execPath, fresh);
    chmodSync(fresh, 0o755);
    // postject is run as a command, because as a library it would print a dozen warnings about Node's own sections to
    // our stderr.
    const inject = [POSTJECT, fresh, 'NODE_SEA_BLOB', join(work, 'blob'), '--sentinel-fuse', FUSE];
    run(inject, work, 'The blob could not be put into a copy of Node');
    renameSync(fresh, path);
    return sources;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(args: readonly string[], cwd: string, problem: string): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${problem}: ${stderr}`);
}
