import { expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { connected, entered, openConsole, playedBridge } from './door.ts';

it('the feed of the console contains an app, and no probe of status or doctor', async () => {
  await using emulator = await startEmulator();
  const backend = playedBridge();
  const served = await openConsole({
    ...backend,
    call: (name, args) => emulator.operations.call(name as never, args as never),
  });
  const socket = await connected(served.port);
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n${await entered(served)}\r\n\r\n`);
  await expect.poll(() => text).toContain('event: status');
  const run = async (...argv: readonly string[]) => {
    const io = fakeIo(emulator.env);
    await runProgram(argv, commandTable, io);
    return io.stdout();
  };
  expect(await run('status')).toContain('emulator');
  expect(await run('doctor')).toContain('handshake');
  await run('call', 'GET_VOICE_SETTINGS');
  await expect.poll(() => text).toContain('GET_VOICE_SETTINGS');
  const entries = [...text.matchAll(/event: journal\ndata: (.*)\n/g)].flatMap(
    ([, data = '']) => (JSON.parse(data) as { entries: readonly { kind: string }[] }).entries,
  );
  // The one app, from its connect to its request.
  expect(entries.filter(({ kind }) => kind === 'connect')).toHaveLength(1);
  expect(entries[0]?.kind).toBe('connect');
});
