import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenForDiscovery } from '../../src/transport/discovery-listener.ts';
import { closeAfterTest } from '../helpers/sockets.ts';

/** A port of the loopback interface that somebody has taken. */
async function takenPort(): Promise<number> {
  const server = createServer();
  closeAfterTest(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A listener somewhere from a taken port upwards; the range is wide, so that one of them is free. */
async function listening(): Promise<{ first: number; port: number }> {
  const first = await takenPort();
  const listener = await listenForDiscovery({ first, last: Math.min(first + 50, 65_535) });
  onTestFinished(() => listener.close());
  if (listener.port === undefined) throw new Error(`no free port from ${first} on`);
  return { first, port: listener.port };
}

/** What a raw request gets, up to the end of the connection or its reset. */
async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  const over = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  socket.end(request);
  await over;
  return answer;
}

describe('the discovery listener', () => {
  it('takes the next port when one is taken', async () => {
    const { first, port } = await listening();
    expect(port).toBeGreaterThan(first);
  });
  it('goes without when all are taken', async () => {
    const port = await takenPort();
    const listener = await listenForDiscovery({ first: port, last: port });
    expect(listener.port).toBeUndefined();
    listener.close();
  });
  it.each([
    ['GET', '/'],
    ['GET', '/rpc?v=1&client_id=1'],
    ['HEAD', '/'],
    ['POST', '/rpc'],
    ['OPTIONS', '*'],
    ['DELETE', '/../../etc/passwd'],
  ])('answers %s %s with a bare 404', async (method, path) => {
    const { port } = await listening();
    const request = `${method} ${path} HTTP/1.1\r\nhost: evil.example\r\norigin: https://evil.example\r\n\r\n`;
    const answer = await exchange(port, request);
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(answer.toLowerCase()).not.toContain('access-control');
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe('');
  });
  it('hears nobody but this machine', async () => {
    const { port } = await listening();
    const other = connect(port, '127.0.0.2');
    onTestFinished(() => void other.destroy());
    const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });
  it('survives what is no HTTP', async () => {
    const { port } = await listening();
    for (const garbage of ['\0\0\0\0\0\0\0\0', 'x'.repeat(100_000), 'GET / HTTP/9.9\r\n\r\n', '\r\n\r\n']) {
      await exchange(port, garbage);
    }
    expect(await exchange(port, 'GET / HTTP/1.0\r\n\r\n')).toContain('404');
  });
  it('frees its port on close, with connections open', async () => {
    const port = await takenPort();
    const listener = await listenForDiscovery({ first: port + 1, last: Math.min(port + 50, 65_535) });
    const at = listener.port ?? 0;
    const idle = connect(at, '127.0.0.1');
    onTestFinished(() => void idle.destroy());
    await once(idle, 'connect');
    idle.resume();
    const over = once(idle, 'close');
    listener.close();
    await over;
    const again = await listenForDiscovery({ first: at, last: at });
    onTestFinished(() => again.close());
    expect(again.port).toBe(at);
  });
});
