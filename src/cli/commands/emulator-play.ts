import { defineCommand, flag, textOption } from '../command.ts';

/** `footbridge emulator play FILE… [-- COMMAND…]`. */
export const emulatorPlay = defineCommand({
  name: 'emulator play',
  summary: 'Play scenarios: what users do, and what a bot has to do then',
  group: 'emulator',
  positionals: [
    { name: 'FILE', help: 'a file of scenarios', arity: 'many' },
    { name: 'COMMAND', help: 'the bot and its arguments, behind --', arity: 'any', isCommandLine: true },
  ],
  options: {
    only: textOption('NAME', 'only the scenario of this name'),
    fixture: textOption('FILE', 'world of the emulator, in place of the one that a file of scenarios names'),
    wait: textOption('DURATION', 'how long the bot may take to connect (default 15s)'),
    junit: textOption(
      'FILE',
      'also write a report in the form of JUnit; - for stdout, in place of the progress',
    ),
    tap: flag('print a report in the form of TAP'),
    strict: flag(
      'a scenario fails in which the bot breaks a rule of strict mode; as strict = true in its file',
    ),
    full: flag('print the whole traffic of a scenario that fails, not only its last lines'),
  },
  json: true,
  details: [
    'With COMMAND the bot runs against a private bridge, which it finds as with "emulate"; its output goes to stderr. Each scenario',
    'begins with the state in which the bot has become ready. Without COMMAND the bridge that runs is used as it is, with the bots that are',
    'connected; where none runs, a private one, in which the users are alone. The exit code is 2 where an expectation fails, and',
    '78 where a file cannot be played.',
  ],
  examples: [
    ['footbridge emulator play ticket.toml -- node bot.js', 'A bot against its scenarios'],
    [
      'footbridge emulator play ticket.toml --only "ticket opens" --junit report.xml -- node bot.js',
      'One of them, with a report for CI',
    ],
  ],
  async run({ values, positionals, behind = [], json }, io) {
    const { playFiles } = await import('../play/play-files.ts');
    return playFiles({ ...values, json }, positionals, behind, io);
  },
});
