import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/testing/testing.ts';
import { FrameDecoder } from '../../src/wire/decoder.ts';
import { MAX_FRAME_BYTES } from '../../src/wire/frame.ts';
import { createRuntime, startDaemon } from '../helpers/daemon.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { compiled, frame, isThere, missing } from './compiled.ts';

const APP = '300000000000000001';
const CHECKED = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
const READY = { cmd: 'DISPATCH', data: { v: 1, config: {} }, evt: 'READY', nonce: null };

type Seen = Readonly<Record<string, unknown>>;

interface Request {
  readonly cmd?: string;
  readonly args?: { readonly activity?: unknown };
  readonly nonce?: string;
}

/** A program on the header that shows a presence, and what it has printed. */
function watcher(env: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const child: ChildProcess = spawn(compiled('visitor.c', 'gcc', ...CHECKED, ...flags), {
    env: {
      PATH: process.env['PATH'],
      CONFORMANCE_CLIENT_ID: APP,
      CONFORMANCE_TASK: 'presence',
      CONFORMANCE_DETAILS: 'At sea',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const seen: Seen[] = [];
  if (child.stdout !== null)
    createInterface(child.stdout).on('line', (line) => seen.push(JSON.parse(line) as Seen));
  return { child, count: (saw: string) => seen.filter((one) => one['saw'] === saw).length };
}

/** Listens at a path for the test, as a server of which each connection is given to `serve` after its first bytes. */
async function serverAt(path: string, serve: (socket: Socket) => void): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => serve(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

/** Counts the frames that a client sends after its handshake. */
function answerAll(socket: Socket, shown: string[]): void {
  const decoder = new FrameDecoder(MAX_FRAME_BYTES);
  socket.on('data', (bytes) => {
    decoder.append(bytes);
    for (let taken = decoder.take(); taken !== undefined; taken = decoder.take()) {
      const { body } = taken;
      const { cmd, args, nonce } = JSON.parse(Buffer.from(body).toString('utf8')) as Request;
      if (cmd !== 'SET_ACTIVITY') continue;
      shown.push(JSON.stringify(args?.activity));
      socket.write(frame(1, { cmd, nonce, evt: null, data: {} }));
    }
  });
}

const WAIT = { timeout: 120_000, interval: 20 };
const SHOWN = JSON.stringify({ details: 'At sea' });

describe.skipIf(!isThere('gcc'))(`footbridge.h at a server${missing('gcc')}`, () => {
  it.each(['delay=30', 'drop', 'error=5000', 'close=1000', 'close=4002', 'split', 'coalesce', 'slow=2000'])(
    'with the fault %s shows its presence once the fault is over',
    async (fault) => {
      const bridge = await startEmulator();
      onTestFinished(() => bridge.close());
      await bridge.faults.add(fault);
      const { child } = watcher({ ...bridge.env });
      await expect
        .poll(async () => (await bridge.faults.list())[0]?.struck ?? 0, WAIT)
        .toBeGreaterThanOrEqual(1);
      await bridge.faults.clear();
      // What was lost with a fault is shown on the next connection.
      await bridge.restart();
      await expect.poll(() => bridge.presence(APP), WAIT).toMatchObject({ details: 'At sea' });
      expect(child.exitCode).toBe(null);
    },
    180_000,
  );

  it('that is killed ten times is found again each time', async () => {
    const runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    let client: ReturnType<typeof watcher> | undefined;
    for (let times = 1; times <= 10; times += 1) {
      const daemon = await startDaemon({ runtime });
      client ??= watcher({ ...daemon.env });
      await expect.poll(() => client?.count('reply'), WAIT).toBe(times);
      await daemon.kill();
    }
    expect(client?.child.exitCode).toBe(null);
  }, 180_000);

  it.each([
    ['with an allocator', []],
    ['with the smallest buffer', ['-DSMALLEST']],
  ])('whose READY has 3 MiB is ready %s', async (_, flags) => {
    const path = join(temporaryFolder(), 'discord-ipc-0');
    const shown: string[] = [];
    await serverAt(path, (socket) => {
      answerAll(socket, shown);
      socket.write(frame(1, { ...READY, data: { ...READY.data, padding: 'x'.repeat(3 * 1024 * 1024) } }));
    });
    const { count } = watcher({ FOOTBRIDGE_ENDPOINT: path }, ...flags);
    await expect.poll(() => shown, WAIT).toEqual([SHOWN]);
    expect(count('ready')).toBe(1);
  });

  it('that stops inside each byte of its first frames is found again', async () => {
    const folder = temporaryFolder();
    const bytes = Buffer.concat([frame(1, READY), frame(1, { cmd: 'DISPATCH', evt: 'A', data: 1 })]);
    let cuts = 0;
    const shown: string[] = [];
    const serve = (socket: Socket): void => {
      if (cuts > bytes.length) {
        answerAll(socket, shown);
        socket.write(bytes);
      } else {
        socket.end(bytes.subarray(0, cuts));
        cuts += 1;
      }
    };
    // A client tries the next endpoint at once, and the first one again after a while.
    for (let number = 0; number < 10; number += 1)
      await serverAt(join(folder, `discord-ipc-${number}`), serve);
    const { child } = watcher({ XDG_RUNTIME_DIR: folder });
    await expect.poll(() => shown, { ...WAIT, timeout: 240_000 }).toEqual([SHOWN]);
    expect(cuts).toBe(bytes.length + 1);
    expect(child.exitCode).toBe(null);
  }, 300_000);
});
