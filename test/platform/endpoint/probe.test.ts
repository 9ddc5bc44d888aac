import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { probeEndpoint } from '../../../platform/endpoint/probe.ts';
import { loadNative } from '../../../platform/native/native.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  connectTo,
  leaveStaleSocket,
  listenOn,
  startProgram,
  temporaryFolder,
  uid,
} from '../../helpers/sockets.ts';

const native = await loadNative();

/** Collects what a visitor sends until it hangs up. */
function record(visits: Promise<Buffer>[]): (socket: Socket) => void {
  return (socket) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
    visits.push(new Promise((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks)))));
  };
}

function frames(bytes: Buffer): [opcode: number, body: unknown][] {
  const found: [number, unknown][] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 8 + bytes.readInt32LE(at + 4);
    found.push([bytes.readInt32LE(at), JSON.parse(bytes.toString('utf8', at + 8, end))]);
    at = end;
  }
  return found;
}

/** A server that answers every PING with the identical body. */
function pong(socket: Socket): void {
  socket.on('data', (chunk: Buffer) => {
    if (chunk.readInt32LE(0) !== 3) return;
    const answer = Buffer.from(chunk);
    answer.writeInt32LE(4, 0);
    socket.write(answer);
  });
}

describe('probeEndpoint', () => {
  it('returns absent when no socket exists', async () => {
    const folder = temporaryFolder();
    expect(await probeEndpoint(join(folder, 'discord-ipc-0'))).toEqual({ kind: 'absent' });
    expect(await probeEndpoint(join(folder, 'none', 'discord-ipc-0'))).toEqual({ kind: 'absent' });
  });

  it('returns stale for a socket without a listener, and leaves the socket alone', async () => {
    const path = join(temporaryFolder(), 's');
    await leaveStaleSocket(path);
    const { dev, ino } = lstatSync(path, { bigint: true });
    expect(await probeEndpoint(path)).toMatchObject({ kind: 'stale', uid, identity: { dev, ino } });
    expect(lstatSync(path).isSocket()).toBe(true);
  });

  it('sends PING and CLOSE to a server that answers', async () => {
    const path = join(temporaryFolder(), 's');
    const visits: Promise<Buffer>[] = [];
    const save = record(visits);
    await listenOn({ path }, (socket) => {
      save(socket);
      pong(socket);
    });
    const found = await probeEndpoint(path, { native });
    expect(found).toMatchObject({ kind: 'live', reason: 'pong', uid });
    if (native.kind === 'loaded') expect(found).toMatchObject({ owner: { pid: process.pid } });
    const visit = await visits[0];
    expect(frames(visit ?? Buffer.alloc(0))).toEqual([
      [3, expect.stringMatching(/^footbridge-probe:[0-9a-f-]{36}$/)],
      [2, { code: 1000, message: expect.any(String) }],
    ]);
  });

  it('reads an answer that arrives byte by byte', async () => {
    const path = join(temporaryFolder(), 's');
    await listenOn({ path }, (socket) => {
      socket.setNoDelay().on('data', (chunk: Buffer) => {
        if (chunk.readInt32LE(0) !== 3) return;
        chunk.writeInt32LE(4, 0);
        for (const byte of chunk) socket.write(Buffer.of(byte));
      });
    });
    expect(await probeEndpoint(path)).toMatchObject({ kind: 'live', reason: 'pong' });
  });

  it.each<[reason: string, serve: (socket: Socket) => void]>([
    ['silent', () => {}],
    ['closed', (socket) => void socket.end()],
    ['closed', (socket) => void socket.destroy()],
    ['talked', (socket) => void socket.write('SSH-2.0-what\r\n')],
    ['talked', (socket) => void socket.write(Buffer.from('04000000ffffff7f', 'hex'))],
    ['talked', (socket) => void socket.write(Buffer.alloc(1_000_000))],
  ])('returns live for a server without a valid answer (%s)', async (reason, serve) => {
    const path = join(temporaryFolder(), 's');
    await listenOn({ path }, serve);
    expect(await probeEndpoint(path, { timeoutMs: 150 })).toMatchObject({ kind: 'live', reason });
  });

  it.each([
    ['regular file', (path: string) => writeFileSync(path, 'canary')],
    ['FIFO', (path: string) => void spawnSync('mkfifo', [path])],
    ['folder', (path: string) => mkdirSync(path)],
    ['symbolic link', (path: string) => symlinkSync('nowhere', path)],
    ['symbolic link', (path: string) => symlinkSync('canary', path)],
  ])('does not touch a %s', async (what, make) => {
    const folder = temporaryFolder();
    const path = join(folder, 'discord-ipc-0');
    writeFileSync(join(folder, 'canary'), 'canary');
    make(path);
    const before = lstatSync(path);
    expect(await probeEndpoint(path)).toEqual({ kind: 'foreign', what });
    expect(lstatSync(path)).toEqual(before);
    expect(readFileSync(join(folder, 'canary'), 'utf8')).toBe('canary');
    expect(readdirSync(folder)).toEqual(['canary', 'discord-ipc-0']);
  });

  it('does not follow a link to a live server', async () => {
    const folder = temporaryFolder();
    const onConnection = vi.fn();
    await listenOn({ path: join(folder, 's') }, onConnection);
    symlinkSync('s', join(folder, 'discord-ipc-0'));
    expect(await probeEndpoint(join(folder, 'discord-ipc-0'))).toEqual({
      kind: 'foreign',
      what: 'symbolic link',
    });
    await connectTo(join(folder, 's'));
    await eventually(() => expect(onConnection).toHaveBeenCalledTimes(1));
  });

  it('returns live for a stopped listener with a full queue', async () => {
    const path = join(temporaryFolder(), 's');
    const listen = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 2 }`;
    const { child } = await startProgram(process.execPath, ['-e', `${listen}, () => console.log('up'))`]);
    child.kill('SIGSTOP');
    const filled = await fillQueue(path);
    expect(filled).toBeGreaterThan(0);
    expect(await probeEndpoint(path)).toMatchObject({
      kind: 'live',
      reason: 'backlog-full',
      detail: 'EAGAIN',
    });
    expect(lstatSync(path).isSocket()).toBe(true);
  });

  it('returns the owner of a stopped listener whose queue has room', async () => {
    const path = join(temporaryFolder(), 's');
    const listen = `require('node:net').createServer().listen(${JSON.stringify(path)}`;
    const { child, pid } = await startProgram(process.execPath, [
      '-e',
      `${listen}, () => console.log('up'))`,
    ]);
    child.kill('SIGSTOP');
    const found = await probeEndpoint(path, { timeoutMs: 150, native });
    expect(found).toMatchObject({ kind: 'live', reason: 'silent' });
    if (native.kind === 'loaded') expect(found).toMatchObject({ owner: { pid } });
  });

  it.skipIf(uid === 0)('returns live for a socket without access rights (not as root)', async () => {
    const folder = temporaryFolder();
    await listenOn({ path: join(folder, 's') });
    chmodSync(join(folder, 's'), 0);
    expect(await probeEndpoint(join(folder, 's'))).toMatchObject({ kind: 'live', reason: 'denied' });
  });

  it('does not connect to a truncated path', async () => {
    const folder = temporaryFolder();
    const name = 'x'.repeat(107 - folder.length - 1);
    const onConnection = vi.fn();
    await listenOn({ path: join(folder, name) }, onConnection);
    expect(await probeEndpoint(join(folder, `${name}y`))).toMatchObject({ detail: 'ENAMETOOLONG' });
    expect(onConnection).not.toHaveBeenCalled();
  });

  it('returns no owner without native calls', async () => {
    const path = join(temporaryFolder(), 's');
    await listenOn({ path }, pong);
    const found = await probeEndpoint(path, { native: { kind: 'absent', reason: 'x' } });
    expect(found).not.toHaveProperty('owner');
  });
});

/** Connects until the queue is full, and says how many fitted. */
async function fillQueue(path: string): Promise<number> {
  for (let count = 0; count < 50; count++) {
    try {
      await connectTo(path);
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' });
      return count;
    }
  }
  throw new Error('the queue never filled');
}
