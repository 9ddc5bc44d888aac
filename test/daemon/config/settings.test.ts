import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withoutSettings } from '../../../src/daemon/config/check-variables.ts';
import { limitKeys, settingKeys, snakeCase, variableOf } from '../../../src/daemon/config/keys.ts';
import { type Flags, loadConfiguration } from '../../../src/daemon/config/settings.ts';
import { coreNames } from '../../../src/daemon/module-path.ts';
import { defaultLimits } from '../../../src/session/limits.ts';

function folders(file?: string) {
  const root = mkdtempSync(join(tmpdir(), 'fb-config-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const config = join(root, 'config');
  mkdirSync(config);
  const path = join(config, 'footbridge.toml');
  if (file !== undefined) writeFileSync(path, file);
  return { root, path, config, data: join(root, 'data') };
}

async function failure(file: string | undefined, flags: Flags = {}, env: Record<string, string> = {}) {
  const place = folders(file);
  try {
    await loadConfiguration(flags, env, place);
  } catch (error) {
    const { message, code } = error as Error & { readonly code: string };
    expect(message).not.toContain('\n');
    return { code, message: message.replaceAll(place.path, 'FILE').replaceAll(place.root, 'ROOT') };
  }
  throw new Error('it was accepted');
}

/** A value that is allowed and not the default. */
const another = (value: number): number => (value <= 1 ? value / 2 : value - 1);

import { upstreamPaths } from '../../../src/daemon/upstream-paths.ts';

describe('loadConfiguration', () => {
  it('uses the defaults without flags, variables and a file', async () => {
    const place = folders();
    const { settings, file, keys } = await loadConfiguration({}, {}, place);
    expect(file).toBeNull();
    expect(settings).toEqual({
      core: 'emulator',
      upstream: 'auto',
      fallback: null,
      attachPort: 6480,
      attachOrigins: [],
      bridgePort: null,
      bridgeSecrets: false,
      fixture: null,
      consent: 'ask',
      index: 'auto',
      httpPort: 'auto',
      gatewayConnections: 2000,
      presenceDefault: 'show',
      presenceShown: 'all',
      presenceAway: 'off',
      detect: null,
      wsPort: 'auto',
      wsReadyUser: false,
      voiceApplication: null,
      voiceApi: null,
      nodeIpc: false,
      pacing: true,
      dataDir: place.data,
      logLevel: 'info',
      notifications: true,
      journal: true,
      console: false,
      limits: defaultLimits,
      endpoints: [],
      forwards: [],
      presence: [],
    });
    expect(keys.every(({ origin }) => origin.kind === 'default')).toBe(true);
  });

  it('turns the journal off where a service manager runs the bridge, unless it is set', async () => {
    const place = folders('');
    const journalOf = async (
      flags: Record<string, string>,
      env: Record<string, string>,
      service: boolean,
    ) => {
      const { settings, keys } = await loadConfiguration(flags, env, place, { service });
      return [settings.journal, keys.find(({ key }) => key === 'journal')?.origin];
    };
    const origin = { kind: 'default', unless: 'false where a service manager runs the bridge' };
    expect(await journalOf({}, {}, false)).toEqual([true, origin]);
    expect(await journalOf({}, {}, true)).toEqual([false, { kind: 'default' }]);
    expect((await journalOf({ journal: 'true' }, {}, true))[0]).toBe(true);
    expect((await journalOf({}, { FOOTBRIDGE_JOURNAL: 'true' }, true))[0]).toBe(true);
    expect((await journalOf({ journal: 'false' }, {}, false))[0]).toBe(false);
  });

  it('prefers a flag to a variable, a variable to the file and the file to the default, and reports the origin', async () => {
    const place = folders('consent = "allow"\nindex = 1\nhttp_port = 1001\n');
    const { keys, settings } = await loadConfiguration(
      { index: '3' },
      { FOOTBRIDGE_INDEX: '2', FOOTBRIDGE_HTTP_PORT: '1002' },
      place,
    );
    expect(settings).toMatchObject({ index: 3, httpPort: 1002, consent: 'allow', core: 'emulator' });
    const origins = Object.fromEntries(keys.map(({ key, origin }) => [key, origin]));
    expect(origins).toMatchObject({
      index: { kind: 'flag', where: '--index' },
      http_port: { kind: 'environment', where: 'FOOTBRIDGE_HTTP_PORT' },
      consent: { kind: 'file', where: place.path },
      core: { kind: 'default' },
    });
  });

  it('reads the endpoints of several chat clients as a list, and as one text', async () => {
    const read = async (file: string, flags = {}) =>
      upstreamPaths((await loadConfiguration(flags, {}, folders(file))).settings.upstream);
    expect(await read('upstream = ["/run/a", "/run/b"]\n')).toEqual(['/run/a', '/run/b']);
    expect(await read('', { upstream: '/run/a, /run/b,/run/a' })).toEqual(['/run/a', '/run/b']);
    expect(await read('', { upstream: '/run/a,b' })).toEqual(['/run/a,b']);
    expect(await read('')).toBe('auto');
  });

  it('reads every key from the file, and every limit', async () => {
    const limits = Object.entries(defaultLimits).map(
      ([name, value]) => `${snakeCase(name)} = ${another(value)}`,
    );
    const file = [
      'core = "attach"',
      'upstream = "/run/client"',
      'fallback = "emulator"',
      'attach_port = 1',
      'attach_origins = "https://a.example,http://localhost:3000"',
      'bridge_port = 1337',
      'bridge_secrets = true',
      'fixture = "world.toml"',
      'consent = "deny"',
      'index = "auto"',
      'http_port = 7',
      'gateway_connections = 5',
      'presence_default = "hide"',
      'presence_shown = "one"',
      'presence_away = "1h30m"',
      'detect = "games.json"',
      'ws_port = "off"',
      'ws_ready_user = true',
      'voice_application = "300000000000000009"',
      'voice_api = "https://platform.example/api"',
      'node_ipc = true',
      'pacing = false',
      'data_dir = "/var/lib/x"',
      'log_level = "debug"',
      'notifications = false',
      'journal = false',
      'console = true',
      '[limits]',
      ...limits,
    ];
    const place = folders(file.join('\n'));
    const { settings, keys } = await loadConfiguration({}, {}, place);
    expect(settings).toMatchObject({
      core: 'attach',
      upstream: '/run/client',
      fallback: 'emulator',
      attachOrigins: ['https://a.example', 'http://localhost:3000'],
      bridgePort: 1337,
      bridgeSecrets: true,
      fixture: join(place.config, 'world.toml'),
      dataDir: '/var/lib/x',
      gatewayConnections: 5,
      presenceDefault: 'hide',
      presenceShown: 'one',
      presenceAway: '1h30m',
      detect: join(place.config, 'games.json'),
      wsPort: 'off',
      wsReadyUser: true,
      voiceApplication: '300000000000000009',
      voiceApi: 'https://platform.example/api',
      nodeIpc: true,
      pacing: false,
      console: true,
    });
    expect(Object.entries(settings.limits)).toEqual(
      Object.entries(defaultLimits).map(([name, value]) => [name, another(value)]),
    );
    expect(keys.every(({ origin }) => origin.kind === 'file')).toBe(true);
  });

  it('leaves the file out where it is told to, with its faults', async () => {
    const place = folders('nonsense = 1');
    const { settings, file, path } = await loadConfiguration({}, {}, place, { withoutFile: true });
    expect([settings.consent, file, path]).toEqual(['ask', null, place.path]);
  });

  it('reads limits from variables', async () => {
    const { settings } = await loadConfiguration({}, { FOOTBRIDGE_LIMITS_FRAME_BYTES: '5000' }, folders());
    expect(settings.limits.frameBytes).toBe(5000);
    expect(variableOf('limits.frame_bytes')).toBe('FOOTBRIDGE_LIMITS_FRAME_BYTES');
    const half = await loadConfiguration({}, { FOOTBRIDGE_LIMITS_SHARE_OF_CORE: '0.5' }, folders());
    expect(half.settings.limits.shareOfCore).toBe(0.5);
    const part = loadConfiguration({}, { FOOTBRIDGE_LIMITS_FRAME_BYTES: '5000.5' }, folders());
    await expect(part).rejects.toThrow('FOOTBRIDGE_LIMITS_FRAME_BYTES: 5000.5 is not a whole number');
  });

  it('treats an empty variable as unset', async () => {
    const { settings } = await loadConfiguration(
      {},
      { FOOTBRIDGE_CORE: '', FOOTBRIDGE_CONFIG: '' },
      folders(),
    );
    expect(settings.core).toBe('emulator');
  });

  it('resolves relative paths of flags against the current folder', async () => {
    const { settings } = await loadConfiguration({ fixture: 'a.toml', 'data-dir': 'd' }, {}, folders());
    expect(settings.fixture).toBe(join(process.cwd(), 'a.toml'));
    expect(settings.dataDir).toBe(join(process.cwd(), 'd'));
  });

  it.each([
    [{ config: 'rel/config' }, '"rel/config"', '--config'],
    [{ data: '.local/share' }, '".local/share"', '--data-dir'],
  ])('refuses default folders that depend on the current folder: %j', async (relative, shown, instead) => {
    const place = { ...folders(), ...relative };
    await expect(loadConfiguration({}, {}, place)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_CONFIG',
      message: expect.stringMatching(new RegExp(`HOME.*${shown}.*${instead}`)),
    });
    const config = join(place.root, 'chosen.toml');
    writeFileSync(config, '');
    const chosen = await loadConfiguration({ config, 'data-dir': place.root }, {}, place);
    expect(chosen.settings.dataDir).toBe(place.root);
  });

  it('reads the file that --config or FOOTBRIDGE_CONFIG names', async () => {
    const place = folders('index = 1\n');
    const other = join(place.root, 'other.toml');
    writeFileSync(other, 'index = 5\n');
    const byFlag = await loadConfiguration({ config: other }, { FOOTBRIDGE_CONFIG: '/nowhere' }, place);
    const byVariable = await loadConfiguration({}, { FOOTBRIDGE_CONFIG: other }, place);
    expect([byFlag.settings.index, byVariable.settings.index, byFlag.file]).toEqual([5, 5, other]);
  });

  it.each([
    ['', '/run/box/apps', 'the endpoint "box"'],
    ['index = 3', '/run/me/discord-ipc-3', "the bridge's own endpoint"],
  ])('refuses a forward from a path that the bridge serves (%s %s)', async (first, from, other) => {
    const file = `${first}\n[[endpoints]]\nname = "box"\npath = "/run/box/apps"\n[[forward]]\nfrom = "${from}"\nto = "auto"\n`;
    expect(await failure(file, {}, { XDG_RUNTIME_DIR: '/run/me' })).toEqual({
      code: 'FOOTBRIDGE_CONFIG',
      message: `FILE: forward: ${other} and from = "${from}" are one path. Change one of the two.`,
    });
  });

  it('lists the program of a forward alone, because arguments may contain a secret', async () => {
    const place = folders('[[forward]]\nfrom = "/run/box/apps"\nto = "exec:reach --token hunter2"\n');
    const { settings, keys } = await loadConfiguration({}, {}, place);
    expect(settings.forwards[0]?.to).toBe('exec:reach --token hunter2');
    expect(JSON.stringify(keys)).toContain('exec:reach …');
    expect(JSON.stringify(keys)).not.toContain('hunter2');
  });

  it('accepts a forward from an endpoint of another number, and from any while the number is not known', async () => {
    for (const index of ['3', 'auto']) {
      const place = folders('[[forward]]\nfrom = "/run/me/discord-ipc-1"\nto = "auto"\n');
      const { settings } = await loadConfiguration({ index }, { XDG_RUNTIME_DIR: '/run/me' }, place);
      expect(settings.forwards).toHaveLength(1);
    }
  });

  it.each([
    ['indx = 1', 'FILE: indx: there is no such key; did you mean "index"?'],
    ['xyzzy = 1', 'FILE: xyzzy: there is no such key; known are core, upstream, fallback, '],
    [
      '[limits]\nframe_byte = 1',
      'FILE: limits.frame_byte: there is no such key; did you mean "limits.frame_bytes"?',
    ],
    ['limits = 3', 'FILE: limits: a table [limits] is expected'],
    ['index = 10', 'FILE: index: 10 is not "auto" or a whole number from 0 to 9.'],
    ['index = "3"', 'FILE: index: "3" is not "auto" or a whole number from 0 to 9.'],
    ['consent = "maybe"', 'FILE: consent: "maybe" is not one of ask, allow, deny.'],
    // Of a long value, the first 80 characters as JSON.
    [`consent = "${'x'.repeat(90)}"`, `FILE: consent: "${'x'.repeat(79)} is not one of ask, allow, deny.`],
    ['presence_away = "soon"', 'FILE: presence_away: "soon" is not "off" or a duration of at least 1s'],
    ['presence_away = "999ms"', 'FILE: presence_away: "999ms" is not "off" or a duration'],
    ['presence_away = 600', 'FILE: presence_away: 600 is not "off" or a duration'],
    ['detect = ""', 'FILE: detect: "" is not the path of a list of detectable applications.'],
    ['http_port = 70000', 'FILE: http_port: 70000 is not "auto" or a whole number from 0 to 65535.'],
    ['gateway_connections = 0', 'FILE: gateway_connections: 0 is not a whole number from 1 to 65535.'],
    ['http_port = 1.5', 'FILE: http_port: 1.5 is not "auto" or a whole number from 0 to 65535.'],
    [
      'upstream = ["/run/a", "b"]',
      'FILE: upstream: ["/run/a","b"] is not "auto" or the absolute path of a socket or pipe, or a list of paths.',
    ],
    ['upstream = []', 'FILE: upstream: [] is not "auto" or the absolute path'],
    [
      'upstream = "client"',
      'FILE: upstream: "client" is not "auto" or the absolute path of a socket or pipe, or a list of paths.',
    ],
    ['attach_origins = "*"', 'FILE: attach_origins: "*" is not a list of origins'],
    ['attach_origins = "https://a.example/path"', 'FILE: attach_origins: "https://a.example/path" is not'],
    ['core = ""', `FILE: core: "" is not a client core (${coreNames.join(', ')}) or the path of a module.`],
    [
      '[limits]\nframe_bytes = 99999999',
      'FILE: limits.frame_bytes: 99999999 is not a whole number from 4096',
    ],
    ['[limits]\ndrain_ms = 9000', 'FILE: limits.drain_ms: 9000 is not a whole number from 0 to 2000.'],
    ['core = ', 'FILE: line 1, column '],
    ['core = upstream', 'invalid value. A text stands in quotes.'],
    [
      '[[presence]]\napp = 300000000000000001',
      'losslessly. An id stands in quotes, such as app = "300000000000000001".',
    ],
    ['core = "a"\ncore = "b"', 'FILE: line 2, column '],
    ['__proto__ = 1', 'FILE: __proto__: there is no such key'],
  ])('refuses %j with file, key and reason', async (file, message) => {
    const refused = await failure(file);
    expect(refused.code).toBe('FOOTBRIDGE_CONFIG');
    expect(refused.message).toContain(message);
  });

  it('names the invalid variable', async () => {
    expect(await failure(undefined, {}, { FOOTBRIDGE_INDEX: '0x1' })).toEqual({
      code: 'FOOTBRIDGE_CONFIG',
      message: 'FOOTBRIDGE_INDEX: "0x1" is not "auto" or a whole number from 0 to 9.',
    });
  });

  it.each([
    ['index', '', '--index: "" is not "auto" or a whole number from 0 to 9.'],
    ['http-port', ' 7', '--http-port: " 7" is not "auto" or a whole number from 0 to 65535.'],
    ['http-port', '-1', '--http-port: "-1" is not "auto" or a whole number from 0 to 65535.'],
    ['http-port', '7 ', '--http-port: "7 " is not "auto" or a whole number from 0 to 65535.'],
    ['http-port', '7.', '--http-port: "7." is not "auto" or a whole number from 0 to 65535.'],
    ['http-port', '1.2.3', '--http-port: "1.2.3" is not "auto" or a whole number from 0 to 65535.'],
    ['http-port', '1e3', '--http-port: "1e3" is not "auto" or a whole number from 0 to 65535.'],
    [
      'attach-port',
      '0'.repeat(16),
      `--attach-port: "${'0'.repeat(16)}" is not a whole number from 0 to 65535.`,
    ],
    [
      'attach-port',
      `1.${'0'.repeat(16)}`,
      `--attach-port: "1.${'0'.repeat(16)}" is not a whole number from 0 to 65535.`,
    ],
    ['ws-port', '0', '--ws-port: 0 is not "auto", "off" or a port number.'],
    ['pacing', 'yes', '--pacing: "yes" is not true or false.'],
    [
      'core',
      'x'.repeat(200),
      `--core: "${'x'.repeat(79)} is not a client core (${coreNames.join(', ')}) or the path of a module.`,
    ],
    [
      'upstream',
      'x'.repeat(5000),
      `--upstream: "${'x'.repeat(79)} is not "auto" or the absolute path of a socket or pipe, or a list of paths.`,
    ],
    [
      'fallback',
      'upstream',
      `--fallback: "upstream" is not a client core (${coreNames.filter((name) => name !== 'upstream').join(', ')}) or the path of a module.`,
    ],
    ['log-level', 'loud', '--log-level: "loud" is not one of debug, info, warn, error, silent.'],
    ['fixture', '', '--fixture: "" is not the path of a fixture file.'],
    ['config', '', '--config: "" is not the path of a configuration file.'],
  ])('rejects --%s %j as a wrong command line', async (flag, value, message) => {
    expect(await failure(undefined, { [flag]: value })).toEqual({ code: 'FOOTBRIDGE_USAGE', message });
  });

  it.each([
    [
      { index: '0', 'http-port': 'auto', 'ws-port': 'off' },
      { index: 0, httpPort: 'auto', wsPort: 'off' },
    ],
    [
      { index: '9', 'http-port': '65535', 'ws-port': '1' },
      { index: 9, httpPort: 65_535, wsPort: 1 },
    ],
    [
      { index: 'auto', 'ws-port': 'auto', pacing: 'false' },
      { index: 'auto', wsPort: 'auto', pacing: false },
    ],
    [{ 'attach-port': `1.${'0'.repeat(15)}` }, { attachPort: 1 }],
    [{ 'attach-port': '0'.repeat(15) }, { attachPort: 0 }],
    [{ upstream: '\\\\.\\pipe\\x' }, { upstream: '\\\\.\\pipe\\x' }],
    [{ 'attach-origins': 'http://a b' }, undefined],
    [{ 'attach-origins': 'http://a https://b,' }, { attachOrigins: ['http://a', 'https://b'] }],
    [{ 'attach-origins': '' }, { attachOrigins: [] }],
    [{ 'attach-origins': 'ftp://a' }, undefined],
    [{ 'attach-origins': 'http://a,,http://b' }, undefined],
    [{ 'attach-origins': 'x http://a' }, undefined],
    [{ core: './my.mjs' }, { core: join(process.cwd(), 'my.mjs') }],
    [
      { core: 'upstream', upstream: 'auto' },
      { core: 'upstream', upstream: 'auto' },
    ],
    [{ pacing: true }, { pacing: true }],
  ] as [Flags, object | undefined][])('reads the flags %j', async (flags, expected) => {
    const loaded = loadConfiguration(flags, {}, folders());
    if (expected === undefined) await expect(loaded).rejects.toThrow('is not a list of origins');
    else expect((await loaded).settings).toMatchObject(expected);
  });

  it('resolves the path of a module in the file against its folder, and no name', async () => {
    const place = folders('core = "./my.mjs"\nfallback = "emulator"\n');
    const { settings } = await loadConfiguration({}, {}, place);
    expect(settings).toMatchObject({ core: join(place.config, 'my.mjs'), fallback: 'emulator' });
  });

  it('lists endpoints and forwards with their file, where it has some', async () => {
    const tables = '[[endpoints]]\npath = "/run/box/apps"\n[[forward]]\nfrom = "/run/b/apps"\nto = "auto"\n';
    const place = folders(tables);
    const { keys } = await loadConfiguration({}, {}, place);
    expect(keys.slice(-2)).toEqual([
      {
        key: 'endpoints',
        value: [{ name: 'path', preset: 'path', paths: ['/run/box/apps'], rights: 'presence', limits: {} }],
        origin: { kind: 'file', where: place.path },
        about: expect.stringMatching(/\w/),
      },
      {
        key: 'forward',
        value: [{ name: 'apps', from: '/run/b/apps', to: 'auto', rights: 'presence' }],
        origin: { kind: 'file', where: place.path },
        about: expect.stringMatching(/\w/),
      },
    ]);
    const none = await loadConfiguration({}, {}, folders('index = 1\n'));
    expect(none.keys.map(({ key }) => key)).not.toContain('endpoints');
    expect(none.keys.map(({ key }) => key)).not.toContain('forward');
  });

  it.skipIf(process.platform === 'win32')(
    'does not wait for a FIFO in the place of the file of a bridge that runs (not on Windows)',
    async () => {
      const place = folders();
      execFileSync('mkfifo', [place.path]);
      await expect(loadConfiguration({}, {}, place, { again: true })).rejects.toMatchObject({
        code: 'FOOTBRIDGE_CONFIG',
        message: expect.stringContaining('only a regular file can be read here'),
      });
    },
  );

  it('accepts variables of other programs, and slips that mean nothing', async () => {
    const { settings } = await loadConfiguration(
      {},
      {
        FOOTBRIDGE_CONSNT: '',
        FOOTBRIDGE_ATTACH_URL: 'x',
        FOOTBRIDGE_ATTACH_CODE: 'x',
        FOOTBRIDGE_CLIENT_SECRET: 'x',
        FOOTBRIDGE_PROGRAM: 'x',
        FOOTBRIDGE_QUITE_ANOTHER_THING: 'x',
        FOOTBRIDG_CONSENT: 'x',
      },
      folders(),
    );
    expect(settings.consent).toBe('ask');
  });

  it('names a slip in the variable of a limit, and of the file', async () => {
    for (const [name, meant] of [
      ['FOOTBRIDGE_LIMITS_FRAME_BYTE', 'FOOTBRIDGE_LIMITS_FRAME_BYTES'],
      ['FOOTBRIDGE_CONFI', 'FOOTBRIDGE_CONFIG'],
    ] as const)
      expect(await failure(undefined, {}, { [name]: '1' })).toEqual({
        code: 'FOOTBRIDGE_USAGE',
        message: `${name}: no setting has this variable. Did you mean "${meant}"?`,
      });
  });

  it('reads a file of 262144 bytes, and no larger one', async () => {
    const place = folders(`# ${'x'.repeat(262_142)}`);
    expect((await loadConfiguration({}, {}, place)).file).toBe(place.path);
    expect((await failure(`# ${'x'.repeat(262_143)}`)).message).toContain('at most 262144 bytes');
  });

  it('refuses a file that is missing, a folder or larger than 262144 bytes', async () => {
    expect((await failure(undefined, { config: '/nowhere/f.toml' })).message).toBe(
      '/nowhere/f.toml: cannot be read: there is no such file or folder (ENOENT). Give a file that is there and that you may read.',
    );
    expect((await failure(undefined, { config: tmpdir() })).message).toContain(
      'cannot be read: it is a folder (EISDIR)',
    );
    expect((await failure(`# ${'x'.repeat(300_000)}`)).message).toContain('at most 262144 bytes');
  });

  it('does not quote the file when it is not TOML', async () => {
    expect((await failure('core = canary-value\n')).message).not.toContain('canary-value');
  });
});

it('an environment without settings keeps the file of the configuration and all that is of others', () => {
  const others = { HOME: '/', FOOTBRIDGE_CONFIG: '/f.toml', MY_FOOTBRIDGE_X: '1' };
  const all = {
    ...others,
    FOOTBRIDGE_CONSENT: 'ask',
    FOOTBRIDGE_CONSNT: 'x',
    FOOTBRIDGE_LIMITS_FRAME_BYTES: '1',
  };
  expect(withoutSettings(all)).toEqual(others);
});

it('accepts every default of the settings and limits', () => {
  for (const [name, key] of Object.entries(limitKeys)) {
    expect(key.schema().safeParse(Reflect.get(defaultLimits, name)).success, name).toBe(true);
  }
  expect(settingKeys.index.schema().safeParse('auto').success).toBe(true);
});
