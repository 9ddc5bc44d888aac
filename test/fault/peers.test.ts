import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operatingSystem } from '../../platform/operating-system.ts';
import { APP, faultBridge, isLinux, isRoot, startCommand } from '../helpers/fault-bridge.ts';
import { ipcBridge, os } from '../helpers/ipc-bridge.ts';
import { outputAsNobody } from '../helpers/other-user.ts';
import { hasPython, uid } from '../helpers/sockets.ts';

const ASK = { args: ['--consent', 'ask', '--http-port', '0'] } as const;

/** Polling is not a timed assertion: it may take as long as the machine needs. */
const SLOW = { timeout: 20_000, interval: 50 } as const;

interface Waiting {
  readonly id: string;
  readonly clientId: string;
  readonly peer: { readonly pid?: number; readonly program?: string; readonly verified: false };
}

/** Python that connects, shakes hands, takes READY and defines `frame`. */
const PYTHON = `
import json, os, socket, struct, sys, time
def frame(opcode, body):
    text = json.dumps(body).encode()
    return struct.pack('<ii', opcode, len(text)) + text
def connected(path):
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    return s
def ready(s, client):
    s.sendall(frame(0, {'v': 1, 'client_id': client}))
    return s.recv(65536)
def authorize(client):
    args = {'client_id': client, 'scopes': ['identify']}
    return frame(1, {'cmd': 'AUTHORIZE', 'nonce': '1', 'args': args})
`;

it.skipIf(!isRoot || !isLinux || os.native.kind === 'absent')(
  'another user who can reach the socket is closed without a byte (requires root and koffi on Linux) [T14]',
  async () => {
    const { endpoint, folder, stop, app } = await faultBridge();
    chmodSync(folder, 0o777);
    chmodSync(endpoint, 0o777);
    const script = `
      const socket = require('node:net').connect(process.argv[1]);
      let bytes = 0;
      socket.on('connect', () => console.log('connected'));
      socket.on('data', (chunk) => { bytes += chunk.length; });
      socket.on('error', () => {});
      socket.on('close', () => console.log('bytes ' + bytes));
    `;
    expect(await outputAsNobody(script, endpoint)).toBe('connected\nbytes 0\n');
    chmodSync(folder, 0o700);
    await app();
    expect((await stop()).stderr).toContain('the peer belongs to uid 65534');
  },
);

it('100 of 100 connections are refused when the kernel does not identify the peer [T15]', async () => {
  const refused: string[] = [];
  const failing = operatingSystem(os.name, uid, {
    ...(os.native.kind === 'loaded' ? os.native : ({} as never)),
    kind: 'loaded',
    peerCredentials: () => {
      throw new Error('getsockopt failed');
    },
    lockFile: () => true,
  });
  const bridge = await ipcBridge({ os: failing, onRefused: (reason) => refused.push(reason) });
  for (let round = 0; round < 100; round++) {
    const peer = await bridge.raw();
    expect(await peer.receive()).toBeUndefined();
  }
  expect(refused).toEqual(Array.from({ length: 100 }, () => 'the system does not say who the peer is'));
  expect(bridge.core.peers).toEqual([]);
});

it.skipIf(!hasPython())(
  'a waiting request is removed when its process dies (requires python3) [T17]',
  async () => {
    const bridge = await faultBridge(ASK);
    const asker = startCommand(
      [
        'python3',
        '-c',
        `${PYTHON}\ns = connected(sys.argv[1])\nready(s, '${APP}')\ns.sendall(authorize('${APP}'))\ntime.sleep(60)`,
        bridge.endpoint,
      ],
      bridge.env,
    );
    await expect.poll(() => bridge.control.call('requests.list'), SLOW).toHaveLength(1);
    const [request] = (await bridge.control.call('requests.list')) as Waiting[];
    asker.kill('SIGKILL');
    await expect.poll(() => bridge.control.call('requests.list'), SLOW).toEqual([]);
    await expect(bridge.control.call('requests.approve', { id: request?.id ?? '' })).rejects.toThrow(
      'waits any more',
    );
    expect(await bridge.control.call('grants.list')).toEqual([]);
  },
);

it.skipIf(!hasPython() || !isLinux || os.native.kind === 'absent')(
  'a process that execs another program gets no grant of another app (requires python3 and koffi on Linux) [T18]',
  async () => {
    const bridge = await faultBridge(ASK);
    /** The parent, which the kernel names as the peer, becomes /bin/sleep; its child speaks. */
    const disguised = (client: string): void => {
      startCommand(
        [
          'python3',
          '-c',
          `${PYTHON}
s = connected(sys.argv[1])
ready(s, '${client}')
if os.fork() > 0:
    os.execv('/bin/sleep', ['sleep', '60'])
while 'sleep' not in os.readlink('/proc/%d/exe' % os.getppid()):
    time.sleep(0.01)
s.sendall(authorize('${client}'))
time.sleep(60)`,
          bridge.endpoint,
        ],
        bridge.env,
      );
    };
    disguised(APP);
    await expect.poll(() => bridge.control.call('requests.list'), SLOW).toHaveLength(1);
    const [first] = (await bridge.control.call('requests.list')) as Waiting[];
    expect(first?.peer).toMatchObject({ program: expect.stringContaining('sleep'), verified: false });
    await bridge.control.call('requests.approve', { id: first?.id ?? '', always: true });
    expect(await bridge.control.call('grants.list')).toHaveLength(1);
    // The same program to look at, another application: a new question.
    disguised('42');
    await expect.poll(() => bridge.control.call('requests.list'), SLOW).toHaveLength(1);
    const [second] = (await bridge.control.call('requests.list')) as Waiting[];
    expect(second?.clientId).toBe('42');
    expect(await bridge.control.call('grants.list')).toHaveLength(1);
  },
);

describe('the socket name that a client binds [T20]', () => {
  it.skipIf(!hasPython() || !isLinux).each(['', '\\0x;uid=0;', 'x;uid=0;'])(
    'does not affect the client when it is %j (requires python3 on Linux)',
    async (name) => {
      const bridge = await faultBridge();
      const bind =
        name === '' ? '' : `s.bind('${name.startsWith('\\0') ? name : `${bridge.folder}/${name}`}')`;
      const running = startCommand(
        [
          'python3',
          '-c',
          `${PYTHON}
s = socket.socket(socket.AF_UNIX)
${bind}
s.connect(sys.argv[1])
print(b'READY' in ready(s, '${APP}'), flush=True)
time.sleep(60)`,
          bridge.endpoint,
        ],
        bridge.env,
      );
      expect(await running.said('\n')).toBe('True\n');
      const { sessions } = await bridge.control.status();
      const pid = os.native.kind === 'absent' ? null : running.pid;
      expect(sessions).toMatchObject([{ clientId: APP, pid, scopes: ['rpc.local'] }]);
    },
  );
});
