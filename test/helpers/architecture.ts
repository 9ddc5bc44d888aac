// What each part of the tree may import and use: `architecture-rules.ts` holds every source file to it, and
// `.ci/architecture-picture.ts` draws it.

/** The composition root sees all that it puts together, and nothing that people type. */
const DAEMON_SEES = [
  'src/wire',
  'src/protocol',
  'src/core',
  'src/core/emulator',
  'src/core/upstream',
  'src/core/attach',
  'src/core/presence',
  'src/presence',
  'src/emulator',
  'src/session',
  'src/loopback',
  'src/transport',
  'src/server',
  'src/control',
  'src/journal',
  'src/faults',
  'src/console',
  'src/picture',
  'src/forward',
];

/** Every part sees `src/base` but these, which say below what of it they see. */
export const APART = ['src/conformance', 'src/attach', 'src/sdk', 'src/client'];

/** What each part of the tree may import besides itself; the longest matching path decides what a file is part of. */
export const SEES: Readonly<Record<string, readonly string[]>> = {
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
  'src/core/upstream': ['src/wire', 'src/protocol', 'src/core', 'src/presence'],
  'src/core/presence': ['src/wire', 'src/protocol', 'src/core', 'src/presence'],
  // A pure engine of rules.
  'src/presence': [],
  'src/core/attach': ['src/wire', 'src/protocol', 'src/core', 'src/scheduling', 'src/loopback'],
  'src/attach': [],
  'src/scheduling': [],
  'src/journal': ['src/wire'],
  'src/record': ['src/wire', 'src/journal', 'platform'],
  'src/faults': ['src/wire', 'src/journal'],
  'src/scenario': [
    'src/journal',
    'src/emulator/kernel/snowflake.ts',
    'src/emulator/kernel/time-text.ts',
    'src/emulator/api/dispatch.ts',
    'src/testing/calls.ts',
    'src/testing/expectation.ts',
  ],
  'src/forward': ['src/wire', 'src/loopback', 'src/journal', 'src/scheduling', 'platform'],
  'src/session': ['src/wire', 'src/protocol', 'src/core', 'src/scheduling'],
  'src/loopback': ['src/scheduling', 'platform'],
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
  'src/message-text': [],
  'src/console/page': [
    'src/journal',
    'src/message-text',
    'src/protocol/error-code.ts',
    'src/wire/codes.ts',
    'src/control/generated.ts',
    'src/control/operation-summary.ts',
    'src/emulator/accounts/consent/reading-time.ts',
  ],
  'src/console': ['src/journal', 'src/loopback', 'src/control', 'platform'],
  'src/picture': ['src/console', 'platform'],
  // The bridge is an app of its own server, for which it uses the library of apps.
  'src/daemon': [...DAEMON_SEES, 'src/client', 'src/scenario', 'platform', 'package.json'],
  'src/testing': [...DAEMON_SEES, 'src/daemon', 'src/scenario', 'platform'],
  'src/cli': ['src', 'platform', 'service', 'package.json'],
  'src/emulator': [
    'src/protocol/scope.ts',
    'src/scheduling',
    'src/loopback',
    'src/journal',
    'src/faults',
    'platform',
  ],
  'src/conformance': ['src/base/nearest.ts', 'src/base/url.ts'],
  'src/client': [
    'src/wire',
    'platform/endpoint/connect-directly.ts',
    'platform/endpoint/endpoints.ts',
    'platform/endpoint/search.ts',
    'src/base/url.ts',
  ],
  'src/sdk': ['src/client', 'src/base/url.ts'],
  platform: [],
  service: ['platform'],
};

/** Where a package may be used; `types` may name it in types only. */
export const PACKAGES: Readonly<
  Record<string, { readonly in: readonly string[]; readonly types?: readonly string[] }>
> = {
  // A core that offers operations declares their arguments.
  zod: {
    in: [
      'src/protocol',
      'src/emulator',
      'src/control',
      'src/cli',
      'src/daemon',
      'src/core/emulator',
      'src/core/upstream',
      'src/core/attach',
      'src/scenario',
    ],
    types: ['src/core', 'src/session', 'src/base/compile.ts', 'src/base/saves.ts'],
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
  'smol-toml': { in: ['src/emulator', 'src/daemon', 'src/cli', 'src/scenario'] },
  'find-my-way': { in: ['src/emulator'] },
  re2js: { in: ['src/emulator', 'src/daemon'] },
  jose: { in: ['src/emulator'] },
  preact: { in: ['src/console/page'] },
  lucide: { in: ['src/console/page/parts/icon.ts'] },
  htm: { in: ['src/console/page'] },
  '@noble/hashes': { in: ['src/sdk/page-host.ts'] },
  '@fastify/busboy': { in: ['src/emulator'] },
};

/** Parts that know neither Node nor the process they run in. */
export const PURE = [
  'src/base',
  'src/wire',
  'src/protocol',
  'src/scheduling',
  'src/session',
  'src/presence',
  'src/message-text',
];
/** Parts and files that may read the environment and the command line, and answer signals. */
export const PROCESS = [
  'src/cli',
  'src/daemon',
  'src/testing',
  'src/client',
  'src/conformance/main.ts',
  // It ends its browser with the process.
  'src/picture/chromium.ts',
];
/** A product of its own, which may be missing: reached from the command line by `import()` alone. */
export const LAZY = /^src\/conformance\//;
/** The files whose work it is to load a module that a person named. */
export const LOADERS = [
  'src/transport/node-ipc/node-ipc-package.ts',
  'src/daemon/module-core.ts',
  'src/cli/conformance-suite.ts',
];
/** Most lines of a source file. */
export const MAX_LINES = 400;

/** The part that a path belongs to; undefined for a path in none. */
export function partOf(path: string): string | undefined {
  return Object.keys(SEES)
    .filter((part) => within(path, part))
    .sort((a, b) => b.length - a.length)[0];
}

/** Whether a path is the folder or lies in it. */
export function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
