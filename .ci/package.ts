// `npm run package [-- DIR]`: creates the downloads in dist/packages. The output is reproducible: the same sources,
// Node, dpkg-deb and SOURCE_DATE_EPOCH (by default the time of the last commit) give the same bytes.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { libraryFile } from '../platform/native/library-file.ts';
import { serviceUnit } from '../service/systemd-unit.ts';
import { guidePath, guides } from '../src/cli/guides.ts';
import { manualPage } from '../src/cli/manual.ts';
import { commandOf } from '../src/cli/service/program.ts';
import { commandTable } from '../src/cli/table.ts';
import { bundleProgram, root, version } from './bundle.ts';
import { writeDebianPackage } from './debian.ts';
import { writeExecutable } from './executable.ts';
import { writeImage } from './image.ts';
import { bundledPackages, notices } from './notices.ts';

const out = resolve(process.argv[2] ?? join(root, 'dist', 'packages'));
const { description } = JSON.parse(read('package.json')) as { readonly description: string };
/** Debian's names of the processors. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };

if (process.platform !== 'linux') throw new Error('Packages are made on Linux.');
mkdirSync(out, { recursive: true });
const library = libraryFile(import.meta.url);
if (library === undefined) {
  print(
    'Without koffi: the packages cannot ask the kernel who connects, nor lock files, nor tell systemd that they are ready.',
  );
}
// Without the native part the package runs on every architecture.
const architecture = library === undefined ? 'all' : (ARCHITECTURES[process.arch] ?? process.arch);
const built = await bundle();
if (spawnSync('dpkg-deb', ['--version']).status === 0) writeDeb();
else print('There is no dpkg-deb here, which makes the Debian package.');
const executable = join(out, `footbridge-${version}-linux-${process.arch}`);
const sources = await writeExecutable(executable, library);
print(`${executable}: ${statSync(executable).size} bytes`);
const inside = notices(bundledPackages(sources), 'It holds code of these packages.');
const licences = [
  read('LICENSE'),
  inside,
  nativeNotice(),
  'The rest of the executable is Node.js.\n',
  nodeLicence(),
];
write(`footbridge-${version}.LICENSES.txt`, Buffer.from(licences.join('\n')));
if (['buildah', 'dpkg'].every((tool) => spawnSync(tool, ['--version']).status === 0)) writeContainerImage();
else print('The container image needs buildah and dpkg, of which one is not here.');

function writeContainerImage(): void {
  const image = `${executable}.image.tar.gz`;
  // The image's names of processors.
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const contents = { version, architecture, time: sourceDate(), executable, library };
  writeImage(image, { ...contents, licences: licences.join('\n') });
  print(`${image}: ${statSync(image).size} bytes`);
}

function writeDeb(): void {
  const deb = join(out, `footbridge_${version}_${architecture}.deb`);
  writeDebianPackage(deb, {
    version,
    architecture,
    time: sourceDate(),
    bundle: built.files,
    library: library === undefined ? undefined : readFileSync(library),
    unit: userUnit(),
    manifest: `${JSON.stringify({ name: 'footbridge', version, description, type: 'module' }, null, 2)}\n`,
    licence: [read('LICENSE'), built.notices, nativeNotice()].join('\n'),
    manual: manualPage(commandTable, version, sourceDate()),
    changelog: read('.github/CHANGELOG.md'),
  });
  print(`${deb}: ${statSync(deb).size} bytes`);
}

/**
 * Returns the program's files by path, without files that only other programs import, and the notices of their
 * packages.
 */
async function bundle(): Promise<{ readonly files: Map<string, Uint8Array>; readonly notices: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-package-'));
  try {
    const inside = bundledPackages(await bundleProgram(folder, {}));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:css|html|js|svg)$/.test(name),
    );
    return {
      files: new Map([
        ...files.sort().map((name) => [name, readFileSync(join(folder, name))] as const),
        ...guides.map(({ topic }) => [`guide/${topic}.md`, Buffer.from(read(guidePath(topic)))] as const),
      ]),
      notices: notices(inside, 'Footbridge, whose own licence is above, holds code of these packages.'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nativeNotice(): string {
  if (library === undefined) return '';
  return notices(['node_modules/koffi'], 'With it comes the native part of this package.');
}

/** Returns the licence of the Node that the executable copies, from next to Node or from Debian's folder. */
function nodeLicence(): string {
  const prefix = dirname(dirname(process.execPath));
  const found = ['LICENSE', 'share/doc/nodejs/copyright'].map((name) => join(prefix, name)).find(existsSync);
  if (found !== undefined) return readFileSync(found, 'utf8');
  print(`This Node has no licence beside it; add that of ${process.version} to the executable's licences.`);
  return `Its licence: https://github.com/nodejs/node/blob/${process.version}/LICENSE\n`;
}

/**
 * Returns the user unit as "footbridge install" would write it for the installed package, because a user who enables it
 * also expects what the installation registers.
 */
function userUnit(): string {
  const installed = { kind: 'package', node: '/usr/bin/node', root: '/usr/lib/footbridge' } as const;
  const argv = commandOf(installed, { core: 'upstream' });
  const unit = serviceUnit({ argv, env: {}, native: library !== undefined });
  return unit.replace(
    /^# Written by .*$/m,
    '# Of the package footbridge; enable it yourself. Change it with a drop-in:',
  );
}

function sourceDate(): number {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch !== undefined && /^\d+$/.test(epoch)) return Number(epoch);
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return Number(stdout?.trim()) || 0;
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function write(name: string, content: Buffer): void {
  writeFileSync(join(out, name), content);
  print(`${join(out, name)}: ${content.length} bytes`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
