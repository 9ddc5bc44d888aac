import { didYouMean } from '../../../platform/nearest.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import { printJson } from '../ask-daemon.ts';
import { defineCommand } from '../command.ts';
import { usage } from '../parse.ts';

/** `footbridge schema`. */
export const schema = defineCommand({
  name: 'schema',
  summary: 'Print every command and event as JSON Schema 2020-12',
  group: 'develop',
  positionals: [{ name: 'NAME', help: 'only this command or event', arity: 'optional', completes: 'names' }],
  json: true,
  examples: [
    ['footbridge schema SET_ACTIVITY', 'One command'],
    ['footbridge schema --json', 'All of them, on one line'],
  ],
  async run({ positionals: [name] }, io) {
    const { reference } = await import('../bridge.ts');
    const { protocolSchema } = await reference();
    const document = protocolSchema();
    if (name === undefined) {
      printJson(io, document);
      return ExitCode.OK;
    }
    for (const table of [document.commands, document.events] as const) {
      if (!Object.hasOwn(table, name)) continue;
      printJson(io, table[name]);
      return ExitCode.OK;
    }
    const known = [...Object.keys(document.commands), ...Object.keys(document.events)];
    const shown = JSON.stringify(name.slice(0, 60));
    throw usage(`There is no command or event ${shown}.${didYouMean(name, known)}`, schema);
  },
});
