import { defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

interface Shown {
  readonly now: string;
  readonly frozen: boolean;
  readonly ahead_ms: number;
}

function said({ now, frozen, ahead_ms }: Shown): string {
  if (frozen) return `It is ${now}, and the clock stands.`;
  return ahead_ms === 0 ? `It is ${now}.` : `It is ${now}, by a clock that was set.`;
}

const TIME = 'ISO 8601 with a zone, such as 2030-01-31T12:00:00Z, or a day';
const DETAILS = [
  'Every time of the emulator comes from this clock: ids and timestamps, codes and tokens, what waits for a person, delays. Moved',
  'forward, all that is due on the way happens. A restart goes by the time of the machine again.',
];

/** `footbridge emulator clock now`. */
export const emulatorClockNow = defineCommand({
  name: 'emulator clock now',
  summary: 'Say what time it is in the emulator',
  group: 'emulator',
  json: true,
  details: DETAILS,
  examples: [
    ['footbridge emulator clock now --json', 'For a script, with how far it is ahead of the machine'],
  ],
  run({ json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'clock.now', args: {}, say: said });
  },
});

/** `footbridge emulator clock set TIME`. */
export const emulatorClockSet = defineCommand({
  name: 'emulator clock set',
  summary: 'Set the time of the emulator',
  group: 'emulator',
  positionals: [{ name: 'TIME', help: TIME, arity: 'one' }],
  json: true,
  details: DETAILS,
  examples: [['footbridge emulator clock set 2030-01-31T12:00:00Z', 'A day in the future']],
  run({ positionals: [to], json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'clock.set', args: { to }, say: said });
  },
});

/** `footbridge emulator clock advance DURATION`. */
export const emulatorClockAdvance = defineCommand({
  name: 'emulator clock advance',
  summary: 'Move the time of the emulator on',
  group: 'emulator',
  positionals: [{ name: 'DURATION', help: 'such as 90s, 2h, 1d12h or 500ms', arity: 'one' }],
  json: true,
  details: DETAILS,
  examples: [['footbridge emulator clock advance 7d', 'Until every access token is over']],
  run({ positionals: [by], json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'clock.advance', args: { by }, say: said });
  },
});

/** `footbridge emulator clock freeze`. */
export const emulatorClockFreeze = defineCommand({
  name: 'emulator clock freeze',
  summary: 'Stop the time of the emulator until it is moved',
  group: 'emulator',
  json: true,
  details: DETAILS,
  examples: [['footbridge emulator clock freeze', 'For timestamps that a test can know']],
  run({ json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'clock.freeze', args: {}, say: said });
  },
});

/** `footbridge emulator clock run`. */
export const emulatorClockRun = defineCommand({
  name: 'emulator clock run',
  summary: 'Let a stopped clock go on from where it stands',
  group: 'emulator',
  json: true,
  details: DETAILS,
  examples: [['footbridge emulator clock run', 'After a freeze']],
  run({ json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'clock.run', args: {}, say: said });
  },
});

/** `footbridge emulator clock reset`. */
export const emulatorClockReset = defineCommand({
  name: 'emulator clock reset',
  summary: 'Go by the time of the machine again',
  group: 'emulator',
  json: true,
  details: DETAILS,
  examples: [['footbridge emulator clock reset', 'Between two tests']],
  run({ json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'clock.reset', args: {}, say: said });
  },
});
