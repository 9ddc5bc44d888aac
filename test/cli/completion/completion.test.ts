import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { optionsOf } from '../../../src/cli/parse.ts';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { fakeIo } from '../fake-io.ts';

async function scriptFor(shell: string): Promise<string> {
  const io = fakeIo();
  expect(await runProgram(['completion', shell], commandTable, io)).toBe(0);
  return io.stdout();
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
/** First words of the names in the table. */
const firstWords = [...new Set(commandTable.map(({ name }) => name.split(' ')[0] ?? ''))].sort();

/** What a shell offers for the last of some words, sorted. */
type Complete = (words: readonly string[], folder?: string) => string[];

interface Shell {
  readonly name: string;
  readonly script: (text: string, words: readonly string[]) => string;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const shells: readonly Shell[] = [
  {
    name: 'bash',
    script: (text, words) =>
      `${text}\nCOMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}; _footbridge\n` +
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell
      'printf "%s\\n" "${COMPREPLY[@]}"',
  },
  {
    // The completion system needs a terminal; what it is handed is what counts.
    name: 'zsh',
    script: (text, words) => `
      typeset -g _sent=()
      compadd() { [[ $1 == -a ]] && _sent+=(\${(P)2}) }
      _describe() { local -a given; [[ $1 == -o ]] && shift; given=("\${(P@)2}"); _sent+=(\${given%%:*}) }
      _files() { local -a given; given=(\${words[CURRENT]}*(N)); _sent+=($given) }
      ${text}
      words=(${words.map(quoted).join(' ')}); CURRENT=${words.length}; _footbridge
      for one in $_sent; do [[ $one == \${words[CURRENT]}* ]] && print -r -- $one; done; true`,
  },
];

describe.each(shells)('completion for $name', ({ name, script }) => {
  let text = '';
  beforeAll(async () => {
    text = await scriptFor(name);
  });
  const complete: Complete = (words, folder) => {
    const { stdout, stderr, status } = spawnSync(
      name,
      ['-f', '-c', script(text, ['footbridge', ...words])].slice(name === 'zsh' ? 0 : 1),
      {
        encoding: 'utf8',
        ...(folder === undefined ? {} : { cwd: folder }),
      },
    );
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    return [...new Set(stdout.split('\n').filter((line) => line !== ''))].sort();
  };
  const shell = it.skipIf(!has(name));

  shell(`is read without a word (skipped: needs ${name})`, () => {
    expect(spawnSync(name, ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  shell(`offers the commands, and what follows their first words (skipped: needs ${name})`, () => {
    expect(complete([''])).toEqual(firstWords);
    expect(complete(['do'])).toEqual(['doctor']);
    expect(complete(['emulator', 'voice', ''])).toEqual(['network', 'set']);
    expect(complete(['nonsense', ''])).toEqual([]);
  });

  shell(
    `offers every option of every command (skipped: needs ${name})`,
    () => {
      for (const command of commandTable.filter(({ raw }) => raw !== true)) {
        const flags = Object.entries(optionsOf(command)).flatMap(([option, { short }]) => [
          `--${option}`,
          ...(short === undefined ? [] : [`-${short}`]),
        ]);
        expect(complete([...command.name.split(' '), '-'])).toEqual(flags.sort());
      }
    },
    60_000,
  );

  shell(`offers the values there are (skipped: needs ${name})`, () => {
    expect(complete(['run', '--consent', ''])).toEqual(['allow', 'ask', 'deny']);
    expect(complete(['run', '--json', '--log-level', 'in'])).toEqual(['info']);
    expect(complete(['emulator', 'speak', 'river', ''])).toEqual(['off', 'on']);
    expect(complete(['emulator', 'speak', ''])).toEqual([]);
    expect(complete(['emulator', 'friend', '--type', 'friend', 'otter', 'i'])).toEqual(['idle']);
    expect(complete(['completion', ''])).toEqual(['bash', 'zsh']);
    expect(complete(['run', '--index', ''])).toEqual([]);
  });

  shell(`offers files where a file is wanted, whatever their names (skipped: needs ${name})`, () => {
    const folder = temporaryFolder();
    for (const file of ['world one.toml', 'world$(x).toml', 'other']) writeFileSync(join(folder, file), '');
    mkdirSync(join(folder, 'worlds'));
    const worlds = ['world one.toml', 'world$(x).toml', 'worlds'];
    expect(complete(['run', '--fixture', 'wor'], folder)).toEqual(worlds);
    expect(complete(['emulator', 'apply', 'wor'], folder)).toEqual(worlds);
    expect(complete(['emulate', '--', 'a', 'b', 'wor'], folder)).toEqual(worlds);
    expect(complete(['conformance', 'x', 'wor'], folder)).toEqual(worlds);
  });
});

it.skipIf(!has('bash'))('takes a value behind = as bash splits it (skipped: needs bash)', async () => {
  const text = await scriptFor('bash');
  const { stdout } = spawnSync(
    'bash',
    [
      '-c',
      `${text}\nCOMP_WORDS=(footbridge run --consent = a); COMP_CWORD=4; _footbridge; echo "\${COMPREPLY[*]}"`,
    ],
    { encoding: 'utf8' },
  );
  expect(stdout.trim().split(' ').sort()).toEqual(['allow', 'ask']);
});

it.skipIf(!has('zsh'))(
  'registers itself with the completion system of zsh (skipped: needs zsh)',
  async () => {
    const text = await scriptFor('zsh');
    const { stdout, stderr } = spawnSync(
      'zsh',
      [
        '-f',
        '-c',
        `autoload -Uz compinit && compinit -u -d ${join(temporaryFolder(), 'dump')}\n${text}\nprint -r -- $_comps[footbridge]`,
      ],
      { encoding: 'utf8' },
    );
    expect({ stdout, stderr }).toEqual({ stdout: '_footbridge\n', stderr: '' });
  },
);

it('wants one of the shells', async () => {
  const io = fakeIo();
  expect(await runProgram(['completion', 'tcsh'], commandTable, io)).toBe(64);
  expect(io.stderr()).toContain('"tcsh" is not one of bash, zsh');
});
