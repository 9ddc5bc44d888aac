import { runBugreport } from '../bugreport/run-bugreport.ts';
import { defineCommand, textOption } from '../command.ts';

/** `footbridge bugreport`. */
export const bugreport = defineCommand({
  name: 'bugreport',
  summary: 'Write one file for a bug report, without secrets',
  group: 'bridge',
  options: {
    out: textOption('FILE', 'path of the new file (default: a new name in this folder)'),
    config: textOption('FILE', 'configuration file of the bridge'),
  },
  json: true,
  details: [
    'The file has the versions, the settings that differ from their default, the status, the result of doctor and the last',
    '100 lines of the log. It names no app, user or web page of the status; possible secrets are written as [hidden]. Its',
    'mode is 0600, and an existing file is never overwritten. Nothing is sent anywhere.',
  ],
  examples: [
    ['footbridge bugreport', 'A new file in this folder'],
    ['footbridge bugreport --out report.txt --json', 'With a name, for a script'],
  ],
  async run({ values, json }, io) {
    const { out: output, ...flags } = values;
    return runBugreport({ flags, output, json }, io);
  },
});
