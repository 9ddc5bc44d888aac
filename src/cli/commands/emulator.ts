import { collect, readArgument } from '../../../platform/files/read-bounded.ts';
import { LocalError, systemCode } from '../../base/local-error.ts';
import { printableJson } from '../../base/text.ts';
import type { Io } from '../../daemon/io.ts';
import { changesText } from '../../emulator/compose/fixture/operations.ts';
import { defineCommand, flag } from '../command.ts';
import { daemonClient, printResult } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { changeEmulator } from './emulator-change.ts';

/** Maximum size of a patch (bytes): the limit of the control API. */
const MAX_PATCH_BYTES = 1024 * 1024;

/** `footbridge emulator apply PATCH.json`. */
export const emulatorApply = defineCommand({
  name: 'emulator apply',
  summary: 'Apply a patch to the emulator; every difference sends its events',
  group: 'emulator',
  positionals: [{ name: 'PATCH.json', help: 'file with the patch, - for stdin', arity: 'one' }],
  json: true,
  details: ['Lists merge by id; "remove": true takes an entry away. The keys are those of the fixture.'],
  examples: [
    [`echo '{"voice":{"mute":true}}' | footbridge emulator apply -`, 'From standard input'],
    ['footbridge emulator apply patch.json --json', 'From a file, with every change as JSON'],
  ],
  async run({ positionals: [path = '-'], json }, io) {
    return changeEmulator(io, json, {
      operation: 'emulator.apply',
      args: { patch: await readPatch(path, io) },
      describe: changesText,
    });
  },
});

/** `footbridge emulator show`. */
export const emulatorShow = defineCommand({
  name: 'emulator show',
  summary: "Print the emulator's state, or the built-in fixture when none runs",
  group: 'emulator',
  options: { toml: flag('as a fixture file') },
  json: true,
  examples: [
    ['footbridge emulator show --toml', 'As a fixture file, to begin one of your own'],
    ['footbridge emulator show --json', 'For a script'],
  ],
  async run({ values, json }, io) {
    if (json && values.toml === true) throw usage('--toml and --json exclude each other.', emulatorShow);
    const state = await currentState(io, values.toml === true ? 'toml' : 'json');
    return printResult(io, json, state, () =>
      typeof state === 'string' ? state : `${printableJson(state, 2)}\n`,
    );
  },
});

/**
 * Current state of the emulator: TOML text, or the state as an object. Without a daemon, the state of the built-in
 * fixture.
 */
async function currentState(io: Io, format: 'json' | 'toml'): Promise<unknown> {
  try {
    const state = await daemonClient(io).call('emulator.show', { format });
    return format === 'toml' ? (state as { readonly toml: string }).toml : state;
  } catch (error) {
    if (systemCode(error) !== 'FOOTBRIDGE_NO_DAEMON') throw error;
    io.err('No bridge runs here: this is the built-in fixture.\n');
    const { defaultFixture } = await import('../../emulator/compose/fixture/default.ts');
    if (format === 'json') return defaultFixture();
    const { fixtureToToml } = await import('../../emulator/compose/fixture/toml.ts');
    return fixtureToToml(defaultFixture());
  }
}

async function readPatch(path: string, io: Io): Promise<unknown> {
  const name = path === '-' ? 'stdin' : path;
  const text =
    path === '-' ? await collect(io.stdin, MAX_PATCH_BYTES, name) : await readArgument(path, MAX_PATCH_BYTES);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message quotes the patch, which may contain a client secret.
    throw new LocalError(
      'FOOTBRIDGE_INPUT',
      `${name}: the patch is not JSON. Give an object such as {"voice": {"mute": true}}.`,
    );
  }
}
