import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadLinks } from './helpers/markdown.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What `npm pack` may weigh, in bytes. */
const BUDGET = 1_580_000;

interface Packed {
  readonly size: number;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: unknown;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
let folder: string;
let packed: Packed;
let paths: readonly string[];
/** What the checkout's build was before it was packed: each file's place on the disk and its time. */
let before: readonly string[];

function builtFiles(): readonly string[] {
  return readdirSync(join(checkout, 'dist'), { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { ino, mtimeMs } = statSync(join(checkout, 'dist', name));
      return `${name} ${ino} ${mtimeMs}`;
    })
    .sort();
}

/** What is packed, and what that needs. */
const SOURCES = [
  '.ci',
  '.github',
  'platform',
  'service',
  'src',
  'LICENSE',
  'README.md',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];
/** A copy of the checkout, which is packed as a person would. */
let checkout: string;

beforeAll(() => {
  checkout = mkdtempSync(join(realpathSync(tmpdir()), 'fb-pack-'));
  for (const name of SOURCES) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  run(checkout, process.execPath, ['.ci/setup.mjs', 'build']);
  before = builtFiles();
  const flags = ['pack', '--json', '--loglevel=error', '--foreground-scripts=false'];
  [packed] = JSON.parse(run(checkout, 'npm', flags)) as [Packed];
  run(checkout, 'tar', ['-xzf', packed.filename]);
  folder = join(checkout, 'package');
  paths = packed.files.map(({ path }) => path);
}, 120_000);
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

function run(cwd: string, program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  const said = status === 0 ? '' : stdout + stderr;
  expect({ program, status, said }).toEqual({ program, status: 0, said: '' });
  return stdout;
}

function targets(exports: unknown): string[] {
  if (typeof exports === 'string') return [exports.replace('./', '')];
  return Object.values(exports as object).flatMap(targets);
}

it(`the package weighs at most ${BUDGET} bytes`, () => {
  expect(packed.size).toBeLessThanOrEqual(BUDGET);
});

it('the pack command leaves the checkout and its build unchanged', () => {
  const made = ['dist', 'node_modules', 'package', packed.filename];
  expect(readdirSync(checkout).sort()).toEqual([...SOURCES, ...made].sort());
  expect(builtFiles()).toEqual(before);
});

it('the package has the program, its public entries with their types, and nothing else', () => {
  expect(paths).toEqual(
    expect.arrayContaining([...targets(manifest.exports), ...Object.values(manifest.bin)]),
  );
  const known = [
    /^(README\.md|LICENSE|package\.json)$/,
    // The guides, and the references that they lead to.
    /^\.github\/(?:AGENTS|SECURITY|guide\/[a-z-]+)\.md$/,
    /^src\/(?:(?:client|control|core|protocol|server)\/README|emulator\/REFERENCE|control\/OPERATIONS)\.md$/,
    /^\.github\/(bench\.svg|console-[\w-]+\.png)$/,
    // The client for C and C++, its declarations for C#, and what CMake needs of it.
    /^src\/native\/csharp\/Footbridge\.cs$/,
    /^src\/native\/(footbridge|compat\/discord_\w+)\.[ch]$/,
    /^src\/native\/(CMakeLists\.txt|footbridge\.pc\.in|cmake\/FootbridgeConfig(Version)?\.cmake(\.in)?)$/,
    // The helper of tests in Python.
    /^src\/testing\/python\/\w+\.py$/,
    // The program and what belongs to it at the top, the two libraries and the declarations in folders.
    /^dist\/[\w-]+\.js$/,
    /^dist\/console\/(index\.html|app\.js|drawn\.js|app\.css|icon\.svg)$/,
    /^dist\/types\/(src|platform)\/[\w/-]+\.d\.cts$/,
    /^dist\/(attach|core|server|testing|testing-vitest)\.d\.ts$/,
    /^dist\/((attach|scenario)\.schema\.json|THIRD-PARTY\.txt)$/,
    /^dist\/(client|sdk)\/(index|oauth2)\.(cjs|mjs|d\.cts|d\.mts)$/,
    // For browsers, and what the libraries share.
    /^dist\/sdk\/(page|[\w-]+-[\w-]{8})\.(cjs|mjs)$/,
  ];
  expect(paths.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(paths.filter((path) => /\.map$|\.test\.|(^|\/)test\//.test(path))).toEqual([]);
});

it.each([
  ['the page of the console', (path: string) => !path.endsWith('/drawn.js'), 200_000, 70_000],
  ['the part of it that draws messages', (path: string) => path.endsWith('/drawn.js'), 90_000, 32_000],
] as const)('%s weighs no more than it may', (_, isPart, most, mostCompressed) => {
  const files = paths.filter((path) => path.startsWith('dist/console/') && isPart(path));
  const bytes = files.map((path) => readFileSync(join(folder, path)));
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);
  expect(files.length).toBeGreaterThan(0);
  expect(sum(bytes.map(({ length }) => length))).toBeLessThanOrEqual(most);
  expect(sum(bytes.map((file) => gzipSync(file).length))).toBeLessThanOrEqual(mostCompressed);
});

it('the package has every page that one of its pages links to', () => {
  const pages = paths.filter((path) => path.endsWith('.md'));
  expect(pages).toContain('README.md');
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.flatMap((page) => deadLinks(folder, page))).toEqual([]);
});

it.each([
  ['run', 'bridge', 5, 6],
  ['status', 'control', 4, 3],
  ['--version', 'command-line', 3, 1],
])(
  'the program starts %s from few files with few imports of each other',
  (_command, entry, files, imports) => {
    const names = paths.map((path) => path.replace('dist/', ''));
    const main = names.find(
      (name) => name.startsWith(`${entry}-`) && name.length === `${entry}-12345678.js`.length,
    );
    const loaded = new Set(['footbridge.js', main ?? entry]);
    let found = 0;
    for (const name of loaded) {
      const text = readFileSync(join(folder, 'dist', name), 'utf8');
      for (const [, from = ''] of text.matchAll(/(?:\bfrom ?|\bimport ?)"\.\/([^"]+)"/g)) {
        loaded.add(from);
        found += 1;
      }
    }
    expect([...loaded].length).toBeLessThanOrEqual(files);
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(imports);
  },
);

it('the package has every file that its declarations import', () => {
  const types = paths.filter((path) => /\.d\.[cm]?ts$/.test(path));
  expect(types.length).toBeGreaterThan(3);
  const imported = types.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    return [...text.matchAll(/\bfrom ['"](\.[^'"]+)\.([cm]?)js['"]/g)].map(([, from = '', kind = '']) => {
      return new URL(`${from}.d.${kind}ts`, `file:///${path}`).pathname.slice(1);
    });
  });
  expect(imported).toContain('dist/types/src/core/core.d.cts');
  expect(imported.filter((path) => !paths.includes(path))).toEqual([]);
});

/** Uses every way in that has types, each from an ES module. */
const CONSUMER = `import { attach } from 'footbridge/attach';
import { connect, type User } from 'footbridge/client';
import { exchangeCode } from 'footbridge/client/oauth2';
import { type ClientCore, type CoreHandlers, contract, defineOperation, RpcError } from 'footbridge/core';
import { Client } from 'footbridge/sdk';
import { createServer, memoryTransport } from 'footbridge/server';
import { startEmulator } from 'footbridge/testing';

export const values = [attach, connect, exchangeCode, contract, Client, createServer, startEmulator];
export const handlers: CoreHandlers = {
  GET_GUILDS: () => ({ guilds: [{ id: '1', name: 'Harbour', icon_url: null, more: true }] }),
  AUTHORIZE: ({ scopes = [] }) => ({ code: scopes.map((scope) => scope.trim()).join() }),
  // @ts-expect-error an id is no number
  GET_USER: async ({ id }) => ({ id: Number(id) }),
  GET_GUILD({ guild_id }): never {
    throw new RpcError(4003, guild_id);
  },
};
const operation = defineOperation({
  summary: 'Counts',
  args: () => ({ safeParse: (args: unknown) => ({ success: true, data: { count: Number(args) } }) as const }),
  run: ({ count }) => count + 1,
});
const core: ClientCore = {
  name: 'mine',
  start: (host) => ({ admin: { operation }, describe: () => [['told', String(host.emit('CURRENT_USER_UPDATE', {} as User))]] }),
  open: () => ({ ready: { v: 1, config: { cdn_host: '', api_endpoint: '', environment: '' } }, handlers, close() {} }),
  stop() {},
};
const transport = memoryTransport();
export const server = createServer({ core, transports: [transport] });
transport.connect().send(0, { v: 1 });
`;

it('the package compiles into a TypeScript program, with its declarations checked', () => {
  writeFileSync(join(folder, 'consumer.mts'), CONSUMER);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom', 'esnext.disposable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // The declarations are checked too.
    skipLibCheck: false,
    types: [],
  };
  const settings = { compilerOptions, files: ['consumer.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  expect(run(folder, process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toBe('');
});

it('the package declares every package that it imports, and none that it bundles', () => {
  const named = paths
    .filter((path) => /\.[cm]?[jt]s$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return [...text.matchAll(/(?:\b(?:require|import)\(|\bfrom ?|\bimport)["']([\w@][\w@/.-]*)["']/g)];
    });
  const packages = new Set(named.map(([, name = '']) => name).filter((name) => !isBuiltin(name)));
  const { dependencies = {}, optionalDependencies, peerDependencies } = manifest;
  const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  expect([...packages].filter((name) => !declared.includes(name))).toEqual([]);
  expect(Object.keys(dependencies)).toEqual([...packages].filter((name) => name in dependencies));
});

it('the package preserves names and lines, so that a stack trace names the function and the line', () => {
  const main = readFileSync(join(folder, 'dist/footbridge.js'), 'utf8');
  expect(main).toContain('function keepInspectorClosed()');
  // The page of the console is as small as it gets: a browser waits for it, and nobody has a stack trace of it.
  for (const path of paths.filter((one) => /\.[cm]?js$/.test(one) && !one.startsWith('dist/console/'))) {
    const lines = readFileSync(join(folder, path), 'utf8').split('\n');
    // Longer ones are a package's own tables, each a word, and expressions that the bundler does not break: one in five hundred lines at most.
    const long = lines.filter((line) => line.replaceAll(/(["'`])[\w+-]{1000,}\1/g, '').length > 2000).length;
    expect(long, path).toBeLessThanOrEqual(Math.max(2, lines.length / 500));
  }
});

it('the scripts are plain ASCII, because V8 stores a file with other characters at twice its size', () => {
  const scripts = paths.filter((path) => /\.[cm]?js$/.test(path) && !path.startsWith('dist/console/'));
  const others = scripts.filter((path) => /[^\0-\x7f]/.test(readFileSync(join(folder, path), 'utf8')));
  expect({ some: scripts.length > 10, others }).toEqual({ some: true, others: [] });
});

it('the declarations have their docstrings', () => {
  const core = readFileSync(join(folder, 'dist/types/src/core/core.d.cts'), 'utf8');
  const source = readFileSync(join(ROOT, 'src/core/core.ts'), 'utf8');
  const docstrings = source.match(/\/\*\*.*?\*\//gs) ?? [];
  expect(docstrings.length).toBeGreaterThan(10);
  expect(
    docstrings.filter((text) => !core.replaceAll(/^ +/gm, '').includes(text.replaceAll(/^ +/gm, ''))),
  ).toEqual([]);
});

it('the program neither writes nor loads compiled code', () => {
  const listed = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const names = listed();
  const main = join(folder, 'dist/footbridge.js');
  // Under the name of kept code, and garbage: whoever takes it ends differently.
  const { cachedDataVersionTag } = process.getBuiltinModule('node:v8');
  const planted = join(folder, 'dist', `footbridge-${cachedDataVersionTag()}.cache`);
  writeFileSync(planted, 'planted');
  expect(run(folder, process.execPath, [main, '--version'])).toMatch(/^footbridge /);
  rmSync(planted);
  expect(listed()).toEqual(names);
  for (const path of paths.filter((one) => /\.[cm]?js$/.test(one))) {
    expect(readFileSync(join(folder, path), 'utf8'), path).not.toMatch(
      /cachedData|CompileCache|runInThisContext/,
    );
  }
});

it('the package has the notice of each package that it bundles', () => {
  const text = readFileSync(join(folder, 'dist/THIRD-PARTY.txt'), 'utf8');
  const named = [...text.matchAll(/^((?:@[\w-]+\/)?[\w-]+) (\d+\.\S+)$/gm)];
  const names = [
    '@fastify/busboy',
    '@noble/hashes',
    '@pinojs/redact',
    'env-paths',
    'fast-decode-uri-component',
    'fast-deep-equal',
    'fast-querystring',
    'find-my-way',
    'htm',
    'is-safe-filename',
    'jose',
    'lucide',
    'pino',
    'preact',
    'quick-format-unescaped',
    're2js',
    'ret',
    'safe-regex2',
    'smol-toml',
    'ws',
    'zod',
  ];
  expect(named.map(([, name]) => name)).toEqual(names);
  for (const [, name = '', version] of named) {
    const home = join(ROOT, 'node_modules', name);
    expect(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))).toMatchObject({ version });
    const licence = readdirSync(home).find((one) => /^licen[cs]e/i.test(one)) ?? '';
    expect(text).toContain(readFileSync(join(home, licence), 'utf8').trim());
  }
});

it('the package runs nothing when it is installed', () => {
  const scripts = Object.keys(manifest.scripts);
  expect(scripts.filter((name) => /^(pre|post)?install$|^(pre|post)?prepare$/.test(name))).toEqual([]);
});

it('the package is a release build without a path of its checkout', () => {
  const settings = JSON.parse(
    run(folder, process.execPath, [join(folder, 'dist/footbridge.js'), 'config', 'show', '--json']),
  ) as { readonly keys?: readonly { readonly key: string; readonly value: unknown }[] };
  expect(JSON.stringify(settings)).toContain('"warn"');
  // A checkout in a short folder (`/src/`) has a name that any path may hold: what counts is a path that begins with it.
  const named = new RegExp(
    `(?<![\\w.-])(?:file://)?${ROOT.replaceAll(/[.+*?^$(){}|[\]\\]/g, String.raw`\$&`)}(?:src|platform|service|node_modules|dist)/`,
  );
  for (const path of paths.filter((one) => /\.[cm]?js$/.test(one))) {
    const text = readFileSync(join(folder, path), 'utf8');
    expect(named.exec(text)?.[0], path).toBeUndefined();
  }
});

describe('the package installed in a folder of its own', () => {
  const program = 'node_modules/footbridge/dist/footbridge.js';
  const suite = 'node_modules/@footbridge/conformance/main.js';
  const list = ['server', '--list', '--case', 'framing'];
  let place: string;
  let suiteFile: string;

  beforeAll(() => {
    place = mkdtempSync(join(realpathSync(tmpdir()), 'fb-installed-'));
    run(ROOT, process.execPath, ['--import', 'tsx', join(ROOT, '.ci/pack.ts'), 'conformance', place]);
    suiteFile = join(place, 'footbridge-conformance.tgz');
    install(place, join(checkout, packed.filename));
  }, 60_000);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  /** From the files alone: no registry is asked. */
  function install(where: string, file: string): void {
    if (!existsSync(join(where, 'package.json'))) writeFileSync(join(where, 'package.json'), '{}');
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    run(where, 'npm', ['install', '--offline', '--omit=optional', ...quiet, file]);
  }
  function call(where: string, ...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: where, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  it('reports in one sentence how to install the conformance suite, and installs nothing but itself', () => {
    expect(call(place, program, 'conformance', ...list)).toEqual({
      status: 69,
      stdout: '',
      stderr:
        'footbridge: The conformance suite is a package of its own, and it is not installed here: ' +
        '@footbridge/conformance. Make it with "npm run pack:conformance" in a checkout, and install ' +
        'dist/footbridge-conformance.tgz here.\n',
    });
    expect(readdirSync(join(place, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'footbridge',
    ]);
  });

  it('runs the suite that is installed beside it, or in the folder of the call', () => {
    const elsewhere = join(place, 'elsewhere');
    mkdirSync(elsewhere);
    install(elsewhere, suiteFile);
    const called = call(elsewhere, join(place, program), 'conformance', ...list);
    install(place, suiteFile);
    const beside = call(place, program, 'conformance', ...list);
    expect(called).toEqual(beside);
    expect(beside).toMatchObject({ status: 0, stderr: '' });
    expect(beside.stdout).toMatch(/^framing\/1 +MUST /m);
    // By itself it says the same.
    expect(call(elsewhere, suite, ...list)).toEqual(beside);
  });

  it('exports the names of its source, by import and by require', () => {
    const program = `
      import { createRequire } from 'node:module';
      const { exports } = createRequire(import.meta.url)('footbridge/package.json');
      const names = {};
      for (const path of Object.keys(exports).filter((path) => !/\\.(json|h)$/.test(path))) {
        names[path] = Object.keys(await import(path.replace('.', 'footbridge'))).sort();
        if (exports[path].require === undefined) continue;
        const required = createRequire(import.meta.url)(path.replace('.', 'footbridge'));
        for (const name of names[path]) if (required[name] === undefined) throw new Error(path + ' ' + name);
      }
      const { startEmulator } = await import('footbridge/testing');
      const bridge = await startEmulator();
      const { refused } = await bridge.operations.call('voice.set', { key: 'input.volume', value: '500' }).then(
        () => ({ refused: '' }), (error) => ({ refused: error.message }));
      await bridge.close();
      console.log(JSON.stringify({ names, refused }));`;
    writeFileSync(join(place, 'program.mjs'), program);
    const { status, stdout, stderr } = call(place, 'program.mjs');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      names: {
        './core': ['CloseCode', 'CloseError', 'ErrorCode', 'RpcError', 'contract', 'defineOperation'],
        './server': expect.arrayContaining(['createServer', 'memoryTransport']),
        './testing': ['scenario', 'startEmulator', 'withBridge'],
        './attach': ['AttachError', 'attach'],
        './client': expect.arrayContaining(['connect', 'createClient']),
        './sdk': expect.arrayContaining(['Client', 'VoiceSettings']),
      },
      refused: 'input.volume: must be a number from 0 to 100',
    });
  });

  it('names the classes of the SDK by their exported names', () => {
    const program = `
      const sdk = require('footbridge/sdk');
      const wrong = Object.entries(sdk).filter(([name, Class]) => Class.nullobj && name !== Class.name);
      new sdk.Client('', '').RevokeToken('1', '').then(({ result }) => {
        try { new sdk.ActivityAssets().assign(result); } catch ({ message }) {
          console.log(JSON.stringify([wrong, Object.values(sdk).filter((one) => one.nullobj).length, message]), result.Error());
        }
      });`;
    writeFileSync(join(place, 'names.cjs'), program);
    const { stdout, stderr } = call(place, 'names.cjs');
    expect(stderr).toBe('');
    expect(stdout).toBe(
      '[[],12,"ActivityAssets: the other object must be of the same class"] token: must be a string, not empty\n',
    );
  });

  it('logs only warnings and errors of the SDK, whatever severity is requested', () => {
    const program = `
      import { startEmulator } from 'footbridge/testing';
      import { AuthorizationArgs, Client, LoggingSeverity } from 'footbridge/sdk';
      const bridge = await startEmulator({ consent: 'deny' });
      const client = new Client(bridge.api, '', { paths: [bridge.endpoint] });
      const told = [];
      client.AddLogCallback((line, severity) => told.push([severity, line]), LoggingSeverity.Verbose);
      client.SetApplicationId('300000000000000001');
      const args = new AuthorizationArgs();
      args.SetScopes('identify');
      await client.Authorize(args);
      await client.Disconnect();
      await bridge.close();
      console.log(JSON.stringify(told));`;
    writeFileSync(join(place, 'log.mjs'), program);
    const { stdout, stderr } = call(place, 'log.mjs');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([[3, expect.stringMatching(/^Authorize: access_denied/)]]);
  });

  it('passes cases of the conformance suite when it serves', () => {
    const start = `${process.execPath} ${join(place, program)} run --json --http-port 0 --ws-port off`;
    const args = ['server', '--case', 'framing/1', '--case', 'ping/1', '--start', start];
    const { status, stdout, stderr } = call(place, suite, ...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/2 cases/);
  }, 30_000);
});
