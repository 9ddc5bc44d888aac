// The two archive formats of a Debian package, written by ourselves: the same bytes on every machine, without its tools.
import { gzipSync } from 'node:zlib';

/** A file, a folder (its path ends with `/`) or a symbolic link. */
export interface Entry {
  /** Below the root, such as `usr/bin/footbridge`. */
  readonly path: string;
  readonly content?: Uint8Array | string;
  readonly mode?: number;
  /** Where a symbolic link leads to. */
  readonly link?: string;
}

/** gzip without a name, a time or the number of the system that made it. */
export function gzip(content: Uint8Array | string): Buffer {
  const packed = gzipSync(content, { level: 9 });
  packed.fill(0, 4, 8);
  packed[9] = 255;
  return packed;
}

/** A ustar archive in the order of the paths, owned by root, with every folder on the way. `time` in seconds. */
export function tar(entries: readonly Entry[], time: number): Buffer {
  const all = new Map<string, Entry>([['', { path: '' }]]);
  for (const entry of entries) {
    const parts = entry.path.split('/').slice(0, -1);
    for (let i = 1; i <= parts.length; i++) {
      const folder = `${parts.slice(0, i).join('/')}/`;
      if (!all.has(folder)) all.set(folder, { path: folder });
    }
    all.set(entry.path, entry);
  }
  const sorted = [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = sorted.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    return [header(entry, content.length, time), content, Buffer.alloc(-content.length & 511)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function header({ path, mode, link }: Entry, size: number, time: number): Buffer {
  const isFolder = path === '' || path.endsWith('/');
  const block = Buffer.alloc(512);
  const name = `./${path}`;
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for the archive`);
  const octal = (value: number, at: number, digits: number): void => {
    block.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  };
  block.write(name, 0);
  octal(mode ?? (isFolder ? 0o755 : link === undefined ? 0o644 : 0o777), 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(time, 136, 11);
  block.write(isFolder ? '5' : link === undefined ? '0' : '2', 156);
  block.write(link ?? '', 157);
  block.write('ustar\x0000', 257, 'latin1');
  block.write('root', 265);
  block.write('root', 297);
  // The sum counts its own field as blanks.
  block.fill(' ', 148, 156);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    'latin1',
  );
  return block;
}

/** An ar archive, as Debian packages are. `time` in seconds. */
export function ar(members: readonly (readonly [name: string, content: Buffer])[], time: number): Buffer {
  const parts = members.flatMap(([name, content]) => {
    const fields = [name.padEnd(16), String(time).padEnd(12), '0     0     100644  '];
    const head = Buffer.from(`${fields.join('')}${String(content.length).padEnd(10)}\`\n`);
    return [head, content, Buffer.from(content.length % 2 === 1 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
