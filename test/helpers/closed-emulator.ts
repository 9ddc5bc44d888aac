// A program that starts an emulator, begins everything that comes due by its clock, closes it, and ends when nothing waits any
// longer. The timers of its clock keep the process alive.
import { createEmulator } from '../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { PENDING } from './pending-deadlines.ts';

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(callback: () => void, ms: number): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const at = new Date(Date.now() + 7 * 86_400_000).toISOString();
const emulator = await createEmulator({ fixture: defaultFixture(), clock });
for (const { begin } of PENDING) await begin(emulator, at);
await emulator.close();
process.stdout.write('closed');
