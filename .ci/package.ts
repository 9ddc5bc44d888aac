// `npm run package [-- DIR]`: creates the downloads in dist/packages. The output is reproducible: the same sources,
// Node, dpkg-deb and SOURCE_DATE_EPOCH (by default the time of the last commit) give the same bytes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { libraryFile } from '../platform/native/library-file.ts';
import { root, version } from './bundle.ts';
import { writeDebianPackage } from './debian.ts';
import { writeDevelopmentPackage } from './debian-dev.ts';
import { writeExecutable } from './executable.ts';
import { writeImage } from './image.ts';
import { write } from './staging.ts';

if (process.platform !== 'linux') throw new Error('Packages are made on Linux.');
// The packages are for every user.
process.umask(0o022);
const out = resolve(process.argv[2] ?? join(root, 'dist', 'packages'));
mkdirSync(out, { recursive: true });
const time = sourceDate();
const library = libraryFile(import.meta.url);
const lost = 'ask the kernel who connects, nor lock files, nor tell systemd that they are ready';
if (library === undefined) print(`Without koffi: the packages cannot ${lost}.`);
if (has('dpkg-deb')) {
  printSize(await writeDebianPackage(out, library, time));
  printSize(await writeDevelopmentPackage(out, time));
} else print('There is no dpkg-deb here, which makes the Debian packages.');
const executable = join(out, `footbridge-${version}-linux-${process.arch}`);
const licences = await writeExecutable(executable, library);
printSize(executable);
const notices = join(out, `footbridge-${version}.LICENSES.txt`);
write(notices, licences);
printSize(notices);
if (has('buildah') && has('dpkg')) {
  const image = `${executable}.image.tar.gz`;
  await writeImage(image, { executable, library, licences }, time);
  printSize(image);
} else print('The container image needs buildah and dpkg, of which one is not here.');

function sourceDate(): number {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch !== undefined && /^\d+$/.test(epoch)) return Number(epoch);
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return Number(stdout?.trim()) || 0;
}

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

function printSize(path: string): void {
  print(`${path}: ${statSync(path).size} bytes`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
