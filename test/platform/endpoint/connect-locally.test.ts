import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectLocally } from '../../../platform/endpoint/connect-locally.ts';
import { fullQueue } from '../../helpers/full-queue.ts';
import { listenOn, temporaryFolder } from '../../helpers/sockets.ts';

const place = (): string => join(temporaryFolder(), 's');

it('connectLocally connects to a server whose queue has room', async () => {
  const path = place();
  await listenOn({ path });
  (await connectLocally(path, AbortSignal.timeout(5000))).destroy();
});

it('connectLocally rejects with the error of the system', async () => {
  const signal = AbortSignal.timeout(5000);
  await expect(connectLocally(place(), signal)).rejects.toMatchObject({ code: 'ENOENT' });
});

it.skipIf(process.platform !== 'linux')(
  'connectLocally retries a server with a full queue until the queue has room (Linux only)',
  async () => {
    const path = place();
    const server = await fullQueue(path);
    const connected = connectLocally(path, AbortSignal.timeout(30_000));
    const early = await Promise.race([
      connected,
      new Promise((resolve) => setTimeout(resolve, 100, 'waits')),
    ]);
    expect(early).toBe('waits');
    server.goOn();
    (await connected).destroy();
  },
);

it.skipIf(process.platform !== 'linux')(
  'connectLocally rejects when its signal aborts (Linux only)',
  async () => {
    const path = place();
    await fullQueue(path);
    const giveUp = new AbortController();
    const connected = connectLocally(path, giveUp.signal);
    setTimeout(() => giveUp.abort(new Error('enough')), 50);
    await expect(connected).rejects.toThrow('enough');
  },
);
