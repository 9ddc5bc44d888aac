import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tcpProcessLookup } from '../../../platform/tcp/tcp-processes.ts';
import { closeAfterTest, temporaryFolder } from '../../helpers/sockets.ts';

const onLinux = it.skipIf(process.platform !== 'linux');
const ENDS = { localAddress: '127.0.0.1', localPort: 1, remoteAddress: '127.0.0.1', remotePort: 2 };

async function listening(): Promise<{ port: number; accepted: Promise<Socket> }> {
  const server = createServer();
  closeAfterTest(server);
  const accepted = once(server, 'connection').then(([socket]) => (socket as Socket).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, accepted };
}

/** A process that connects, and hands the connection on to a child of its own where it is told to. */
function connecting(port: number, handsOn: boolean): ChildProcess {
  const script = `
    const socket = require('node:net').connect(${port}, '127.0.0.1', () => {
      if (!${handsOn}) return;
      const fd = socket._handle.fd;
      const child = require('node:child_process').spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
      process.on('disconnect', () => child.kill('SIGKILL'));
      process.send(child.pid);
    });
    process.on('disconnect', () => socket.destroy());
  `;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  onTestFinished(() => child.disconnect());
  return child;
}

onLinux('the process lookup returns this process for a connection of its own (needs /proc)', async () => {
  const { port, accepted } = await listening();
  const own = connect(port, '127.0.0.1');
  onTestFinished(() => void own.destroy());
  expect(await tcpProcessLookup()(await accepted)).toEqual({ kind: 'known', pids: [process.pid] });
});

onLinux(
  'the process lookup returns another process, and again for its next connection (needs /proc)',
  async () => {
    const processesOf = tcpProcessLookup();
    for (let round = 0; round < 2; round++) {
      const { port, accepted } = await listening();
      const child = connecting(port, false);
      expect(await processesOf(await accepted)).toEqual({ kind: 'known', pids: [child.pid] });
    }
  },
);

onLinux('the process lookup returns every process that has the connection (needs /proc)', async () => {
  const { port, accepted } = await listening();
  const child = connecting(port, true);
  const [grandchild] = (await once(child, 'message')) as [number];
  const found = await tcpProcessLookup()(await accepted);
  expect(found.kind).toBe('known');
  expect(new Set(found.kind === 'known' ? found.pids : [])).toEqual(new Set([child.pid, grandchild]));
});

onLinux('the process lookup returns unknown for a closed connection (needs /proc)', async () => {
  const { port, accepted } = await listening();
  const own = connect(port, '127.0.0.1');
  const socket = await accepted;
  own.destroy();
  await once(socket, 'close');
  expect(await tcpProcessLookup()(socket)).toEqual({ kind: 'unknown' });
});

onLinux(
  'the process lookup returns unknown when no readable process has the connection (needs /proc)',
  async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '12', 'fd'), { recursive: true });
    mkdirSync(join(folder, 'self'));
    symlinkSync('socket:[78]', join(folder, '12', 'fd', '3'));
    const of = (inode: number) =>
      tcpProcessLookup({ folder, peerOf: async () => ({ kind: 'known', uid: 1, inode }) })(ENDS);
    expect(await of(78)).toEqual({ kind: 'known', pids: [12] });
    expect(await of(7)).toEqual({ kind: 'unknown' });
    expect(await of(8)).toEqual({ kind: 'unknown' });
  },
);

it.each([{ kind: 'unknown' }, { kind: 'unknowable' }] as const)(
  'the process lookup returns that the owner is %j',
  async (peer) => {
    expect(await tcpProcessLookup({ peerOf: async () => peer })(ENDS)).toEqual(peer);
  },
);
