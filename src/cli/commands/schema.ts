import { didYouMean } from '../../base/nearest.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import { version } from '../../daemon/version.ts';
import { defineCommand } from '../command.ts';
import { printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';

/** Name of the HTTP API, beside the names of commands and events. */
const OPENAPI = 'openapi';

/** `footbridge schema`. */
export const schema = defineCommand({
  name: 'schema',
  summary: 'Print every command and event as JSON Schema 2020-12, or the HTTP API as OpenAPI 3.1',
  group: 'develop',
  positionals: [
    { name: 'NAME', help: 'only this command or event, or openapi', arity: 'optional', completes: 'names' },
  ],
  json: true,
  details: ['openapi: what the emulator offers over HTTP, as an OpenAPI 3.1 document.'],
  examples: [
    ['footbridge schema SET_ACTIVITY', 'One command'],
    ['footbridge schema --json', 'All of them, on one line'],
    ['footbridge schema openapi --json', "The emulator's HTTP API"],
  ],
  async run({ positionals: [name] }, io) {
    if (name === OPENAPI) {
      const { platformDocument } = await import('../../emulator/compose/reference.ts');
      printJson(io, platformDocument(version()));
      return ExitCode.OK;
    }
    const { protocolSchema } = await import('../../protocol/reference.ts');
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
    const known = [OPENAPI, ...Object.keys(document.commands), ...Object.keys(document.events)];
    const quotedName = JSON.stringify(name.slice(0, 60));
    const hint = didYouMean(name, known) || ' "footbridge schema" prints all of them.';
    throw usage(`There is no command or event ${quotedName}.${hint}`, schema);
  },
});
