import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { withoutPackages } from './debian.ts';

/** The helper for Python with the pytest of Debian, which is older than what npm test may find. */
const without = withoutPackages({ 'python3-pytest': '/usr/lib/python3/dist-packages/pytest/__init__.py' });
process.env['PATH'] = `/usr/bin:${process.env['PATH']}`;
await import('../testing/python.system.test.ts');

it.skipIf(without)(
  `the tests of the Python helper use the pytest of Debian${without === undefined ? '' : ` (skipped: ${without})`}`,
  () => {
    const { stdout } = spawnSync('python3', ['-c', 'import pytest; print(pytest.__file__)'], {
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe('/usr/lib/python3/dist-packages/pytest/__init__.py');
  },
);
