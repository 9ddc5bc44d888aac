import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startEmulator } from '../../src/testing/testing.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

it.skipIf(process.platform === 'win32')('a TMPDIR that is not there is named, with what to do', async () => {
  const missing = join(temporaryFolder(), 'missing');
  vi.stubEnv('TMPDIR', missing);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(startEmulator()).rejects.toMatchObject({
    code: 'FOOTBRIDGE_CONFIG',
    message: `${missing}: no temporary folder can be made there: there is no such file or folder (ENOENT). Set TMPDIR to a folder that you may write to.`,
  });
});
