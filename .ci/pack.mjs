// Packs a part of the project as a package of its own, with the version and licence of the whole.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Leaves `<out>/footbridge-<name>.tgz`, made of src/<name>/package.json, its README up to the mark, and what `fill`
 * writes into the folder that it is given.
 */
export async function packPart(root, name, out, fill) {
  const stage = mkdtempSync(join(tmpdir(), `footbridge-${name}-`));
  try {
    await fill(stage);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const manifest = JSON.parse(readFileSync(join(root, 'src', name, 'package.json'), 'utf8'));
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify({ ...manifest, version })}\n`);
    // What follows the mark is for readers of the repository: a package is read where it is shown.
    const [readme] = readFileSync(join(root, 'src', name, 'README.md'), 'utf8').split(
      '<!-- package: end -->',
    );
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
    const target = join(out, `footbridge-${name}.tgz`);
    // Another file system may hold the temporary folder.
    cpSync(join(stage, filename), `${target}.${process.pid}`);
    renameSync(`${target}.${process.pid}`, target);
    process.stdout.write(`${target}: ${size} bytes, ${unpackedSize} unpacked, ${entryCount} files\n`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
