import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fstatSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { socketFd } from '../../../platform/native/drain.ts';
import { loadNative, type Native, type NativeAbsence } from '../../../platform/native/native.ts';
import type { SocketDiagnosis } from '../../../platform/native/socket-diagnosis.ts';
import { tcpOwnerLookup, tcpPeerLookup } from '../../../platform/tcp/tcp-owner.ts';
import { NOBODY, nodeForOthers } from '../../helpers/other-user.ts';
import { closeAfterTest, temporaryFolder, uid } from '../../helpers/sockets.ts';

const onLinux = it.skipIf(process.platform !== 'linux');

/** A server on 127.0.0.1, and its end of the next connection. */
async function listening(): Promise<{ port: number; accepted: Promise<Socket> }> {
  const server = createServer({ allowHalfOpen: true });
  closeAfterTest(server);
  const accepted = once(server, 'connection').then(([socket]) => (socket as Socket).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, accepted };
}

async function connected(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const native = await loadNative();
const ABSENT: NativeAbsence = { kind: 'absent', reason: 'for the test' };
/** With the kernel's answer where there are native calls, and with the tables alone. */
const WAYS = [
  ['sock_diag', native],
  ['/proc/net', ABSENT],
] as const;

describe.each(WAYS)('the owner of a TCP peer by %s', (_way, native) => {
  const tcpOwner = () => tcpOwnerLookup({ native });
  onLinux('is our own user (Linux only)', async () => {
    const { port, accepted } = await listening();
    await connected('127.0.0.1', port);
    expect(await tcpOwner()(await accepted)).toEqual({ kind: 'known', uid });
  });
  onLinux('is found behind an IPv6 socket (Linux only)', async () => {
    const { port, accepted } = await listening();
    await connected('::ffff:127.0.0.1', port);
    expect(await tcpOwner()(await accepted)).toEqual({ kind: 'known', uid });
  });
  onLinux('is unknown once the peer closed its socket (Linux only)', async () => {
    const { port, accepted } = await listening();
    const client = await connected('127.0.0.1', port);
    const socket = await accepted;
    const ended = once(socket, 'end');
    client.destroy();
    await ended;
    // Our end is open still, and the kernel keeps a row for the other: it says uid 0.
    expect(socket.remotePort).toBeGreaterThan(0);
    expect(await tcpOwner()(socket)).toEqual({ kind: 'unknown' });
  });
  it.skipIf(uid !== 0 || process.platform !== 'linux')(
    'is the other user whose process connected (needs root on Linux)',
    async () => {
      const { port, accepted } = await listening();
      const script = `require('node:net').connect(${port}, '127.0.0.1')`;
      const child = spawn(nodeForOthers(), ['-e', script], {
        uid: NOBODY,
        gid: NOBODY,
        cwd: '/',
        env: {},
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      expect(await tcpOwner()(await accepted)).toEqual({ kind: 'known', uid: NOBODY });
    },
  );
  onLinux('is found for each of many concurrent lookups (Linux only)', async () => {
    const ownerOf = tcpOwner();
    const { port, accepted } = await listening();
    await connected('127.0.0.1', port);
    const first = await accepted;
    const asked = Array.from({ length: 50 }, () => ownerOf(first));
    // It did not exist when the first look began, and must not get that look's answer.
    const late = await listening();
    await connected('127.0.0.1', late.port);
    asked.push(ownerOf(await late.accepted));
    expect(new Set((await Promise.all(asked)).map((owner) => JSON.stringify(owner)))).toEqual(
      new Set([JSON.stringify({ kind: 'known', uid })]),
    );
  });
  it('is unknowable on a system without a table of TCP sockets', async () => {
    expect(await tcpOwnerLookup({ os: 'darwin' })(ENDS)).toEqual({ kind: 'unknowable' });
  });
  it('is not searched in the table once the connection is closed', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tcp'), row(PEER, HERE, '7'));
    const ends = { ...ENDS, destroyed: false };
    const owner = tcpOwnerLookup({ os: 'linux', native: ABSENT, folder });
    const asked = owner(ends);
    ends.destroyed = true;
    expect(await asked).toEqual({ kind: 'unknown' });
    expect(await owner(ENDS)).toEqual({ kind: 'known', uid: 7 });
  });
  it('is unknown without an open connection or without a table', async () => {
    const folder = temporaryFolder();
    expect(await tcpOwnerLookup({ os: 'linux', native })({})).toEqual({ kind: 'unknown' });
    expect(await tcpOwnerLookup({ os: 'linux', native: ABSENT, folder })(ENDS)).toEqual({ kind: 'unknown' });
  });
});

/** Native calls of which only the search for a socket matters. */
function searching(findTcpSocket: SocketDiagnosis): Native {
  return { kind: 'loaded', findTcpSocket } as unknown as Native;
}

describe('the answer of the kernel about one socket', () => {
  const found = { kind: 'found', uid: 1000, inode: 5 } as const;
  /** A lookup whose table has the peer under uid 7. */
  const lookup = (find: SocketDiagnosis) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tcp'), row(PEER, HERE, '7'));
    return tcpOwnerLookup({ os: 'linux', native: searching(find), folder });
  };
  const byTable = { kind: 'known', uid: 7 };

  it('is used without reading the table', async () => {
    expect(await lookup(() => found)(ENDS)).toEqual({ kind: 'known', uid: 1000 });
  });
  it('is unknown for a socket without a process', async () => {
    expect(await lookup(() => ({ ...found, uid: 0, inode: 0 }))(ENDS)).toEqual({ kind: 'unknown' });
  });
  it('is trusted when the kernel has our end of the connection but not the end of the peer', async () => {
    const find: SocketDiagnosis = (local) => (local.port === ENDS.localPort ? found : { kind: 'none' });
    expect(await lookup(find)(ENDS)).toEqual({ kind: 'unknown' });
  });
  it('is requested again after a connection of which the kernel has neither end', async () => {
    const answers = [{ kind: 'none' }, { kind: 'none' }, found] as const;
    let asked = 0;
    const ownerOf = lookup(() => answers[asked++] ?? found);
    expect(await ownerOf(ENDS)).toEqual(byTable);
    expect(await ownerOf(ENDS)).toEqual({ kind: 'known', uid: 1000 });
  });
  it.each([
    ['that refuses', 1, 1],
    ['without the family', 97, 1],
    ['without a descriptor left', 24, 2],
  ])('is replaced by the table on a system %s', async (_what, errno, times) => {
    let asked = 0;
    const ownerOf = lookup(() => {
      asked += 1;
      return { kind: 'failed', errno };
    });
    for (let i = 0; i < 2; i++) expect(await ownerOf(ENDS)).toEqual(byTable);
    expect(asked).toBe(times);
  });
  it.skipIf(native.kind === 'absent')('has the inode of the descriptor (needs koffi)', async () => {
    const { port, accepted } = await listening();
    const client = await connected('127.0.0.1', port);
    const inode = fstatSync(socketFd(client) ?? -1).ino;
    expect(await tcpPeerLookup({ native })(await accepted)).toEqual({ kind: 'known', uid, inode });
  });
  it.skipIf(native.kind === 'absent')(
    'needs no table, so that the size of the table costs nothing (needs koffi)',
    async () => {
      const { port, accepted } = await listening();
      await connected('127.0.0.1', port);
      const folder = join(temporaryFolder(), 'nothing');
      expect(await tcpOwnerLookup({ native, folder })(await accepted)).toEqual({ kind: 'known', uid });
    },
  );
});

it.skipIf(process.platform === 'win32' || endianness() === 'BE')(
  'the lookup reads the second table only for a peer that the first one lacks (needs mkfifo, little-endian)',
  async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tcp'), row(PEER, HERE, '1000'));
    // Nobody writes to it: a read would never end.
    execFileSync('mkfifo', [join(folder, 'tcp6')]);
    expect(await tcpOwnerLookup({ os: 'linux', native: ABSENT, folder })(ENDS)).toEqual({
      kind: 'known',
      uid: 1000,
    });
  },
);

const ENDS = { localAddress: '127.0.0.1', localPort: 6463, remoteAddress: '127.0.0.1', remotePort: 50_000 };

const HERE = '0100007F:193F';
const PEER = '0100007F:C350';
const MAPPED = `${'0'.repeat(16)}FFFF0000`;

/** One row as the kernel prints it. */
function row(local: string, remote: string, owner: string, inode = '12345'): string {
  return `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  ${owner}        0 ${inode} 1 0000\n`;
}

/** The same of a connection in TIME_WAIT. */
function over(local: string, remote: string): string {
  return row(local, remote, '0', '0').replace(' 01 ', ' 06 ');
}

describe.skipIf(endianness() === 'BE')('a row of the table (little-endian only)', () => {
  const found = { kind: 'known', uid: 1000 };
  const unknown = { kind: 'unknown' };
  it.each([
    ['of the peer', row(PEER, HERE, '1000'), '', found],
    ['of the peer, behind others', row(HERE, PEER, '7') + row(PEER, HERE, '1000'), '', found],
    ['of the peer, in the second table', '', row(MAPPED + PEER, MAPPED + HERE, '1000'), found],
    ['after one without a process', row(PEER, HERE, '0', '0') + row(PEER, HERE, '1000'), '', found],
    ['of a peer that let go', row(PEER, HERE, '0', '0'), '', unknown],
    ['of our own end', row(HERE, PEER, '1000'), '', unknown],
    ['of another connection to us', row('0100007F:C351', HERE, '1000'), '', unknown],
    ['of another connection of that port', row(PEER, '0100007F:1940', '1000'), '', unknown],
    ['of another address', row('0200007F:C350', HERE, '1000'), '', unknown],
    [
      'of an IPv6 address that ends alike',
      '',
      row(`${'1'.repeat(24)}${PEER}`, `${'1'.repeat(24)}${HERE}`, '1000'),
      unknown,
    ],
    ['with a mixed pair', '', row(PEER, MAPPED + HERE, '1000'), unknown],
    ['cut short', `   0: ${PEER} ${HERE} 01`, '', unknown],
    [
      'of the peer, behind one of the same ends that is over',
      over(PEER, HERE) + row(PEER, HERE, '1000'),
      '',
      found,
    ],
    ['with nonsense for a user', row(PEER, HERE, 'x'), '', unknown],
  ])('%s: names the owner, or is ignored', async (_what, tcp, tcp6, owner) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tcp'), `  sl  local_address rem_address   st\n${tcp}`);
    if (tcp6 !== '') writeFileSync(join(folder, 'tcp6'), tcp6);
    expect(await tcpOwnerLookup({ os: 'linux', native: ABSENT, folder })(ENDS)).toEqual(owner);
  });
});
