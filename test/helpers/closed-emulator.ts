// A program that starts an emulator with an open poll, closes it, and ends when nothing waits any longer. The timers of its
// clock keep the process alive.
import { createEmulator } from '../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { openPoll } from './open-poll.ts';
import { patch } from './patched.ts';

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(callback: () => void, ms: number): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const expiry = new Date(Date.now() + 7 * 86_400_000).toISOString();
const { fixture } = patch(defaultFixture(), { messages: [openPoll(expiry)] });
const emulator = await createEmulator({ fixture, clock });
await emulator.close();
process.stdout.write('closed');
