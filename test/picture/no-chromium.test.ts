import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

it('without a browser a picture is refused in one line that names what to install', async () => {
  const named = process.env['FOOTBRIDGE_CHROMIUM'];
  process.env['FOOTBRIDGE_CHROMIUM'] = '/no/such/browser';
  onTestFinished(() => {
    if (named === undefined) delete process.env['FOOTBRIDGE_CHROMIUM'];
    else process.env['FOOTBRIDGE_CHROMIUM'] = named;
  });
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  const { id } = await bridge.operations.call('channel.say', { channel: 'general', text: 'Hello' });
  const message =
    'A picture: FOOTBRIDGE_CHROMIUM: "/no/such/browser" is no program. Give the absolute path of a Chromium, Chrome or Edge.';
  await expect(bridge.picture(id)).rejects.toMatchObject({ code: 'FOOTBRIDGE_NO_CHROMIUM', message });
  const file = join(temporaryFolder(), 'hello.png');
  const io = fakeIo(bridge.env);
  expect(await runProgram(['emulator', 'picture', id, file], commandTable, io)).toBe(69);
  expect(io.stderr()).toBe(`footbridge: ${message}\n`);
  expect(existsSync(file)).toBe(false);
});
