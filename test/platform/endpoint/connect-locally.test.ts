import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectLocally } from '../../../platform/endpoint/connect-locally.ts';
import { fullQueue } from '../../helpers/full-queue.ts';
import { listenOn, temporaryFolder } from '../../helpers/sockets.ts';

const place = (): string => join(temporaryFolder(), 's');

it('connects to a server that has room', async () => {
  const path = place();
  await listenOn({ path });
  (await connectLocally(path, AbortSignal.timeout(5000))).destroy();
});

it('rejects with what the system says', async () => {
  const signal = AbortSignal.timeout(5000);
  await expect(connectLocally(place(), signal)).rejects.toMatchObject({ code: 'ENOENT' });
});

it.skipIf(process.platform !== 'linux')(
  'tries a server whose queue is full until there is room (skipped: a full queue is not EAGAIN here)',
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
  'gives up when the signal says so (skipped: a full queue is not EAGAIN here)',
  async () => {
    const path = place();
    await fullQueue(path);
    const giveUp = new AbortController();
    const connected = connectLocally(path, giveUp.signal);
    setTimeout(() => giveUp.abort(new Error('enough')), 50);
    await expect(connected).rejects.toThrow('enough');
  },
);
