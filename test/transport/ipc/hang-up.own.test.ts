import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hangUp } from '../../../src/transport/ipc/hang-up.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Both ends of a connection. */
async function pair(): Promise<{ ours: Socket; peer: Socket }> {
  const server: Server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const peer = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true });
  const [ours] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    for (const socket of [ours, peer]) socket.destroy();
    server.close();
  });
  return { ours, peer };
}

describe('hangUp', () => {
  it('delivers the written bytes, and leaves no timer', async () => {
    const { ours, peer } = await pair();
    let text = '';
    peer.on('data', (data) => {
      text += String(data);
    });
    const ended = once(peer, 'end');
    ours.write('goodbye');
    await hangUp([ours]);
    await ended;
    expect([text, ours.destroyed, vi.getTimerCount()]).toEqual(['goodbye', true, 0]);
  });
  it('waits at most a second for a peer that does not read', async () => {
    const { ours } = await pair();
    ours.on('error', () => {});
    while (ours.write(Buffer.alloc(1 << 20)));
    ours.write(Buffer.alloc(1 << 24));
    let isOver = false;
    const over = hangUp([ours]).then(() => {
      isOver = true;
    });
    vi.advanceTimersByTime(999);
    await new Promise((resolve) => setImmediate(resolve));
    expect([isOver, ours.destroyed]).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    await over;
    expect(ours.destroyed).toBe(true);
  });
  it('waits for nothing when every socket is closed already', async () => {
    const { ours } = await pair();
    ours.destroy();
    await once(ours, 'close');
    await hangUp([ours]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
