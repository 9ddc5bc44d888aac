import { chmodSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { operatingSystem } from '../../../platform/operating-system.ts';
import { StateFiles } from '../../../src/daemon/state-files.ts';
import { openTokenFile } from '../../../src/daemon/voice/token-file.ts';
import { recordingLogger } from '../../helpers/memory-bridge.ts';
import { temporaryFolder, uid } from '../../helpers/sockets.ts';

const token = {
  core: 'emulator',
  clientId: '7',
  accessToken: 'a',
  refreshToken: 'r',
  issuedAt: 1,
  expiresAt: 2,
};

async function open(folder: string | undefined) {
  const { logger, log } = recordingLogger();
  const os = operatingSystem('linux', uid, { kind: 'absent', reason: 'not needed' });
  const data =
    folder === undefined ? ({ kind: 'memory' } as const) : ({ kind: 'folder', path: folder } as const);
  const file = await openTokenFile({ data, os, logger, stateFiles: new StateFiles() });
  onTestFinished(() => file.close());
  return { file, log };
}

it('the token for voice is stored in a private file, and another bridge at the folder is refused', async () => {
  const folder = temporaryFolder();
  const { file } = await open(folder);
  expect(file.load()).toBeUndefined();
  file.save(token);
  const path = join(folder, 'voice.json');
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  await expect(open(folder)).rejects.toMatchObject({ code: 'FOOTBRIDGE_DATA_TAKEN' });
  file.close();
  chmodSync(path, 0o644);
  expect((await open(folder)).file.load()).toEqual(token);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
});

it.each<[string, (path: string) => void, string]>([
  [
    'damaged',
    (path) => writeFileSync(path, '{"version":1'),
    'a damaged file was moved aside; it allows nothing',
  ],
  ['a link', (path) => symlinkSync('/etc/hostname', path), 'the token for voice is not used'],
])('a file that is %s gives no token, and the log says so', async (_title, make, message) => {
  const folder = temporaryFolder();
  make(join(folder, 'voice.json'));
  const { file, log } = await open(folder);
  expect(file.load()).toBeUndefined();
  expect(JSON.stringify(log)).toContain(message);
  expect(readdirSync(folder).some((name) => name.startsWith('voice.json'))).toBe(true);
});

it('a bridge without a data folder keeps the token until it ends', async () => {
  const { file } = await open(undefined);
  file.save(token);
  expect(file.load()).toEqual(token);
  expect((await open(undefined)).file.load()).toBeUndefined();
});
