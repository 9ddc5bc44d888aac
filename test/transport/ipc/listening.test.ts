import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Claim } from '../../../platform/endpoint/claim.ts';
import type { OperatingSystem } from '../../../platform/operating-system.ts';
import { LocalError } from '../../../src/base/local-error.ts';
import { type IpcOptions, type IpcTransport, ipcTransport } from '../../../src/transport/ipc/ipc.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import type { Connection, ConnectionListener } from '../../../src/wire/connection.ts';
import { encodeFrame } from '../../../src/wire/frame.ts';
import { eventually } from '../../helpers/eventually.ts';
import { os } from '../../helpers/ipc-bridge.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

/** A transport whose claim only writes down what is done to it. */
function scripted(
  more: Partial<Omit<IpcOptions, 'os'>> & { readonly os?: Partial<OperatingSystem> } = {},
  claimed: Partial<Claim> = {},
) {
  const folder = temporaryFolder();
  const calls: string[] = [];
  let binds = 0;
  const claim: Claim = {
    index: 0,
    path: join(folder, 'published'),
    get bindPath() {
      binds += 1;
      return join(folder, `bound${binds}`);
    },
    skipped: [],
    publish: () => void calls.push('publish'),
    owned: () => true,
    deleted: () => true,
    renew: async () => true,
    release: () => void calls.push('release'),
    ...claimed,
  };
  const connections: Connection[] = [];
  const refused: string[] = [];
  const system = { ...os, claim: async () => claim, ...more.os };
  const transport = ipcTransport({
    folders: system.prepareFolders({ XDG_RUNTIME_DIR: folder }),
    index: 0,
    handshakeFrameBytes: 1000,
    unreadBytes: 100_000,
    onRefused: (reason) => void refused.push(reason),
    ...more,
    os: system,
  });
  onTestFinished(() => transport.close());
  return {
    transport,
    calls,
    connections,
    refused,
    listen: () => transport.listen((connection) => void connections.push(connection)),
    path: (bind: number) => join(folder, `bound${bind}`),
  };
}

/** A listener that does nothing. */
const idle: ConnectionListener = {
  frame() {},
  partial() {},
  backlog() {},
  requestsInFlight: 0,
  halfClosed() {},
  admits: () => true,
  broken() {},
  ended() {},
};

/** What a status display shows of a transport. */
const shown = (transport: IpcTransport) => [
  transport.skipped(),
  transport.owned(),
  transport.deleted(),
  transport.starved(),
];

describe('an IPC transport', () => {
  it('has nothing before it listens, and can be closed then', async () => {
    const { transport, calls } = scripted();
    expect(shown(transport)).toEqual([[], false, false, 0]);
    transport.stopAccepting();
    await transport.restore();
    await transport.close();
    expect(calls).toEqual([]);
  });

  it('listens under its claim, and shows what that says', async () => {
    const skipped = [{ index: 0, path: 'x', why: 'is taken' }] as const;
    const { transport, calls, listen } = scripted({}, { skipped });
    expect(await listen()).toEqual([{ kind: 'ipc', path: expect.stringMatching(/published$/) }]);
    expect(shown(transport)).toEqual([skipped, true, true, 0]);
    expect(calls).toEqual(['publish']);
    transport.stopAccepting();
    expect(calls).toEqual(['publish', 'release']);
  });

  it.each<[what: string, error: Error, name: 'linux' | 'win32', message: string | RegExp]>([
    ['an error that names its remedy', new LocalError('FOOTBRIDGE_X', 'taken'), 'linux', /^taken$/],
    ['any error of a pipe', new Error('EACCES'), 'win32', /^EACCES$/],
    ['an error of the folder', new Error('EACCES'), 'linux', /.*EACCES.*/],
  ])('releases its claim when it cannot publish: %s', async (_, error, name, message) => {
    const { calls, listen } = scripted(
      { os: { name } },
      {
        publish() {
          throw error;
        },
      },
    );
    const failure = await listen().catch((thrown: unknown) => thrown as Error);
    expect(calls).toEqual(['release']);
    expect((failure as Error).message).toMatch(message);
    expect(failure === error).toBe(name === 'win32' || error instanceof LocalError);
  });

  it('reports an error when there is no claim either', async () => {
    const { listen } = scripted({
      os: {
        claim: () => {
          throw new LocalError('FOOTBRIDGE_X', 'no claim');
        },
      },
    });
    await expect(listen()).rejects.toThrow('no claim');
  });

  it('makes no socket of its own when that of the service manager cannot be served', async () => {
    const { calls, listen, path } = scripted({ activated: { fd: 0x7fff_0000, path: 'activated' } });
    await expect(listen()).rejects.toThrow(/EBADF|EINVAL/);
    expect(calls).toEqual(['release']);
    await expect(rawPeer(path(1))).rejects.toThrow();
  });
});

describe('an IPC transport whose name was deleted', () => {
  it('listens again, and keeps the connections that it has', async () => {
    const { transport, calls, connections, listen, path } = scripted();
    await listen();
    await rawPeer(path(1));
    await eventually(() => expect(connections).toHaveLength(1));
    await transport.restore();
    await rawPeer(path(2));
    await eventually(() => expect(connections).toHaveLength(2));
    expect(calls).toEqual(['publish', 'publish']);
    // The server of the lost name is closed.
    await eventually(() => expect(existsSync(path(1))).toBe(false));
  });

  it('does not listen again where the claim cannot be renewed, nor after its end', async () => {
    const refused = scripted({}, { renew: async () => false });
    await refused.listen();
    await refused.transport.restore();
    expect(refused.calls).toEqual(['publish']);
    const ended = scripted();
    await ended.listen();
    ended.transport.stopAccepting();
    await ended.transport.restore();
    expect(ended.calls).toEqual(['publish', 'release']);
  });

  it('releases the name again when it ended while the claim was renewed', async () => {
    let transport: IpcTransport | undefined;
    const made = scripted(
      {},
      {
        async renew() {
          transport?.stopAccepting();
          return true;
        },
      },
    );
    transport = made.transport;
    await made.listen();
    await made.transport.restore();
    expect(made.calls).toEqual(['publish', 'release', 'release']);
    await expect(rawPeer(made.path(2))).rejects.toThrow();
  });
});

describe('a connecting peer', () => {
  it.each([
    ['no descriptors are left for it', 1, ['no descriptors are left']],
    ['the last descriptors are far', 1_000_000, []],
    ['the limit is unknown', undefined, []],
  ])('is dropped only where descriptors run out: %s', async (_, descriptorLimit, reasons) => {
    const { transport, connections, refused, listen, path } = scripted({ descriptorLimit });
    await listen();
    const peer = await rawPeer(path(1));
    await eventually(() => expect(connections.length + refused.length).toBe(1));
    expect(refused).toEqual(reasons);
    expect(transport.starved()).toBe(reasons.length);
    if (reasons.length > 0) expect(await peer.receive()).toBeUndefined();
  });

  it.each<[what: string, more: Parameters<typeof scripted>[0]]>([
    ['where its user is unknown', { os: { peerOf: () => ({ kind: 'failed', error: new Error('EBADF') }) } }],
    ['where no descriptors are left', { descriptorLimit: 1 }],
  ])('is refused without a callback, too: %s', async (_, more) => {
    const { connections, listen, path } = scripted({ ...more, onRefused: undefined as never });
    await listen();
    const peer = await rawPeer(path(1));
    expect(await peer.receive()).toBeUndefined();
    expect(connections).toEqual([]);
  });

  it.each([
    ['its peer to read the frame before', undefined, true],
    ['nothing', false, false],
  ])('gets frames that wait for %s', async (_, pacing, isPaced) => {
    let queries = 0;
    const { connections, listen, path } = scripted({
      ...(pacing === undefined ? {} : { pacing }),
      os: {
        unsentBytes: () => {
          queries += 1;
          return 0;
        },
      },
    });
    await listen();
    const peer = await rawPeer(path(1));
    await eventually(() => expect(connections).toHaveLength(1));
    connections[0]?.start(idle);
    for (const text of ['a', 'b']) connections[0]?.send(encodeFrame(Opcode.FRAME, text));
    for (const text of ['a', 'b']) {
      const frame = await peer.receive();
      expect(new TextDecoder().decode(frame?.body)).toBe(text);
    }
    expect(queries > 0).toBe(isPaced);
  });

  it('may half-close, and still gets an answer', async () => {
    const { connections, listen, path } = scripted();
    await listen();
    const peer = await rawPeer(path(1));
    await eventually(() => expect(connections).toHaveLength(1));
    const [connection] = connections;
    const halfClosed = new Promise<void>((resolve) => {
      connection?.start({ ...idle, requestsInFlight: 1, halfClosed: resolve });
    });
    peer.socket.end();
    await halfClosed;
    connection?.send(encodeFrame(Opcode.FRAME, 'answer'));
    expect(new TextDecoder().decode((await peer.receive())?.body)).toBe('answer');
  });
});
