import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CliCommand, CliOption } from '../../src/cli/command.ts';
import { optionsOf, parseCommandLine } from '../../src/cli/parse.ts';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { type SettingName, settingKeys } from '../../src/daemon/config/keys.ts';
import { loadConfiguration } from '../../src/daemon/config/settings.ts';
import { ExitCode, exitCodeMeanings, exitCodeOf } from '../../src/daemon/exit-codes.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { ids } from '../helpers/emulator-world.ts';
import { silentFifo } from '../helpers/fifo.ts';
import { fakeIo } from './fake-io.ts';
import { footbridge, temporaryPlace } from './spawn.ts';

// What people get wrong, for everything that the command table declares: a new option or word without a row here fails.

/** Those that read their own command line are tested where they do. */
const ours = commandTable.filter(({ raw }) => raw !== true);
const LONG = 'x'.repeat(5000);

interface Row {
  readonly command: CliCommand;
  readonly flag: string;
  readonly option: CliOption;
}

const options: readonly Row[] = ours.flatMap((command) =>
  Object.entries(optionsOf(command)).map(([flag, option]) => ({ command, flag, option })),
);

type Arity = NonNullable<CliCommand['positionals']>[number]['arity'];
const isNeeded = (arity: Arity): boolean => arity === 'one' || arity === 'many';
const repeats = (command: CliCommand): boolean =>
  ['many', 'any'].includes(command.positionals?.at(-1)?.arity ?? '');

/** Words that make a command complete. */
function wordsOf({ positionals = [] }: CliCommand): string[] {
  return positionals.filter(({ arity }) => isNeeded(arity)).map(({ choices }) => choices?.[0] ?? 'x');
}

/** Why a command line is refused, before anything is done. */
function refusal(...argv: readonly string[]): { readonly code: number; readonly message: string } {
  try {
    parseCommandLine(argv, commandTable);
  } catch (error) {
    return { code: exitCodeOf(error), message: (error as Error).message };
  }
  throw new Error(`taken: ${argv.join(' ')}`);
}

/** One line that says how it goes on. */
const usageLine = (command: CliCommand, text: string) =>
  expect.stringMatching(new RegExp(`${text}[^\\n]*[.?] Try: footbridge ${command.name} --help$`));

describe('the subject of footbridge conformance', () => {
  it.each([
    ['cor', '"cor" is none of server, client, core. Did you mean "core"? Try: footbridge conformance --help'],
    [LONG, `"${LONG.slice(0, 60)}" is none of server, client, core. Try: footbridge conformance --help`],
  ])('is rejected unless it is server, client or core (row %#)', async (subject, message) => {
    const io = fakeIo();
    expect(await runProgram(['conformance', subject], commandTable, io)).toBe(64);
    expect(io.stderr()).toBe(`footbridge: ${message}\n`);
  });
});

describe('the command line rejects wrong arguments of', () => {
  it.each(ours.map((command) => [command.name, command] as const))('%s', (name, command) => {
    const words = wordsOf(command);
    const line = name.split(' ');
    for (const flag of ['--no-such-flag', '-Z', '--__proto__', '--constructor=1']) {
      const { code, message } = refusal(...line, flag, ...words);
      expect([code, message]).toEqual([64, usageLine(command, 'has no option')]);
    }
    if (!repeats(command)) {
      const { length } = command.positionals ?? [];
      const tooMany = refusal(...line, ...Array.from({ length: length + 1 }, () => words[0] ?? 'on'));
      expect(tooMany.code).toBe(64);
    }
    for (const [index, positional] of (command.positionals ?? []).entries()) {
      if (!isNeeded(positional.arity)) continue;
      const missing = refusal(...line, ...words.slice(0, index));
      expect(missing).toEqual({ code: 64, message: usageLine(command, ' is missing: ') });
      if (positional.mayBeEmpty === true) continue;
      const empty = refusal(...line, ...words.map((word, at) => (at === index ? '' : word)));
      expect(empty).toEqual({ code: 64, message: usageLine(command, ' is empty: ') });
    }
  });
});

describe('the command line rejects wrong values of', () => {
  it.each(options.map((row) => [`${row.command.name} --${row.flag}`, row] as const))('%s', (_name, row) => {
    const { command, flag, option } = row;
    const line = [...command.name.split(' '), ...(repeats(command) ? [] : wordsOf(command))];
    const text = `^--${flag} `;
    if (option.type === 'boolean') {
      expect(refusal(...line, `--${flag}=yes`)).toEqual({
        code: 64,
        message: usageLine(command, `${text}takes no value`),
      });
      return;
    }
    for (const rest of [[], ['--json'], ['--', 'x']]) {
      const { code, message } = refusal(...line, `--${flag}`, ...rest);
      expect([code, message]).toEqual([64, usageLine(command, `${text}needs a value`)]);
    }
    const value = option.choices?.[0] ?? '1';
    expect(refusal(...line, `--${flag}=${value}`, `--${flag}`, value)).toEqual({
      code: 64,
      message: usageLine(command, `${text}is given more than once`),
    });
    if (option.choices === undefined) return;
    for (const wrong of ['', 'nope', LONG]) {
      const { code, message } = refusal(
        ...command.name.split(' '),
        `--${flag}=${wrong}`,
        ...wordsOf(command),
      );
      expect([code, message]).toEqual([64, usageLine(command, `^--${flag}: .{2,70} is not one of `)]);
    }
  });
});

/** Settings whose value may be any text, or none. */
const FREE: readonly string[] = ['fixture', 'data_dir', 'detect'];

describe('the configuration rejects wrong values of', () => {
  const settings = Object.keys(settingKeys) as SettingName[];

  it.each(settings)('%s, as a flag, a variable and a key of a file', async (name) => {
    const { folder } = temporaryPlace();
    const folders = { config: folder, data: folder };
    const flag = name.replaceAll('_', '-');
    const file = join(folder, 'settings.toml');
    const hasFlag = Object.hasOwn(
      commandTable.find((command) => command.name === 'run')?.options ?? {},
      flag,
    );
    const wrong = FREE.includes(name) ? [''] : ['nope nope', '-1', '1.5', '1e99', LONG];
    for (const value of wrong) {
      const cases = [
        ...(hasFlag ? [{ flags: { [flag]: value }, env: {}, code: 64, where: `--${flag}: ` }] : []),
        {
          flags: {},
          env: { [`FOOTBRIDGE_${name.toUpperCase()}`]: value },
          code: 78,
          where: `FOOTBRIDGE_${name.toUpperCase()}: `,
        },
      ];
      for (const { flags, env, code, where } of cases) {
        // An empty variable is one that is not set.
        if (value === '' && code === 78) continue;
        const error: unknown = await loadConfiguration(flags, env, folders).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error, `${where} ${value.slice(0, 20)}`).toBeInstanceOf(Error);
        const { message } = error as Error;
        expect([exitCodeOf(error), message.startsWith(where), message.includes('\n')]).toEqual([
          code,
          true,
          false,
        ]);
        expect(message.length).toBeLessThan(400);
      }
    }
    for (const value of ['[]', '{}', '1979-05-27', FREE.includes(name) ? '7' : '""']) {
      writeFileSync(file, `${name} = ${value}\n`);
      // An empty list of origins is a list.
      if (name === 'attach_origins' && value === '""') continue;
      const error: unknown = await loadConfiguration({ config: file }, {}, folders).catch(
        (thrown: unknown) => thrown,
      );
      expect(exitCodeOf(error)).toBe(78);
      expect((error as Error).message).toMatch(new RegExp(`^${file}: ${name}: [^\\n]{5,300}$`));
    }
  });
});

/** What stands where a file is wanted, and what of it is told. */
const fileKinds: readonly [kind: string, text: RegExp][] = [
  ['absent', /: there is no such file or folder \(ENOENT\)\. /],
  ['dangling', /: there is no such file or folder \(ENOENT\)\. /],
  ['circle', /: its links lead in a circle \(ELOOP\)\. /],
  ['folder', /: (?:it is a folder \(EISDIR\)|only a regular file can be read here)\. /],
  ['file/below', /: what is above it is no folder \(ENOTDIR\)\. /],
  ['bytes', /: the text is not UTF-8\. /],
  ['large', /: is too large: at most \d+ bytes are read\. /],
];

const SCENARIOS = '[[scenario]]\nname = "ferry"\n\n[[scenario.step]]\nadvance = "1s"\n';

/** A folder with one of each, and with scenarios that can be played. */
function oneOfEach(): (name: string) => string {
  const { folder } = temporaryPlace();
  const at = (name: string) => join(folder, name);
  mkdirSync(at('folder'));
  symlinkSync('nowhere', at('dangling'));
  symlinkSync('circle', at('circle'));
  writeFileSync(at('file'), 'no = TOML = nor JSON');
  writeFileSync(at('empty'), '');
  writeFileSync(at('scenarios.toml'), SCENARIOS);
  writeFileSync(at('bytes'), new Uint8Array([0x61, 0xff]));
  writeFileSync(at('large'), '');
  // More than any of them takes, and no room on the disk.
  truncateSync(at('large'), 1601 * 1024 * 1024);
  return at;
}

/** The command line in this process; every command finds the bridge of `env`. */
async function run(env: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const io = fakeIo({ ...temporaryPlace().env, ...env });
  const code = await runProgram(argv, commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

/** How each file argument is given. The rest of the line is right. */
const files: { readonly [argument: string]: (path: string) => readonly string[] } = {
  'endpoints --config': (path) => ['endpoints', '--config', path],
  'endpoints add --config': (path) => ['endpoints', 'add', 'flatpak', '--config', path],
  'endpoints remove --config': (path) => ['endpoints', 'remove', 'flatpak', '--config', path],
  'presence hide --config': (path) => ['presence', 'hide', '1', '--config', path],
  'presence show --config': (path) => ['presence', 'show', '1', '--config', path],
  'presence prefer --config': (path) => ['presence', 'prefer', '1', '--config', path],
  'origins --config': (path) => ['origins', '--config', path],
  'origins add --config': (path) => ['origins', 'add', 'streamkit', '--config', path],
  'origins remove --config': (path) => ['origins', 'remove', 'streamkit', '--config', path],
  'bugreport --config': (path) => ['origins', '--config', path],
  'doctor --config': (path) => ['origins', '--config', path],
  'config show --config': (path) => ['config', 'show', '--config', path],
  'run --config': (path) => ['origins', '--config', path],
  'call --token-file': (path) => ['call', 'GET_GUILDS', '--token-file', path],
  'call --client-secret-file': (path) => ['call', 'X', '--scopes', 'rpc', '--client-secret-file', path],
  'token --client-secret-file': (path) => ['token', '--scopes', 'rpc', '--client-secret-file', path],
  'call @FILE': (path) => ['call', 'GET_GUILDS', `@${path}`],
  'emulator play FILE': (path) => ['emulator', 'play', path],
  'emulator world add --fixture': (path) => ['emulator', 'world', 'add', '--fixture', path],
  'emulator import FILE': (path) => ['emulator', 'import', path],
  'emulator apply PATCH.json': (path) => ['emulator', 'apply', path],
};
/** Created where its folder exists. */
const created = [
  'endpoints add --config',
  'presence hide --config',
  'presence show --config',
  'presence prefer --config',
];
/** Read by the bridge that runs. */
const byRunning = ['emulator world add --fixture'];
/** Read by a bridge of their own: tested as whole programs below. */
const byBridge = ['run --fixture', 'emulate --fixture', 'record --fixture', 'emulator play --fixture'];
/** Written, not read. */
const written = [
  'emulate --transcript',
  'token --out',
  'journal --ndjson',
  'journal --har',
  'bugreport --out',
  'emulator play --junit',
];

/** Expected stdout: `config show` prints what is in force without the file. */
const unusedFileOf = (command: string): unknown =>
  command.startsWith('config show') ? expect.stringContaining('is not valid and not used') : '';

describe('an unusable input file is rejected', () => {
  it('in one of these tests for each FILE option', () => {
    const declared = options
      .filter(({ option: { value } }) => value === 'FILE')
      .map(({ command: { name }, flag }) => `${name} --${flag}`);
    const listed = [...Object.keys(files), ...byBridge, ...written];
    expect(listed.filter((name) => name.includes('--')).sort()).toEqual(declared.sort());
  });

  it.each(Object.entries(files))('for %s', async (name, line) => {
    const at = oneOfEach();
    const emulator = byRunning.includes(name) ? await startEmulator() : undefined;
    onTestFinished(() => emulator?.close());
    for (const [kind, text] of fileKinds) {
      if (kind === 'absent' && created.includes(name)) continue;
      const { code, stdout, stderr } = await run(emulator?.env ?? {}, ...line(at(kind)));
      expect([kind, code, stdout]).toEqual([kind, 78, unusedFileOf(name)]);
      expect(stderr).toMatch(text);
      expect(stderr).toContain(at(kind));
      expect(stderr).toMatch(/^footbridge: [^\n]+\. (?:Give|Save|Put) [^\n]+\.\n$/);
    }
  });

  it.each([
    ['call --token-file', 64, 'there is no token in'],
    ['call --client-secret-file', 64, 'there is no secret in'],
    ['call @FILE', 64, 'is not JSON'],
    ['emulator apply PATCH.json', 78, 'the patch is not JSON. Give an object'],
    ['emulator import FILE', 78, ''],
    ['emulator world add --fixture', 78, ': me: is missing'],
  ])('for %s when the file is empty', async (name, expected, text) => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    const path = oneOfEach()('empty');
    const { code, stdout, stderr } = await run(emulator.env, ...(files[name]?.(path) ?? []));
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(path);
    expect(stderr).toContain(text);
    expect(stderr).toMatch(/^footbridge: [^\n]+\n$/);
  });

  it.each(Object.entries(files).filter(([name]) => name.endsWith('--config')))(
    'for %s when the file is not TOML',
    async (name, line) => {
      const path = oneOfEach()('file');
      const { code, stdout, stderr } = await run({}, ...line(path));
      expect([code, stdout]).toEqual([78, unusedFileOf(name)]);
      expect(stderr).toMatch(/^footbridge: [^\n]+: line 1, column \d+: [^\n]+\n$/);
      expect(stderr).toContain(path);
    },
  );

  it.each(byBridge)('for %s, which starts a bridge', async (name) => {
    const at = oneOfEach();
    const words = name.split(' ');
    const rest = {
      emulate: ['--', 'true'],
      record: [at('talk.ndjson'), '--', 'true'],
      emulator: [at('scenarios.toml')],
    }[words[0] ?? ''] ?? ['--json'];
    const kinds = [...fileKinds.filter(([kind]) => kind !== 'large'), ['empty', /: me: is missing/] as const];
    await Promise.all(
      kinds.map(async ([kind, text]) => {
        const { code, stdout, stderr } = await footbridge(temporaryPlace(), ...words, at(kind), ...rest);
        expect([kind, code, stdout]).toEqual([kind, 78, '']);
        expect(stderr).toMatch(text);
        expect(stderr.startsWith(`footbridge: ${at(kind)}: `)).toBe(true);
        expect(stderr.trimEnd()).not.toContain('\n');
      }),
    );
  });

  it.skipIf(process.platform === 'win32')(
    'after --timeout when it is a pipe without a writer (not on Windows: no FIFO)',
    async () => {
      const fifo = join(temporaryPlace().folder, 'fifo');
      silentFifo(fifo);
      const { code, stderr } = await run({}, 'call', 'X', `@${fifo}`, '--timeout', '0.2');
      expect([code, stderr]).toEqual([1, expect.stringContaining(fifo)]);
    },
  );
});

describe('emulator play, before anything is played,', () => {
  it.each([
    ['wait', 'nope', 64, /: --wait: "nope" is no duration\. Give one /],
    ['wait', '-1s', 64, /: --wait: "-1s" is no duration\. Give one /],
    ['wait', LONG, 64, /: --wait: "x{60}…" is no duration\. Give one /],
    ['only', 'fery', 64, /: --only: there is no scenario "fery"\. Did you mean "ferry"\? /],
    ['only', LONG, 64, /: --only: there is no scenario "x{60}…"\. /],
    ['junit', 'folder', 78, /\/folder: cannot be written: it is no regular file\. Name a file /],
    ['junit', 'circle', 78, /\/circle: cannot be written: .+ \(ELOOP\)\. Name a file /],
    [
      'junit',
      'no/report.xml',
      78,
      /\/report\.xml: cannot be written: its folder does not exist\. Name a file /,
    ],
  ])('rejects --%s %.20s', async (flag, wrong, expected, text) => {
    const at = oneOfEach();
    const value = flag === 'junit' ? at(wrong) : wrong;
    const { code, stdout, stderr } = await run(
      {},
      'emulator',
      'play',
      at('scenarios.toml'),
      `--${flag}`,
      value,
    );
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(text);
    expect(stderr).toMatch(/^footbridge: [^\n]+\n$/);
  });
});

/** What people may give, of which nothing is there, by the name of the word or of the option's value. */
const unknown: { readonly [word: string]: readonly string[] } = {
  ID: ['nope', '1', ids.general, '\u001b[2J', LONG],
  USER: ['nope', '1', ids.general, ids.harbour, LONG],
  SKU: ['nope', '700000000000000001', '__proto__', LONG],
  CODE: ['nope', '__proto__', LONG],
  MESSAGE: ['nope', '1', ids.general, '\u001b[2J', LONG],
  ANSWER: ['nope', LONG],
  COMMAND: ['/nope', 'nope', '/', '\u001b[2J', LONG],
  WORD: ['nope', '=x', `${LONG}=x`, LONG],
  BUTTON: ['nope', LONG],
  INSTANCE: ['nope', LONG],
  SELECT: ['nope', LONG],
  INTERACTION: ['nope', '0', ids.general, LONG],
  'NAME=VALUE': ['nope', '=x', 'nope=x', LONG],
  'N|TEXT': ['0', '-1', 'nope', LONG],
  CHANNEL: ['nope', '1', ids.otter, ids.category, LONG],
  APP: ['nope', '0', ids.otter, ids.general, LONG],
  KIND: ['nope', 'dorp', 'delay', 'delay=-1', 'close=1005', 'status=500', 'reconnect', '=', LONG],
  URL: ['nope', 'https://127.0.0.1/', 'http://example.com/', 'http://0x7f.1/', LONG],
  NAME: ['nope', LONG],
  KEY: ['nope', '__proto__', LONG],
  VALUE: [LONG],
  TEXT: ['x'.repeat(4001)],
  SUBJECT: ['', 'x'.repeat(1025)],
  FILE: ['/nowhere/x', '/'],
  'FILE.png': ['/nowhere/x.png', '/'],
  TIME: ['nope', '-1', LONG],
  DURATION: ['nope', '-1', '1 fortnight', LONG],
  'PATCH.json': ['/nowhere'],
  'CLIENT_ID|PRESET': ['nope', '1'],
  ORIGIN: ['nope', 'javascript:x', 'http://x/y', LONG],
  'CMD|-': ['NOPE', '__proto__', LONG],
  TOPIC: ['nope', '__proto__', LONG],
  RULE: ['nope', '__proto__', LONG],
  WHERE: [LONG],
  'QUESTION=ANSWER': ['nope', '=x', 'nope=x', LONG],
  EMOJI: ['nope', LONG],
  SEQ: ['nope', '0', '-1', '1.5', LONG],
  'JSON|-|@FILE': ['nope', '@', '[]', '1'],
};

/** The same where a word of that name means something else: by the name of the command. */
const unknownTo: { readonly [command: string]: readonly string[] } = {
  'emulator world add': ['No', '-1', '../x', '__proto__', 'emulator', '\u001b[2J', LONG],
};

/** Words that are right, to stand beside one that is wrong. */
const right: { readonly [word: string]: string } = {
  ID: ids.harbour,
  USER: 'heron',
  CHANNEL: 'Lounge',
  APP: ids.harbourExample,
  KIND: 'drop',
  RULE: 'unknown-field',
  KEY: 'input.volume',
  VALUE: '50',
  TEXT: 'hello',
  'CLIENT_ID|PRESET': ids.harbourExample,
  'CMD|-': 'SET_ACTIVITY',
};

/**
 * The commands that start something, and those that ask for consent first, by their first word; `call` and `token` to an
 * endpoint are tested with theirs.
 */
const ELSEWHERE = ['emulate', 'record', 'exec', 'voice'];

describe('each positional argument', () => {
  it('is rejected in one line when its value is unknown or of another kind', async () => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    for (const command of ours.filter(({ name }) => !ELSEWHERE.includes(name.split(' ')[0] ?? ''))) {
      const positionals = command.positionals ?? [];
      for (const [index, { name, choices }] of positionals.entries()) {
        for (const wrong of choices === undefined
          ? (unknownTo[command.name] ?? unknown[name] ?? [])
          : ['nope']) {
          const words = positionals
            .filter(({ arity }, at) => at <= index || isNeeded(arity))
            .map((other, at) => (at === index ? wrong : (other.choices?.[0] ?? right[other.name] ?? 'x')));
          // Only reads of a category, which has neither messages nor commands.
          if (['emulator read', 'emulator commands'].includes(command.name) && wrong === ids.category)
            continue;
          const argv = [...command.name.split(' '), ...words];
          const { code, stdout, stderr } = await run(emulator.env, ...argv);
          const what = argv.join(' ').slice(0, 100);
          expect([what, stdout]).toEqual([what, '']);
          expect([1, 64, 78]).toContain(code);
          expect(stderr, what).toMatch(/^footbridge: [^\n]{10,400}\n$/);
          expect(stderr, what).not.toMatch(/defect|undefined|\bE[A-Z]{4,}: /);
        }
        expect(unknown[name] ?? choices, `no row for ${name} of ${command.name}`).toBeDefined();
      }
    }
  });
});

it('the documentation lists every exit code', () => {
  const text = readFileSync(new URL('../../.github/guide/troubleshooting.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## Exit codes\n');
  const rows = [...section.matchAll(/^\| (\d[^|]*) \| ([^|]+) \| [^|]+ \|$/gm)].map(([, code, what]) => [
    code,
    what,
  ]);
  expect(rows.slice(0, exitCodeMeanings.length)).toEqual(
    exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
  );
  expect(Object.values(ExitCode).sort((a, b) => a - b)).toEqual(exitCodeMeanings.map(([code]) => code));
  expect(rows.slice(exitCodeMeanings.length).map(([code]) => code)).toEqual(['126', '127', '128 + n']);
});
