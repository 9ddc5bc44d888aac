import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileSink } from '../../../src/daemon/log/file-sink.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

it('the log files are accessible to their owner alone, whatever the umask', () => {
  const before = process.umask(0);
  try {
    const folder = join(temporaryFolder(), 'logs');
    const sink = fileSink(folder);
    sink.write(new TextEncoder().encode('one\n'));
    sink.close();
    const modes = [folder, join(folder, 'footbridge.log')].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  } finally {
    process.umask(before);
  }
});
