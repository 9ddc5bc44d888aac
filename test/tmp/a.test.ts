import { createServer as tcp } from 'node:net';
import { expect, test } from 'vitest';
import { EmulatorClock, systemClock } from '../../src/emulator/clock.ts';
import { testPlatform, APP } from '../helpers/platform.ts';

test('101', async () => {
  const server = tcp((s) => { s.on('error', () => {}); s.once('data', () => s.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')); });
  await new Promise<void>((r) => server.listen(0, '127.0.0.1', () => r()));
  const { port } = server.address() as { port: number };
  const p = await testPlatform();
  const t = Date.now();
  const out = await Promise.race([p.emulator.webhooks.set(APP, `http://127.0.0.1:${port}/`).then(() => 'ok', (e) => String(e)), new Promise((r) => setTimeout(() => r('HANGS'), 6000))]);
  console.log(out, Date.now() - t);
  server.close();
});
for (const [name, bytes] of [['garbage', 'SSH-2.0-x\r\n'], ['100 flood', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(10000)], ['half', 'HTTP/1.1 204 No'], ['big', `HTTP/1.1 204 x\r\n${'a: b\r\n'.repeat(20000)}\r\n`], ['redirect', 'HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n'], ['close', '']] as const) {
  test(name, async () => {
    const server = tcp((s) => { s.on('error', () => {}); s.once('data', () => { if (bytes === '') s.end(); else s.write(bytes); }); });
    await new Promise<void>((r) => server.listen(0, '127.0.0.1', () => r()));
    const { port } = server.address() as { port: number };
    const p = await testPlatform();
    const t = Date.now();
    const out = await Promise.race([p.emulator.webhooks.set(APP, `http://127.0.0.1:${port}/`).then(() => 'ok', (e) => String(e)), new Promise((r) => setTimeout(() => r('HANGS'), 6000))]);
    console.log(name, out, Date.now() - t);
    server.close();
  });
}
