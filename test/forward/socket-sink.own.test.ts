import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { socketSink } from '../../src/forward/socket-sink.ts';
import { listenOn, temporaryFolder } from '../helpers/sockets.ts';
import { RecordingPeer } from './link/two-links.ts';

/** A sink that has all its connections at a bridge that answers nothing by itself, and one app more. */
async function busySink() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(temporaryFolder(), 's');
  const accepted: Socket[] = [];
  await listenOn({ path }, (socket) => void accepted.push(socket));
  const sink = socketSink(async () => path);
  const apps = Array.from({ length: 65 }, () => new RecordingPeer());
  for (const app of apps) sink.connect(app, 7);
  const connections = async (count: number): Promise<void> => {
    while (accepted.length < count) await new Promise(setImmediate);
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect(accepted).toHaveLength(count);
  };
  await connections(64);
  return { apps, accepted, connections };
}

it('a socket sink counts a connection as being made until the bridge answers, whose own queue has one order for all', async () => {
  const { accepted, connections } = await busySink();
  accepted[0]?.write('answer');
  await connections(65);
});

it('a socket sink does not wait for apps that say nothing, or for a bridge that does not answer', async () => {
  const { apps, connections } = await busySink();
  apps[0]?.partner?.send(Buffer.from('hello'));
  await vi.advanceTimersByTimeAsync(100);
  await connections(65);
});
