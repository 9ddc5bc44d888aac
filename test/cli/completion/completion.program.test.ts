import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { optionsOf } from '../../../src/cli/parse.ts';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { programs } from '../../helpers/examples.ts';
import { PROGRAM } from '../../helpers/fault-bridge.ts';
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
type Complete = (
  words: readonly string[],
  folder?: string,
  env?: Readonly<Record<string, string>>,
) => string[];

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
  {
    name: 'fish',
    script: (text, words) =>
      `${text}\ncomplete -C ${quoted(words.join(' '))} | string replace -r '\\t.*' ''; true`,
  },
];

describe.each(shells)('completion for $name', ({ name, script }) => {
  let text = '';
  beforeAll(async () => {
    text = await scriptFor(name);
  });
  const complete: Complete = (words, folder = temporaryFolder(), env = {}) => {
    const { stdout, stderr, status } = spawnSync(
      name,
      ['-f', '-c', script(text, ['footbridge', ...words])].slice(name === 'zsh' ? 0 : 1),
      { encoding: 'utf8', cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, ...env } },
    );
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    return [...new Set(stdout.split('\n').filter((line) => line !== ''))]
      .map((line) => line.replace(/\/$/, ''))
      .sort();
  };
  const shell = it.skipIf(!has(name));

  shell(`is parsed by the shell without output (needs ${name})`, () => {
    const file = join(temporaryFolder(), 'script');
    writeFileSync(file, text);
    expect(spawnSync(name, ['-n', file], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  shell(`offers the commands and their subcommands (needs ${name})`, () => {
    expect(complete([''])).toEqual(firstWords);
    expect(complete(['do'])).toEqual(['doctor']);
    expect(complete(['emulator', 'voice', ''])).toEqual(['get', 'network', 'set']);
    expect(complete(['nonsense', ''])).toEqual([]);
  });

  shell(
    `offers every option of every command (needs ${name})`,
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

  shell(`offers the values of options and arguments (needs ${name})`, () => {
    expect(complete(['run', '--consent', ''])).toEqual(['allow', 'ask', 'deny']);
    expect(complete(['run', '--json', '--log-level', 'in'])).toEqual(['info']);
    expect(complete(['emulator', 'speak', 'river', ''])).toEqual(['off', 'on']);
    expect(complete(['emulator', 'speak', ''])).toEqual([]);
    expect(complete(['emulator', 'friend', '--type', 'friend', 'otter', 'i'])).toEqual(['idle']);
    expect(complete(['completion', ''])).toEqual(['bash', 'fish', 'ids', 'powershell', 'zsh']);
    expect(complete(['run', '--index', ''])).toEqual([]);
    expect(complete(['call', 'SET_V'])).toEqual(['SET_VOICE_SETTINGS', 'SET_VOICE_SETTINGS_2']);
    expect(complete(['call', 'SUBSCRIBE', '--evt', 'GUILD_'])).toEqual(['GUILD_CREATE', 'GUILD_STATUS']);
    expect(complete(['emulator', 'voice', 'set', 'input.'])).toEqual(['input.device_id', 'input.volume']);
    expect(complete(['conformance', 'c'])).toEqual(['client', 'core']);
    // A core may be a file as well.
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'attach-mine.mjs'), '');
    expect(complete(['run', '--core', 'a'], folder)).toEqual(['attach', 'attach-mine.mjs']);
  });

  shell(
    `offers names from a running bridge, and none that a shell would execute (needs ${name})`,
    async () => {
      const mischief = ['$(touch here)', '`touch here`', '-rf', "a'b", 'x y', 'a;b', '\u{1f980}'];
      const folder = temporaryFolder();
      const world = join(folder, 'world.toml');
      const users = ['river', 'otter', ...mischief].map(
        (username, index) =>
          `[[users]]\nid = "20000000000000001${index}"\nusername = ${JSON.stringify(username)}\n`,
      );
      const app = '[[applications]]\nid = "300000000000000010"\nname = "Boats"\n';
      const commands = ['tide', 'tugs', '$(touch here)'].map(
        (command, index) =>
          `[[commands]]\nid = "30000000000000002${index}"\napplication = "300000000000000010"\nname = ${JSON.stringify(command)}\n` +
          (index === 2 ? 'type = "user"\n' : 'description = "Boats"\n'),
      );
      writeFileSync(world, `me = "200000000000000010"\n${[...users, app, ...commands].join('')}`);
      // In another process: this one waits for the shell.
      const bridge = await startDaemon({ args: ['--fixture', world] });
      onTestFinished(async () => void (await bridge.stop()));
      const path = programs(join(folder, 'bin'), {
        footbridge: `exec ${quoted(process.execPath)} ${quoted(PROGRAM)} "$@"`,
      });
      const env = { ...bridge.env, PATH: `${path}:${process.env['PATH']}` };
      // Those with another name than a word have their ids.
      const ids = mischief.map((_name, index) => `20000000000000001${index + 2}`);
      expect(complete(['emulator', 'leave', ''], folder, env)).toEqual([...ids, 'otter', 'river']);
      expect(complete(['emulator', 'say', 'general', 'x', '--as', 'o'], folder, env)).toEqual(['otter']);
      expect(complete(['emulator', 'use', 'Boats', '/t'], folder, env)).toEqual(['/tide', '/tugs']);
      expect(complete(['approve', ''], folder, env)).toEqual([]);
      // Without a bridge there is nothing to offer, and no word about it.
      expect(complete(['approve', ''], folder, { ...env, XDG_RUNTIME_DIR: folder })).toEqual([]);
      expect(existsSync(join(folder, 'here'))).toBe(false);
    },
  );

  shell(`offers files with any name where a file is expected (needs ${name})`, () => {
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

it.skipIf(!has('bash'))(
  'bash completion completes a value behind = as bash splits it (needs bash)',
  async () => {
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
  },
);

it.skipIf(!has('zsh'))('zsh completion registers with the completion system of zsh (needs zsh)', async () => {
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
});

it('PowerShell completion contains the command tree as data (without a run of PowerShell)', async () => {
  const text = await scriptFor('powershell');
  const [, data = ''] = /ConvertFrom-Json @'\n(.*)\n'@\n/.exec(text) ?? [];
  const places = JSON.parse(data) as Record<string, { words: { word: string }[]; positionals: unknown[] }>;
  expect(places['/']?.words.map(({ word }) => word).sort()).toEqual(firstWords);
  expect(places['/approve']?.positionals).toEqual([{ words: [], files: false, live: 'requests' }]);
  // Nothing ends the text early, and what opens is closed again.
  expect(data).not.toContain("'@");
  // What an encoding of another time would spoil.
  expect(Buffer.byteLength(text)).toBe(text.length);
  const program = text.replace(data, '').replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '');
  for (const [open, close] of [
    ['(', ')'],
    ['{', '}'],
    ['[', ']'],
  ] as const)
    expect(program.split(open).length, `${open}${close}`).toBe(program.split(close).length);
});

it('completion rejects a shell that it does not support', async () => {
  const io = fakeIo();
  expect(await runProgram(['completion', 'tcsh'], commandTable, io)).toBe(64);
  expect(io.stderr()).toContain('"tcsh" is not one of bash, zsh, fish, powershell');
});
