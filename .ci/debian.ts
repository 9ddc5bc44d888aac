// Writes the Debian package: the bundle, koffi's native part, the user unit and the files that Debian requires. The
// package depends on Debian's Node instead of including one, so that security updates of Node arrive without us; the
// single executable is for systems whose Node is too old. The package enables no unit, because the user decides whose
// apps are answered.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Contents of the package. */
export interface DebianContents {
  readonly version: string;
  /** Debian's name of the processor, or `all`. */
  readonly architecture: string;
  /** Modification time of every file, in seconds since 1970. */
  readonly time: number;
  /** Files of dist/, by their path below it. */
  readonly bundle: ReadonlyMap<string, Uint8Array>;
  /** koffi's native part; without it the package describes the weaker checks. */
  readonly library: Uint8Array | undefined;
  readonly unit: string;
  readonly manifest: string;
  readonly licence: string;
  /** footbridge(1), as roff. */
  readonly manual: string;
  readonly changelog: string;
}

const HOME = 'usr/lib/footbridge';
const DOC = 'usr/share/doc/footbridge';
const MAIN = `${HOME}/dist/footbridge.js`;

/** Writes the package, for which it uses a temporary folder. Throws without dpkg-deb, which every Debian system has. */
export function writeDebianPackage(path: string, contents: DebianContents): void {
  const { bundle, library, time } = contents;
  const files: (readonly [path: string, content: Uint8Array | string])[] = [
    [`${HOME}/package.json`, contents.manifest],
    ...[...bundle].map(([name, content]) => [`${HOME}/dist/${name}`, content] as const),
    ...(library === undefined ? [] : [[`${HOME}/dist/koffi.node`, library] as const]),
    ['usr/lib/systemd/user/footbridge.service', contents.unit],
    // Node's gzip writes no file name and no time into its output, so the output is reproducible.
    ['usr/share/man/man1/footbridge.1.gz', gzipSync(contents.manual, { level: 9 })],
    [`${DOC}/copyright`, contents.licence],
    [`${DOC}/changelog.gz`, gzipSync(contents.changelog, { level: 9 })],
  ];
  const sums = files.map(
    ([name, content]) => `${createHash('md5').update(content).digest('hex')}  ${name}\n`,
  );
  const size = files.reduce((sum, [, content]) => sum + Buffer.byteLength(content), 0);
  const stage = mkdtempSync(join(tmpdir(), 'footbridge-debian-'));
  const umask = process.umask(0o022);
  try {
    chmodSync(stage, 0o755);
    for (const [name, content] of [
      ...files,
      ['DEBIAN/control', control(contents, size)] as const,
      ['DEBIAN/md5sums', sums.join('')] as const,
    ]) {
      mkdirSync(dirname(join(stage, name)), { recursive: true });
      writeFileSync(join(stage, name), content, { mode: name === MAIN ? 0o755 : 0o644 });
    }
    mkdirSync(join(stage, 'usr/bin'));
    symlinkSync('../lib/footbridge/dist/footbridge.js', join(stage, 'usr/bin/footbridge'));
    const flags = ['--root-owner-group', '-Zgzip', '--build', stage, path];
    const { error, status, stderr } = spawnSync('dpkg-deb', flags, {
      encoding: 'utf8',
      // With this variable, no file in the package has a later time.
      env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    });
    if (status !== 0) throw new Error(`dpkg-deb made no package: ${error?.message ?? stderr}`);
  } finally {
    process.umask(umask);
    rmSync(stage, { recursive: true, force: true });
  }
}

function control({ version, architecture, library }: DebianContents, size: number): string {
  return `Package: footbridge
Version: ${version}
Architecture: ${architecture}
Maintainer: The Footbridge maintainers <maintainers@footbridge.invalid>
Installed-Size: ${Math.ceil(size / 1024)}
Depends: nodejs (>= 20.19)${library === undefined ? '' : ', libc6'}
Section: net
Priority: optional
Description: Local RPC bridge that owns the discord-ipc endpoint
 Footbridge answers the games, overlays and editors that talk to a chat client on
 the same machine: from an offline emulator, or in front of a real chat client.
 .
 It runs as a service of a user, never of the system; see footbridge --help.
`;
}
