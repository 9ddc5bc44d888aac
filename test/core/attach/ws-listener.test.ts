import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { attachBridge } from '../../helpers/attach-bridge.ts';

async function strangers(url: string, count: number, said?: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: said !== undefined }),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.on('error', () => {}).once('connect', resolve))),
  );
  for (const socket of sockets) socket.resume().write(said ?? '');
  return sockets;
}

it('silent connections occupy no more than their slots, and a client attaches beside them', async () => {
  const bridge = await attachBridge({ maxPending: 4, bridgePort: 0 });
  for (const url of [bridge.url(), bridge.bridgeUrl()]) {
    const silent = await strangers(url, 20);
    const open = () => silent.filter(({ destroyed }) => !destroyed).length;
    await expect.poll(open, { timeout: 20_000 }).toBe(4);
  }
  expect((await bridge.client('phone')).states).toContain('attached');
});

it('refused connections that stay open are closed to free their slots', async () => {
  const bridge = await attachBridge({ maxPending: 4 });
  const refused = await strangers(
    bridge.url(),
    20,
    'GET /wrong HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  // They stay on their side: only writing tells whether the other one is still there.
  const there = () => {
    for (const socket of refused) socket.write('still here');
    return refused.filter(({ destroyed }) => !destroyed).length;
  };
  await expect.poll(there, { timeout: 20_000 }).toBeLessThanOrEqual(4);
});
