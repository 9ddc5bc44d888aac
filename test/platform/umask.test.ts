import { lstatSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withTightUmask } from '../../platform/umask.ts';
import { closeAfterTest, temporaryFolder } from '../helpers/sockets.ts';

it('binds a socket of mode 0600 at once, and puts the umask back', () => {
  const path = join(temporaryFolder(), 's');
  const previous = process.umask(0o022);
  try {
    const server = createServer();
    closeAfterTest(server);
    // Before `listening` is emitted: there is no moment with a looser mode.
    expect(withTightUmask(() => server.listen(path) && lstatSync(path).mode & 0o777)).toBe(0o600);
    expect(process.umask()).toBe(0o022);
    expect(() =>
      withTightUmask(() => {
        throw new Error('inside');
      }),
    ).toThrow('inside');
    expect(process.umask()).toBe(0o022);
  } finally {
    process.umask(previous);
  }
});
