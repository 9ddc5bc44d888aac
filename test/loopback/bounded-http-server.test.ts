import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { BoundedHttpServer } from '../../src/loopback/bounded-http-server.ts';
import { limitConnections, withoutNodesTimes } from '../../src/loopback/connection-limit.ts';
import type { PeerRule } from '../../src/loopback/strangers.ts';
import { exchange } from '../helpers/web-bridge.ts';

const REQUEST = 'GET / HTTP/1.0\r\n\r\n';
const STRANGER = 'the peer belongs to uid 7';

/** A server with 8 places whose peers are strangers as `isStranger` says; it answers every request. */
async function open(isStranger: () => boolean | Promise<boolean>, rule: Partial<PeerRule> = {}) {
  const refused: string[] = [];
  const paths: string[] = [];
  const door = new BoundedHttpServer(
    () => {
      const server = createServer(withoutNodesTimes, (request, response) => {
        paths.push(request.url ?? '');
        response.end('served');
      });
      limitConnections(server, { slots: 8, receiveMs: 600_000 });
      return server;
    },
    {
      refusedOwner: async () => ((await isStranger()) ? STRANGER : undefined),
      unidentified: 8,
      refusal: 404,
      onRefused: (reason) => void refused.push(reason),
      ...rule,
    },
  );
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  onTestFinished(() => {
    door.close();
    door.closeAllConnections();
  });
  return { port: (door.address() as AddressInfo).port, refused, paths };
}

async function silent(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket.resume();
}

it('the server serves its own user, including bytes sent before the owner was known', async () => {
  const { port, paths } = await open(() => new Promise((resolve) => setTimeout(resolve, 50, false)));
  expect(await exchange(port, REQUEST)).toContain('served');
  expect(paths).toEqual(['/']);
});

it('the server answers another user with a constant, and passes none of the bytes to HTTP', async () => {
  const { port, refused, paths } = await open(() => true, { refusal: 403, refusalText: 'not yours' });
  const constant = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 9\r\nConnection: close\r\n\r\nnot yours';
  for (const request of [REQUEST, 'CONNECT x:1 HTTP/1.1\r\n\r\n', '\0', 'x'.repeat(100_000)])
    expect(await exchange(port, request)).toBe(constant);
  expect(refused).toEqual(Array(4).fill(STRANGER));
  expect(paths).toEqual([]);
});

it('the server reports no other user that connects and leaves', async () => {
  let looks = 0;
  const { port, refused } = await open(() => {
    looks += 1;
    return true;
  });
  const visitor = await silent(port);
  const closed = once(visitor, 'close');
  visitor.end();
  await closed;
  expect(looks).toBe(1);
  expect(refused).toEqual([]);
});

it('the server leaves the connections of its own user open when other users flood it', async () => {
  let looks = 0;
  const { port } = await open(() => {
    looks += 1;
    return looks > 8;
  });
  const own = await Promise.all(Array.from({ length: 8 }, () => silent(port)));
  await expect.poll(() => looks).toBe(8);
  const strangers = await Promise.all(Array.from({ length: 100 }, () => silent(port)));
  await expect.poll(() => strangers.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(16);
  expect(own.map(({ closed }) => closed)).toEqual(Array(8).fill(false));
});

it('the server closes any connection of a crowd that is still being looked up, to admit its own user', async () => {
  const waiting: ((isStranger: boolean) => void)[] = [];
  const { port, paths } = await open(() => new Promise((resolve) => void waiting.push(resolve)));
  const crowd: Socket[] = [];
  for (let n = 1; n <= 8; n++) {
    crowd.push(await silent(port));
    await expect.poll(() => waiting.length).toBe(n);
  }
  const answered = exchange(port, REQUEST);
  await expect.poll(() => waiting.length).toBe(9);
  await expect.poll(() => crowd.filter(({ closed }) => closed).length).toBe(1);
  waiting[8]?.(false);
  expect(await answered).toContain('served');
  // The look-up of who made room comes too late.
  waiting[crowd.findIndex(({ closed }) => closed)]?.(false);
  for (const answer of waiting) answer(true);
  expect(paths).toEqual(['/']);
});

it('the server serves its own user when connections arrive faster than they are looked up', async () => {
  // The first to be dropped would each time be the oldest: with that nobody lasts until the look-up of 24 ends.
  const waiting: (() => void)[] = [];
  const { port, paths } = await open(() => new Promise((resolve) => void waiting.push(() => resolve(false))));
  const chosen = vi.spyOn(Math, 'random').mockReturnValue(0.99);
  onTestFinished(() => chosen.mockRestore());
  const own = exchange(port, REQUEST);
  await expect.poll(() => waiting.length).toBe(1);
  for (let n = 2; n <= 25; n++) {
    await silent(port);
    await expect.poll(() => waiting.length).toBe(n);
  }
  waiting[0]?.();
  expect(await own).toContain('served');
  expect(paths).toEqual(['/']);
});

it('the server refuses a connection whose look-up fails', async () => {
  const { port, refused } = await open(() => Promise.reject(new Error('no table')));
  expect(await exchange(port, REQUEST)).toContain('404');
  expect(refused).toEqual(['the look-up of its owner failed']);
});

it('the server survives peers that reset the connection at any moment', async () => {
  let strange = true;
  const { port } = await open(async () => {
    strange = !strange;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return strange;
  });
  for (let i = 0; i < 20; i++) {
    const socket = await silent(port);
    socket.write(REQUEST);
    socket.resetAndDestroy();
  }
  strange = true;
  await expect.poll(() => exchange(port, REQUEST)).toContain('served');
});
