import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: { readonly [path: string]: unknown };
};

/** Every way into the package, and every value that it gives. A name that goes, or comes, is a decision. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = {
  './attach': ['AttachError', 'attach'],
  './client': ['ClientError', 'RpcError', 'connect', 'createClient'],
  './client/oauth2': ['ApiError', 'authorize', 'createPkce', 'exchangeCode', 'refreshTokens', 'revokeToken'],
  './core': ['CloseCode', 'CloseError', 'ErrorCode', 'RpcError', 'contract', 'defineOperation'],
  './sdk': [
    'Activity',
    'ActivityActionTypes',
    'ActivityAssets',
    'ActivityButton',
    'ActivityGamePlatforms',
    'ActivityInvite',
    'ActivityParty',
    'ActivityPartyPrivacy',
    'ActivitySecrets',
    'ActivityTimestamps',
    'ActivityTypes',
    'AdditionalContent',
    'AdditionalContentType',
    'AuthenticationCodeChallengeMethod',
    'AuthenticationExternalAuthType',
    'AuthorizationArgs',
    'AuthorizationCodeChallenge',
    'AuthorizationCodeVerifier',
    'AuthorizationTokenType',
    'AvatarType',
    'Call',
    'CallError',
    'CallInfoHandle',
    'CallStatus',
    'ChannelHandle',
    'ChannelType',
    'Client',
    'ClientResult',
    'ClientStatus',
    'ConnectionError',
    'DisclosureTypes',
    'ErrorType',
    'GuildChannel',
    'GuildMinimal',
    'IntegrationType',
    'LinkedChannel',
    'LinkedLobby',
    'LobbyHandle',
    'LobbyMemberHandle',
    'LoggingSeverity',
    'MessageHandle',
    'RelationshipGroupType',
    'RelationshipHandle',
    'RelationshipType',
    'StatusDisplayTypes',
    'StatusType',
    'UserHandle',
    'UserMessageSummary',
    'VoiceInputModeType',
    'VoiceSettings',
    'VoiceStateHandle',
  ],
  './server': [
    'createServer',
    'defaultLimits',
    'localSocket',
    'loopbackPort',
    'memoryTransport',
    'silentLogger',
  ],
  './testing': ['scenario', 'startEmulator', 'withBridge'],
  './testing/vitest': ['withBridge'],
};

it('the package has exactly the listed entry points', () => {
  const data = ['./attach/schema.json', './scenario/schema.json', './package.json'];
  const header = './native/footbridge.h';
  expect(Object.keys(manifest.exports).sort()).toEqual([...Object.keys(EXPORTS), ...data, header].sort());
  expect(readFileSync(join(root, String(manifest.exports[header])), 'utf8')).toContain('FB_IMPLEMENTATION');
  for (const path of data) {
    expect(JSON.parse(readFileSync(join(root, String(manifest.exports[path])), 'utf8'))).toBeTypeOf('object');
  }
});

it.each(Object.entries(EXPORTS))(
  'the entry point %s exports exactly the listed names',
  async (path, names) => {
    const file = importFile(manifest.exports[path]);
    expect(existsSync(join(root, file)), file).toBe(true);
    const module = (await import(/* @vite-ignore */ pathToFileURL(join(root, file)).href)) as object;
    expect(Object.keys(module).sort()).toEqual([...names].sort());
  },
);

it.each([
  ['import', "export * from 'footbridge/sdk';", 'dist/sdk/page.mjs'],
  ['require', "module.exports = require('footbridge/sdk');", 'dist/sdk/page.cjs'],
])(
  'a page that uses %s receives another file of ./sdk, with the same names and nothing of Node',
  async (_how, contents, file) => {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'browser',
      metafile: true,
      logLevel: 'silent',
    });
    expect(Object.keys(metafile.inputs)).toContain(file);
    const [output] = Object.values(metafile.outputs);
    expect(output?.imports).toEqual([]);
    const text = outputFiles[0]?.text ?? '';
    expect(text).not.toMatch(/\bnode:|\bgetBuiltinModule\b|\brequire\(/);
    const module = { exports: {} };
    runInNewContext(text, { module, exports: module.exports, URL, TextEncoder, TextDecoder });
    expect(Object.keys(module.exports).sort()).toEqual(EXPORTS['./sdk']);
  },
);

it('the entry point ./sdk shares the client of ./client, with the same error classes', () => {
  const require = createRequire(import.meta.url);
  const [client, sdk] = ['client', 'sdk'].map((name) => join(root, 'dist', name, 'index.cjs')) as [
    string,
    string,
  ];
  for (const file of Object.keys(require.cache)) delete require.cache[file];
  for (const file of [client, sdk]) require(file);
  const loaded = Object.keys(require.cache);
  const copies = (part: RegExp): number =>
    loaded.filter((file) => part.test(readFileSync(file, 'utf8'))).length;
  expect(loaded).toEqual(expect.arrayContaining([client, sdk]));
  expect([/\bClientError ?= ?class\b/, /\bRpcError ?= ?class\b/].map(copies)).toEqual([1, 1]);
});

it('the entry point ./server exports the names of its source', async () => {
  const source = await import('../src/server/entry.ts');
  expect(Object.keys(source).sort()).toEqual([...(EXPORTS['./server'] ?? [])].sort());
});

/** What `import` of a path gets, with or without conditions. */
function importFile(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const conditions = entry as { readonly import?: unknown; readonly default?: unknown };
  return importFile(conditions.import ?? conditions.default);
}
