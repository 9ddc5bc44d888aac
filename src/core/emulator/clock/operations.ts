import * as z from 'zod';
import { advanceClock, setClock } from '../../../emulator/applications/webhooks/clock-moves.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { parseDuration, parseMoment } from '../../../emulator/kernel/time-text.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';

const none = () => z.object({});

/** What a person can do to the time of the emulator; each answers what the clock shows then. */
export function clockOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  const { clock } = emulator;
  const move = (summary: string, change: () => void) =>
    defineOperation({
      summary,
      args: none,
      run: () => {
        change();
        return clock.status();
      },
    });
  return {
    'clock.now': move('The time of the emulator', () => {}),
    'clock.set': defineOperation({
      summary: 'Set the time of the emulator; whatever is due until then happens',
      args: () => z.object({ to: z.string() }),
      run: async ({ to }) => {
        await setClock(emulator, parseMoment(to));
        return clock.status();
      },
    }),
    'clock.advance': defineOperation({
      summary: 'Move the time of the emulator on, such as 2h; whatever is due on the way happens',
      args: () => z.object({ by: z.string() }),
      run: async ({ by }) => {
        await advanceClock(emulator, parseDuration(by));
        return clock.status();
      },
    }),
    'clock.freeze': move('Stop the time of the emulator', () => clock.freeze()),
    'clock.run': move('Let the time of the emulator go on from where it stands', () => clock.run()),
    'clock.reset': move('Go by the time of the machine again', () => clock.reset()),
  };
}
