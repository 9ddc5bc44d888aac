import { once } from 'node:events';
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withTightUmask } from '../../platform/files/umask.ts';
import type { Native } from '../../platform/native/native.ts';
import { currentOs, operatingSystem } from '../../platform/operating-system.ts';
import { LocalError } from '../../src/base/local-error.ts';
import { closeAfterTest, connectTo, listenOn, temporaryFolder, uid } from '../helpers/sockets.ts';

const os = await currentOs();

/** Native calls of which only the credentials matter. */
function native(peerCredentials: Native['peerCredentials']): Native {
  return {
    kind: 'loaded',
    peerCredentials,
    findTcpSocket: undefined,
    acceptWaiting: undefined,
    lockFile: () => true,
    unsentBytes: () => 5,
    hungUp: () => false,
    setNotDumpable: () => false,
    limitCoreDumps: () => false,
    endProcess: () => {},
    closeOnExec: () => false,
    releaseFreed: () => false,
    notify: () => ({ kind: 'unsent', reason: 'x' }),
  };
}

it('currentOs describes this system and this user', () => {
  expect(os).toMatchObject({ name: process.platform, uid });
});

describe('prepareFolders', () => {
  it('checks the folder and creates our private folder in it', () => {
    const folder = temporaryFolder();
    expect(os.prepareFolders({ XDG_RUNTIME_DIR: `${folder}/` })).toEqual({
      folder,
      source: 'XDG_RUNTIME_DIR',
      privacy: 'private',
      privateFolder: join(folder, `footbridge-${uid}`),
    });
    expect(lstatSync(join(folder, `footbridge-${uid}`)).mode & 0o777).toBe(0o700);
  });
  it('creates nothing in a folder that it refuses', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    expect(() => os.prepareFolders({ TMPDIR: folder })).toThrow('0777');
    expect(readdirSync(folder)).toEqual([]);
    expect(() => os.prepareFolders({ TMPDIR: 'relative' })).toThrow('TMPDIR');
  });
  it('returns no private folder for pipes', () => {
    const windows = operatingSystem('win32', undefined, { kind: 'absent', reason: 'x' });
    expect(windows.prepareFolders({})).toEqual({
      folder: '\\\\?\\pipe',
      source: 'default',
      privacy: 'shared',
      privateFolder: undefined,
    });
  });
});

it('returns folders in which a claim succeeds', async () => {
  const folders = os.prepareFolders({ XDG_RUNTIME_DIR: temporaryFolder() });
  const claim = await os.claim(folders, { index: 'auto' });
  onTestFinished(() => claim.release());
  const server = createServer();
  closeAfterTest(server);
  withTightUmask(() => server.listen(claim.bindPath));
  await once(server, 'listening');
  claim.publish();
  expect(claim.path).toBe(join(folders.folder, 'discord-ipc-0'));
  await connectTo(claim.path);
});

describe('peerOf', () => {
  it('distinguishes a known peer, a failed check and a system that cannot check', async () => {
    const path = join(temporaryFolder(), 's');
    await listenOn({ path });
    const socket = await connectTo(path);
    const credentials = { pid: 7, uid: 1000, gid: 100 };
    const error = new LocalError('FOOTBRIDGE_PEER_UNKNOWN', 'no');
    const failing = native(() => {
      throw error;
    });
    expect(
      operatingSystem(
        'linux',
        0,
        native(() => credentials),
      ).peerOf(socket),
    ).toEqual({
      kind: 'known',
      credentials,
    });
    expect(operatingSystem('linux', 0, failing).peerOf(socket)).toEqual({ kind: 'failed', error });
    expect(operatingSystem('linux', 0, { kind: 'absent', reason: 'no koffi' }).peerOf(socket)).toEqual({
      kind: 'unknowable',
      reason: 'no koffi',
    });
    socket.destroy();
    const closed = operatingSystem(
      'linux',
      0,
      native(() => credentials),
    );
    expect(closed.peerOf(socket)).toMatchObject({ kind: 'failed' });
    expect(closed.unsentBytes(socket)).toBeUndefined();
  });
});
