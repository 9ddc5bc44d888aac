import { columns } from '../../base/style.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import { type Configuration, loadConfiguration, type Origin } from '../../daemon/config/settings.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { printJson } from '../daemon-client.ts';

/** `footbridge config show`. */
export const configShow = defineCommand({
  name: 'config show',
  summary: 'Print every setting, its value, where it comes from and what it is for',
  group: 'setup',
  options: { config: { type: 'string', value: 'FILE', help: 'configuration file of the bridge' } },
  json: true,
  details: [
    'A setting is taken from the command line, then from FOOTBRIDGE_… variables (such as FOOTBRIDGE_HTTP_PORT),',
    'then from footbridge.toml, then from the built-in default.',
  ],
  examples: [
    ['footbridge config show', 'Every setting, and where it comes from'],
    ['footbridge config show --json', 'The same for a script'],
  ],
  async run({ values, json }, io) {
    const configuration = await loadConfiguration(values, io.env, applicationFolders());
    if (json) printJson(io, { file: configuration.file, keys: configuration.keys });
    else io.out(configurationText(configuration));
    return ExitCode.OK;
  },
});

function configurationText({ keys, file }: Configuration): string {
  const rows = keys.map(({ key, value, origin, about }) => [
    key,
    JSON.stringify(value),
    originText(origin),
    about,
  ]);
  return `${columns([['KEY', 'VALUE', 'ORIGIN', 'MEANING'], ...rows])}\nFile: ${file ?? 'none'}\n`;
}

function originText(origin: Origin): string {
  if (origin.kind !== 'default') return `${origin.kind} ${origin.where}`;
  return origin.unless === undefined ? 'default' : `default; ${origin.unless}`;
}
