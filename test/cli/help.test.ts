import { describe, expect, it } from 'vitest';
import { styleFor } from '../../src/base/style.ts';
import { defineCommand, groupTitles } from '../../src/cli/command.ts';
import { commandHelp, overview, usageLine } from '../../src/cli/help.ts';
import { optionsOf, parseCommandLine } from '../../src/cli/parse.ts';
import { commandTable } from '../../src/cli/table.ts';

const plain = styleFor(false);

describe('the command table', () => {
  it('has unique command names', () => {
    const names = commandTable.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(commandTable.map((command) => [command.name, command] as const))(
    'describes %s',
    (name, command) => {
      const text = commandHelp(command, plain);
      expect(text).toContain(`footbridge ${name}`);
      expect(text).toContain(command.summary);
      for (const [option, { help }] of Object.entries(optionsOf(command))) {
        expect(text).toContain(`--${option}`);
        expect(text).toContain(help);
      }
      for (const positional of command.positionals ?? []) expect(text).toContain(positional.help);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [line, use] of command.examples) expect(text).toContain(`  # ${use}\n  ${line}\n`);
      // Those of the emulator have a list of their own.
      const list = name.startsWith('emulator ') ? 'emulator' : '';
      const parent = commandTable.find((other) => name.startsWith(`${other.name} `));
      const page =
        parent === undefined ? overview(commandTable, list, plain) : commandHelp(parent, plain, commandTable);
      expect(page).toContain(command.summary);
    },
  );

  it('supports --json for every command except completion, conformance, emulate, exec and record', () => {
    const without = commandTable.filter(({ json }) => json !== true).map(({ name }) => name);
    expect(without.sort()).toEqual(['completion', 'conformance', 'emulate', 'exec', 'record']);
  });

  it('allows only the last positional to be optional or repeated, apart from a command line behind the dashes', () => {
    for (const { positionals = [] } of commandTable) {
      const own = positionals.filter(
        ({ isCommandLine, arity }) => isCommandLine !== true || arity === 'many',
      );
      expect(own.slice(0, -1).every(({ arity }) => arity === 'one')).toBe(true);
    }
  });
});

describe('help', () => {
  const sample = defineCommand({
    name: 'copy',
    summary: 'Copy things',
    group: 'setup',
    positionals: [
      { name: 'FROM', help: 'where from', arity: 'one' },
      { name: 'TO', help: 'where to', arity: 'optional' },
    ],
    options: { all: { type: 'boolean', short: 'a', help: 'everything' } },
    details: ['More words.'],
    examples: [['footbridge copy -a here there', 'Everything']],
    run: () => Promise.resolve(0),
  });

  it('prints the page of a command', () => {
    expect(commandHelp(sample, plain)).toBe(
      [
        'Copy things',
        '',
        'Usage',
        '  footbridge copy [OPTIONS] FROM [TO]',
        '',
        '  FROM  where from',
        '  TO    where to',
        '',
        'Options',
        '  -a, --all   everything',
        '  -h, --help  show this help',
        '',
        'More words.',
        '',
        'Examples',
        '  # Everything',
        '  footbridge copy -a here there',
        '',
      ].join('\n'),
    );
  });

  it('puts -- before the command line of another program', () => {
    const emulate = commandTable.find(({ name }) => name === 'emulate');
    expect(emulate && usageLine(emulate)).toBe('footbridge emulate [OPTIONS] -- [COMMAND…]');
    const play = commandTable.find(({ name }) => name === 'emulator play');
    expect(play && usageLine(play)).toBe('footbridge emulator play [OPTIONS] FILE… -- [COMMAND…]');
    const vote = commandTable.find(({ name }) => name === 'emulator vote');
    expect(vote && usageLine(vote)).toBe('footbridge emulator vote [OPTIONS] MESSAGE ANSWER…');
  });

  it('puts the options of conformance after its subcommand', async () => {
    const conformance = commandTable.find(({ name }) => name === 'conformance');
    expect(conformance && usageLine(conformance)).toBe('footbridge conformance server|client|core [OPTIONS]');
    for (const argv of [
      ['conformance', '--help'],
      ['help', 'conformance'],
      ['conformance', '-h'],
    ]) {
      expect(parseCommandLine(argv, commandTable)).toMatchObject({ kind: 'help', command: conformance });
    }
    expect(() => parseCommandLine(['conformance'], commandTable)).toThrow('server|client|core is missing');
  });

  it('lists all commands by group in one column', () => {
    const text = overview(commandTable, '', plain);
    const lines = text.split('\n');
    const titles = lines.filter((line) => /^\w[^:]*$/.test(line) && !line.startsWith('footbridge'));
    expect(titles).toEqual(Object.values(groupTitles));
    // One screen.
    expect(lines.length).toBeLessThanOrEqual(52);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(125);
    const starts = commandTable
      .filter(({ name }) => !/^(?:voice|presence|emulator|origins|endpoints|upstream|completion) /.test(name))
      .map(({ summary }) => {
        const line = lines.find((one) => one.endsWith(`  ${summary}`)) ?? '';
        return line.length - summary.length;
      });
    expect(new Set(starts).size).toBe(1);
  });

  it('lists only the commands that begin with a prefix', () => {
    const text = overview(commandTable, 'emulator', plain);
    expect(text).toContain('emulator show');
    expect(text).not.toContain('approve');
  });

  it('uses colours only when colours are enabled', () => {
    expect(commandHelp(sample, plain)).not.toContain('\u001b');
    expect(commandHelp(sample, styleFor(true))).toContain('\u001b[1mUsage\u001b[22m');
  });
});
