import { describe, expect, it } from 'vitest';
import { type CliCommand, defineCommand } from '../../src/cli/command.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';

const command = (name: string, more: Partial<CliCommand> = {}): CliCommand =>
  defineCommand({
    name,
    summary: name,
    group: 'setup',
    examples: [],
    run: () => Promise.resolve(0),
    ...more,
  });

const one = (name: string) => ({ name, help: `the ${name}`, arity: 'one' as const });
const table = [
  command('run', {
    json: true,
    options: {
      index: { type: 'string', value: 'N', help: 'index' },
      force: { type: 'boolean', short: 'f', help: 'force' },
    },
  }),
  command('approve', { positionals: [one('ID')] }),
  command('emulator voice set', { positionals: [one('KEY'), one('VALUE')], json: true }),
  command('emulator show'),
  command('origins'),
  command('origins remove', { positionals: [one('WHO')] }),
  command('call', { positionals: [one('CMD'), { name: 'ARGS', help: 'arguments', arity: 'optional' }] }),
  command('use', { positionals: [one('APP'), { name: 'WORD', help: 'words', arity: 'any' }] }),
  command('play', {
    positionals: [
      { name: 'FILE', help: 'files', arity: 'many' },
      { name: 'COMMAND', help: 'command', arity: 'any', isCommandLine: true },
    ],
  }),
  command('emulate', { positionals: [{ name: 'COMMAND', help: 'command', arity: 'many' }] }),
];

function parsed(...argv: readonly string[]) {
  const request = parseCommandLine(argv, table);
  if (request.kind !== 'run') throw new Error(`it is ${request.kind}`);
  return { name: request.command.name, ...request.invocation };
}

describe('parseCommandLine', () => {
  it('parses options, flags and --json', () => {
    expect(parsed('run', '--index', '3', '-f', '--json')).toEqual({
      name: 'run',
      values: { index: '3', force: true },
      positionals: [],
      json: true,
    });
  });

  it('recognises a command name with spaces, and options between positionals', () => {
    expect(parsed('emulator', 'voice', 'set', 'mute', '--json', 'true')).toMatchObject({
      name: 'emulator voice set',
      positionals: ['mute', 'true'],
      json: true,
    });
  });

  it('tells several files from the command line behind the dashes', () => {
    const files = ['a.toml', 'b.toml'];
    expect(parsed('play', ...files)).toMatchObject({ positionals: files, behind: [] });
    expect(parsed('play', ...files, '--', 'node', '--inspect', 'bot.js')).toMatchObject({
      positionals: files,
      behind: ['node', '--inspect', 'bot.js'],
    });
    expect(() => parsed('play', '--', 'node')).toThrow('FILE is missing: files.');
    expect(parsed('emulate', '--', 'node', 'bot.js')).toEqual({
      name: 'emulate',
      values: {},
      positionals: ['node', 'bot.js'],
      json: false,
    });
  });

  it('rejects a second value of an option', () => {
    expect(() => parsed('run', '--index', '1', '--index=2')).toThrow(
      '--index is given more than once. Try: footbridge run --help',
    );
    expect(parsed('run', '-f', '--force').values).toEqual({ force: true });
  });

  it('accepts a negative number as a value', () => {
    expect(parsed('emulator', 'voice', 'set', 'mode.threshold', '-60', '--json')).toMatchObject({
      positionals: ['mode.threshold', '-60'],
      json: true,
    });
    expect(parsed('run', '--index', '-1').values).toEqual({ index: '-1' });
  });

  it('accepts - as a positional', () => {
    expect(parsed('call', 'GET_GUILDS', '-').positionals).toEqual(['GET_GUILDS', '-']);
  });

  it('accepts zero or more values for a last positional of arity any', () => {
    expect(parsed('use', 'app').positionals).toEqual(['app']);
    expect(parsed('use', 'app', 'a=1', 'b=-2').positionals).toEqual(['app', 'a=1', 'b=-2']);
    expect(() => parsed('use')).toThrow('APP is missing: the APP. Try: footbridge use --help');
  });

  it('leaves the options of another command unparsed after --', () => {
    expect(parsed('emulate', '--', 'node', '--help', '-x').positionals).toEqual(['node', '--help', '-x']);
  });

  it.each([
    [['--version'], { kind: 'version' }],
    [['-V'], { kind: 'version' }],
    [[], { kind: 'help', prefix: '' }],
    [['--help'], { kind: 'help', prefix: '' }],
    [['help'], { kind: 'help', prefix: '' }],
    [['emulator'], { kind: 'help', prefix: 'emulator' }],
    [['emulator', '--help'], { kind: 'help', prefix: 'emulator' }],
    [['run', '--help'], { kind: 'help', command: table[0], prefix: 'run' }],
    [['help', 'run'], { kind: 'help', command: table[0], prefix: 'run' }],
    [['approve', '-h'], { kind: 'help', command: table[1], prefix: 'approve' }],
  ])('parses %j', (argv, request) => {
    expect(parseCommandLine(argv, table)).toEqual(request);
  });

  it.each([
    [['rum'], 'There is no command "rum". Did you mean "run"? Try: footbridge --help'],
    [['cal', 'GET_GUILDS'], 'There is no command "cal". Did you mean "call"? Try: footbridge --help'],
    [
      ['emulator', 'voce', 'set', 'mute', 'true'],
      'There is no command "emulator voce set". Did you mean "emulator voice set"?',
    ],
    [['voice', 'set', 'mute'], 'There is no command "voice". Did you mean "emulator voice set"?'],
    [['voce'], 'There is no command "voce". Did you mean "emulator voice"?'],
    [['xyzzy', 'abc', 'def'], 'There is no command "xyzzy". Try: footbridge --help'],
    [
      ['emulator', 'voce', 'set'],
      'There is no command "emulator voce set". Did you mean "emulator voice set"?',
    ],
    [['emulator', 'lobby'], 'There is no command "emulator lobby". Try: footbridge emulator --help'],
    [
      ['emulator', '--fixture', 'x'],
      'A command is missing after "footbridge emulator". Try: footbridge emulator --help',
    ],
    [['--index'], 'Unknown option "--index". Try: footbridge --help'],
    [['run', '--indx', '1'], 'has no option "indx". Did you mean "--index"? Try: footbridge run --help'],
    [['run', '--index'], '--index needs a value, N: index. Try: footbridge run --help'],
    [['run', '--force=1'], '--force takes no value. Try: footbridge run --help'],
    [['approve'], 'ID is missing: the ID. Try: footbridge approve --help'],
    [['approve', 'a', 'b'], 'One word too many: "b". Try: footbridge approve --help'],
    [
      ['origins', 'rmove'],
      'One word too many: "rmove". Did you mean "remove"? Try: footbridge origins --help',
    ],
    [['approve', '--json'], '"footbridge approve" has no option "json". Try: footbridge approve --help'],
    [['emulate'], 'COMMAND is missing'],
  ])('rejects %j in one line that names the help', (argv, message) => {
    let refused: unknown;
    try {
      parseCommandLine(argv, table);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ code: 'FOOTBRIDGE_USAGE', message: expect.stringContaining(message) });
    expect((refused as Error).message).not.toContain('\n');
  });

  it('finds no command in an object prototype', () => {
    expect(() => parseCommandLine(['constructor'], table)).toThrow('There is no command "constructor"');
  });
});
