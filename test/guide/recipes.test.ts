import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, copyOf, filesOf, recipes } from './recipes.ts';

const TITLES = [
  'A command',
  'An event',
  'A kind of record',
  'An HTTP operation',
  'An operator operation',
  'A core',
  'A setting',
];

it('CONTRIBUTING has a recipe for each, which ends with the tests to run', () => {
  expect(recipes().map(({ title }) => title)).toEqual(TITLES);
  for (const { title, commands } of recipes()) {
    expect(commands.at(-1), title).toMatch(/^npx vitest run --config test\//);
    // Vitest would take a file behind -u for the value of that option, and update every test.
    for (const command of commands) expect(command).not.toMatch(/ -u ./);
  }
});

it('the recipe of an operator operation adds to one source file, and one test', () => {
  const recipe = recipes().find(({ title }) => title === 'An operator operation');
  const files = recipe && [...filesOf(recipe, 'changed'), ...filesOf(recipe, 'new')];
  expect(files?.map((file) => file.split('/')[0])).toEqual(['src', 'test']);
});

describe('in a copy of the sources with the blocks of the recipes applied', () => {
  let copy: string;
  // What a recipe adds is unknown to the types of this checkout.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  let added: any;

  beforeAll(async () => {
    const tests = recipes().flatMap((recipe) => filesOf(recipe, 'changed'));
    const needed = ['test/guide/recipe-probe.ts', 'test/cli/fake-io.ts', ...tests];
    copy = copyOf('src', 'platform', 'service', '.ci', 'package.json', ...new Set(needed));
    for (const recipe of recipes()) apply(recipe, copy);
    await build({
      absWorkingDir: copy,
      entryPoints: ['test/guide/recipe-probe.ts', 'src/cli/main.ts'],
      outdir: join(copy, 'out'),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      // In a bundle, package.json is somewhere else.
      define: { __FOOTBRIDGE_VERSION__: '"0.0.0"', __FOOTBRIDGE_RELEASE__: 'false' },
      logLevel: 'warning',
    });
    const program = join(copy, 'out/src/cli/main.mjs');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(copy, 'out/test/guide/recipe-probe.mjs'), program],
      { encoding: 'utf8', timeout: 50_000 },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    added = JSON.parse(stdout);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('the command is in the registry and is answered', () => {
    expect(added.command.known).toBe('served');
    expect(added.command.answer.time).toMatch(/^2030-01-01T12:00:/);
  });
  it('the event is sent to an app that has subscribed', () => {
    expect(added.event).toEqual([{ locale: 'de' }]);
  });
  it('the record is accepted by a fixture and exported', () => {
    expect(added.record).toHaveLength(1);
    expect(added.record[0]).toContain('"quay":"North"');
  });
  it('the HTTP operation answers', () => {
    expect(added.http).toEqual({ status: 200, body: { locale: 'en-US' } });
  });
  it('the operator operation is in help, completion, console, types and reference, and runs', () => {
    const { help, ran, completion, console, types, reference } = added.operator;
    expect(help).toContain('footbridge emulator user find heron');
    expect(ran).toBe('heron is 200000000000000002.\n');
    expect(console).toEqual({
      name: 'user.find',
      summary: 'Find a user by id or username',
      args: ['user'],
      command: 'user find',
    });
    expect(types).toEqual([
      "  'user.find': { args: { user: string }; result: { id: string; username: string } };",
    ]);
    expect([completion, reference]).toEqual([true, true]);
  });
  it('the core is chosen by configuration and answers apps', () => {
    expect(added.core.name).toBe('quiet');
    expect(added.core.answers).toEqual({ CAPTURE_LOG: null, GET_USER: 4002 });
  });
  it('the setting is in "config show", and changes what a bridge prints', () => {
    expect(added.setting).toMatchObject({
      value: false,
      origin: { kind: 'environment', where: 'FOOTBRIDGE_HINTS' },
      about: 'print what to try next when the bridge is ready',
    });
    expect(added.core.hints).toBe(false);
  });
});
