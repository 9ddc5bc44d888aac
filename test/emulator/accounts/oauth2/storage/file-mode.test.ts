import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileStore } from '../../../../../src/emulator/accounts/oauth2/storage/file-store.ts';
import { emptyState } from '../../../../../src/emulator/accounts/oauth2/storage/state.ts';
import { ManualClock } from '../../../../helpers/manual-clock.ts';

// In a file of its own: a thread, as the tests of mutants have, cannot set the umask.
it('a saved state has mode 0600 under any umask', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'emulator-store-'));
  const path = join(folder, 'emulator.json');
  const store = fileStore(path, { clock: new ManualClock(), log: { info() {}, warn() {} } });
  const before = process.umask(0o000);
  try {
    await store.save(emptyState);
  } finally {
    process.umask(before);
  }
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await rm(folder, { recursive: true });
});
