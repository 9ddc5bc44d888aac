import { isLocalError, type LocalError } from '../../base/local-error.ts';
import { columns } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import { withoutSettings } from '../../daemon/config/check-variables.ts';
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
import { defineCommand, textOption } from '../command.ts';
import { printJson } from '../daemon-client.ts';

/** `footbridge config show`. */
export const configShow = defineCommand({
  name: 'config show',
  summary: 'Print every setting, its value, where it comes from and what it is for',
  group: 'setup',
  options: { config: textOption('FILE', 'configuration file of the bridge') },
  json: true,
  details: [
    'A setting is taken from the command line, then from FOOTBRIDGE_… variables (such as FOOTBRIDGE_HTTP_PORT),',
    'then from footbridge.toml, then from the built-in default. Where the file or a variable is not valid, the others are',
    'shown beside the error.',
  ],
  examples: [
    ['footbridge config show', 'Every setting, and where it comes from'],
    ['footbridge config show --json', 'The same for a script'],
  ],
  async run({ values, json }, io) {
    const { configuration, fault, unused } = await loadOrExplain(values, io);
    const { file, path, keys } = configuration;
    const running = (await bridgePlaces(io.env)) ?? null;
    if (json) printJson(io, { file, keys, ...(fault && { error: fault.message }), running });
    else {
      io.out(configurationText(configuration, unused));
      if (running?.config != null && running.config !== path)
        io.out(
          `The running bridge reads ${printable(running.config)} and stores in ${printable(running.data ?? 'no folder')}.\n`,
        );
    }
    if (fault !== undefined) throw fault;
    return ExitCode.OK;
  },
});

/** Source of settings that is left out, because something in it is not valid. */
type Unused = 'file' | 'variables';

/** Sources that are left out, in the order in which they are tried. */
const UNUSED: readonly (readonly Unused[])[] = [['file'], ['variables'], ['file', 'variables']];

/**
 * Loads the configuration. Where the file or a variable is not valid, the settings are those of the other sources, beside
 * the fault. Throws any other fault.
 */
async function loadOrExplain(
  flags: Flags,
  { env }: Pick<Io, 'env'>,
): Promise<{
  readonly configuration: Configuration;
  readonly fault?: LocalError;
  readonly unused: readonly Unused[];
}> {
  const load = (unused: readonly Unused[]): Promise<Configuration> =>
    loadConfiguration(
      flags,
      unused.includes('variables') ? withoutSettings(env) : env,
      applicationFolders(),
      { withoutFile: unused.includes('file') },
    );
  try {
    return { configuration: await load([]), unused: [] };
  } catch (fault) {
    if (!isLocalError(fault)) throw fault;
    for (const unused of UNUSED) {
      const configuration = await load(unused).catch(() => undefined);
      if (configuration !== undefined) return { configuration, fault, unused };
    }
    throw fault;
  }
}

/** Maximum width of a column (characters), which the list of endpoints exceeds. */
const WIDEST = 60;

function configurationText({ keys, file, path }: Configuration, unused: readonly Unused[]): string {
  const rows = keys.map(({ key, value, origin, about }) => [
    key,
    JSON.stringify(value),
    originText(origin),
    about,
  ]);
  const lines = [
    `File: ${unused.includes('file') ? `${path} is not valid and not used` : (file ?? 'none')}`,
    ...(unused.includes('variables') ? ['Variables: FOOTBRIDGE_… are not valid and not used'] : []),
  ];
  return `${columns([['KEY', 'VALUE', 'ORIGIN', 'MEANING'], ...rows], WIDEST)}\n${lines.join('\n')}\n`;
}

function originText(origin: Origin): string {
  if (origin.kind !== 'default') return `${origin.kind} ${origin.where}`;
  return origin.unless === undefined ? 'default' : `default; ${origin.unless}`;
}
