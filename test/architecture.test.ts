import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from './helpers/architecture-rules.ts';
import { constructorEffects } from './helpers/constructor-effects.ts';
import { upwardImports, withoutLayer } from './helpers/emulator-order.ts';
import { importCircles, importGraph } from './helpers/import-circles.ts';
import { strayWriters, WRITERS } from './helpers/row-writers.ts';
import { IGNORED, ROOT, sourceFiles } from './helpers/source-files.ts';
import { importsOf } from './helpers/source-text.ts';

/** The whole top level; names with a leading dot are not counted. */
const TOP_LEVEL = [
  'LICENSE',
  'README.md',
  'package-lock.json',
  'package.json',
  'platform',
  'service',
  'src',
  'test',
  'tsconfig.json',
];
const EMULATOR = 'src/emulator/';
/** The same, by what README has people run: `npm pack` leaves a package here. */
const LEFT_BEHIND = /^dist\.|\.(log|tgz)$/;

function strangersAmong(names: readonly string[]): string[] {
  const isKnown = (name: string): boolean =>
    name.startsWith('.') || IGNORED.includes(name) || LEFT_BEHIND.test(name);
  return names.filter((name) => !isKnown(name) && !TOP_LEVEL.includes(name));
}

/** The files that every bridge loads as it starts. */
function loadedByBridge(): string[] {
  const loaded = new Set(['src/cli/bridge.ts', 'src/daemon/run.ts']);
  for (const file of loaded) {
    for (const { specifier, kind } of importsOf(readFileSync(join(ROOT, file), 'utf8'))) {
      if (kind === 'static' && specifier.startsWith('.'))
        loaded.add(posix.join(posix.dirname(file), specifier));
    }
  }
  return [...loaded];
}

describe('the source tree', () => {
  const files = ['src', 'platform', 'service'].flatMap(sourceFiles);

  it('follows the dependency rule in every file', () => {
    // A rule that looks at nothing would pass.
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap((file) => violations(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });
  it('yields at least one parsed import for each import line of a file', () => {
    for (const file of files) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const ends = text.match(/^(?:import\b.*|export\b.*|\}) from '.*';$/gm) ?? [];
      expect(importsOf(text).length, file).toBeGreaterThanOrEqual(ends.length);
    }
  });
  it('excludes commands that call a bridge from the files that a bridge loads at startup', () => {
    expect(loadedByBridge()).toContain('src/daemon/run.ts');
    const commands = /^(?:service|src\/(?:conformance|cli\/(?:doctor|service|call|completion|table\.ts)))/;
    expect(loadedByBridge().filter((file) => commands.test(file))).toEqual([]);
  });
  it('excludes schemas of the platform, core and protocol from the files that a bridge loads at startup', () => {
    const isAboutBodies = /^src\/emulator\/.*\b(?:shapes|requests|routes|body)\.ts$/;
    const makesOne = (file: string): boolean =>
      /^src\/(?:emulator|core|protocol)\//.test(file) &&
      /^(?:export )?const \w+ =\s+(?:z\s*\.|\w+Shape\s*\.)/m.test(readFileSync(join(ROOT, file), 'utf8'));
    const every = sourceFiles('src');
    // Rules that find nothing anywhere would pass.
    expect(every.filter((file) => isAboutBodies.test(file)).length).toBeGreaterThan(50);
    expect(every.filter(makesOne).length).toBeGreaterThan(50);
    expect(loadedByBridge().filter((file) => isAboutBodies.test(file) || makesOne(file))).toEqual([]);
  });
  it('has only known entries at its top level', () => {
    const names = readdirSync(ROOT);
    expect(strangersAmong(names)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['LICENSE', 'package.json', 'platform', 'src', 'test']));
  });
  it('may have git-ignored output of the README commands at its top level', () => {
    expect(strangersAmong(['footbridge-0.1.0.tgz', 'dist', 'src', 'footbridge.log'])).toEqual([]);
    expect(strangersAmong(['notes.md', 'tgz', 'lib'])).toEqual(['notes.md', 'tgz', 'lib']);
    expect(readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')).toContain('/*.tgz');
  });
});

describe('source files', () => {
  const files = ['src', 'platform', 'service'].flatMap(sourceFiles);
  const texts = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);

  it('form no import cycle of any length, type imports included', () => {
    expect(importCircles(importGraph(texts))).toEqual([]);
  });
  it.each<[string, string[], string[][]]>([
    [
      'two',
      ["import '../b/y.ts';", "import type { X } from '../a/x.ts';", ''],
      [['src/a/x.ts', 'src/b/y.ts']],
    ],
    [
      'three',
      ["import '../b/y.ts';", "import '../c/z.ts';", "await import('../a/x.ts');"],
      [['src/a/x.ts', 'src/b/y.ts', 'src/c/z.ts']],
    ],
    ['none', ["import '../b/y.ts';", "import '../c/z.ts';", ''], []],
  ])('are listed as import cycles where %s import each other', (_, [a = '', b = '', c = ''], found) => {
    const tree: [string, string][] = [
      ['src/a/x.ts', a],
      ['src/b/y.ts', b],
      ['src/c/z.ts', c],
    ];
    expect(importCircles(importGraph(tree))).toEqual(found);
  });
  it('of the emulator belong to a layer and import only their own and lower layers', () => {
    expect(withoutLayer(files)).toEqual([]);
    const inside = texts.filter(([file]) => file.startsWith('src/emulator/'));
    // A rule that looks at nothing would pass.
    expect(inside.length).toBeGreaterThan(500);
    expect(upwardImports(importGraph(inside))).toEqual([]);
  });
  it.each([
    ['src/emulator/guilds/a.ts', 'src/emulator/messages/b.ts', 'guilds', 'messages'],
    ['src/emulator/users/records.ts', 'src/emulator/api/world.ts', 'schema', 'api'],
    ['src/emulator/serve/http/a.ts', 'src/emulator/compose/platform.ts', 'serve', 'compose'],
  ])('are reported where the lower-layer file %s imports a type from %s', (file, target, from, to) => {
    const specifier = posix.relative(posix.dirname(file), target);
    const graph = importGraph([
      [file, `import type { X } from '${specifier}';`],
      [target, ''],
    ]);
    expect(upwardImports(graph)).toEqual([`${file} (${from}) must not import ${target} (${to})`]);
  });
  it('of the emulator insert rows of a table only in the writers of that table', () => {
    const inside = texts.filter(([file]) => file.startsWith(EMULATOR));
    expect(inside.flatMap(([file, text]) => strayWriters(file.slice(EMULATOR.length), text))).toEqual([]);
    for (const writer of Object.values(WRITERS).flat()) expect(files).toContain(EMULATOR + writer);
  });
  it.each([
    ['tables.messages.insert({ id });', ['users/x.ts: messages']],
    ['change(({ voice_states }) => voice_states\n  .putLast(state));', ['users/x.ts: voice_states']],
    ['tables.messages.replace({ ...message, pinned: false });', []],
    ['tables.messages.update(id, { pinned: true });', []],
  ])('are checked for row inserts outside of these writers: %s', (text, found) => {
    expect(strayWriters('users/x.ts', text)).toEqual(found);
  });
});

describe('constructors of the emulator', () => {
  const sources = sourceFiles('src/emulator');

  it('neither subscribe to changes nor set timers (services do, from start to stop)', () => {
    const texts = sources.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
    // A rule that looks at nothing would pass.
    expect(texts.filter(([, text]) => text.includes('constructor(')).length).toBeGreaterThan(50);
    const found = texts.flatMap(([file, text]) => constructorEffects(text).map((line) => `${file}:${line}`));
    expect(found).toEqual([]);
  });
  it.each([
    'world.subscribeRows(f, recovery);',
    'this.#stop = world.subscribe(f, recovery);',
    'this.#timer = setTimeout(f, 5);',
    'setInterval(() => f(), 5);',
    'options.clock.setTimeout(f, 5);',
    'this.#clock.at(time, f);',
    'clock\n.at(time, f);',
  ])('are reported when one subscribes or sets a timer: %s', (line) => {
    const text = `class A {\n  constructor(f = () => ({ a: [1] }), { b } = {}) {\n    if (b) {\n      ${line}`;
    expect(constructorEffects(`${text}\n    }\n  }\n}`)).toEqual([4]);
  });
  it.each([
    "constructor(clock) { this.#text = 'setTimeout(f)'; }\n start() { setTimeout(f, 5); }",
    'constructor() { /* clock.at(time, f); */ }\n open() { world.subscribeRows(f); }',
    'constructor() { this.#all = list.at(0); }',
  ])('are not reported for other members, comments or strings: %s', (members) => {
    expect(constructorEffects(`class A { ${members} }`)).toEqual([]);
  });
});

describe('the dependency rule', () => {
  const wrong: [string, string, string][] = [
    ['src/wire/a.ts', "import { x } from '../protocol/x.ts';", 'src/wire must not import src/protocol/x.ts'],
    [
      'src/console/page/a.ts',
      "import { x } from '../../emulator/accounts/consent/queue.ts';",
      'must not import src/emulator/accounts/consent/queue.ts',
    ],
    ['src/wire/a.ts', "import type { X } from '../protocol/x.ts';", 'must not import src/protocol/x.ts'],
    ['src/wire/a.ts', "import { x } from 'node:net';", 'must not import node:net'],
    ['src/wire/a.ts', "import * as z from 'zod';", 'must not use the package zod'],
    ['src/wire/a.ts', 'const x: Buffer = y;', 'not Buffer'],
    ['src/wire/a.ts', 'if (process.platform) f();', 'knows no process'],
    ['src/protocol/a.ts', "export { x } from '../session/x.ts';", 'must not import src/session/x.ts'],
    ['src/protocol/a.ts', "import { x } from '../core/core.ts';", 'must not import src/core/core.ts'],
    [
      'src/protocol/commands/a.ts',
      "import { x } from '../../core/core.ts';",
      'must not import src/core/core.ts',
    ],
    ['src/core/a.ts', "import { x } from '../session/x.ts';", 'must not import src/session/x.ts'],
    ['src/core/a.ts', "import { x } from '../emulator/x.ts';", 'must not import src/emulator/x.ts'],
    ['src/core/a.ts', "import { x } from './emulator/x.ts';", 'must not import src/core/emulator/x.ts'],
    ['src/core/a.ts', "import * as z from 'zod';", 'but for types'],
    [
      'src/core/upstream/a.ts',
      "import { x } from '../../emulator/x.ts';",
      'must not import src/emulator/x.ts',
    ],
    ['src/session/a.ts', "import { x } from '../transport/x.ts';", 'must not import src/transport/x.ts'],
    ['src/session/a.ts', "import { x } from '../../platform/x.ts';", 'must not import platform/x.ts'],
    ['src/session/a.ts', "import { randomUUID } from 'node:crypto';", 'must not import node:crypto'],
    ['src/transport/a.ts', "import { x } from '../protocol/x.ts';", 'must not import src/protocol/x.ts'],
    ['src/transport/a.ts', "import type { x } from '../session/x.ts';", 'must not import src/session/x.ts'],
    ['src/transport/a.ts', "const ws = await import('ws');", 'must not use the package ws'],
    ['src/server/a.ts', "import { x } from '../../platform/x.ts';", 'must not import platform/x.ts'],
    ['src/server/a.ts', "import { x } from '../control/x.ts';", 'must not import src/control/x.ts'],
    ['src/server/a.ts', "import pino from 'pino';", 'must not use the package pino'],
    ['src/control/a.ts', "import { x } from '../cli/x.ts';", 'must not import src/cli/x.ts'],
    ['src/emulator/a.ts', "import { x } from '../protocol/x.ts';", 'must not import src/protocol/x.ts'],
    ['src/emulator/a.ts', "type X = typeof import('../wire/x.ts');", 'must not import src/wire/x.ts'],
    ['src/emulator/a.ts', 'const home = process.env.HOME;', 'does not read the environment'],
    ['src/emulator/a.ts', "process.once('SIGTERM', f);", 'does not read the environment or answer signals'],
    ['src/emulator/a.ts', 'const { env } = process;', 'does not read the environment'],
    ['src/emulator/a.ts', 'const x = `$' + '{`$' + '{process.argv}`}`;', 'does not read the environment'],
    ['src/emulator/a.ts', "import { env } from 'node:process';", 'must not import node:process'],
    ['src/conformance/a.ts', "import { x } from '../wire/x.ts';", 'must not import src/wire/x.ts'],
    ['src/client/a.ts', "import { x } from '../protocol/x.ts';", 'must not import src/protocol/x.ts'],
    [
      'src/client/a.ts',
      "import { x } from '../../platform/endpoint/claim.ts';",
      'must not import platform/endpoint/claim.ts',
    ],
    ['src/client/a.ts', "import * as z from 'zod';", 'must not use the package zod'],
    ['src/sdk/a.ts', "import { x } from '../wire/x.ts';", 'must not import src/wire/x.ts'],
    ['platform/a.ts', "import { x } from '../src/wire/x.ts';", 'must not import src/wire/x.ts'],
    ['platform/a.ts', "import koffi from 'koffi';", 'must not use the package koffi'],
    ['service/a.ts', "import { x } from '../src/cli/x.ts';", 'must not import src/cli/x.ts'],
    ['src/cli/a.ts', "import { x } from '../conformance/x.ts';", 'must be loaded by import()'],
    ['src/cli/a.ts', "import { x } from 'left-pad';", 'must not use the package left-pad'],
    ['src/cli/a.ts', "import x from 'constructor';", 'must not use the package constructor'],
    ['src/cli/a.ts', "import x from '@scope/name/deep';", 'must not use the package @scope/name'],
    ['src/cli/a.ts', "import x from '../../test/helpers/x.ts';", 'must not import test/helpers/x.ts'],
    ['src/cli/a.ts', 'const x = await import(name);', 'cannot be known from the source'],
    ['src/cli/a.ts', "const x = require('ws');", 'must not use the package ws'],
    ['src/cli/a.ts', "export * from './x.ts';", 'names what it exports one by one'],
    ['src/cli/a.ts', 'if (URL.canParse(text)) f();', 'asks parseUrl'],
    ['src/cli/a.ts', '\n'.repeat(401), 'has 401 lines'],
    ['src/misc/a.ts', '', 'belongs to no known part'],
    [
      'src/wire/a.ts',
      "import {\n  type A,\n  // a comment; from 'nowhere'\n  b,\n} from '../core/x.ts';",
      'must not import src/core/x.ts',
    ],
    ['src/wire/a.ts', "import'../core/x.ts';", 'must not import src/core/x.ts'],
    ['src/wire/a.ts', "import x, * as y from\n  '../core/x.ts'", 'must not import src/core/x.ts'],
    ['src/wire/a.ts', "f(/['\"]/); import x from '../core/x.ts';", 'must not import src/core/x.ts'],
    [
      'src/wire/a.ts',
      "const a = b / 2; /* ' */ import x from '../core/x.ts';",
      'must not import src/core/x.ts',
    ],
  ];
  it.each(wrong)('reports the violation in %s: %j', (file, text, expected) => {
    expect(violations(file, text)).toEqual([expect.stringContaining(expected)]);
  });

  const right: [string, string][] = [
    ['src/wire/a.ts', "import { x } from './b.ts';\n// import '../core/x.ts'; process, Buffer\n"],
    [
      'src/wire/a.ts',
      "const text = \"import x from 'zod'; process.env\" + `export * from 'ws' $" + "{a['b']} Buffer`;",
    ],
    ['src/wire/a.ts', 'const pattern = /import "x"|process[/]Buffer/u; a.process(); a.import("zod");'],
    ['src/protocol/a.ts', "import * as z from 'zod';\nimport { x } from '../wire/x.ts';"],
    ['src/core/a.ts', "import type * as z from 'zod';"],
    ['src/core/emulator/a.ts', "import { x } from '../../emulator/x.ts';\nimport { y } from '../core.ts';"],
    ['src/session/a.ts', "import type { ClientCore } from '../core/core.ts';"],
    ['src/transport/websocket/upgrader.ts', "import { WebSocketServer } from 'ws';"],
    ['src/emulator/a.ts', "if (process.platform === 'linux') Buffer.from('x');"],
    [
      'src/client/a.ts',
      "import { x } from '../../platform/endpoint/endpoints.ts';\nconst y = process.env.HOME;",
    ],
    ['platform/native/native.ts', "const load = () => import('koffi');"],
    ['src/cli/a.ts', "const { x } = await import('../conformance/x.ts');\nprocess.on('SIGTERM', f);"],
    ['src/cli/a.ts', "import type { X } from '../../service/x.ts';"],
    ['src/cli/doctor/a.ts', "import { x } from './b.ts';\nimport { y } from '../../../service/y.ts';"],
    ['src/cli/a.ts', '\n'.repeat(400)],
    ['src/cli/a.ts', "import data from '../../package.json' with { type: 'json' };"],
    ['src/daemon/module-core.ts', 'const core = await import(url);'],
  ];
  it.each(right)('accepts %s with the text %j', (file, text) => {
    expect(violations(file, text)).toEqual([]);
  });
});

it.each<[string, unknown[]]>([
  ["import 'a';", [{ specifier: 'a', kind: 'static', line: 1 }]],
  ["\n\nimport type { A } from 'a';", [{ specifier: 'a', kind: 'type', line: 3 }]],
  ["import type from 'a';", [{ specifier: 'a', kind: 'static', line: 1 }]],
  ["export { type A, b as c } from 'a';", [{ specifier: 'a', kind: 'static', line: 1 }]],
  ["export type { A } from 'a';", [{ specifier: 'a', kind: 'type', line: 1 }]],
  ["type A = typeof import('a');", [{ specifier: 'a', kind: 'type', line: 1 }]],
  [
    'await Promise.all([import(\'a\'), import("b")]);',
    [
      { specifier: 'a', kind: 'dynamic', line: 1 },
      { specifier: 'b', kind: 'dynamic', line: 1 },
    ],
  ],
  ['import(`a`);', [{ specifier: '', kind: 'opaque', line: 1 }]],
  ["import('a' + b);", [{ specifier: '', kind: 'opaque', line: 1 }]],
  ["const url = import.meta.url; const from = 'a';", []],
  ["export const from = 'a'; export default 'b';", []],
])('importsOf lists the imports of %j', (text, expected) => {
  expect(importsOf(text)).toEqual(expected);
});
