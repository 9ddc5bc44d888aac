import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOriginList } from '../../src/daemon/origin-list.ts';
import { type WebSocketOptions, websocketTransport } from '../../src/transport/websocket/websocket.ts';
import { closeAfterTest, uid } from '../helpers/sockets.ts';
import { exchange, loopback } from '../helpers/web-bridge.ts';

/** A port of the loopback interface that somebody has taken. */
async function takenPort(): Promise<number> {
  const server = createServer();
  closeAfterTest(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function transportOn(first: number, last: number, more: Partial<WebSocketOptions> = {}) {
  const transport = websocketTransport({
    ports: { first, last: Math.min(last, 65_535) },
    originAllowed: createOriginList([]).allows,
    frameBytes: 1024,
    unreadBytes: 1024,
    uid,
    ...more,
  });
  onTestFinished(() => transport.close());
  return transport;
}

describe('the loopback listener', () => {
  it('uses the next port when one is taken', async () => {
    const first = await takenPort();
    const [endpoint] = await transportOn(first, first + 50).listen(() => {});
    const port = Number(new URL(endpoint?.path ?? '').port);
    expect(endpoint).toEqual({ kind: 'websocket', path: `ws://127.0.0.1:${port}` });
    expect(port).toBeGreaterThan(first);
    expect(await exchange(port, 'GET / HTTP/1.0\r\n\r\n')).toContain('404');
  });
  it('opens no endpoint when all ports are taken, and reports it', async () => {
    const port = await takenPort();
    const told: string[] = [];
    const transport = transportOn(port, port, { onUnavailable: (reason) => told.push(reason) });
    expect(await transport.listen(() => {})).toEqual([]);
    expect(told).toEqual(['every port of the range is taken']);
    transport.stopAccepting();
  });
  it('accepts no new connection while it drains', async () => {
    const transport = transportOn(0, 0);
    const [endpoint] = await transport.listen(() => {});
    const port = Number(new URL(endpoint?.path ?? '').port);
    transport.stopAccepting();
    await expect(loopback(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
  it('frees its port on close, with connections open', async () => {
    const transport = transportOn(0, 0);
    const [endpoint] = await transport.listen(() => {});
    const port = Number(new URL(endpoint?.path ?? '').port);
    const idle = await loopback(port);
    idle.resume();
    const over = once(idle, 'close');
    await transport.close();
    await over;
    expect(await transportOn(port, port).listen(() => {})).toEqual([
      { kind: 'websocket', path: `ws://127.0.0.1:${port}` },
    ]);
  });
});
