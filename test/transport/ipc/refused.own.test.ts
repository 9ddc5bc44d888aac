import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection, ConnectionListener } from '../../../src/wire/connection.ts';
import { testTransport } from '../../helpers/ipc-bridge.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

// Without its timer, a refused connection ends only when the transport drops it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether the connection has ended; a connection that lingers does not call its listener. */
async function hasEnded(connection: Connection): Promise<boolean> {
  let ended = false;
  const listener: Partial<ConnectionListener> = {
    ended() {
      ended = true;
    },
  };
  connection.start(listener as ConnectionListener);
  await turn();
  return ended;
}

it('a refused connection lingers, unless 256 others were refused since', async () => {
  const folder = temporaryFolder();
  const transport = testTransport(folder);
  onTestFinished(() => transport.close());
  const connections: Connection[] = [];
  const [endpoint] = await transport.listen((connection) => void connections.push(connection));
  const path = endpoint?.kind === 'ipc' ? endpoint.path : join(folder, 'none');
  for (let count = 1; count <= 258; count += 1) {
    await rawPeer(path);
    while (connections.length < count) await turn();
    connections.at(-1)?.close(1006, 'full');
  }
  for (let turns = 0; turns < 20; turns += 1) await turn();
  const ended = await Promise.all(connections.map(hasEnded));
  expect(ended).toEqual(connections.map((_, index) => index < 2));
});
