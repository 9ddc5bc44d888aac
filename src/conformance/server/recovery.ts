import { existsSync } from 'node:fs';
import { verify } from '../failure.ts';
import { OPCODES } from '../tables.ts';
import { sleep } from '../target/launch.ts';
import { frameBytes } from '../wire/frame.ts';
import { exclusiveCase, type ServerCase } from './case.ts';

const exclusive = exclusiveCase();

/** Cases about the state after the server went away, and about its return. */
export const recoveryCases: readonly ServerCase[] = [
  exclusive('recovery/1', 'killed and started again, it serves on the same index', async (lab) => {
    const first = await lab.start();
    await lab.app(first.path);
    await first.process.kill();
    const second = await lab.start();
    verify(second.path === first.path, first.path, second.path);
    const app = await lab.app(second.path);
    await app.succeed('SET_ACTIVITY', { pid: 4242 });
  }),
  exclusive('recovery/2', 'killed amid 20 sessions and half a frame, it comes back', async (lab) => {
    const first = await lab.start();
    const apps = await Promise.all(Array.from({ length: 20 }, () => lab.app(first.path)));
    const frame = frameBytes(OPCODES.FRAME, '{"cmd":"SET_ACTIVITY","args":{"pid":4242},"nonce":"half"}');
    for (const app of apps) await app.connection.write(frame.subarray(0, 30));
    await first.process.kill();
    await Promise.all(apps.map((app) => app.ended()));
    const second = await lab.start();
    verify(second.path === first.path, first.path, second.path);
    const app = await lab.app(second.path);
    await app.succeed('SET_ACTIVITY', { pid: 4242 });
  }),
  exclusive('recovery/3', 'stopped and started again, it serves', async (lab) => {
    const first = await lab.start();
    const app = await lab.app(first.path);
    await lab.stop(first);
    await app.ended();
    const second = await lab.start();
    verify(second.path === lab.path(0), lab.path(0), second.path);
    await lab.app(second.path);
  }),
  exclusive('recovery/4', 'sessions get CLOSE when it stops', async (lab) => {
    const instance = await lab.start();
    const app = await lab.app(instance.path);
    instance.process.signal('SIGTERM');
    await app.close([1000], lab.settings.timeouts.stopMs);
  }),
  exclusive('recovery/5', 'it stops in time although an app never reads', async (lab) => {
    const instance = await lab.start();
    const mute = await lab.app(instance.path);
    mute.connection.pause();
    const pings = Array.from({ length: 500 }, () =>
      frameBytes(OPCODES.PING, JSON.stringify('x'.repeat(500))),
    );
    // The write is not awaited to its end, because a server may stop reading the PINGs.
    await Promise.race([mute.connection.write(Buffer.concat(pings)), sleep(500)]);
    await lab.stop(instance);
    verify(!existsSync(instance.path), 'no socket file afterwards', 'it is still there');
  }),
  exclusiveCase({ profile: 'full' })(
    'recovery/6',
    'a session after the restart starts from nothing',
    async (lab) => {
      const first = await lab.start();
      const before = await lab.app(first.path);
      await before.succeed('SUBSCRIBE', {}, { evt: 'CURRENT_USER_UPDATE' });
      await lab.stop(first);
      const second = await lab.start();
      const after = await lab.app(second.path);
      await after.noEvent('CURRENT_USER_UPDATE');
    },
  ),
];
