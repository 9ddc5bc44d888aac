import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectPort } from '../../../platform/tcp/tcp-port.ts';
import type { ServiceStatus } from '../../../service/manager.ts';
import { type Receipt, receiptFiles } from '../../../service/receipt.ts';
import type { Scene, Verdict } from '../../../src/cli/doctor/check.ts';
import { bridge } from '../../../src/cli/doctor/checks/bridge.ts';
import { clock } from '../../../src/cli/doctor/checks/clock.ts';
import { configuration } from '../../../src/cli/doctor/checks/config.ts';
import { core } from '../../../src/cli/doctor/checks/core.ts';
import { dataFolder } from '../../../src/cli/doctor/checks/data-folder.ts';
import { files } from '../../../src/cli/doctor/checks/files.ts';
import { handshake } from '../../../src/cli/doctor/checks/handshake.ts';
import { logFolder } from '../../../src/cli/doctor/checks/log-folder.ts';
import { nativeCalls } from '../../../src/cli/doctor/checks/native.ts';
import { checkVersion, nodeVersion } from '../../../src/cli/doctor/checks/node.ts';
import { ports } from '../../../src/cli/doctor/checks/ports.ts';
import { privateFolder } from '../../../src/cli/doctor/checks/private-folder.ts';
import { runtimeFolder } from '../../../src/cli/doctor/checks/runtime-folder.ts';
import { service } from '../../../src/cli/doctor/checks/service.ts';
import { runChecks } from '../../../src/cli/doctor/run-checks.ts';
// Loaded with the file: on a busy machine, loading the sources of the emulator takes longer than a test may.
import '../../../src/daemon/emulator.ts';
import { loadConfiguration } from '../../../src/daemon/config/settings.ts';
import { modeOf } from '../../helpers/other-user.ts';
import { mountSmallDisk } from '../../helpers/small-disk.ts';
import { freePort, listenOn, uid } from '../../helpers/sockets.ts';
import { running, scene } from './scene.ts';

const absent = { kind: 'absent', reason: 'the optional package koffi does not load: gone' } as const;

/** A server on a free port of the loopback. */
async function takePort(): Promise<number> {
  const server = await listenOn({ port: 0, host: '127.0.0.1' });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function configured(file: Readonly<Record<string, string>>) {
  const machine = await scene();
  const env = Object.fromEntries(Object.entries(file).map(([key, value]) => [`FOOTBRIDGE_${key}`, value]));
  return {
    ...machine,
    configuration: { kind: 'known', value: await loadConfiguration({}, env, machine.folders) } as const,
  };
}

describe('the Node check', () => {
  it.each([
    ['20.18.9', 'failed'],
    ['18.20.0', 'failed'],
    ['20.19.0', 'ok'],
    ['26.10.0', 'ok'],
  ])('rates the version %s as %s', (version, verdict) => {
    expect(checkVersion(version, 'here').verdict).toBe(verdict);
  });
  it('reads the version of the running Node', async () => {
    expect((await nodeVersion.inspect(await scene())).evidence[0]).toContain(process.version.slice(1));
  });
});

describe('the check of native calls', () => {
  it('passes when they load, and otherwise lists weaker features and the remedy', async () => {
    expect((await nativeCalls.inspect(await scene())).verdict).toBe('ok');
    const found = await nativeCalls.inspect(await scene({ native: absent }));
    expect(found).toMatchObject({ verdict: 'warning', fix: expect.stringContaining('npm install koffi') });
    expect(found.evidence.filter((line) => line.startsWith('weaker: '))).toHaveLength(6);
    expect((await nativeCalls.inspect(await scene({ os: 'win32', native: absent }))).verdict).toBe(
      'not applicable',
    );
  });
});

describe('the configuration check', () => {
  it('lists keys that differ from their default, or reports the error', async () => {
    expect(await configuration.inspect(await configured({ CONSENT: 'deny' }))).toMatchObject({
      verdict: 'ok',
      evidence: ['file: none; not at their default: consent'],
    });
    const wrong = await scene({ configuration: { kind: 'unknown', reason: 'f.toml: index: 12 is not …' } });
    expect(await configuration.inspect(wrong)).toMatchObject({
      verdict: 'failed',
      evidence: ['f.toml: index: 12 is not …'],
    });
  });
});

describe('the check of configured files', () => {
  const inspect = async (file: Readonly<Record<string, string>>, more: Partial<Scene> = {}) =>
    files.inspect({ ...(await configured(file)), ...more });

  it('passes when the configuration names no file', async () => {
    expect(await inspect({ CORE: 'upstream' })).toMatchObject({
      verdict: 'ok',
      evidence: ['the configuration names none'],
    });
  });

  it.each<[string, Record<string, string>, Verdict]>([
    ['fixture', { FIXTURE: '/nowhere/world.toml' }, 'failed'],
    ['fixture', { FIXTURE: '/nowhere/world.toml', CORE: 'upstream', FALLBACK: 'emulator' }, 'failed'],
    ['fixture', { FIXTURE: '/nowhere/world.toml', CORE: 'upstream' }, 'warning'],
    ['core', { CORE: '/nowhere/core.js' }, 'failed'],
    ['fallback', { CORE: 'upstream', FALLBACK: '/nowhere/core.js' }, 'failed'],
    ['fallback', { FALLBACK: '/nowhere/core.js' }, 'warning'],
  ])('reports a missing %s with %j as %s', async (key, file, verdict) => {
    expect(await inspect(file)).toEqual({
      verdict,
      evidence: [`${key}: ${file[key.toUpperCase()]}: there is no such file`],
      fix: expect.stringContaining('footbridge config show'),
    });
  });

  it('reads a fixture as a bridge would and reports its errors', async () => {
    const { folder } = await scene();
    const path = join(folder, 'world.toml');
    writeFileSync(path, 'me = "7"\n[[users]]\nid = "7"\nusername = "seven"\n');
    expect(await inspect({ FIXTURE: path })).toMatchObject({ verdict: 'ok', evidence: [`fixture: ${path}`] });
    writeFileSync(path, 'me = "8"\n[[users]]\nid = "7"\nusername = "seven"\n');
    expect(await inspect({ FIXTURE: path })).toMatchObject({
      verdict: 'failed',
      evidence: [expect.stringContaining(`${path}: me`)],
    });
    expect(await inspect({ FIXTURE: folder })).toMatchObject({
      evidence: [`fixture: ${folder}: is a folder`],
    });
  });

  it('does not read a file that is not regular, since a pipe would be empty afterwards', async () => {
    const path = join((await scene()).folder, 'pipe');
    execFileSync('mkfifo', [path]);
    expect(await inspect({ FIXTURE: path })).toMatchObject({ verdict: 'ok' });
  });

  it('does not run a file that is a module', async () => {
    const { folder } = await scene();
    const path = join(folder, 'core.mjs');
    writeFileSync(
      path,
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(`${path}.ran`)}, '');`,
    );
    expect(await inspect({ CORE: path })).toMatchObject({ verdict: 'ok', evidence: [`core: ${path}`] });
    expect(existsSync(`${path}.ran`)).toBe(false);
    expect(await inspect({ CORE: `${folder}/` })).toMatchObject({ verdict: 'failed' });
  });

  it('accepts an upstream socket that does not exist yet, and rejects a path that is no socket', async () => {
    const { folder } = await scene();
    const path = join(folder, 'client');
    const file = { CORE: 'upstream', UPSTREAM: path };
    expect((await inspect(file)).verdict).toBe('ok');
    await listenOn({ path });
    expect((await inspect(file)).verdict).toBe('ok');
    expect(await inspect({ ...file, UPSTREAM: folder })).toMatchObject({
      verdict: 'failed',
      evidence: [`upstream: ${folder}: is no socket`],
    });
  });

  it('includes the core module that the service was installed with', async () => {
    const receipt = {
      kind: 'systemd',
      version: '0',
      core: '/nowhere/core.js',
      files: [],
      marks: [],
    } as const;
    const state = { kind: 'failed', reason: 'exit code 78' } as const;
    const service = { kind: 'known', manager: 'systemd', state, receipt } as const;
    expect(await inspect({}, { service })).toMatchObject({
      verdict: 'failed',
      evidence: ["the service's core: /nowhere/core.js: there is no such file"],
    });
  });
});

describe('the bridge check', () => {
  it('fails without a bridge, and warns of a bridge older than the command', async () => {
    expect(await bridge.inspect(await scene())).toMatchObject({
      verdict: 'failed',
      fix: expect.stringContaining('footbridge run'),
    });
    expect((await bridge.inspect(await scene({ bridge: running() }))).verdict).toBe('ok');
    expect(await bridge.inspect(await scene({ bridge: running({ version: '0.0.1' }) }))).toMatchObject({
      verdict: 'warning',
      fix: expect.stringContaining('footbridge restart'),
    });
  });
});

describe('the folder checks', () => {
  it('accept a private runtime folder and reject one that others can write to', async () => {
    const machine = await scene();
    expect((await runtimeFolder.inspect(machine)).verdict).toBe('ok');
    chmodSync(machine.folder, 0o755);
    expect((await runtimeFolder.inspect(machine)).verdict).toBe('ok');
    expect(await runtimeFolder.inspect({ ...machine, native: absent })).toMatchObject({
      verdict: 'failed',
      evidence: [expect.any(String), expect.stringContaining('koffi')],
    });
    chmodSync(machine.folder, 0o777);
    expect(await runtimeFolder.inspect(machine)).toMatchObject({
      verdict: 'failed',
      evidence: [expect.stringContaining('chmod 0700')],
    });
  });

  it.each([
    ['private-folder', privateFolder, `footbridge-${uid}`],
    ['data-folder', dataFolder, 'data'],
    ['log-folder', logFolder, 'log'],
  ])('restrict %s to its owner, with --fix only', async (_, check, name) => {
    const machine = await scene();
    const path = join(machine.folder, name);
    expect((await check.inspect(machine)).verdict).toBe('ok');
    mkdirSync(path);
    chmodSync(path, 0o755);
    const [looked] = await runChecks([check], machine, false);
    expect(looked).toMatchObject({ verdict: 'warning', fix: expect.stringContaining(`chmod 0700 ${path}`) });
    expect(looked).not.toHaveProperty('fixed');
    expect(modeOf(path)).toBe(0o755);
    const [mended] = await runChecks([check], machine, true);
    expect(mended).toMatchObject({ verdict: 'ok', fixed: [`chmod 0700 ${path}`] });
    expect(modeOf(path)).toBe(0o700);
  });

  it('change no data folder that the user chose, and do not suggest chmod for one such as /tmp', async () => {
    const machine = await scene();
    const path = join(machine.folder, 'data');
    mkdirSync(path);
    const chosen = { ...machine, folders: { ...machine.folders, data: join(machine.folder, 'usual') } };
    for (const [folderMode, verdict, fix] of [
      [0o755, 'warning', `chmod 0700 ${path}, if nobody else uses it`],
      [0o777, 'failed', `chmod 0700 ${path}, if nobody else uses it`],
      [0o1777, 'failed', 'give a folder of its own'],
    ] as const) {
      chmodSync(path, folderMode);
      expect((await runChecks([dataFolder], chosen, true))[0]).toMatchObject({ verdict, fix });
      expect(modeOf(path)).toBe(folderMode);
    }
  });

  it('follow no link to change a mode', async () => {
    const machine = await scene();
    const elsewhere = join(machine.folder, 'elsewhere');
    mkdirSync(elsewhere);
    chmodSync(elsewhere, 0o755);
    symlinkSync(elsewhere, join(machine.folder, `footbridge-${uid}`));
    symlinkSync(elsewhere, join(machine.folder, 'data'));
    const results = await runChecks([privateFolder, dataFolder], machine, true);
    expect(results.map(({ verdict }) => verdict)).toEqual(['failed', 'ok']);
    expect(modeOf(elsewhere)).toBe(0o755);
  });

  it('report a file in the position of a folder', async () => {
    const machine = await scene();
    writeFileSync(join(machine.folder, 'log'), '');
    expect(await logFolder.inspect(machine)).toMatchObject({ verdict: 'failed' });
  });
});

describe('the clock check', () => {
  it('fails for a time long past, and warns of a time before the files of footbridge', async () => {
    const machine = await scene();
    expect((await clock.inspect(machine)).verdict).toBe('ok');
    expect((await clock.inspect({ ...machine, now: Date.UTC(2001, 0, 1) })).verdict).toBe('failed');
    mkdirSync(join(machine.folder, 'data'));
    const file = join(machine.folder, 'data', 'grants.json');
    writeFileSync(file, '');
    const later = new Date(machine.now + 3_600_000);
    utimesSync(file, later, later);
    expect(await clock.inspect(machine)).toMatchObject({
      verdict: 'warning',
      evidence: [expect.stringContaining(file), expect.any(String)],
    });
  });
});

describe('the core check', () => {
  it('is not applicable without a bridge', async () => {
    expect((await core.inspect(await scene())).verdict).toBe('not applicable');
  });
  it.each<[string, boolean | null | 'unsaid', string]>([
    ['emulator', true, 'ok'],
    ['/x/core.js', null, 'ok'],
    ['upstream', false, 'warning'],
    ['attach', false, 'warning'],
    ['upstream', 'unsaid', 'warning'],
  ])('rates %s with %s behind it as %s', async (name, behind, verdict) => {
    const details = [['upstream', 'auto']] as const;
    const bridge = running({ core: { name, api: null, details } }, behind);
    const found = await core.inspect(await scene({ bridge }));
    expect(found.verdict).toBe(verdict);
    expect(found.evidence).toEqual([expect.stringContaining(`${name}: `), 'upstream: auto']);
    expect(found.fix).toBe(behind === false ? 'start it' : null);
  });
});

describe('the service check', () => {
  const known = (state: ServiceStatus, receipt?: Receipt): Scene['service'] => ({
    kind: 'known',
    manager: 'systemd',
    state,
    receipt,
  });
  it.each<[ServiceStatus, string]>([
    [{ kind: 'running', pid: 7, restarts: 2 }, 'ok'],
    [{ kind: 'starting' }, 'warning'],
    [{ kind: 'stopped' }, 'warning'],
    [{ kind: 'failed', reason: 'exit code 78' }, 'failed'],
    [{ kind: 'unknown', reason: 'no bus' }, 'warning'],
    [{ kind: 'absent' }, 'not applicable'],
  ])('rates the state %j as %s', async (state, verdict) => {
    expect((await service.inspect(await scene({ service: known(state) }))).verdict).toBe(verdict);
  });
  it('compares the service with the receipt of its installation', async () => {
    const machine = await scene();
    const [kept, edited] = [join(machine.folder, 'kept'), join(machine.folder, 'edited')];
    for (const path of [kept, edited]) writeFileSync(path, 'x');
    const files = receiptFiles([kept, edited, '/gone'].map((path) => ({ path, content: 'x', mode: 0o600 })));
    const receipt = { kind: 'systemd', version: '0.0.1', core: 'upstream', files, marks: [] } as const;
    writeFileSync(edited, 'mine');
    const found = await service.inspect({ ...machine, service: known({ kind: 'running' }, receipt) });
    expect(found).toEqual({
      verdict: 'warning',
      evidence: [
        'systemd: it runs',
        `${edited} was edited`,
        '/gone is gone',
        expect.stringContaining('installed by version 0.0.1'),
      ],
      fix: expect.stringContaining('footbridge install --force'),
    });
    const lost = await service.inspect({ ...machine, service: known({ kind: 'absent' }, receipt) });
    expect(lost.verdict).toBe('failed');
  });
});

describe('the port check', () => {
  it('names the owner of a port without occupying the port', async () => {
    const port = await takePort();
    const seen = await inspectPort(port);
    expect(seen).toMatchObject(
      process.platform === 'linux' ? { kind: 'taken', uid, owner: { pid: process.pid } } : { kind: 'taken' },
    );
  });

  it('reports a free port as free', async () => {
    expect(await inspectPort(await freePort())).toEqual({ kind: 'free' });
  });

  it('passes when the bridge has the port', async () => {
    const port = await takePort();
    const machine = await configured({ WS_PORT: String(port) });
    const endpoint = { kind: 'websocket', path: `ws://127.0.0.1:${port}` } as const;
    const found = await ports.inspect({ ...machine, bridge: running({ endpoints: [endpoint] }) });
    expect(found).toMatchObject({ verdict: 'ok', evidence: [`WebSocket and HTTP: the bridge has ${port}`] });
  });

  it('warns and names the program when the bridge has no port', async () => {
    const port = await takePort();
    const machine = await configured({ WS_PORT: String(port) });
    const found = await ports.inspect({ ...machine, bridge: running() });
    expect(found).toMatchObject({ verdict: 'warning', fix: expect.stringContaining('ws_port') });
    expect(found.evidence[1]).toMatch(
      process.platform === 'linux'
        ? new RegExp(`^${port} is taken by .*pid ${process.pid}`)
        : /is taken by another program/,
    );
  });

  it('passes for a bridge that was started without WebSocket', async () => {
    const machine = await configured({ WS_PORT: String(await freePort()) });
    expect(await ports.inspect({ ...machine, bridge: running() })).toEqual({
      verdict: 'ok',
      evidence: ['WebSocket and HTTP: the bridge runs without one'],
      fix: null,
    });
  });

  it('suggests a restart for a port that was taken and is free now', async () => {
    const machine = await configured({
      CORE: 'attach',
      WS_PORT: 'off',
      ATTACH_PORT: String(await freePort()),
    });
    const bridge = running({ core: { name: 'attach', api: null, details: [] } });
    expect(await ports.inspect({ ...machine, bridge })).toMatchObject({
      verdict: 'warning',
      fix: 'restart the bridge: a port for attach_port is free now',
    });
  });

  it('includes the ports of the core "attach" when that core runs', async () => {
    const [attachPort, bridgePort] = [await takePort(), await takePort()];
    const file = { WS_PORT: 'off', ATTACH_PORT: String(attachPort), BRIDGE_PORT: String(bridgePort) };
    expect((await ports.inspect(await configured(file))).verdict).toBe('not applicable');
    const machine = await configured({ ...file, CORE: 'attach' });
    const details = [['clients attach to', `ws://127.0.0.1:${attachPort}/attach`]] as const;
    const found = await ports.inspect({
      ...machine,
      bridge: running({ core: { name: 'attach', api: null, details } }),
    });
    expect(found).toMatchObject({ verdict: 'warning', fix: expect.stringMatching(/bridge_port$/) });
    expect(found.evidence[0]).toBe(`attaching chat clients: the bridge has ${attachPort}`);
  });
});

describe('the handshake check', () => {
  it('is not applicable without a bridge, and reports the response that came instead of READY', async () => {
    expect((await handshake.inspect(await scene())).verdict).toBe('not applicable');
    const machine = await scene();
    const path = join(machine.folder, 'discord-ipc-0');
    await listenOn({ path }, (socket) => socket.end());
    const found = await handshake.inspect({
      ...machine,
      bridge: running({ endpoints: [{ kind: 'ipc', path }] }),
    });
    expect(found).toMatchObject({ verdict: 'failed', evidence: [expect.stringContaining('hung up')] });
    const alone = await handshake.inspect({
      ...machine,
      bridge: running({ endpoints: [{ kind: 'ipc', path: join(machine.folder, 'none') }] }, false),
    });
    expect(alone).toMatchObject({ verdict: 'failed', evidence: [expect.stringContaining('nobody listens')] });
  });
});

it('doctor reports a check that throws and runs the other checks', async () => {
  const broken = {
    id: 'broken',
    title: 'Broken check',
    explanation: 'It throws.',
    inspect: () => {
      throw new Error('no\nway');
    },
  };
  const results = await runChecks([broken, nodeVersion], await scene(), false);
  expect(results.map(({ verdict }) => verdict)).toEqual(['failed', 'ok']);
  expect(results[0]?.evidence).toEqual(['the check itself failed: no?way']);
});

describe('the folders of a running bridge', () => {
  it('are checked in place of those of this environment', async () => {
    const machine = await scene();
    const [data, log] = [join(machine.folder, 'own'), join(machine.folder, 'own-log')];
    for (const path of [data, log]) mkdirSync(path, { mode: 0o700 });
    const places = { config: join(machine.folder, 'other.toml'), data, log };
    const here = { ...machine, bridge: running({ places }) };
    expect(await dataFolder.inspect(here)).toMatchObject({
      verdict: 'ok',
      evidence: [`${data}, writable and yours alone`],
    });
    expect(await logFolder.inspect(here)).toMatchObject({ evidence: [`${log}, writable and yours alone`] });
    expect((await configuration.inspect(here)).evidence).toContain(
      `the running bridge reads ${places.config}`,
    );
    const none = { ...machine, bridge: running({ places: { config: null, data: null, log: null } }) };
    for (const check of [dataFolder, logFolder])
      expect(await check.inspect(none)).toMatchObject({ verdict: 'not applicable' });
  });

  it('fail with each file that could not be written', async () => {
    const machine = await scene();
    mkdirSync(join(machine.folder, 'own'), { mode: 0o700 });
    const places = { config: null, data: join(machine.folder, 'own'), log: null };
    const unstored = [`${places.data}/origins.json cannot be written: the disk is full (ENOSPC)`];
    expect(await dataFolder.inspect({ ...machine, bridge: running({ places, unstored }) })).toMatchObject({
      verdict: 'failed',
      evidence: [expect.stringContaining('writable'), `not stored: ${unstored[0]}`],
      fix: expect.stringContaining('make room'),
    });
  });

  it('fail on a full disk before anything has to be stored', async (context) => {
    const machine = await scene();
    const data = join(machine.folder, 'own');
    mkdirSync(data);
    mountSmallDisk(data, context);
    writeFileSync(join(data, 'filler'), 'x'.repeat(60 * 1024));
    expect(() => writeFileSync(join(data, 'more'), 'x'.repeat(60 * 1024))).toThrow('ENOSPC');
    const places = { config: null, data, log: null };
    expect(await dataFolder.inspect({ ...machine, bridge: running({ places }) })).toMatchObject({
      verdict: 'failed',
      evidence: [`${data}: its disk is full`],
    });
  });

  it('name a disk that can only be read, which no mode mends', async (context) => {
    const machine = await scene();
    const data = join(machine.folder, 'data');
    mkdirSync(data);
    mountSmallDisk(data, context, 'ro');
    expect(await dataFolder.inspect(machine)).toEqual({
      verdict: 'failed',
      evidence: [`${data} cannot be written to: its disk can only be read (EROFS)`],
      fix: 'mount its disk so that it can be written, or give another folder',
    });
  });
});
