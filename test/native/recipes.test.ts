import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { root, version } from '../../.ci/bundle.ts';

/** Where each recipe has the version of the package. */
const VERSIONS: Readonly<Record<string, RegExp>> = {
  'CMakeLists.txt': /^project\(footbridge VERSION (\S+) /m,
  'build.zig.zon': /^ {4}\.version = "(.+)",$/m,
  'conanfile.py': /^ {4}version = "(.+)"$/m,
  'vcpkg/footbridge/vcpkg.json': /^ {2}"version": "(.+)",$/m,
};

it.each(Object.entries(VERSIONS))('%s has the version of the package', (file, pattern) => {
  const text = readFileSync(join(root, 'src/native', file), 'utf8');
  expect(pattern.exec(text)?.[1]).toBe(version);
});

it('build.zig.zon has an identity that Zig accepts for its name', () => {
  const text = readFileSync(join(root, 'src/native/build.zig.zon'), 'utf8');
  const [, name = ''] = /^ {4}\.name = \.(\w+),$/m.exec(text) ?? [];
  const [, identity = '0'] = /^ {4}\.fingerprint = (0x[0-9a-f]{16}),/m.exec(text) ?? [];
  // The upper half is the checksum of the name; the lower half is any number but the two ends.
  expect([name, BigInt(identity) >> 32n]).toEqual(['footbridge', BigInt(crc32(name))]);
  expect([0n, 0xffffffffn]).not.toContain(BigInt(identity) & 0xffffffffn);
});
