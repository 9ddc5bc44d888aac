import { afterEach, expect, it } from 'vitest';
import { emulatorCore } from '../../../src/core/emulator/emulator-core.ts';
import { tokenPort } from '../../../src/daemon/emulator.ts';
import { createEmulator } from '../../../src/emulator/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/fixture/default.ts';
import { anybodyMayAnswer } from '../../../src/emulator/people/request.ts';
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

it('is the same from start to start where it is free, and any other where it is taken', async () => {
  const httpPort = await freePort();
  const usual = `http://127.0.0.1:${httpPort}/api`;
  const first = await start({ httpPort, orAnyPort: true });
  expect(first.api).toBe(usual);
  const second = await start({ httpPort, orAnyPort: true });
  expect(second.api).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(second.api).not.toBe(usual);
  await first.server.close();
  expect((await start({ httpPort, orAnyPort: true })).api).toBe(usual);
});

it('that was chosen is had or the start fails', async () => {
  const httpPort = await freePort();
  await start({ httpPort });
  await expect(start({ httpPort })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('is the usual one by default, and what was chosen otherwise', () => {
  expect(tokenPort('auto')).toEqual({ httpPort: 6481, orAnyPort: true });
  expect(tokenPort(7000)).toEqual({ httpPort: 7000 });
  expect(tokenPort(0)).toEqual({ httpPort: 0 });
});
