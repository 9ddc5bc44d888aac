import { defineCommand } from '../command.ts';
import { runDoctor } from '../doctor/doctor.ts';

/** `footbridge doctor`. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Find out why apps cannot reach the bridge',
  group: 'bridge',
  options: {
    fix: { type: 'boolean', help: 'repair what is safe to repair: stale sockets, and modes of own folders' },
    strict: { type: 'boolean', help: 'end with 1 when there are warnings' },
    config: { type: 'string', value: 'FILE', help: 'the configuration file the bridge is started with' },
  },
  json: true,
  details: [
    'Each check is ok, warning, failed or not applicable, with its evidence and a remedy. The checks change nothing;',
    '--fix prints each repair, and never touches a live socket or a link. Ends with 2 when a check failed.',
  ],
  examples: [
    ['footbridge doctor', 'Why do apps not find it?'],
    ['footbridge doctor --fix', 'Repair what is safe to repair'],
    ['footbridge doctor --strict --json', 'For a script: a warning is a failure'],
  ],
  async run({ values, json }, io) {
    const { fix, strict, ...flags } = values;
    return runDoctor({ flags, fix: fix === true, strict: strict === true, json }, io);
  },
});
