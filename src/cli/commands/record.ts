import { defineCommand, flag, textOption } from '../command.ts';

/** `footbridge record FILE -- COMMAND…`. */
export const record = defineCommand({
  name: 'record',
  summary: 'Run a command against a private bridge and record the traffic, for replay',
  group: 'develop',
  positionals: [
    { name: 'FILE', help: 'where to write it, as JSON lines without secrets', arity: 'one' },
    { name: 'COMMAND', help: 'the command and its arguments, behind --', arity: 'many', isCommandLine: true },
  ],
  options: {
    core: textOption('NAME', 'who answers: the emulator (default), or upstream, the chat client that runs', {
      choices: ['emulator', 'upstream'],
    }),
    upstream: textOption('PATH', 'endpoint of that chat client (default: the first there is)'),
    fixture: textOption('FILE', 'world of the emulator'),
    consent: textOption('ask|allow|deny', 'what the emulator does on AUTHORIZE (default allow)', {
      choices: ['ask', 'allow', 'deny'],
    }),
  },
  details: [
    'With --core upstream it passes everything on to the running chat client, and records its answers.',
    'The command finds the bridge as with "emulate", and its exit code is that of record; 1 where that is 0 and the',
    'record is not whole, as on a full disk. Tokens, codes and secrets are left out. A FILE that is there already',
    'is replaced once the command has started; where it cannot be started, the file stays as it was.',
  ],
  examples: [
    [
      'footbridge record talk.ndjson -- footbridge call GET_GUILDS --scopes rpc',
      'Answers of the emulator to an app',
    ],
    ['footbridge record talk.ndjson --consent deny -- ./my-game', 'Its answers to an app that is denied'],
  ],
  async run({ values, positionals: [file = '', ...command] }, io) {
    const { recordSession } = await import('../record/recording.ts');
    return recordSession(file, values, command, io);
  },
});

/** `footbridge replay FILE --as server|client`. */
export const replay = defineCommand({
  name: 'replay',
  summary: 'Replay either side of a record, and show the differences',
  group: 'develop',
  positionals: [
    { name: 'FILE', help: 'a record', arity: 'one' },
    {
      name: 'COMMAND',
      help: 'with --as server: the app and its arguments, behind --',
      arity: 'any',
      isCommandLine: true,
    },
  ],
  options: {
    as: textOption('server|client', 'side to replay: the server for an app, or the app for a server', {
      choices: ['server', 'client'],
    }),
    timing: flag('keep the recorded pauses'),
    path: textOption('PATH', 'with --as client: endpoint of the server (default: the first there is)'),
    api: textOption('URL', 'with --as client: address of its HTTP API (default: that of the bridge)'),
  },
  json: true,
  details: [
    'Exits with 2 when something was different, which it prints as a diff; else with 0, or the code of the command.',
    'Nonces, process ids, times, login guards and placeholders of secrets are not compared.',
  ],
  examples: [
    [
      'footbridge replay talk.ndjson --as server -- footbridge call GET_GUILDS --scopes rpc',
      'Does the app still ask the same?',
    ],
    ['footbridge replay talk.ndjson --as client', 'Does the bridge still answer the same?'],
  ],
  async run({ values, positionals: [file = '', ...command], json }, io) {
    const { replayRecord } = await import('../record/recording.ts');
    return replayRecord(file, { ...values, json }, command, io);
  },
});
