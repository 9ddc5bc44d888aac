// The Debian package: the bundle, koffi's native part, the user unit and what Debian asks for. It depends on Debian's
// Node instead of carrying one, so that Node's security updates come without us; the single executable is for systems
// whose Node is too old. It enables nothing: whose apps are answered by what is for the user to say.
import { createHash } from 'node:crypto';
import { ar, type Entry, gzip, tar } from './archive.ts';

/** What is in the package. */
export interface DebianContents {
  readonly version: string;
  /** Debian's name of the processor, or `all`. */
  readonly architecture: string;
  /** Seconds since 1970: the time of everything in it. */
  readonly time: number;
  /** dist/, by path below it. */
  readonly bundle: ReadonlyMap<string, Uint8Array>;
  /** koffi's native part; without it the package says what is weaker. */
  readonly library: Uint8Array | undefined;
  readonly unit: string;
  readonly manifest: string;
  readonly licence: string;
  /** footbridge(1), as roff. */
  readonly manual: string;
  readonly changelog: string;
}

const DESCRIPTION = `Local RPC bridge that owns the discord-ipc endpoint
 Footbridge answers the games, overlays and editors that talk to a chat client on
 the same machine: from an offline emulator, or in front of a real chat client.
 .
 It runs as a service of a user, never of the system; see footbridge --help.`;

/** The bytes of the .deb. */
export function debianPackage(contents: DebianContents): Buffer {
  const { version, architecture, time, library } = contents;
  const home = 'usr/lib/footbridge';
  const doc = 'usr/share/doc/footbridge';
  const files: Entry[] = [
    { path: `${home}/package.json`, content: contents.manifest },
    ...[...contents.bundle].map(([path, content]) => ({
      path: `${home}/dist/${path}`,
      content,
      ...(path === 'footbridge.js' ? { mode: 0o755 } : {}),
    })),
    ...(library === undefined ? [] : [{ path: `${home}/dist/koffi.node`, content: library }]),
    { path: 'usr/bin/footbridge', link: '../lib/footbridge/dist/footbridge.js' },
    { path: 'usr/lib/systemd/user/footbridge.service', content: contents.unit },
    { path: 'usr/share/man/man1/footbridge.1.gz', content: gzip(contents.manual) },
    { path: `${doc}/copyright`, content: contents.licence },
    { path: `${doc}/changelog.gz`, content: gzip(contents.changelog) },
  ];
  const sums = files
    .filter(({ content }) => content !== undefined)
    .map(({ path, content = '' }) => `${createHash('md5').update(content).digest('hex')}  ${path}\n`);
  const size = files.reduce((sum, { content = '' }) => sum + Buffer.byteLength(content), 0);
  const control = `Package: footbridge
Version: ${version}
Architecture: ${architecture}
Maintainer: The Footbridge maintainers <maintainers@footbridge.invalid>
Installed-Size: ${Math.ceil(size / 1024)}
Depends: nodejs (>= 20.19)${library === undefined ? '' : ', libc6'}
Section: net
Priority: optional
Description: ${DESCRIPTION}
`;
  const meta = [
    { path: 'control', content: control },
    { path: 'md5sums', content: sums.join('') },
  ];
  return ar(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', gzip(tar(meta, time))],
      ['data.tar.gz', gzip(tar(files, time))],
    ],
    time,
  );
}
