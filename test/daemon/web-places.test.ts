import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startEmulator } from '../../src/testing/testing.ts';

const APP = '300000000000000001';

it('a page without competitors may have 64 sessions', async () => {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const origin = 'https://page.example';
  await emulator.operations.call('origins.add', { clientId: APP, origin });
  const firstWords = async (): Promise<string> => {
    const socket = new WebSocket(`${emulator.ws}/?v=1&encoding=json&client_id=${APP}`, { origin });
    onTestFinished(() => socket.terminate());
    const [said] = await Promise.race([once(socket, 'message'), once(socket, 'close')]);
    return String(said);
  };
  const said = await Promise.all(Array.from({ length: 64 }, firstWords));
  expect(said.filter((words) => words.includes('"evt":"READY"'))).toHaveLength(64);
});
