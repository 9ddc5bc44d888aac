import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect, createClient } from '../../src/client/index.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { clientId, connected } from '../helpers/connected-client.ts';
import { eventually } from '../helpers/eventually.ts';
import { concatBytes, frameBytes } from '../helpers/frame-bytes.ts';
import { retryDelays } from '../helpers/retry-delays.ts';
import { type Script, scriptedReady, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

function payload(parts: object): Uint8Array {
  return frameBytes(
    Opcode.FRAME,
    JSON.stringify({ cmd: 'DISPATCH', data: null, evt: null, nonce: null, ...parts }),
  );
}

const ready = payload({ evt: 'READY', data: scriptedReady });

it('connect applies its timeout to the whole of a READY that arrives byte by byte', async () => {
  const server = await scriptedServer(({ opcode }, peer) => {
    if (opcode !== Opcode.HANDSHAKE) return;
    let at = 0;
    // The last byte is never sent.
    const drip = setInterval(() => {
      if (at < ready.length - 1) peer.write(ready.subarray(at, ++at));
    }, 5);
    peer.socket.on('close', () => clearInterval(drip));
  });
  const refused = connect({ clientId, paths: [server.path], connectTimeoutMs: 200 });
  await expect(refused).rejects.toMatchObject({ attempts: [{ path: server.path, reason: 'silent' }] });
  await eventually(() => expect(server.peer.socket.destroyed).toBe(true));
});

it('a frame that never completes blocks neither the timeout of its request nor close()', async () => {
  const { server, client } = await connected(({ opcode }, peer) => {
    if (opcode === Opcode.HANDSHAKE) peer.ready();
    else peer.write(ready.subarray(0, 20));
  });
  await expect(client.request('GET_GUILDS', {}, { timeoutMs: 50 })).rejects.toMatchObject({
    code: 'FOOTBRIDGE_TIMEOUT',
  });
  await client.close();
  await eventually(() => expect(server.peer.socket.destroyed).toBe(true));
});

it('the client reads a hundred thousand frames of one write and the response after them', async () => {
  const pong = frameBytes(Opcode.PONG, '');
  const event = payload({ evt: 'GUILD_STATUS' });
  const { client } = await connected(({ opcode, body }, peer) => {
    if (opcode === Opcode.HANDSHAKE) return peer.ready();
    const { cmd, nonce } = body;
    const many = Array.from({ length: 100_000 }, (_, n) => (n % 10 === 0 ? event : pong));
    peer.write(concatBytes(...many, payload({ cmd, nonce, data: { last: true } })));
  });
  let heard = 0;
  client.on('dispatch', () => {
    heard += 1;
  });
  expect(await client.requestRaw('ECHO')).toEqual({ last: true });
  expect(heard).toBe(10_000);
});

it('connect rejects with the reason of a CLOSE in the same write as READY', async () => {
  const server = await scriptedServer(({ opcode }, peer) => {
    const close = frameBytes(Opcode.CLOSE, JSON.stringify({ code: 1000, message: 'User logout' }));
    if (opcode === Opcode.HANDSHAKE) peer.write(concatBytes(ready, close));
  });
  await expect(connect({ clientId, paths: [server.path] })).rejects.toMatchObject({
    code: 'FOOTBRIDGE_DISCONNECTED',
    reason: { code: 1000, message: 'User logout' },
  });
});

it('the client matches no response with another nonce to a request', async () => {
  const { server, client } = await connected(({ opcode, body }, peer) => {
    if (opcode === Opcode.HANDSHAKE) return peer.ready();
    const nonce = Number(body.nonce);
    for (const wrong of [
      nonce,
      [body.nonce],
      { nonce },
      true,
      null,
      `${nonce} `,
      `0${nonce}`,
      String(nonce + 1),
    ])
      peer.send(Opcode.FRAME, { cmd: body.cmd, nonce: wrong, data: 'wrong' });
    peer.payload({ cmd: body.cmd, nonce: body.nonce, data: 'right' });
    peer.payload({ cmd: body.cmd, nonce: body.nonce, evt: 'ERROR', data: { code: 1, message: 'late' } });
  });
  expect(await client.requestRaw('ECHO')).toBe('right');
  expect(await client.requestRaw('ECHO')).toBe('right');
  expect(server.peers).toHaveLength(1);
});

it('the client treats object keys such as __proto__ in a payload as plain data', async () => {
  const { client } = await connected(({ opcode, body }, peer) => {
    if (opcode === Opcode.HANDSHAKE) return peer.ready();
    for (const text of [
      '{"__proto__":{"evt":"ERROR","nonce":"1"},"constructor":1}',
      `{"nonce":"${body.nonce}","toString":1,"data":{"__proto__":{"polluted":1},"hasOwnProperty":2}}`,
    ])
      peer.write(frameBytes(Opcode.FRAME, text));
  });
  expect(Object.entries((await client.requestRaw('ECHO')) as object)).toEqual([
    ['__proto__', { polluted: 1 }],
    ['hasOwnProperty', 2],
  ]);
  expect({}).not.toHaveProperty('polluted');
});

describe('the client backs off by the clock from a server that hangs up', () => {
  it.each<[string, Script, number]>([
    ['at once', (_frame, peer) => peer.socket.destroy(), 2500],
    ['after CLOSE', (_frame, peer) => peer.send(Opcode.CLOSE, { code: 1000, message: 'not now' }), 2500],
    [
      'after READY',
      (_frame, peer) => {
        peer.ready();
        peer.socket.end();
      },
      250,
    ],
  ])('%s', async (_when, script, longest) => {
    const server = await scriptedServer(script);
    const client = createClient({ clientId, paths: [server.path], wait: true });
    const delays = retryDelays(client);
    // No more connections than the clock allows, however much real time goes by.
    for (let tries = 1; tries < 8; tries++) {
      await eventually(() => expect(delays).toHaveLength(tries));
      expect(server.peers).toHaveLength(tries);
      await vi.advanceTimersByTimeAsync(5000);
    }
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(250);
    expect(Math.max(...delays)).toBeGreaterThanOrEqual(longest);
  });
});

it.skipIf(process.platform === 'win32')(
  'connect reports a pipe, a link loop and a device at the path of a socket',
  async () => {
    const folder = temporaryFolder();
    const path = (n: number): string => join(folder, `discord-ipc-${n}`);
    execFileSync('mkfifo', [path(0)]);
    symlinkSync(path(1), path(1));
    symlinkSync('/dev/zero', path(2));
    const error = await connect({ clientId, paths: [0, 1, 2].map(path) }).catch((reason) => reason);
    expect(error.attempts).toEqual([
      { path: path(0), reason: 'refused' },
      { path: path(1), reason: 'refused' },
      { path: path(2), reason: 'refused' },
    ]);
  },
);

it('fifty clients of one process reconnect, each with its presence', async () => {
  const server = await scriptedServer(wellBehaved);
  const clients = await Promise.all(
    Array.from({ length: 50 }, () => connect({ clientId, paths: [server.path] })),
  );
  onTestFinished(() => Promise.all(clients.map((client) => client.close())).then(() => {}));
  await Promise.all(clients.map((client, n) => client.setActivity({ details: `client ${n}` })));
  await server.stop();
  await server.start();
  await eventually(
    () => {
      const shown = server.peers.slice(50).flatMap((peer) => peer.requests('SET_ACTIVITY'));
      expect(new Set(shown.map(({ args }) => args.activity.details)).size).toBe(50);
    },
    { timeout: 10_000 },
  );
  expect(server.peers).toHaveLength(100);
});
