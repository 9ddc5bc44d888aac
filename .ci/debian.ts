// Writes the Debian package: the bundle, koffi's native part, the user unit and the files that Debian requires. The
// package depends on Debian's Node instead of including one, so that security updates of Node arrive without us; the
// single executable is for systems whose Node is too old. The package enables no unit, because the user decides whose
// apps are answered.
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { serviceUnit } from '../service/systemd-unit.ts';
import { guidePath, guides } from '../src/cli/guides.ts';
import { manualPage } from '../src/cli/manual.ts';
import { commandOf } from '../src/cli/service/program.ts';
import { commandTable } from '../src/cli/table.ts';
import { bundleProgram, description, version } from './bundle.ts';
import { licencesOf } from './notices.ts';
import { inFolder, outputOf, read, write } from './staging.ts';

export const MAINTAINER = 'The Footbridge maintainers <maintainers@footbridge.invalid>';
const HOME = 'usr/lib/footbridge';
const DOC = 'usr/share/doc/footbridge';
const MAIN = `${HOME}/dist/footbridge.js`;
/** Debian's names of the processors. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };

export type Files = readonly (readonly [path: string, content: Uint8Array | string])[];

/**
 * Writes the package into a folder and returns its path. `library` is the path of koffi's native part; without it the
 * package describes the weaker checks. `time` is the modification time of every file, in seconds since 1970.
 */
export async function writeDebianPackage(out: string, library: string | undefined, time: number) {
  // Without the native part the package runs on every architecture.
  const architecture = library === undefined ? 'all' : (ARCHITECTURES[process.arch] ?? process.arch);
  const path = join(out, `footbridge_${version}_${architecture}.deb`);
  const files = await inFolder((folder) => filesOf(folder, library, time));
  const links = [['usr/bin/footbridge', '../lib/footbridge/dist/footbridge.js']] as const;
  await buildPackage(path, { files, links, control: (size) => control(architecture, size) }, time);
  return path;
}

interface Content {
  readonly files: Files;
  readonly links?: readonly (readonly [path: string, to: string])[];
  readonly control: (size: number) => string;
}

/** Builds a package of these files. `control` gets their size in bytes. */
export async function buildPackage(path: string, { files, links = [], control }: Content, time: number) {
  const size = files.reduce((sum, [, content]) => sum + Buffer.byteLength(content), 0);
  await inFolder((stage) => {
    chmodSync(stage, 0o755);
    for (const [name, content] of files) write(join(stage, name), content, name === MAIN ? 0o755 : 0o644);
    write(join(stage, 'DEBIAN/control'), control(size));
    const names = files.map(([name]) => name);
    write(join(stage, 'DEBIAN/md5sums'), outputOf('md5sum', names, { cwd: stage }));
    for (const [name, to] of links) {
      mkdirSync(dirname(join(stage, name)), { recursive: true });
      symlinkSync(to, join(stage, name));
    }
    // With this variable, no file in the package has a later time.
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) };
    outputOf('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', stage, path], { env });
  });
}

/** Bundles the program into the folder and returns the files of the package, by their path. */
async function filesOf(folder: string, library: string | undefined, time: number): Promise<Files> {
  const head = 'Footbridge, whose own licence is above, holds code of these packages.';
  const licence = licencesOf(await bundleProgram(folder, {}), head, library !== undefined);
  const manifest = JSON.stringify({ name: 'footbridge', version, description, type: 'module' }, null, 2);
  const bundled = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:css|html|js|svg)$/.test(name))
    .sort();
  return [
    [`${HOME}/package.json`, `${manifest}\n`],
    ...bundled.map((name) => [`${HOME}/dist/${name}`, readFileSync(join(folder, name))] as const),
    ...guides.map(({ topic }) => [`${HOME}/dist/guide/${topic}.md`, read(guidePath(topic))] as const),
    ...(library === undefined ? [] : [[`${HOME}/dist/koffi.node`, readFileSync(library)] as const]),
    ['usr/lib/systemd/user/footbridge.service', userUnit(library !== undefined)],
    // Node's gzip writes no file name and no time into its output, so the output is reproducible.
    ['usr/share/man/man1/footbridge.1.gz', gzipSync(manualPage(commandTable, version, time), { level: 9 })],
    [`${DOC}/copyright`, licence],
    [`${DOC}/changelog.gz`, gzipSync(read('.github/CHANGELOG.md'), { level: 9 })],
  ];
}

/**
 * Returns the user unit as "footbridge install" would write it for the installed package, because a user who enables it
 * also expects what the installation registers.
 */
function userUnit(native: boolean): string {
  const installed = { kind: 'package', node: '/usr/bin/node', root: '/usr/lib/footbridge' } as const;
  const argv = commandOf(installed, { core: 'upstream' });
  const head = '# Of the package footbridge; enable it yourself. Change it with a drop-in:';
  return serviceUnit({ argv, env: {}, native }).replace(/^# Written by .*$/m, head);
}

function control(architecture: string, size: number): string {
  return `Package: footbridge
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${Math.ceil(size / 1024)}
Depends: nodejs (>= 20.19)${architecture === 'all' ? '' : ', libc6'}
Section: net
Priority: optional
Description: Local RPC bridge that owns the discord-ipc endpoint
 Footbridge answers the games, overlays and editors that talk to a chat client on
 the same machine: from an offline emulator, or in front of a real chat client.
 .
 It runs as a service of a user, never of the system; see footbridge --help.
`;
}
