import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { emulatorCore } from '../../../src/core/emulator/emulator-core.ts';
import { tokenPort } from '../../../src/daemon/emulator.ts';
import { anybodyMayAnswer } from '../../../src/emulator/api/waiting-request.ts';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { createServer, type Server } from '../../../src/server/server.ts';
import { memoryTransport } from '../../../src/transport/memory.ts';
import { freePort } from '../../helpers/sockets.ts';

const running: Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(port: { readonly httpPort: number; readonly orAnyPort?: boolean }) {
  const emulator = await createEmulator({ fixture: defaultFixture() });
  const core = emulatorCore({ emulator, mayAnswer: anybodyMayAnswer, ...port });
  const server = await createServer({ transports: [memoryTransport()], core });
  running.push(server);
  return { server, api: server.core.api ?? '' };
}

it('the HTTP port is the same at every start while it is free, and any other, with the reason, while it is taken', async () => {
  const httpPort = await freePort();
  const usual = `http://127.0.0.1:${httpPort}/api`;
  const first = await start({ httpPort, orAnyPort: true });
  expect(first.api).toBe(usual);
  expect(first.server.core.describe()).toEqual([]);
  const second = await start({ httpPort, orAnyPort: true });
  expect(second.api).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(second.api).not.toBe(usual);
  expect(second.server.core.describe()).toEqual([
    ['port of the API', expect.stringContaining(`another program has ${httpPort}`)],
  ]);
  await first.server.close();
  expect((await start({ httpPort, orAnyPort: true })).api).toBe(usual);
});

it('a start with a chosen HTTP port fails when that port is taken', async () => {
  const httpPort = await freePort();
  await start({ httpPort });
  await expect(start({ httpPort })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('the HTTP port is 6481 by default, and the configured port otherwise', () => {
  expect(tokenPort('auto')).toEqual({ httpPort: 6481, orAnyPort: true });
  expect(tokenPort(7000)).toEqual({ httpPort: 7000 });
  expect(tokenPort(0)).toEqual({ httpPort: 0 });
});

it('the HTTP server accepts 300 connections that arrive at once, before it reads any request', async () => {
  const { api } = await start({ httpPort: 0 });
  const port = Number(new URL(api).port);
  const heads = Array.from({ length: 300 }, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /api/v10/gateway HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const [data] = await once(socket, 'data').catch(() => ['']);
    socket.destroy();
    return String(data).slice(0, 12);
  });
  expect(new Set(await Promise.all(heads))).toEqual(new Set(['HTTP/1.1 200']));
});
