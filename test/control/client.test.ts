import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { CHECK_EVERY } from '../../platform/endpoint/accept-queue.ts';
import { currentOs } from '../../platform/operating-system.ts';
import { controlClient } from '../../src/control/client.ts';
import { listenControl } from '../../src/control/listen.ts';
import { controlServer } from '../../src/control/server.ts';
import { collectAllTheTime } from '../helpers/collecting.ts';
import { fullQueue } from '../helpers/full-queue.ts';
import { closeAfterTest } from '../helpers/sockets.ts';
import { fakeOperations, status } from './fixtures.ts';

const os = await currentOs();
const uid = process.getuid?.() ?? 0;

/** What a socket writes at once. */
interface Written {
  _writev(pieces: readonly { readonly chunk: unknown }[], done: () => void): void;
}

function folders() {
  const runtime = mkdtempSync(join(tmpdir(), 'fb-control-'));
  onTestFinished(() => rmSync(runtime, { recursive: true, force: true }));
  const own = join(runtime, `footbridge-${uid}`);
  mkdirSync(own, { mode: 0o700 });
  const options = { folder: { os: 'linux', uid } as const, env: { XDG_RUNTIME_DIR: runtime } };
  return { runtime, path: join(own, 'control.sock'), options, client: controlClient(options) };
}

const newServer = () =>
  controlServer({
    status: () => Promise.resolve(status),
    ...fakeOperations(),
    mayAllow: () => undefined,
    identify: () => ({ via: 'control' }),
  });

describe('the control client', () => {
  it('reaches the daemon of its environment', async () => {
    const { path, client } = folders();
    const control = await listenControl(newServer(), path, os);
    onTestFinished(() => control.close());
    expect(await client.status()).toEqual(status);
    expect(await client.operations()).toHaveLength(10);
    expect(await client.call('thing.echo', { word: 'hi' })).toEqual({ word: 'hi' });
    expect(await client.call('nothing')).toBeNull();
  });

  it('streams texts that neither side holds as a whole', async () => {
    const { path, client } = folders();
    const { operations, calls } = fakeOperations();
    const server = controlServer({
      status: () => Promise.resolve(status),
      operations,
      mayAllow: () => undefined,
      identify: () => ({ via: 'control' }),
    });
    const control = await listenControl(server, path, os);
    onTestFinished(() => control.close());
    let size = 0;
    let longest = 0;
    for await (const part of client.textOf('thing.said')) {
      size += part.length;
      longest = Math.max(longest, part.length);
    }
    expect(size).toBe(409_700);
    expect(longest).toBeLessThan(100_000);
    const parts = async function* (last: string) {
      for (let part = 0; part < 100; part += 1) yield 'ä'.repeat(4096);
      yield last;
    };
    expect(await client.give('thing.taken', parts(''))).toEqual({ size: 409_600 });
    expect(calls).toEqual([]);
    // Refused in the middle of it, the rest is still sent.
    const early = async function* () {
      yield 'x';
      yield* parts('');
    };
    await expect(client.give('thing.taken', early())).rejects.toMatchObject({ message: 'There is an x' });
    expect(calls).toHaveLength(1);
    const broken = async function* () {
      yield* parts('');
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('the disk');
    };
    await expect(client.give('thing.taken', broken())).rejects.toThrow('the disk');
    await expect.poll(() => calls.length).toBe(2);
    for (const wrong of ['nothing', 'missing', 'thing.said']) {
      await expect(client.give(wrong, parts(''))).rejects.toMatchObject({
        status: wrong === 'thing.said' ? 405 : 404,
      });
    }
    await expect(client.textOf('thing.taken')[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      status: 405,
    });
  });

  it('writes nothing after a request, since a bridge that has answered may be closed', async () => {
    const { path, client } = folders();
    const control = await listenControl(newServer(), path, os);
    onTestFinished(() => control.close());
    // What leaves in one call of the system, in its pieces: Node documents no way to see it.
    const writev = vi.spyOn(Socket.prototype as unknown as Written, '_writev');
    onTestFinished(() => writev.mockRestore());
    expect(await client.call('thing.large', { text: 'x'.repeat(400_000) })).toBe(400_000);
    expect(await client.status()).toEqual(status);
    const requests = writev.mock.calls.map(([pieces]) => pieces.map(({ chunk }) => String(chunk)));
    const own = requests.filter(([first = '']) => /^(?:POST|GET) /.test(first));
    expect(own.flat().filter((piece) => piece === '')).toEqual([]);
  });

  it('reports that a text broke off, without the advice to restart the bridge', async () => {
    const { path, client } = folders();
    const server = createHttpServer((request, response) => {
      response.write('a part', () => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    closeAfterTest(server);
    const reading = async (): Promise<void> => {
      for await (const _part of client.textOf('thing.said'));
    };
    await expect(reading()).rejects.toThrow(/broke its answer off: .*Try again\.$/);
  });

  it.skipIf(process.platform !== 'linux')(
    'reaches a bridge with a full queue as soon as there is room (Linux only: a full queue is EAGAIN)',
    async () => {
      const { path, options, client } = folders();
      const bridge = await fullQueue(
        path,
        `(socket) => socket.on('error', () => {}).once('data', () =>
          socket.end('HTTP/1.1 200 OK\\r\\ncontent-length: 4\\r\\n\\r\\nnull'))`,
      );
      const impatient = controlClient({ ...options, timeoutMs: 100 });
      await expect(impatient.status()).rejects.toThrow('no answer within 100 ms');
      const said = async function* () {
        yield 'a part';
      };
      const answers = [client.status(), client.give('thing.taken', said())];
      await new Promise((resolve) => setTimeout(resolve, 100));
      bridge.goOn();
      expect(await Promise.all(answers)).toEqual([null, null]);
    },
  );

  it.skipIf(os.native.kind === 'absent')(
    'is accepted in one turn with other waiting clients, without those that left (needs koffi)',
    async () => {
      const { path, client } = folders();
      const server = newServer();
      let taken = 0;
      server.on('connection', () => {
        taken += 1;
      });
      const control = await listenControl(server, path, os);
      onTestFinished(() => control.close());
      const hangUpAndAsk = async (): Promise<number> => {
        taken = 0;
        for (let made = 0; made < 100; made += 1)
          connect(path)
            .on('error', () => {})
            .destroy();
        expect(await client.status()).toEqual(status);
        return taken;
      };
      // Node itself takes the first ones, until the queue is looked at.
      expect(await hangUpAndAsk()).toBeLessThan(2 * CHECK_EVERY);
      unlinkSync(path);
      await control.restore();
      expect(await hangUpAndAsk()).toBeLessThan(2 * CHECK_EVERY);
    },
  );

  it('reports a slow response and waits for it', async () => {
    const { path, options } = folders();
    let goOn = (): void => {};
    const slow = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const wait = { summary: 'Waits', args: () => z.object({}), run: () => slow };
    const server = controlServer({
      status: () => Promise.resolve(status),
      ...fakeOperations(),
      operations: { wait },
      mayAllow: () => undefined,
      identify: () => ({ via: 'control' }),
    });
    const control = await listenControl(server, path, os);
    onTestFinished(() => control.close());
    const told: string[] = [];
    const client = controlClient({
      ...options,
      onSlow(socketPath) {
        told.push(socketPath);
        goOn();
      },
    });
    const unhurried = client.call('wait', {}, { slowness: 'expected' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await client.call('wait')).toBeNull();
    expect(await unhurried).toBeNull();
    expect(told).toEqual([path]);
  });

  it('forwards a refusal with its code', async () => {
    const { path, client } = folders();
    const control = await listenControl(newServer(), path, os);
    onTestFinished(() => control.close());
    await expect(client.call('refuse.code')).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SETTING',
      message: 'mute: not that',
      status: 409,
    });
    await expect(client.call('../status')).rejects.toMatchObject({ code: 'FOOTBRIDGE_NOT_FOUND' });
  });

  it('reports that no bridge runs, also when a killed bridge left its socket', async () => {
    const { path, client, runtime } = folders();
    const noDaemon = { code: 'FOOTBRIDGE_NO_DAEMON', message: expect.stringContaining(runtime) };
    await expect(client.status()).rejects.toMatchObject(noDaemon);
    writeFileSync(path, '');
    await expect(client.status()).rejects.toMatchObject(noDaemon);
  });

  it('reports a bridge that does not answer, or answers with invalid data', async () => {
    const { path, options } = folders();
    let answer: string | undefined;
    const server = createServer((socket) => {
      socket.on('error', () => {}).resume();
      if (answer !== undefined) socket.end(answer);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await expect(controlClient({ ...options, timeoutMs: 50 }).status()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_CONTROL',
      message: expect.stringContaining('no answer within 50 ms'),
    });
    // An answer that does come has the usual time, because a busy machine delays it by more than 50 ms.
    const client = controlClient(options);
    answer = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc';
    await expect(client.status()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_CONTROL',
      message: expect.stringContaining('is not JSON'),
    });
  });

  it.each([
    ['does not answer', undefined],
    ['stops in the middle of its answer', 'HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n{'],
  ])('times out for a bridge that %s, also under constant garbage collection', async (_how, answer) => {
    const { path, options } = folders();
    const server = createServer((socket) => {
      if (answer !== undefined) socket.write(answer);
    });
    closeAfterTest(server);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    collectAllTheTime();
    await expect(controlClient({ ...options, timeoutMs: 200 }).status()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_CONTROL',
      message: expect.stringContaining('no answer within 200 ms'),
    });
  });

  it('waits for a response that continues to arrive', async () => {
    const { path, options } = folders();
    const text = '{"sessions":0}';
    const server = createServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n`);
      const left = text.split('');
      const more = setInterval(() => {
        const next = left.shift();
        if (next === undefined) clearInterval(more);
        else socket.write(next);
      }, 50);
    });
    closeAfterTest(server);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const client = controlClient({ ...options, timeoutMs: 300 });
    expect(await client.status()).toEqual({ sessions: 0 });
  });
});

describe('listenControl', () => {
  it('creates a socket for its user alone, and removes it', async () => {
    const { path } = folders();
    const previous = process.umask(0o022);
    onTestFinished(() => void process.umask(previous));
    const control = await listenControl(newServer(), path, os);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await control.close();
    expect(() => statSync(path)).toThrow('ENOENT');
  });

  it('replaces a socket that a killed daemon left', async () => {
    const { path, client } = folders();
    const first = newServer();
    await new Promise<void>((resolve) => first.listen(path, resolve));
    first.unref();
    const control = await listenControl(newServer(), path, os);
    onTestFinished(() => control.close());
    expect(await client.status()).toEqual(status);
  });

  it('leaves any other file unchanged', async () => {
    const { path } = folders();
    writeFileSync(path, 'mine');
    await expect(listenControl(newServer(), path, os)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ENDPOINT_FOLDER',
      message: expect.stringContaining('another kind of file'),
    });
    expect(statSync(path).size).toBe(4);
  });

  it('restores its socket after each deletion, and removes the socket when it is closed', async () => {
    const { path, client } = folders();
    const control = await listenControl(newServer(), path, os);
    for (let round = 0; round < 3; round++) {
      expect([control.owned(), control.deleted()]).toEqual([true, false]);
      unlinkSync(path);
      expect([control.owned(), control.deleted()]).toEqual([false, true]);
      await control.restore();
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(await client.status()).toEqual(status);
    }
    writeFileSync(`${path}.other`, 'mine');
    renameSync(`${path}.other`, path);
    expect([control.owned(), control.deleted()]).toEqual([false, false]);
    await expect(control.restore()).rejects.toThrow('another program put a file there');
    unlinkSync(path);
    const late = control.restore();
    await control.close();
    await late;
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('closes open connections when it is closed', async () => {
    const { path, client } = folders();
    const control = await listenControl(
      controlServer({
        status: () => Promise.resolve(status),
        operations: {},
        mayAllow: () => undefined,
        identify: () => ({ via: 'control' }),
      }),
      path,
      os,
    );
    await client.status();
    await control.close();
    await expect(client.status()).rejects.toMatchObject({ code: 'FOOTBRIDGE_NO_DAEMON' });
  });
});
