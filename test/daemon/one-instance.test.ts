import { chmodSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Instance, listenPrivately, lockInstance } from '../../src/daemon/one-instance.ts';
import { BoundedHttpServer } from '../../src/loopback/bounded-http-server.ts';
import { os } from '../helpers/ipc-bridge.ts';
import { modeOf } from '../helpers/other-user.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

/** A folder for one bridge, and a way to lock it. */
function bench() {
  const folder = temporaryFolder();
  const folders = os.prepareFolders({ XDG_RUNTIME_DIR: folder });
  const path = join(folders.privateFolder ?? '', 'daemon.lock');
  const lock = async (force = false): Promise<Instance> => {
    const instance = await lockInstance(os, folders, force);
    onTestFinished(() => instance.release());
    return instance;
  };
  return { folder, path, lock };
}

describe.skipIf(process.platform === 'win32')('the lock of a bridge (not on Windows)', () => {
  it('is held by one bridge at a time, and free after it', async () => {
    const { folder, path, lock } = bench();
    const first = await lock();
    expect(existsSync(path)).toBe(true);
    await expect(lock()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ENDPOINT_TAKEN',
      message: expect.stringContaining(`already serves ${folder}. "footbridge status" shows it;`),
    });
    expect(await first.renew()).toBe(true);
    first.release();
    expect(await first.renew()).toBe(false);
    await lock();
  });

  it('is made again when its file was deleted', async () => {
    const { path, lock } = bench();
    const first = await lock();
    rmSync(path);
    expect(await first.renew()).toBe(true);
    expect(existsSync(path)).toBe(true);
    await expect(lock()).rejects.toMatchObject({ code: 'FOOTBRIDGE_ENDPOINT_TAKEN' });
    first.release();
    await lock();
  });

  it('is made again with its folder, and not where the folder has become one of others', async () => {
    const { folder, path, lock } = bench();
    const first = await lock();
    rmSync(dirname(path), { recursive: true });
    expect(await first.renew()).toBe(true);
    expect([existsSync(path), modeOf(dirname(path))]).toEqual([true, 0o700]);
    rmSync(dirname(path), { recursive: true });
    chmodSync(folder, 0o777);
    await expect(first.renew()).rejects.toMatchObject({ code: 'FOOTBRIDGE_ENDPOINT_FOLDER' });
    expect(existsSync(path)).toBe(false);
    chmodSync(folder, 0o700);
  });

  it('is not made again when another bridge has it meanwhile', async () => {
    const { path, lock } = bench();
    const first = await lock();
    rmSync(path);
    const second = await lock();
    expect([await first.renew(), await second.renew()]).toEqual([false, true]);
  });

  it('is not kept by a bridge that ends while it makes it again', async () => {
    const { path, lock } = bench();
    const first = await lock();
    rmSync(path);
    const renewed = first.renew();
    first.release();
    expect(await renewed).toBe(false);
    await lock();
  });

  it('is taken over by force', async () => {
    const { lock } = bench();
    const first = await lock();
    const second = await lock(true);
    expect([await first.renew(), await second.renew()]).toEqual([false, true]);
  });
});

it('a bridge without a private folder needs no lock', async () => {
  const folders = {
    folder: '\\\\?\\pipe',
    source: 'default',
    privacy: 'shared',
    privateFolder: undefined,
  } as const;
  const instance = await lockInstance(os, folders as unknown as Parameters<typeof lockInstance>[1], false);
  instance.release();
  expect(await instance.renew()).toBe(true);
});

it.each([
  [
    'win32',
    'EADDRINUSE',
    'FOOTBRIDGE_ENDPOINT_TAKEN',
    /^Another Footbridge of yours already runs\. "footbridge status" shows/,
  ],
  ['win32', 'EACCES', 'FOOTBRIDGE_ENDPOINT_FOLDER', /you may not open it \(EACCES\)/],
  ['linux', 'EADDRINUSE', 'FOOTBRIDGE_ENDPOINT_FOLDER', /\(EADDRINUSE\)/],
] as const)('on %s a control socket that fails with %s says %s', async (name, code, error, message) => {
  const privateFolder = name === 'linux' ? temporaryFolder() : undefined;
  const api = new BoundedHttpServer(() => {
    throw new Error('nobody connects');
  });
  api.listen = () => {
    queueMicrotask(() => api.emit('error', Object.assign(new Error('x'), { code })));
    return api;
  };
  const folders = { folder: '', source: 'default', privacy: 'shared', privateFolder } as unknown;
  await expect(
    listenPrivately({ ...os, name }, folders as Parameters<typeof listenPrivately>[1], api),
  ).rejects.toMatchObject({ code: error, message: expect.stringMatching(message) });
});
