import { collect, readArgument } from '../../../platform/files/read-bounded.ts';
import { LocalError, systemCode } from '../../base/local-error.ts';
import { printable, printableJson } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { askDaemon, printJson } from '../ask-daemon.ts';
import { defineCommand } from '../command.ts';
import { usage } from '../parse.ts';

/** A patch is bounded by what the control API takes. */
const MAX_PATCH_BYTES = 1024 * 1024;

/** `footbridge emulator voice set KEY VALUE`. */
export const emulatorVoiceSet = defineCommand({
  name: 'emulator voice set',
  summary: 'Change one voice setting of the emulator',
  group: 'emulator',
  positionals: [
    { name: 'KEY', help: 'such as mute, input.volume or mode.type', arity: 'one', completes: 'voice-keys' },
    { name: 'VALUE', help: 'such as true, 55 or PUSH_TO_TALK', arity: 'one' },
  ],
  json: true,
  examples: [
    ['footbridge emulator voice set mute true', 'Every app that listens is told'],
    ['footbridge emulator voice set input.volume 55', 'A volume'],
    ['footbridge emulator voice set mode.type PUSH_TO_TALK', 'Another mode'],
  ],
  run({ positionals: [key, value], json }, io) {
    return change(io, json, 'voice.set', { key, value });
  },
});

/** `footbridge emulator guild set ID name|icon VALUE`. */
export const emulatorGuildSet = defineCommand({
  name: 'emulator guild set',
  summary: "Change a guild's name or icon",
  group: 'emulator',
  positionals: [
    { name: 'ID', help: 'id of the guild', arity: 'one', completes: 'guilds' },
    { name: 'name|icon', help: 'what to change', arity: 'one', choices: ['name', 'icon'] },
    {
      name: 'VALUE',
      help: 'the new name, or the address of the new icon ("" for none)',
      arity: 'one',
      mayBeEmpty: true,
    },
  ],
  json: true,
  examples: [
    ["footbridge emulator guild set 400000000000000001 name 'Other Bank'", 'Another name'],
    ["footbridge emulator guild set 400000000000000001 icon ''", 'No icon'],
  ],
  run({ positionals: [id, field, value], json }, io) {
    return change(io, json, 'guild.set', { id, field, value });
  },
});

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
    return change(io, json, 'emulator.apply', { patch: await readPatch(path, io) });
  },
});

/** `footbridge emulator reset`. */
export const emulatorReset = defineCommand({
  name: 'emulator reset',
  summary:
    'Take the emulator back to its fixture; what was applied since goes, grants and tokens of what is left stay',
  group: 'emulator',
  json: true,
  examples: [['footbridge emulator reset', 'Between two tests']],
  run({ json }, io) {
    return change(io, json, 'emulator.reset', {});
  },
});

/** `footbridge emulator show`. */
export const emulatorShow = defineCommand({
  name: 'emulator show',
  summary: "Print the emulator's state, or the built-in fixture when none runs",
  group: 'emulator',
  options: { toml: { type: 'boolean', help: 'as a fixture file' } },
  json: true,
  examples: [
    ['footbridge emulator show --toml', 'As a fixture file, to begin one of your own'],
    ['footbridge emulator show --json', 'For a script'],
  ],
  async run({ values, json }, io) {
    if (json && values.toml === true) throw usage('--toml and --json exclude each other.', emulatorShow);
    const state = await currentState(io, values.toml === true ? 'toml' : 'json');
    if (typeof state === 'string') io.out(state);
    else if (json) printJson(io, state);
    else io.out(`${printableJson(state, 2)}\n`);
    return ExitCode.OK;
  },
});

/** TOML as a text, or the state as an object. Without a daemon: the built-in fixture. */
async function currentState(io: Io, format: 'json' | 'toml'): Promise<unknown> {
  try {
    const state = await askDaemon(io).call('emulator.show', { format });
    return format === 'toml' ? (state as { readonly toml: string }).toml : state;
  } catch (error) {
    if (systemCode(error) !== 'FOOTBRIDGE_NO_DAEMON') throw error;
    io.err('No bridge runs here: this is the built-in fixture.\n');
    const { defaultFixture, fixtureToToml } = await import('../bridge-parts.ts');
    if (format === 'json') return defaultFixture();
    return fixtureToToml(defaultFixture());
  }
}

async function change(io: Io, json: boolean, operation: string, args: object): Promise<number> {
  const answer = await askDaemon(io).call(operation, args);
  if (json) printJson(io, answer);
  else io.out(`${printable(changeText(answer))}\n`);
  return ExitCode.OK;
}

function changeText(answer: unknown): string {
  const changes = (answer as { readonly changes?: readonly string[] } | null)?.changes;
  if (changes === undefined) return 'Done.';
  return changes.length === 0 ? 'Nothing changed.' : `Changed: ${counted(changes).join(', ')}`;
}

/** Each word once, with how often it came. */
function counted(words: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return [...times].map(([word, count]) => (count === 1 ? word : `${word} (${count} times)`));
}

async function readPatch(path: string, io: Io): Promise<unknown> {
  const name = path === '-' ? 'stdin' : path;
  const text =
    path === '-' ? await collect(io.stdin, MAX_PATCH_BYTES, name) : await readArgument(path, MAX_PATCH_BYTES);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's text quotes the patch, which may hold a client secret.
    throw new LocalError(
      'FOOTBRIDGE_INPUT',
      `${name}: the patch is not JSON. Give an object such as {"voice": {"mute": true}}.`,
    );
  }
}
