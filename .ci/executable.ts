// The single executable: the Node that makes it, with the program as one CommonJS blob and koffi's native part as an asset.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { lean } from './lean.mjs';

/** What Node looks for in itself at every start; the same in all versions. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const POSTJECT = createRequire(import.meta.url).resolve('postject/dist/cli.js');

/** Nothing lies beside the program: its native part comes out of it. */
function libraryFromAsset(root: string): Plugin {
  const real = join(root, 'platform/native.ts');
  return {
    name: 'library-from-asset',
    setup(bundler) {
      bundler.onResolve({ filter: /\/library-file\.ts$/ }, ({ importer }) =>
        importer === real ? { path: join(root, 'src/cli/executable/library-file.ts') } : undefined,
      );
    },
  };
}

/** Writes the executable. `library` is the path of koffi's native part. Resolves with what is in the program. */
export async function writeExecutable(
  root: string,
  path: string,
  version: string,
  library: string | undefined,
): Promise<Metafile> {
  const work = mkdtempSync(join(tmpdir(), 'footbridge-executable-'));
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: { main: 'src/cli/executable/main.ts' },
      outdir: work,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      metafile: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20.19',
      minify: true,
      legalComments: 'none',
      external: ['koffi', 'node-ipc'],
      plugins: [lean, libraryFromAsset(root)],
      define: {
        __FOOTBRIDGE_VERSION__: JSON.stringify(version),
        __FOOTBRIDGE_RELEASE__: 'true',
        // Where nothing can lie: no file beside the executable is taken for a part of it.
        'import.meta.url': '"file:///dev/null/footbridge"',
      },
      logLevel: 'warning',
    });
    writeFileSync(
      join(work, 'sea.json'),
      JSON.stringify({
        // Relative: the path is part of the blob.
        main: 'main.cjs',
        output: 'blob',
        disableExperimentalSEAWarning: true,
        ...(library === undefined ? {} : { assets: { 'koffi.node': library } }),
      }),
    );
    run(['--experimental-sea-config', 'sea.json'], work, 'Node made no blob');
    const fresh = `${path}.${process.pid}`;
    copyFileSync(process.execPath, fresh);
    chmodSync(fresh, 0o755);
    // By its command: the library writes a dozen warnings about Node's own sections to our stderr.
    const inject = [POSTJECT, fresh, 'NODE_SEA_BLOB', join(work, 'blob'), '--sentinel-fuse', FUSE];
    run(inject, work, 'The blob could not be put into a copy of Node');
    renameSync(fresh, path);
    return metafile;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(args: readonly string[], cwd: string, problem: string): void {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${problem}: ${stderr}`);
}
