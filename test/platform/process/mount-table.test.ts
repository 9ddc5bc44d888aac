import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isLocal, parseMounts } from '../../../platform/process/mount-table.ts';

const TABLE = parseMounts(
  [
    '22 1 0:21 / / rw,relatime shared:1 master:2 - overlay overlay rw',
    '23 22 0:22 / /run rw - tmpfs tmpfs rw',
    String.raw`24 23 0:23 / /run/a\040b rw - fuse.portal portal rw`,
    '25 23 0:24 / /run/user rw - nfs4 host:/x rw',
    '26 25 0:25 / /run/user rw - tmpfs tmpfs rw',
    'not a line',
  ].join('\n'),
);

it.each([
  ['/etc/x', true],
  ['/run/discord-ipc-0', true],
  ['/run/a b', false],
  ['/run/a b/c/d', false],
  ['/run/a', true],
  ['/run/user/1000', true],
])('a look at %s is local: %s', (path, local) => {
  expect(isLocal(TABLE, path)).toBe(local);
});

it('an unknown table has no local path', () => {
  expect(isLocal(parseMounts('not a line\n'), '/etc')).toBe(false);
});

it.skipIf(process.platform !== 'linux')('the mounts of this process are parsed', () => {
  expect(parseMounts(readFileSync('/proc/self/mountinfo', 'utf8')).get('/proc')).toBe('proc');
});
