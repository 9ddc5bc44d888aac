import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/testing/testing.ts';
import { chromiumMissing } from '../helpers/chromium.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const missing = chromiumMissing();
/** A message of the built-in fixture. */
const MESSAGE = '600000000000000003';
const TIME = '2030-01-01T13:00:00.000Z';

it.skipIf(missing !== undefined)(
  `a bridge that draws nothing itself gets the same picture by a browser of the command${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 120_000 },
  async () => {
    const daemon = await startDaemon({ env: { PATH: process.env['PATH'] ?? '' } });
    onTestFinished(async () => void (await daemon.stop()));
    const bridge = await startEmulator();
    onTestFinished(() => bridge.close());
    await bridge.clock.set(new Date(TIME));
    await bridge.clock.freeze();
    const clock = await daemon.json('emulator', 'clock', 'set', TIME);
    expect(clock).toMatchObject({ now: expect.stringMatching(/^2030-01-01T13:00/) as string });
    const file = join(temporaryFolder(), 'keys.png');
    expect(await daemon.json('emulator', 'picture', MESSAGE, file)).toMatchObject({ file, width: 600 });
    expect(readFileSync(file).equals(await bridge.picture(MESSAGE))).toBe(true);
  },
);
