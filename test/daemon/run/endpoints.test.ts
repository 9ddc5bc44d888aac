import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../../src/testing/testing.ts';
import { AppPeer } from '../../helpers/app-peer.ts';
import { bridgeRun, runPlace } from '../../helpers/bridge-run.ts';
import { isLinux } from '../../helpers/fault-bridge.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';

const APP = '300000000000000001';

/** An app at a path. */
async function appAt(path: string): Promise<AppPeer> {
  const app = new AppPeer(await rawPeer(path));
  await app.handshake(APP);
  return app;
}

describe('endpoints.open', () => {
  it('opens an endpoint with its rights for as long as its caller stays', async () => {
    const run = await bridgeRun();
    const held = await run.control.hold('endpoints.open', { name: 'box', rights: 'presence', host: 'pier' });
    const { path } = held.result as { readonly path: string };
    expect((await run.control.status()).further).toEqual([
      { name: 'box (pier)', preset: 'private', path, rights: 'presence', state: 'serving', why: null },
    ]);
    const app = await appAt(path);
    const { data } = await app.call('AUTHORIZE', { client_id: APP, scopes: ['rpc'] });
    expect(data.message).toContain(
      'start the forward with --rights full, at both of its ends where it has two',
    );
    expect((await run.control.status()).sessions).toMatchObject([{ endpoint: 'box (pier)' }]);
    held.end();
    await expect.poll(() => existsSync(path)).toBe(false);
    expect((await run.control.status()).further).toEqual([]);
  });

  it('names each endpoint differently, and without a host by its name alone', async () => {
    const run = await bridgeRun();
    const [one, two] = [
      await run.control.hold('endpoints.open', { name: 'box', rights: 'full' }),
      await run.control.hold('endpoints.open', { name: 'box', rights: ['identify'] }),
    ];
    expect((await run.control.status()).further).toMatchObject([
      { name: 'box', rights: 'full' },
      { name: 'box-2', rights: ['identify'] },
    ]);
    one.end();
    two.end();
  });

  it('is refused for a call that does not stay', async () => {
    const run = await bridgeRun();
    await expect(run.control.call('endpoints.open', { name: 'box', rights: 'full' })).rejects.toThrow();
    expect((await run.control.status()).further).toEqual([]);
  });

  it.each([
    [{ name: '', rights: 'full' }, /name/],
    [{ name: 'box', rights: 'all' }, /rights/],
    [{ name: 'box', rights: [] }, /rights/],
    [{ name: 'box', rights: ['nonsense'] }, /nonsense/],
    [{ name: 'box', rights: ['x'.repeat(129)] }, /rights/],
    [{ name: 'box', rights: 'full', host: 'a b' }, /host/],
    [{ name: 'box', rights: 'full', host: 'x'.repeat(129) }, /host/],
    [{ name: 'box', rights: 'full', host: '' }, /host/],
  ])('refuses %j', async (args, text) => {
    const run = await bridgeRun();
    await expect(run.control.hold('endpoints.open', args)).rejects.toMatchObject({
      message: expect.stringMatching(text),
    });
  });

  it('opens 64 at a time', async () => {
    const run = await bridgeRun();
    const held = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        run.control.hold('endpoints.open', { name: `box-${at}`, rights: 'presence' }),
      ),
    );
    await expect(
      run.control.hold('endpoints.open', { name: 'more', rights: 'presence' }),
    ).rejects.toMatchObject({
      message: 'At most 64 private endpoints are open at a time. Close one first.',
    });
    for (const one of held) one.end();
  });
});

describe('the endpoints of a bridge without a configuration file', () => {
  it('cannot be read again', async () => {
    const emulator = await startEmulator();
    await using _ = emulator;
    await expect(emulator.operations.call('endpoints.reload' as never, {} as never)).rejects.toMatchObject({
      message: expect.stringContaining('configuration'),
    });
  });
});

describe.skipIf(!isLinux)('the endpoints of the file (Linux only)', () => {
  it('have limits of their own', async () => {
    const place = runPlace();
    mkdirSync(join(place.folder, 'box'), { mode: 0o700 });
    const path = join(place.folder, 'box', 'discord-ipc-0');
    const toml = `[[endpoints]]\nname = "box"\npath = "${path}"\nlimits = { connections = 1 }\n`;
    await bridgeRun({ place, toml });
    await appAt(path);
    const second = new AppPeer(await rawPeer(path));
    expect(await second.closed()).toMatchObject({ code: 1006 });
  });
});
