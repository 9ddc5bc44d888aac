import { isLocalError, type LocalError } from '../../base/local-error.ts';
import { columns } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import {
  type Configuration,
  type Flags,
  loadConfiguration,
  type Origin,
} from '../../daemon/config/settings.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { bridgePlaces } from '../bridge-places.ts';
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
    'then from footbridge.toml, then from the built-in default. For a file that is not valid, the other three are shown',
    'beside the error.',
  ],
  examples: [
    ['footbridge config show', 'Every setting, and where it comes from'],
    ['footbridge config show --json', 'The same for a script'],
  ],
  async run({ values, json }, io) {
    const { configuration, fault } = await loadOrExplain(values, io);
    const { file, path, keys } = configuration;
    const running = (await bridgePlaces(io.env)) ?? null;
    if (json) printJson(io, { file, keys, ...(fault && { error: fault.message }), running });
    else {
      io.out(configurationText(configuration, fault));
      if (running?.config != null && running.config !== path)
        io.out(
          `The running bridge reads ${printable(running.config)} and stores in ${printable(running.data ?? 'no folder')}.\n`,
        );
    }
    if (fault !== undefined) throw fault;
    return ExitCode.OK;
  },
});

/**
 * Loads the configuration. For a file that is not valid, the settings are those of flags, variables and defaults beside
 * the fault. Throws any other fault.
 */
async function loadOrExplain(
  flags: Flags,
  { env }: Pick<Io, 'env'>,
): Promise<{ readonly configuration: Configuration; readonly fault?: LocalError }> {
  const folders = applicationFolders();
  try {
    return { configuration: await loadConfiguration(flags, env, folders) };
  } catch (fault) {
    if (!isLocalError(fault)) throw fault;
    // Fails again where the fault is not in the file.
    const configuration = await loadConfiguration(flags, env, folders, { withoutFile: true });
    return { configuration, fault };
  }
}

function configurationText({ keys, file, path }: Configuration, fault: LocalError | undefined): string {
  const rows = keys.map(({ key, value, origin, about }) => [
    key,
    JSON.stringify(value),
    originText(origin),
    about,
  ]);
  return `${columns([['KEY', 'VALUE', 'ORIGIN', 'MEANING'], ...rows])}\nFile: ${fault === undefined ? (file ?? 'none') : `${path} is not valid and not used`}\n`;
}

function originText(origin: Origin): string {
  if (origin.kind !== 'default') return `${origin.kind} ${origin.where}`;
  return origin.unless === undefined ? 'default' : `default; ${origin.unless}`;
}
