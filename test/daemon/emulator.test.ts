import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadFixture } from '../../src/daemon/emulator.ts';
import { rowsOf } from '../../src/emulator/compose/fixture/fixture.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const WORLD = 'me = "7"\n[[users]]\nid = "7"\nusername = "river"\n';

describe('a fixture', () => {
  it.each<[string, () => Parameters<typeof loadFixture>[0], string]>([
    ['the built-in one', () => null, '200000000000000001'],
    ['its content', () => ({ inline: { me: '7', users: [{ id: '7', username: 'river' }] } }), '7'],
    [
      'a file',
      () => {
        const path = join(temporaryFolder(), 'world.toml');
        writeFileSync(path, WORLD);
        return path;
      },
      '7',
    ],
  ])('may be %s', async (_, source, me) => {
    expect(rowsOf(await loadFixture(source()))).toMatchObject({ me });
    expect(rowsOf(await loadFixture(source(), { again: true }))).toMatchObject({ me });
  });

  it.skipIf(process.platform === 'win32')(
    'may be read from a FIFO at the start, and not by a bridge that runs (not on Windows)',
    async () => {
      const path = join(temporaryFolder(), 'world.toml');
      execFileSync('mkfifo', [path]);
      const writer = spawn('sh', ['-c', `printf '${WORLD.replaceAll('\n', '\\n')}' > '${path}'`]);
      onTestFinished(() => void writer.kill('SIGKILL'));
      expect(rowsOf(await loadFixture(path))).toMatchObject({ me: '7' });
      await expect(loadFixture(path, { again: true })).rejects.toMatchObject({
        code: 'FOOTBRIDGE_FIXTURE',
        message: expect.stringContaining('only a regular file can be read here'),
      });
    },
  );

  it('that is wrong is refused with its path and key, and one that is missing with the reason', async () => {
    const path = join(temporaryFolder(), 'world.toml');
    await expect(loadFixture(path)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_FIXTURE',
      message: `${path}: cannot be read: there is no such file or folder (ENOENT). Give a file that is there and that you may read.`,
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
    writeFileSync(path, 'me = 7');
    await expect(loadFixture(path)).rejects.toThrow(`${path}: me: `);
    await expect(loadFixture({ inline: { me: 7 } })).rejects.toThrow('fixture: me: ');
  });
});

it('an emulator of a test asks as often as it is asked, however often the answer is no', async () => {
  const emulator = await startEmulator({ consent: 'ask' });
  await using _ = emulator;
  const app = new AppPeer(await rawPeer(emulator.endpoint));
  await app.handshake('300000000000000001');
  for (let time = 0; time < 5; time += 1) {
    const answer = app.call('AUTHORIZE', { client_id: '300000000000000001', scopes: ['identify'] });
    await expect.poll(() => emulator.operations.call('requests.list')).toHaveLength(1);
    const [request] = await emulator.operations.call('requests.list');
    await emulator.operations.call('requests.deny', { id: request?.id ?? '' });
    expect(await answer).toMatchObject({ evt: 'ERROR' });
  }
});
