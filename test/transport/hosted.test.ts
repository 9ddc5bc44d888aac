import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { currentOs } from '../../platform/operating-system.ts';
import { createServer } from '../../src/server/server.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { hostedPort, hostedSocket } from '../../src/transport/hosted.ts';
import { ipcTransport } from '../../src/transport/ipc/ipc.ts';
import type { Transport } from '../../src/transport/transport.ts';
import { maxBehindFront } from '../../src/transport/unread.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { fakeCore } from '../helpers/fake-core.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { ORIGIN, QUERY } from '../helpers/web-bridge.ts';

async function unpacedSocket(env: NodeJS.ProcessEnv): Promise<Transport> {
  const os = await currentOs();
  const { handshakeFrameBytes, unreadBytes } = defaultLimits;
  return ipcTransport({
    os,
    folders: os.prepareFolders(env),
    index: 'auto',
    handshakeFrameBytes,
    unreadBytes: maxBehindFront(unreadBytes),
    pacing: false,
  });
}

/** Time limits that a busy machine does not reach: these tests are about what is answered, not when. */
const limits = { ...defaultLimits, answerMs: 120_000, unreadMs: 120_000 };
const TIMEOUT_MS = 120_000;

/** 3 MiB but for the envelope: the largest answer there is. */
const LARGEST = 3 * 1024 * 1024 - 1000;

it.each([
  ['two answers that are larger together than what it may leave unread', 2, 1_500_000, 'paced', 'later'],
  ['three of the largest size', 3, LARGEST, 'paced', 'later'],
  ['twelve of the largest size', 12, LARGEST, 'paced', 'later'],
  ['twelve of the largest size that the core has at once', 12, LARGEST, 'paced', 'at once'],
  ['twelve of the largest size without pacing', 12, LARGEST, 'plain', 'later'],
  ['twelve of the largest size that the core has at once, without pacing', 12, LARGEST, 'plain', 'at once'],
] as const)(
  'an app that begins to read late gets %s',
  async (_, count, size, pacing, when) => {
    const env = { XDG_RUNTIME_DIR: temporaryFolder() };
    const socket = await (pacing === 'paced' ? hostedSocket({ env }, limits) : unpacedSocket(env));
    const name = 'x'.repeat(size);
    const guilds = { guilds: [{ id: '1', name, icon_url: null }] };
    const core = fakeCore({
      handlers: {
        // All requests are in flight before the first answer is unread.
        GET_GUILDS: when === 'at once' ? () => guilds : () => delay(20, guilds),
      },
      scopes: ['rpc'],
    });
    const server = await createServer({ transports: [socket], core, limits });
    onTestFinished(() => server.close());
    const raw = await rawPeer(server.endpoints[0]?.path ?? '');
    const app = new AppPeer(raw);
    await app.handshake();
    raw.socket.pause();
    const nonces = Array.from({ length: count }, (_, index) => String(index));
    const requests = nonces.map((nonce) => JSON.stringify({ cmd: 'GET_GUILDS', args: {}, nonce }));
    raw.write(Buffer.concat(requests.map((text) => frameBytes(Opcode.FRAME, text))));
    // Those that may wait for it are made by then.
    await delay(300);
    raw.socket.resume();
    for (const nonce of nonces) {
      const answer = await app.answer();
      expect([answer.nonce, answer.data.guilds[0].name.length]).toEqual([nonce, name.length]);
    }
  },
  TIMEOUT_MS,
);

it(
  'a WebSocket that begins to read late gets twelve answers of the largest size',
  async () => {
    const ports = { first: 0, last: 0 };
    const port = await hostedPort({ originAllowed: () => true, ports }, limits);
    const guilds = { guilds: [{ id: '1', name: 'x'.repeat(LARGEST), icon_url: null }] };
    const core = fakeCore({ handlers: { GET_GUILDS: () => delay(20, guilds) }, scopes: ['rpc'] });
    const server = await createServer({ transports: [port], core, limits });
    onTestFinished(() => server.close());
    const socket = new WebSocket(`${server.endpoints[0]?.path}${QUERY}`, { origin: ORIGIN });
    onTestFinished(() => socket.terminate());
    await once(socket, 'message');
    const nonces = Array.from({ length: 12 }, (_, index) => String(index));
    const received: string[] = [];
    let closed: number | undefined;
    socket.on('close', (code) => {
      closed = code;
    });
    socket.on('message', (data) => {
      received.push((JSON.parse((data as Buffer).toString()) as { nonce: string }).nonce);
    });
    socket.pause();
    for (const nonce of nonces) socket.send(JSON.stringify({ cmd: 'GET_GUILDS', args: {}, nonce }));
    // Those that may wait for it are made by then.
    await delay(300);
    socket.resume();
    await expect
      .poll(() => received.length === 12 || closed !== undefined, { timeout: TIMEOUT_MS })
      .toBe(true);
    expect([closed, received]).toEqual([undefined, nonces]);
  },
  TIMEOUT_MS,
);
