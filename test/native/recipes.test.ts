import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
