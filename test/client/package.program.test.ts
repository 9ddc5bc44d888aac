import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRuntime } from '../helpers/daemon.ts';
import { scriptedServer } from '../helpers/scripted-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const runtime = createRuntime();
const { folder } = runtime;
const installed = join(folder, 'node_modules/@footbridge/client');
const tarball = join(folder, 'footbridge-client.tgz');
/** The stricter reading of a kilobyte. */
const KB = 1000;
const judges = {
  attw: fileURLToPath(new URL('dist/index.js', import.meta.resolve('@arethetypeswrong/cli/package.json'))),
  publint: fileURLToPath(new URL('cli.js', import.meta.resolve('publint'))),
};

/** Bytes by the path of each file. */
function sizes(directory: string): Record<string, number> {
  return Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => [name, statSync(join(directory, name))] as const)
      .filter(([, status]) => status.isFile())
      .map(([name, { size }]) => [name, size]),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

beforeAll(async () => {
  await run(process.execPath, ['--import', 'tsx', join(root, '.ci/pack.ts'), 'client', folder]);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    './footbridge-client.tgz',
  ];
  await run('npm', flags, { cwd: folder });
  return () => runtime.remove();
}, 60_000);

describe('the client package', () => {
  it.each(['mjs', 'cjs'])('has at most 49 KB of readable code as .%s', (format) => {
    // The client, and what it shares with oauth2.
    const code = Object.entries(sizes(installed)).filter(
      ([name]) => name.endsWith(`.${format}`) && !name.startsWith('oauth2'),
    );
    expect(sum(code.map(([, size]) => size))).toBeGreaterThan(20 * KB);
    expect(sum(code.map(([, size]) => size))).toBeLessThanOrEqual(49 * KB);
    const text = readFileSync(join(installed, 'index.cjs'), 'utf8');
    expect(text).toContain('function createClient(options)');
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(1000);
  });

  it('contains the docstring of each declared member', () => {
    const source = readFileSync(join(root, 'src/client/options.ts'), 'utf8');
    const flat = (text: string): string => text.replaceAll(/^ +/gm, '');
    const declared = flat(readFileSync(join(installed, 'types/src/client/options.d.cts'), 'utf8'));
    const docstrings = (source.match(/\/\*\*.*?\*\//gs) ?? []).map(flat);
    expect(docstrings.length).toBeGreaterThan(10);
    expect(docstrings.filter((text) => !declared.includes(text))).toEqual([]);
  });

  it('contains code, types, licence and README, and has no dependencies', () => {
    const rest = Object.keys(sizes(installed)).filter(
      (name) => !/^([\w-]+-[\w-]{8}\.[cm]js|types\/(src|platform)\/[\w/-]+\.d\.cts)$/.test(name),
    );
    expect(rest.sort()).toEqual([
      ...['LICENSE', 'README.md', 'index.cjs', 'index.d.cts', 'index.d.mts', 'index.mjs'],
      ...['oauth2.cjs', 'oauth2.d.cts', 'oauth2.d.mts', 'oauth2.mjs'],
      ...['oauth2/package.json', 'package.json'],
    ]);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: '@footbridge/client',
      version: own.version,
      engines: { node: '>=20.19' },
    });
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@footbridge',
    ]);
  });

  it('imports no other package in its types and only modules of Node in its code', () => {
    for (const name of Object.keys(sizes(installed)).filter((one) => /\.d\.[cm]ts$/.test(one))) {
      const specifiers = [
        ...readFileSync(join(installed, name), 'utf8').matchAll(/from '([^']+)'|import\('([^']+)'\)/g),
      ];
      for (const [, from, type] of specifiers) expect(from ?? type).toMatch(/^\.\.?\//);
    }
    for (const name of ['index.cjs', 'oauth2.cjs']) {
      const modules = [...readFileSync(join(installed, name), 'utf8').matchAll(/require\("([^"]+)"\)/g)];
      expect(modules.length).toBeGreaterThan(0);
      // The two share a file.
      for (const [, module] of modules) expect(module).toMatch(/^(?:node:|\.\/[\w-]+-[\w-]{8}\.cjs$)/);
    }
  });

  it.each(['new m.ClientError("CLOSED", "gone")', 'new m.RpcError("X", 4000, "gone")'])(
    'prints an uncaught error under its class name: %s',
    async (error) => {
      const program = join(folder, 'uncaught.cjs');
      writeFileSync(program, `const m = require('@footbridge/client'); throw ${error};`);
      const { stderr } = await run(process.execPath, [program]).catch((failure) => failure);
      expect(stderr).toMatch(/^(ClientError|RpcError): gone$/m);
    },
  );

  it('loads no module of Node before it connects', async () => {
    const program = join(folder, 'only-import.cjs');
    writeFileSync(
      program,
      `const before = new Set(process.moduleLoadList);
      require('./node_modules/@footbridge/client/index.cjs');
      console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name))));`,
    );
    const { stdout } = await run(process.execPath, [program]);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it.each([
    [
      'import',
      'app.mjs',
      "import { connect } from '@footbridge/client'; import { createPkce } from '@footbridge/client/oauth2';",
    ],
    [
      'require',
      'app.cjs',
      "const { connect } = require('@footbridge/client'); const { createPkce } = require('@footbridge/client/oauth2');",
    ],
  ])(
    'runs in an empty folder with %s: it finds the server, sets presence and receives events',
    async (_how, file, head) => {
      const place = join(folder, `${file}-runtime`);
      mkdirSync(place, { mode: 0o700 });
      const server = await scriptedServer(
        ({ opcode, body }, peer) => {
          if (opcode === 0) return peer.ready();
          if (opcode !== 1) return;
          peer.payload({ cmd: body.cmd, nonce: body.nonce, data: body.args });
          if (body.cmd === 'SUBSCRIBE') peer.dispatch('VOICE_CHANNEL_SELECT', { channel_id: '7' });
        },
        join(place, 'discord-ipc-3'),
      );
      const program = `${head}
      (async () => {
        const client = await connect({ clientId: '18' });
        const shown = await client.setActivity({ details: 'By the river' });
        const select = new Promise((resolve) => client.subscribe('VOICE_CHANNEL_SELECT', {}, resolve));
        console.log(JSON.stringify([client.user.username, shown.activity, await select, createPkce().verifier.length]));
        await client.close();
      })();`;
      writeFileSync(join(folder, file), program);
      const { stdout } = await run(process.execPath, [join(folder, file)], {
        env: { PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: place },
      });
      expect(JSON.parse(stdout)).toEqual(['mason', { details: 'By the river' }, { channel_id: '7' }, 43]);
      expect(server.peers).toHaveLength(1);
    },
  );

  it('exports the same names through import and require', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import * as imported from '@footbridge/client';
      const required = createRequire(import.meta.url)('@footbridge/client');
      console.log(Object.keys(imported).join(), Object.keys(required).sort().join());`;
    writeFileSync(join(folder, 'both.mjs'), program);
    const { stdout } = await run(process.execPath, [join(folder, 'both.mjs')]);
    const names = 'ClientError,RpcError,connect,createClient';
    expect(stdout).toBe(`${names} ${names}\n`);
  });

  it.each(['esm', 'cjs'] as const)('can be bundled into one self-contained %s file', async (format) => {
    const entry =
      "import { createClient } from '@footbridge/client'; console.log(createClient({ clientId: '18' }).state);";
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: folder },
      bundle: true,
      platform: 'node',
      format,
      write: false,
      logLevel: 'silent',
    });
    const alone = join(folder, 'alone');
    mkdirSync(alone, { recursive: true });
    const file = join(alone, format === 'esm' ? 'app.mjs' : 'app.cjs');
    writeFileSync(file, outputFiles[0]?.text ?? '');
    expect((await run(process.execPath, [file], { cwd: alone })).stdout).toBe('idle\n');
  });

  it('has types for every kind of module resolution, as attw confirms', async () => {
    const { stdout } = await run(process.execPath, [judges.attw, tarball, '--format', 'json'], {
      cwd: folder,
    });
    const { analysis } = JSON.parse(stdout);
    expect(Object.keys(analysis.entrypoints).sort()).toEqual(['.', './oauth2', './package.json']);
    expect(analysis.problems).toEqual([]);
  });

  it('passes publint, including suggestions', async () => {
    const { stdout } = await run(process.execPath, [judges.publint, tarball, '--strict'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
    });
    expect(stdout).toContain('All good!');
  });

  it.each([
    ['app.mts', 'nodenext', 'nodenext'],
    ['app.cts', 'nodenext', 'nodenext'],
    ['app.ts', 'node16', 'node16'],
    ['app.ts', 'esnext', 'bundler'],
  ])(
    'compiles, and rejects wrong code, in %s of module %s resolved by %s, with every check enabled',
    async (file, module, moduleResolution) => {
      const source = readFileSync(join(root, 'test/types/client.ts'), 'utf8');
      writeFileSync(join(folder, file), source.replace('../../src/client/index.ts', '@footbridge/client'));
      const compilerOptions = {
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: false,
        target: 'es2022',
        lib: ['es2023'],
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const compiled = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error);
      expect(compiled.stdout).toBe('');
    },
  );
});
