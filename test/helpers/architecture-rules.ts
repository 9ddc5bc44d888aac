import { posix } from 'node:path';
import { type ImportedModule, importsOf, linesMatching } from './source-text.ts';

/** The composition root sees all that it puts together, and nothing that people type. */
const DAEMON_SEES = [
  'src/wire',
  'src/protocol',
  'src/core',
  'src/core/emulator',
  'src/core/upstream',
  'src/core/attach',
  'src/emulator',
  'src/session',
  'src/loopback',
  'src/transport',
  'src/server',
  'src/control',
  'src/journal',
  'src/faults',
  'src/console',
];

/** Every part sees `src/base` but these, which say below what of it they see. */
const APART = ['src/conformance', 'src/attach', 'src/sdk', 'src/client'];

/** What each part of the tree may import besides itself; the longest matching path decides what a file is part of. */
const SEES: Readonly<Record<string, readonly string[]>> = {
  'src/base': [],
  'src/wire': [],
  'src/protocol': ['src/wire'],
  'src/core': ['src/wire', 'src/protocol'],
  'src/core/emulator': [
    'src/wire',
    'src/protocol',
    'src/core',
    'src/emulator',
    'src/scheduling',
    'src/loopback',
  ],
  'src/core/upstream': ['src/wire', 'src/protocol', 'src/core'],
  'src/core/attach': ['src/wire', 'src/protocol', 'src/core', 'src/loopback'],
  'src/attach': [],
  'src/scheduling': [],
  'src/journal': ['src/wire'],
  'src/record': ['src/wire', 'src/journal', 'platform'],
  'src/faults': ['src/wire', 'src/journal'],
  'src/session': ['src/wire', 'src/protocol', 'src/core', 'src/scheduling'],
  'src/loopback': ['platform'],
  'src/transport': ['src/wire', 'src/scheduling', 'src/loopback', 'platform'],
  'src/server': [
    'src/wire',
    'src/protocol',
    'src/core',
    'src/scheduling',
    'src/session',
    'src/transport',
    'src/journal',
    'src/faults',
    'platform/endpoint/probe-mark.ts',
  ],
  'src/control': [
    'src/wire',
    'src/protocol',
    'src/core',
    'src/session',
    'src/transport',
    'src/server',
    'src/loopback',
    'src/journal',
    'platform',
  ],
  'src/console/page': [
    'src/journal',
    'src/control/generated.ts',
    'src/control/operation-summary.ts',
    'src/emulator/accounts/consent/reading-time.ts',
  ],
  'src/console': ['src/journal', 'src/loopback', 'src/control', 'platform'],
  'src/daemon': [...DAEMON_SEES, 'platform', 'package.json'],
  'src/testing': [...DAEMON_SEES, 'src/daemon', 'platform'],
  'src/cli': ['src', 'platform', 'service', 'package.json'],
  'src/emulator': [
    'src/protocol/scope.ts',
    'src/scheduling',
    'src/loopback',
    'src/journal',
    'src/faults',
    'platform',
  ],
  'src/conformance': ['src/base/url.ts'],
  'src/client': ['src/wire', 'platform/endpoint/endpoints.ts', 'src/base/url.ts'],
  'src/sdk': ['src/client', 'src/base/url.ts'],
  platform: [],
  service: ['platform'],
};

/** Where a package may be used; `types` may name it in types only. */
const PACKAGES: Readonly<
  Record<string, { readonly in: readonly string[]; readonly types?: readonly string[] }>
> = {
  // A core that offers operations declares their arguments, and a record is written by anybody.
  zod: {
    in: [
      'src/protocol',
      'src/record/entry-shape.ts',
      'src/emulator',
      'src/control',
      'src/cli',
      'src/daemon',
      'src/core/emulator',
      'src/core/upstream',
      'src/core/attach',
    ],
    types: ['src/core', 'src/session', 'src/base/compile.ts'],
  },
  koffi: { in: ['platform/native/native.ts'] },
  ws: {
    in: [
      'src/transport/websocket/upgrader.ts',
      'src/core/attach/ws-listener.ts',
      'src/emulator/serve/gateway/gateway-server.ts',
      'src/sdk/node-host.ts',
      'src/emulator/serve/gateway/wire.ts',
    ],
  },
  pino: { in: ['src/daemon'] },
  'env-paths': { in: ['src/daemon'] },
  'smol-toml': { in: ['src/emulator', 'src/daemon', 'src/cli'] },
  'find-my-way': { in: ['src/emulator'] },
  re2js: { in: ['src/emulator'] },
  jose: { in: ['src/emulator'] },
  preact: { in: ['src/console/page'] },
  htm: { in: ['src/console/page'] },
  '@noble/hashes': { in: ['src/sdk/page-host.ts'] },
  '@fastify/busboy': { in: ['src/emulator'] },
};

/** Parts that know neither Node nor the process they run in. */
const PURE = ['src/base', 'src/wire', 'src/protocol', 'src/scheduling', 'src/session'];
/** Parts and files that may read the environment and the command line, and answer signals. */
const PROCESS = ['src/cli', 'src/daemon', 'src/testing', 'src/client', 'src/conformance/main.ts'];
/** A product of its own, which may be missing: reached from the command line by `import()` alone. */
const LAZY = /^src\/conformance\//;
/** The files whose work it is to load a module that a person named. */
const LOADERS = [
  'src/transport/node-ipc/node-ipc-package.ts',
  'src/daemon/module-core.ts',
  'src/cli/conformance-suite.ts',
];
const MAX_LINES = 400;

/** Everything that a source file does against the rules, one line each; `file` is its path from the root. */
export function violations(file: string, text: string): string[] {
  const part = partOf(file);
  if (part === undefined) return [`${file}: belongs to no known part of the tree`];
  const found = importsOf(text).flatMap((imported) => {
    const fault = importFault(file, part, imported);
    return fault === undefined ? [] : [`${file}:${imported.line}: ${fault}`];
  });
  const forbid = (pattern: RegExp, what: string): void => {
    for (const line of linesMatching(text, pattern)) found.push(`${file}:${line}: ${what}`);
  };
  if (PURE.includes(part)) {
    forbid(/(?<![.\w$])process\b/, `${part} knows no process`);
    forbid(/(?<![.\w$])Buffer\b/, `${part} uses Uint8Array, not Buffer`);
  } else if (!mayReadProcess(file, part)) {
    forbid(
      /(?<![.\w$])process\s*\??\.\s*(?:env|argv|on|once|off|addListener|prependListener)\b|\}\s*=\s*process\s*;/,
      `${part} does not read the environment or answer signals`,
    );
  }
  forbid(/\bURL\.canParse\b/, 'asks parseUrl: Node 20 compiles URL.canParse wrongly');
  forbid(/\bexport\s*\*/, 'names what it exports one by one');
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES) found.push(`${file}: has ${lines} lines, at most ${MAX_LINES} are allowed`);
  return found;
}

function partOf(path: string): string | undefined {
  return Object.keys(SEES)
    .filter((part) => within(path, part))
    .sort((a, b) => b.length - a.length)[0];
}

function mayReadProcess(file: string, part: string): boolean {
  return PROCESS.includes(part) || PROCESS.includes(file);
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function importFault(file: string, part: string, imported: ImportedModule): string | undefined {
  const { specifier, kind } = imported;
  if (kind === 'opaque') {
    return LOADERS.includes(file) ? undefined : 'loads a module that cannot be known from the source';
  }
  if (specifier.startsWith('.')) {
    const target = posix.normalize(posix.join(posix.dirname(file), specifier));
    if (!sees(part, target)) return `${part} must not import ${target}`;
    if (part === 'src/cli' && kind === 'static' && LAZY.test(target) && !LAZY.test(file)) {
      return `${target} must be loaded by import(): it may be missing`;
    }
    return undefined;
  }
  if (specifier.startsWith('node:')) {
    if (PURE.includes(part)) return `${part} must not import ${specifier}`;
    if (specifier === 'node:process' && !mayReadProcess(file, part))
      return `${part} must not import ${specifier}`;
    return undefined;
  }
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const places = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : undefined;
  const inPlace = (place: string): boolean => place === part || place === file;
  if (places?.in.some(inPlace)) return undefined;
  if (kind === 'type' && places?.types?.some(inPlace)) return undefined;
  return `${part} must not use the package ${name}${places?.types?.some(inPlace) ? ' but for types' : ''}`;
}

/** `src` in a list means every part of it; any other entry means that part alone, or that file. */
function sees(part: string, target: string): boolean {
  const targetPart = partOf(target);
  if (targetPart === part) return true;
  if (targetPart === 'src/base' && !APART.includes(part)) return true;
  const seen = SEES[part] ?? [];
  return seen.some(
    (entry) => entry === targetPart || entry === target || (entry === 'src' && within(target, 'src')),
  );
}
