import * as z from 'zod';
import type { OperatorCommand } from '../../../base/operator-command.ts';
import { noArgs, operatorOperationsFor } from '../../api/operator.ts';
import type { EmulatorClock } from '../../kernel/clock.ts';
import { parseDuration, parseMoment } from '../../kernel/time-text.ts';
import { advanceClock, type Moved, setClock, skipToNext } from './clock-moves.ts';

const operation = operatorOperationsFor<Moved & { readonly clock: EmulatorClock }>();

const status = () =>
  z.object({
    /** ISO 8601. */
    now: z.string(),
    frozen: z.boolean(),
    /** Time by which the emulator's clock is ahead of the machine's clock. */
    ahead_ms: z.number(),
  });

function statusText({ now, frozen, ahead_ms }: z.output<ReturnType<typeof status>>): string {
  if (frozen) return `It is ${now}, and the clock stands.`;
  return ahead_ms === 0 ? `It is ${now}.` : `It is ${now}, by a clock that was set.`;
}

const TIME = 'ISO 8601 with a zone, such as 2030-01-31T12:00:00Z, or a day';
const DETAILS = [
  'Every time of the emulator comes from this clock: ids and timestamps, codes and tokens, waiting requests, delays. When it is',
  'moved forward, everything due until then happens. A restart uses the time of the machine again.',
];

/** Declares an operation without arguments that changes the clock and returns its status. */
function move<const Name extends string>(
  name: Name,
  summary: string,
  command: Pick<OperatorCommand, 'summary' | 'examples'> & { readonly summary: string },
  change: (clock: EmulatorClock) => void,
) {
  return operation({
    name,
    summary,
    args: noArgs,
    result: status,
    command: { name: name.replace('.', ' '), details: DETAILS, resultText: statusText, ...command },
    run: async ({ clock }) => {
      await clock.ask(() => change(clock));
      return clock.status();
    },
  });
}

/** Operator operations on the clock; each returns the clock's status. */
export const clockOperations = [
  move(
    'clock.now',
    'The time of the emulator',
    {
      summary: 'Print the time of the emulator',
      examples: [['clock now --json', 'For a script, with its difference from the machine’s clock']],
    },
    () => {},
  ),
  operation({
    name: 'clock.set',
    summary: 'Set the time of the emulator; everything due until then happens',
    about: '`to` is in ISO 8601.',
    args: () => z.object({ to: z.string() }),
    result: status,
    command: {
      name: 'clock set',
      summary: 'Set the time of the emulator',
      syntax: { to: { name: 'TIME', help: TIME } },
      details: DETAILS,
      examples: [['clock set 2030-01-31T12:00:00Z', 'A day in the future']],
      resultText: statusText,
    },
    run: async (emulator, { to }) => {
      await emulator.clock.ask(() => setClock(emulator, parseMoment(to)));
      return emulator.clock.status();
    },
  }),
  operation({
    name: 'clock.advance',
    summary: 'Advance the time of the emulator, such as by 2h; everything due until then happens',
    about: '`by` is a duration such as `2h`, `1d12h` or `500ms`.',
    args: () => z.object({ by: z.string() }),
    result: status,
    command: {
      name: 'clock advance',
      summary: 'Advance the time of the emulator',
      syntax: { by: { name: 'DURATION', help: 'such as 90s, 2h, 1d12h or 500ms' } },
      details: DETAILS,
      examples: [['clock advance 7d', 'Until every access token has expired']],
      resultText: statusText,
    },
    run: async (emulator, { by }) => {
      await emulator.clock.ask(() => advanceClock(emulator, parseDuration(by)));
      return emulator.clock.status();
    },
  }),
  move(
    'clock.freeze',
    'Stop the time of the emulator',
    {
      summary: 'Stop the time of the emulator until it is moved',
      examples: [['clock freeze', 'For predictable timestamps in a test: first freeze, then set']],
    },
    (clock) => clock.freeze(),
  ),
  move(
    'clock.run',
    'Let the time of the emulator continue',
    {
      summary: 'Let a stopped clock continue',
      examples: [['clock run', 'After a freeze']],
    },
    (clock) => clock.run(),
  ),
  operation({
    name: 'clock.skip',
    summary: 'Advance the time of the emulator to the next thing that is due within a duration',
    about:
      'Tests call it while they wait, so that no test sleeps. `skipped_ms` is 0 where nothing is due within that time, and while the ' +
      'clock is frozen or locked.',
    args: () => z.object({ within: z.string() }),
    result: () => z.object({ ...status().shape, skipped_ms: z.number() }),
    run: async (emulator, { within }) => {
      const skipped = await skipToNext(emulator, parseDuration(within));
      return { ...emulator.clock.status(), skipped_ms: skipped };
    },
  }),
  move(
    'clock.lock',
    'Let tests that wait skip no time',
    {
      summary: 'Let tests that wait skip no time',
      examples: [['clock lock', 'Before a wait that has to take its real time']],
    },
    (clock) => {
      clock.isLocked = true;
    },
  ),
  move(
    'clock.unlock',
    'Let tests that wait skip time again',
    {
      summary: 'Let tests that wait skip time again',
      examples: [['clock unlock', 'After a clock lock']],
    },
    (clock) => {
      clock.isLocked = false;
    },
  ),
  move(
    'clock.reset',
    'Use the time of the machine again',
    { summary: 'Use the time of the machine again', examples: [['clock reset', 'Between two tests']] },
    (clock) => clock.reset(),
  ),
] as const;
