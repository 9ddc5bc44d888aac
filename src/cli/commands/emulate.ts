import { defineCommand, flag, textOption } from '../command.ts';

/** `footbridge emulate -- COMMAND…`. */
export const emulate = defineCommand({
  name: 'emulate',
  summary: 'Run a command against a private, temporary bridge and print its traffic',
  group: 'develop',
  positionals: [
    { name: 'COMMAND', help: 'the command and its arguments', arity: 'any', isCommandLine: true },
  ],
  options: {
    fixture: textOption('FILE', 'users, guilds … of the emulator: TOML, or what emulator export wrote'),
    consent: textOption('ask|allow|deny', 'what happens on AUTHORIZE (default allow)', {
      choices: ['ask', 'allow', 'deny'],
    }),
    transcript: textOption('FILE', 'also write the traffic to a file, as JSON lines without secrets'),
    strict: flag('fail when a bot breaks a rule, such as an unknown field or a second answer'),
    ready: flag('print a JSON line when the bridge is ready: its addresses, variables and tokens of bots'),
    json: flag('print the transcript as JSON lines, as --transcript writes them'),
    quiet: flag('do not print the transcript', { short: 'q' }),
  },
  details: [
    'The command finds the bridge by XDG_RUNTIME_DIR and FOOTBRIDGE_ENDPOINT; FOOTBRIDGE_API is the base address of its',
    'token endpoint, FOOTBRIDGE_WS the address of its WebSocket, FOOTBRIDGE_CONTROL the path of its control socket.',
    'The transcript goes to stderr, with names only; that of --transcript has arguments, data and HTTP requests, too.',
    'Its FILE is replaced once the command has started; where it cannot be started, the file stays as it was.',
    'It ends with the HTTP operations that the command requested and the emulator lacks, also with --quiet.',
    'With --ready and no COMMAND the bridge serves until a signal ends it, with code 0; its ports are free ones, and it has',
    'the variables of no other bridge. That line, on stdout, is the only one that has tokens.',
    'The exit code is that of the command, or 128 plus its signal; 1 where it is 0 and the transcript is not whole, or',
    'strict mode (--strict, or "strict = true" in the fixture) found a violation, which is then printed with its place.',
  ],
  examples: [
    ['footbridge emulate -- npm test', 'A test against a bridge of its own'],
    [
      'footbridge emulate --consent ask --fixture world.toml -- ./my-game',
      'With your own fixture, and a user to ask',
    ],
    ['footbridge emulate --strict -- python bot_test.py', 'Fail when the bot does what the platform refuses'],
    ['footbridge emulate --ready --quiet > bridge.json &', 'A server for a job: programs read its line'],
    ['footbridge emulate --quiet --transcript talk.jsonl -- ./my-game', 'Save the traffic'],
  ],
  async run({ values, positionals, json }, io) {
    const { runAgainstEmulator } = await import('../emulate/emulate.ts');
    return runAgainstEmulator({ ...values, json }, positionals, io);
  },
});
