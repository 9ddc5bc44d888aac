import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Claim, type ClaimOptions, claimEndpoint } from '../../../platform/endpoint/claim.ts';
import { withTightUmask } from '../../../platform/files/umask.ts';
import { loadNative } from '../../../platform/native/native.ts';
import {
  closeAfterTest,
  connectTo,
  leaveStaleSocket,
  listenOn,
  temporaryFolder,
  uid,
} from '../../helpers/sockets.ts';

const native = await loadNative();
const os = process.platform === 'darwin' ? 'darwin' : 'linux';

function claimIn(folder: string, options: Partial<ClaimOptions> = {}): Promise<Claim> {
  return claimEndpoint({ os, folder, index: 'auto', native, probeTimeoutMs: 150, ...options });
}

/** What the daemon does with a claim. */
async function serve(claim: Claim): Promise<Server> {
  const server = createServer();
  closeAfterTest(server);
  onTestFinished(() => claim.release());
  withTightUmask(() => server.listen(claim.bindPath));
  await once(server, 'listening');
  claim.publish();
  return server;
}

function endpoint(folder: string, index = 0): string {
  return join(folder, `discord-ipc-${index}`);
}

function taken(...words: string[]): unknown {
  const message = expect.stringMatching(new RegExp(words.map((word) => `(?=[^]*${word})`).join('')));
  return expect.objectContaining({ code: 'FOOTBRIDGE_ENDPOINT_TAKEN', message });
}

describe('a claim', () => {
  it('publishes a private socket, and leaves no file after its release', async () => {
    const folder = temporaryFolder();
    const previous = process.umask(0o022);
    onTestFinished(() => void process.umask(previous));
    const claim = await claimIn(folder);
    expect(claim).toMatchObject({ index: 0, path: endpoint(folder), skipped: [] });
    expect(claim.owned()).toBe(false);
    const server = await serve(claim);
    expect(lstatSync(claim.path).mode & 0o777).toBe(0o600);
    expect(claim.owned()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['discord-ipc-0', `footbridge-${uid}`]);
    await connectTo(claim.path);
    claim.release();
    claim.release();
    server.close();
    expect(claim.owned()).toBe(false);
    expect(readdirSync(folder)).toEqual([`footbridge-${uid}`]);
    expect(readdirSync(join(folder, `footbridge-${uid}`))).toEqual([]);
  });

  it('restricts the mode of a socket that was bound with a loose mode', async () => {
    const folder = temporaryFolder();
    const claim = await claimIn(folder);
    await listenOn({ path: claim.bindPath, readableAll: true, writableAll: true });
    claim.publish();
    expect(lstatSync(claim.path).mode & 0o777).toBe(0o600);
    claim.release();
  });

  it('uses the private folder of its options', async () => {
    const folder = temporaryFolder();
    const privateFolder = temporaryFolder();
    const claim = await claimIn(folder, { privateFolder });
    expect(readdirSync(privateFolder)).toEqual(['0.lock']);
    expect(readdirSync(folder)).toEqual([]);
    claim.release();
    expect(readdirSync(privateFolder)).toEqual([]);
  });

  it('removes a socket that was bound and never published', async () => {
    const folder = temporaryFolder();
    const claim = await claimIn(folder);
    await listenOn({ path: claim.bindPath });
    claim.release();
    expect(existsSync(claim.bindPath)).toBe(false);
  });

  it('cannot be published before it is bound', async () => {
    const claim = await claimIn(temporaryFolder());
    onTestFinished(() => claim.release());
    expect(() => claim.publish()).toThrow(expect.objectContaining({ code: 'FOOTBRIDGE_ENDPOINT_UNBOUND' }));
  });

  it('reuses the path of our stale socket, and replaces the socket only when published [§9 case 19]', async () => {
    const folder = temporaryFolder();
    await leaveStaleSocket(endpoint(folder));
    const { ino } = lstatSync(endpoint(folder));
    const claim = await claimIn(folder, { index: 0 });
    expect(lstatSync(endpoint(folder)).ino).toBe(ino);
    await serve(claim);
    expect(claim.owned()).toBe(true);
    await connectTo(claim.path);
  });

  it.skipIf(uid !== 0)('leaves the stale socket of another user alone (needs root)', async () => {
    const folder = temporaryFolder();
    await leaveStaleSocket(endpoint(folder));
    chownSync(endpoint(folder), 1001, 1001);
    await expect(claimIn(folder, { index: 0, force: true })).rejects.toThrow(taken('uid 1001'));
    const claim = await claimIn(folder);
    onTestFinished(() => claim.release());
    expect(claim).toMatchObject({
      index: 1,
      skipped: [{ index: 0, why: expect.stringContaining('uid 1001') }],
    });
    expect(lstatSync(endpoint(folder)).uid).toBe(1001);
  });

  it('passes over taken indexes, and reports the reasons', async () => {
    const folder = temporaryFolder();
    await listenOn({ path: endpoint(folder, 0) });
    symlinkSync('nowhere', endpoint(folder, 1));
    writeFileSync(endpoint(folder, 2), 'canary');
    mkdirSync(endpoint(folder, 3));
    const other = await claimIn(folder, { index: 4 });
    onTestFinished(() => other.release());
    const claim = await claimIn(folder);
    onTestFinished(() => claim.release());
    expect(claim.index).toBe(5);
    expect(claim.skipped.map(({ index, why }) => `${index} ${why}`)).toEqual([
      expect.stringMatching(/^0 .*does not answer/),
      expect.stringMatching(/^1 a symbolic link stands there/),
      expect.stringMatching(/^2 a regular file stands there/),
      expect.stringMatching(/^3 a folder stands there/),
      expect.stringMatching(new RegExp(`^4 another footbridge holds it: .*pid ${process.pid}`)),
    ]);
    if (native.kind === 'loaded') expect(claim.skipped[0]).toMatchObject({ owner: { pid: process.pid } });
  });

  it('reports all ten indexes when all are taken', async () => {
    const folder = temporaryFolder();
    for (let index = 0; index < 10; index++) writeFileSync(endpoint(folder, index), '');
    await expect(claimIn(folder)).rejects.toThrow(
      taken('All ten', 'discord-ipc-0: a regular file', 'discord-ipc-9'),
    );
    expect(readdirSync(join(folder, `footbridge-${uid}`))).toEqual([]);
  });

  it.each([
    ['regular file', (path: string) => writeFileSync(path, 'canary')],
    ['FIFO', (path: string) => void spawnSync('mkfifo', [path])],
    ['folder', (path: string) => mkdirSync(path)],
    ['symbolic link', (path: string) => symlinkSync('canary', path)],
  ])('at a fixed index leaves a %s alone, forced or not', async (what, make) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'canary'), 'canary');
    make(endpoint(folder));
    const before = lstatSync(endpoint(folder));
    for (const force of [false, true]) {
      await expect(claimIn(folder, { index: 0, force })).rejects.toThrow(
        taken(endpoint(folder), what, 'left alone'),
      );
    }
    expect(lstatSync(endpoint(folder))).toEqual(before);
    expect(readFileSync(join(folder, 'canary'), 'utf8')).toBe('canary');
  });

  it('at a fixed index names a live owner and does not disturb it', async () => {
    const folder = temporaryFolder();
    await listenOn({ path: endpoint(folder) });
    const { ino } = lstatSync(endpoint(folder));
    await expect(claimIn(folder, { index: 0 })).rejects.toThrow(
      taken('does not answer', ...(native.kind === 'loaded' ? [`pid ${process.pid}`] : [])),
    );
    expect(lstatSync(endpoint(folder)).ino).toBe(ino);
    await connectTo(endpoint(folder));
  });

  it('refuses a path that is too long for the socket address, and creates no file', async () => {
    const folder = join(temporaryFolder(), 'x'.repeat(100));
    mkdirSync(folder, { mode: 0o700 });
    await expect(claimIn(folder, { privateFolder: folder })).rejects.toThrow(
      expect.objectContaining({ code: 'FOOTBRIDGE_PATH_TOO_LONG' }),
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the publication of a claim', () => {
  it('does not replace a socket that appeared at a free path', async () => {
    const folder = temporaryFolder();
    const claim = await claimIn(folder, { index: 0 });
    await listenOn({ path: endpoint(folder) });
    await expect(serve(claim)).rejects.toThrow(taken('while we were starting'));
    await connectTo(endpoint(folder));
    claim.release();
    expect(readdirSync(folder).sort()).toEqual(['discord-ipc-0', `footbridge-${uid}`]);
  });

  it('does not replace a live socket that replaced the stale one', async () => {
    const folder = temporaryFolder();
    await leaveStaleSocket(endpoint(folder));
    const claim = await claimIn(folder, { index: 0 });
    unlinkSync(endpoint(folder));
    await listenOn({ path: endpoint(folder) });
    await expect(serve(claim)).rejects.toThrow(taken('while we were starting'));
    await connectTo(endpoint(folder));
    claim.release();
    await connectTo(endpoint(folder));
  });
});

describe('a forced claim', () => {
  it('takes over the path of a live owner, whose release then does not affect the new owner', async () => {
    const folder = temporaryFolder();
    const old = await claimIn(folder, { index: 0 });
    const oldServer = await serve(old);
    const served = await connectTo(old.path);
    const claim = await claimIn(folder, { index: 0, force: true });
    expect(old.owned(), 'until the new one is published').toBe(true);
    await serve(claim);
    expect([old.owned(), claim.owned()]).toEqual([false, true]);
    expect(served.destroyed).toBe(false);

    old.release();
    oldServer.close();
    expect(claim.owned()).toBe(true);
    await connectTo(claim.path);
    // The lock went along: a third one is still refused.
    await expect(claimIn(folder, { index: 0 })).rejects.toThrow(taken('another footbridge'));
  });

  it('detects that the close of the previous server deleted its path', async () => {
    const folder = temporaryFolder();
    const stranger = await listenOn({ path: endpoint(folder) });
    const claim = await claimIn(folder, { index: 0, force: true });
    await serve(claim);
    expect(claim.owned()).toBe(true);
    // libuv unlinks the path a server was bound to, whoever stands there now: only noticing is left to us.
    stranger.close();
    expect(claim.owned()).toBe(false);
  });

  it('survives the close of our previous server, which deletes only its temporary name', async () => {
    const folder = temporaryFolder();
    const first = await claimIn(folder, { index: 0 });
    const firstServer = await serve(first);
    const second = await claimIn(folder, { index: 0, force: true });
    await serve(second);
    firstServer.close();
    expect(second.owned()).toBe(true);
  });
});

describe('the release of a claim', () => {
  it('never deletes the socket of another daemon', async () => {
    const folder = temporaryFolder();
    const claim = await claimIn(folder, { index: 0 });
    await serve(claim);
    unlinkSync(claim.path);
    await listenOn({ path: claim.path });
    expect(claim.owned()).toBe(false);
    claim.release();
    await connectTo(endpoint(folder));
  });

  it('leaves our socket alone after it was moved', async () => {
    const folder = temporaryFolder();
    const claim = await claimIn(folder, { index: 0 });
    await serve(claim);
    renameSync(claim.path, join(folder, 'elsewhere'));
    expect(claim.owned()).toBe(false);
    claim.release();
    expect(existsSync(join(folder, 'elsewhere'))).toBe(true);
  });
});

describe('a left-over of a killed process', () => {
  it('is removed only when it is a dead socket of ours', async () => {
    const folder = temporaryFolder();
    await leaveStaleSocket(join(folder, '.fb00000001'));
    await listenOn({ path: join(folder, '.fb00000002') });
    writeFileSync(join(folder, '.fb00000003'), 'canary');
    await leaveStaleSocket(join(folder, '.fbother'));
    const claim = await claimIn(folder);
    onTestFinished(() => claim.release());
    expect(readdirSync(folder).filter((name) => name.startsWith('.fb'))).toEqual([
      '.fb00000002',
      '.fb00000003',
      '.fbother',
    ]);
  });
});

it('the claim of a pipe needs no file, and binds the pipe under its own name', async () => {
  // Off Windows nothing answers at that name, which is what a free pipe looks like.
  const claim = await claimIn('\\\\?\\pipe', { os: 'win32', index: 2 });
  expect(claim).toMatchObject({ path: '\\\\?\\pipe\\discord-ipc-2', bindPath: '\\\\?\\pipe\\discord-ipc-2' });
  claim.publish();
  expect(claim.owned()).toBe(true);
  claim.release();
});

it('a claim in a missing folder is refused with the path of the folder', async () => {
  const folder = join(temporaryFolder(), 'none');
  await expect(claimIn(folder)).rejects.toThrow(
    expect.objectContaining({ code: 'FOOTBRIDGE_ENDPOINT_FOLDER', message: expect.stringContaining(folder) }),
  );
});
