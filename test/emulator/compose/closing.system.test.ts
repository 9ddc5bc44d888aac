import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bundled } from '../../helpers/bundled.ts';
import { emulatorWorld } from '../../helpers/emulator-world.ts';
import { PENDING } from '../../helpers/pending-deadlines.ts';

const IN_AN_HOUR = 3_600_000;
/** The clock itself ends what has no service with a timer of its own. */
const LEFT_TO_THE_CLOCK = ['an identity that is merged'];

it.each(PENDING)('a closed emulator no longer waits for $name', async ({ name, begin }) => {
  const { emulator, clock } = await emulatorWorld();
  const before = clock.pending;
  await begin(emulator, new Date(clock.now() + IN_AN_HOUR).toISOString());
  expect(clock.pending).toBeGreaterThan(before);
  let left = Number.NaN;
  const close = emulator.clock.close.bind(emulator.clock);
  vi.spyOn(emulator.clock, 'close').mockImplementation(() => {
    left = clock.pending;
    close();
  });
  await emulator.close();
  expect(left).toBe(LEFT_TO_THE_CLOCK.includes(name) ? 1 : 0);
  expect(clock.pending).toBe(0);
  const state = emulator.exportState();
  clock.advance(100 * IN_AN_HOUR);
  expect(emulator.exportState()).toBe(state);
});

it('an emulator is closed once, however often close() is called', async () => {
  const { emulator } = await emulatorWorld();
  const close = vi.spyOn(emulator.clock, 'close');
  await Promise.all([emulator.close(), emulator.close()]);
  await emulator.close();
  expect(close).toHaveBeenCalledOnce();
});

it('a closed emulator does not wait for timers that are set afterwards', async () => {
  const { emulator, clock } = await emulatorWorld();
  await emulator.close();
  emulator.clock.setTimeout(() => expect.unreachable(), 1000);
  emulator.clock.at(clock.now() + 1000, () => expect.unreachable());
  expect(clock.pending).toBe(0);
});

it('a process whose emulator is closed with every kind of deadline pending exits by itself', async () => {
  const child = spawn(process.execPath, [bundled('closed-emulator')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  expect([await once(child, 'close'), printed]).toEqual([[0, null], 'closed']);
});
