import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { usageLine } from '../../src/cli/help.ts';
import { manualPage } from '../../src/cli/manual.ts';
import { optionsOf, parseCommandLine } from '../../src/cli/parse.ts';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { fakeIo } from './fake-io.ts';

const page = manualPage(commandTable, '1.2.3', 1_700_000_000);
const formatter = ['-K', 'utf8', '-man', '-T', 'utf8', '-P', '-cbou', '-w', 'w', '-rLL=100n'];
const noGroff = spawnSync('groff', ['--version']).status === 0 ? '' : ' (skipped: there is no groff here)';

describe('the manual page', () => {
  it('has the sections of a manual page in their order', () => {
    expect(page).toMatch(/^\.TH FOOTBRIDGE 1 "2023-11-14" "footbridge 1\.2\.3" "User Commands"\n\.SH NAME\n/);
    expect([...page.matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name)).toEqual([
      ...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'EXIT STATUS', 'FILES', 'ENVIRONMENT'],
    ]);
  });
  it('uses only the expected roff requests', () => {
    const requests = new Set([...page.matchAll(/^[.'](\S*)/gm)].map(([, name]) => name));
    expect(requests).toEqual(new Set(['B', 'I', 'PP', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf']));
    expect(page.match(/\\[^\-e&f]/g)).toBe(null);
  });
  it('has usage lines that the command line accepts', async () => {
    const usages = [...page.matchAll(/^\.PP\n\\fB(footbridge .*)\\fR$/gm)].map(([, usage = '']) =>
      usage.replaceAll('\\-', '-').replaceAll('\\e', '\\'),
    );
    expect(usages).toHaveLength(commandTable.length);
    for (const [index, usage] of usages.entries()) {
      const command = commandTable[index];
      const words = usage
        .replaceAll(/\[OPTIONS\] ?/g, '')
        .replaceAll(/[[\]…]/g, '')
        .trim()
        .split(' ');
      // A word of the person's own, or the first of those to choose from.
      const typed = words.map((word) => {
        const { choices } = command?.positionals?.find(({ name }) => name === word) ?? {};
        return choices?.[0] ?? word;
      });
      expect(parseCommandLine(typed.slice(1), commandTable), usage).toMatchObject({ kind: 'run', command });
    }
  });
  it('has the examples of every command as they are typed', () => {
    const blocks = [...page.matchAll(/^\.PP\n\.nf\n# .*\n(.*)\n\.fi$/gm)].map(([, line = '']) =>
      line.replaceAll('\\-', '-').replaceAll('\\e', '\\'),
    );
    expect(blocks).toEqual(commandTable.flatMap(({ examples }) => examples.map(([line]) => line)));
  });
  it('has alternatives that the command line accepts', async () => {
    const [, words = ''] = /\\fBfootbridge conformance ([\w|]+) \[OPTIONS\]\\fR/.exec(page) ?? [];
    expect(words.split('|')).toEqual(['server', 'client', 'core']);
    for (const word of words.split('|')) {
      const io = fakeIo();
      const code = await runProgram(['conformance', word, '--help'], commandTable, io);
      expect({ code, stderr: io.stderr() }).toEqual({ code: 0, stderr: '' });
      expect(io.stdout()).toContain(`conformance ${word}`);
    }
  });
  it.skipIf(noGroff !== '')(`renders without a warning of the formatter${noGroff}`, () => {
    const { status, stdout, stderr } = spawnSync('groff', formatter, { input: page, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const text = stdout.replaceAll(/\s+/g, ' ').replaceAll('\u2010 ', '').replaceAll('\u2212', '-');
    for (const command of commandTable) {
      expect(text).toContain(` ${usageLine(command)}`);
      expect(text).toContain(command.summary);
      for (const name of Object.keys(optionsOf(command))) expect(text).toContain(` --${name}`);
    }
    // A word that starts with a dot is no request.
    expect(
      manualPage(
        [
          {
            name: 'x',
            summary: '.so it is',
            group: 'setup',
            examples: [],
            run: () => Promise.resolve(0),
          },
        ],
        '1',
        0,
      ),
    ).toContain('\n\\&.so it is.\n');
  });
});
