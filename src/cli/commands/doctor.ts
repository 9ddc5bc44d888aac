import { styleFor } from '../../base/style.ts';
import { withCallableCommands } from '../../daemon/called-as.ts';
import type { Io } from '../../daemon/io.ts';
import { defineCommand, flag, textOption } from '../command.ts';
import { printResult } from '../daemon-client.ts';
import { runDoctor } from '../doctor/doctor.ts';
import { pageIds, pageOf, pageText } from '../doctor/explain.ts';
import { usage } from '../parse.ts';

/** `footbridge doctor`. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Find out why apps cannot reach the bridge',
  group: 'bridge',
  options: {
    fix: flag('repair what is safe to repair: stale sockets, and modes of own folders'),
    strict: flag('end with 1 when there are warnings'),
    explain: textOption('ID', 'print the page of one finding instead: its meaning, and what to do', {
      completes: pageIds,
    }),
    config: textOption('FILE', 'configuration file of the bridge'),
  },
  json: true,
  details: [
    'Each check is ok, warning, failed or not applicable, with its evidence and a remedy. The checks change nothing;',
    '--fix prints each repair, and never touches a live socket or a link. Ends with 2 when a check failed.',
    'Each check has an id, such as endpoints; --explain ID prints its page.',
  ],
  examples: [
    ['footbridge doctor', 'Why do apps not find it?'],
    ['footbridge doctor --fix', 'Repair what is safe to repair'],
    ['footbridge doctor --explain endpoints', 'What a finding means'],
    ['footbridge doctor --strict --json', 'For a script: a warning is a failure'],
  ],
  async run({ values, json }, io) {
    const { fix, strict, explain, ...flags } = values;
    if (explain !== undefined) {
      if (Object.keys(values).length > 1)
        throw usage('--explain prints a page and checks nothing. Give it alone.', { name: 'doctor' });
      return printPage(explain, json, io);
    }
    return runDoctor({ flags, fix: fix === true, strict: strict === true, json }, io);
  },
});

function printPage(id: string, json: boolean, io: Io): number {
  const page = pageOf(id);
  return printResult(io, json, page, () =>
    withCallableCommands(pageText(page, styleFor(io.colour.out)), io.env),
  );
}
