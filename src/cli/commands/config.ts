import { defineCommand } from '../command.ts';
import type { Configuration, Origin } from '../config/settings.ts';
import { ExitCode } from '../exit-codes.ts';
import { columns } from '../style.ts';

/** `footbridge config show`. */
export const configShow = defineCommand({
  name: 'config show',
  summary: 'Print every setting, its value and where it comes from',
  options: { config: { type: 'string', value: 'FILE', help: 'read this configuration file' } },
  json: true,
  details: [
    'A setting is taken from the command line, then from FOOTBRIDGE_… variables (such as FOOTBRIDGE_HTTP_PORT),',
    'then from footbridge.toml, then from the built-in default.',
  ],
  async run({ values, json }, io) {
    const [{ loadConfiguration }, { applicationFolders }, { printJson }] = await Promise.all([
      import('../config/settings.ts'),
      import('../config/folders.ts'),
      import('../ask-daemon.ts'),
    ]);
    const configuration = await loadConfiguration(values, io.env, applicationFolders());
    if (json) printJson(io, { file: configuration.file, keys: configuration.keys });
    else io.out(configurationText(configuration));
    return ExitCode.OK;
  },
});

function configurationText({ keys, file }: Configuration): string {
  const rows = keys.map(({ key, value, origin }) => [key, JSON.stringify(value), originText(origin)]);
  return `${columns([['KEY', 'VALUE', 'ORIGIN'], ...rows])}\nFile: ${file ?? 'none'}\n`;
}

function originText(origin: Origin): string {
  return origin.kind === 'default' ? 'default' : `${origin.kind} ${origin.where}`;
}
