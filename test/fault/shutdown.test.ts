import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppPeer } from '../helpers/app-peer.ts';
import {
  APP,
  authorized,
  daemonCommand,
  endpointsIn,
  type FaultBridge,
  faultBridge,
  isLinux,
  place,
  startCommand,
} from '../helpers/fault-bridge.ts';
import { frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { rounds } from '../helpers/rounds.ts';

const SLOW = { timeout: 20_000, interval: 50 } as const;

describe('SIGTERM [R04]', () => {
  it('exits with 0 despite a peer that never reads, a peer that never leaves and an unanswered request', async () => {
    const bridge = await faultBridge({
      args: ['--consent', 'ask', '--http-port', '0'],
      limits: { messages_burst: 10_000, bytes_per_second: 1024 * 1024 * 1024, drain_ms: 300 },
    });
    const idle = await bridge.app();
    const mute = await bridge.raw({ reading: false });
    mute.write(frameBytes(0, JSON.stringify({ v: 1, client_id: APP })));
    for (let i = 0; i < 8; i++) mute.write(frameBytes(3, JSON.stringify('x'.repeat(50_000))));
    const asking = await bridge.app('42');
    asking.request('AUTHORIZE', { client_id: '42', scopes: ['identify'] });
    await expect.poll(() => bridge.control.call('requests.list'), SLOW).toHaveLength(1);
    const ended = bridge.stop();
    expect(await idle.closed()).toMatchObject({ code: 1000 });
    // What nobody answered is either told so, or ends with its session.
    const last = await asking.next();
    expect([1, 2]).toContain(last?.opcode);
    expect((await ended).code).toBe(0);
  });
  it('closes the sessions of served apps and removes the endpoints', async () => {
    const runtime = place();
    const bridge = await faultBridge({ runtime });
    const apps = await Promise.all(Array.from({ length: 5 }, () => bridge.app()));
    const ended = bridge.stop();
    for (const app of apps) expect((await app.closed()).code).toBe(1000);
    expect((await ended).code).toBe(0);
    expect(endpointsIn(runtime.folder)).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a signal (not on Windows) [R05]', () => {
  it('without a meaning for the daemon changes nothing', async () => {
    const bridge = await faultBridge({ args: ['--log-level', 'debug'] });
    const stray = ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGPROF', 'SIGIO'] as const;
    for (const signal of isLinux ? [...stray, 'SIGPWR' as const, 'SIGSTKFLT' as const] : stray) {
      process.kill(bridge.pid, signal);
      await expect.poll(() => bridge.output().stderr, SLOW).toContain(`"${signal}"`);
    }
    expect((await (await bridge.app()).call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
    expect((await bridge.stop()).code).toBe(0);
  });
  it.each(['SIGQUIT', 'SIGXCPU'] as const)('%s shuts the daemon down like SIGTERM', async (signal) => {
    const runtime = place();
    const running = startCommand(daemonCommand(), runtime.env);
    await running.said('\n');
    running.kill(signal);
    expect((await running.ended).code).toBe(0);
    expect(endpointsIn(runtime.folder)).toEqual([]);
  });
});

describe('SIGHUP to a service', () => {
  const fixture = (name: string): string =>
    `me = "7"\n[[users]]\nid = "7"\nusername = "seven"\n[[guilds]]\nid = "400"\nname = "${name}"\n`;
  const guildName = async (app: AppPeer): Promise<string> =>
    (await app.call('GET_GUILD', { guild_id: '400' })).data.name as string;

  async function service(): Promise<{ bridge: FaultBridge; app: AppPeer; path: string; config: string }> {
    const runtime = place();
    const path = join(runtime.folder, 'world.toml');
    const config = join(runtime.folder, 'footbridge.toml');
    writeFileSync(path, fixture('Before'));
    writeFileSync(config, `fixture = "world.toml"\nconsent = "allow"\nlog_level = "info"\n`);
    const bridge = await faultBridge({
      runtime,
      args: ['--http-port', '0', '--config', config],
      env: { INVOCATION_ID: '0123456789abcdef0123456789abcdef' },
    });
    const app = await bridge.app();
    await authorized(bridge, app);
    expect(await guildName(app)).toBe('Before');
    return { bridge, app, path, config };
  }

  it('reloads the fixture and the configuration, and closes no session [R05]', async () => {
    const { bridge, app, path, config } = await service();
    writeFileSync(path, fixture('After'));
    writeFileSync(
      config,
      `fixture = "world.toml"\nconsent = "deny"\nlog_level = "info"\nindex = 3\n[limits]\nsubscriptions = 1\n`,
    );
    process.kill(bridge.pid, 'SIGHUP');
    await expect.poll(() => guildName(app), SLOW).toBe('After');
    const fresh = await bridge.app();
    const refused = await fresh.call('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    expect(refused.evt).toBe('ERROR');
    await expect.poll(() => bridge.output().stderr, SLOW).toContain('configuration read again');
    expect(bridge.output().stderr).toContain('settings that take effect at the next start');
    expect((await bridge.stop()).code).toBe(0);
  });
  it('changes nothing when a file is wrong, and logs the wrong key', async () => {
    const { bridge, app, path } = await service();
    writeFileSync(path, `${fixture('Broken')}nonsense = true\n`);
    process.kill(bridge.pid, 'SIGHUP');
    await expect.poll(() => bridge.output().stderr, SLOW).toContain('everything stays as it was');
    expect(bridge.output().stderr).toContain('nonsense');
    expect(await guildName(app)).toBe('Before');
  });
  it.skipIf(process.platform === 'win32')(
    'does not block on a FIFO without a writer (not on Windows)',
    async () => {
      const { bridge, app, path, config } = await service();
      for (const file of [path, config]) {
        const text = readFileSync(file);
        rmSync(file);
        spawnSync('mkfifo', [file]);
        process.kill(bridge.pid, 'SIGHUP');
        await expect
          .poll(() => bridge.output().stderr, SLOW)
          .toContain(`${file}: only a regular file can be read here`);
        rmSync(file);
        writeFileSync(file, text);
      }
      writeFileSync(path, fixture('After'));
      process.kill(bridge.pid, 'SIGHUP');
      await expect.poll(() => guildName(app), SLOW).toBe('After');
      expect((await bridge.stop()).code).toBe(0);
    },
  );
});

/** A daemon with its stderr, or stdout, on a file of the caller's. */
async function daemonWriting(stderr: number | 'pipe') {
  const runtime = place();
  const [command, ...args] = daemonCommand('--log-level', 'debug', '--consent', 'allow');
  const child = spawn(command, args, { env: { ...runtime.env }, stdio: ['ignore', 'pipe', stderr] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const path = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (line) => {
      const { endpoints } = JSON.parse(String(line)) as { endpoints: { kind: string; path: string }[] };
      resolve(endpoints.find(({ kind }) => kind === 'ipc')?.path ?? '');
    });
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, app: async () => new AppPeer(await rawPeer(path)) };
}

it.skipIf(!isLinux)(
  'a full disk under the log neither stops the daemon nor prevents its shutdown (needs /dev/full of Linux) [R12]',
  async () => {
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const daemon = await daemonWriting(fd);
    for (let i = 0; i < 50; i++) {
      const app = await daemon.app();
      await app.handshake();
      app.end();
    }
    daemon.child.kill('SIGTERM');
    expect(await daemon.ended).toBe(0);
  },
);

it('closed readers of stdout and stderr neither stop the daemon nor prevent its shutdown [R14]', async () => {
  const daemon = await daemonWriting('pipe');
  daemon.child.stdout?.destroy();
  daemon.child.stderr?.destroy();
  for (let i = 0; i < 50; i++) {
    const app = await daemon.app();
    await app.handshake();
    app.end();
  }
  daemon.child.kill('SIGTERM');
  expect(await daemon.ended).toBe(0);
});

describe('a clock jump [R15]', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  const jumps = [3_600_000, -3_600_000, 86_400_000, -86_400_000];
  it.each(jumps)('by %i ms changes no deadline', async (jump) => {
    const { connect } = await memoryBridge({ limits: { handshakeMs: 300, partialFrameMs: 300 } });
    const silent = connect();
    const half = connect();
    await half.handshake();
    half.write(headerBytes(1, 100));
    vi.setSystemTime(Date.now() + jump);
    // Neither is early: who is there at once is welcome.
    expect((await connect().handshake()).evt).toBe('READY');
    expect(await silent.rest()).toEqual([]);
    // Nor does it never come.
    expect((await silent.closed()).code).toBe(1006);
    expect((await half.closed()).code).toBe(1003);
  });
  it.each(jumps)('by %i ms does not change the message budget of an app', async (jump) => {
    const { connect } = await memoryBridge({ limits: { messagesBurst: 5, messagesPerSecond: 5 } });
    const app = connect();
    await app.handshake();
    for (let i = 0; i < 3; i++) app.request('GET_GUILDS', {});
    vi.setSystemTime(Date.now() + jump);
    for (let i = 0; i < 6; i++) app.request('GET_GUILDS', {});
    await app.answer();
    // A day ahead fills no bucket: with the handshake six have passed, the last of them on credit.
    expect((await app.rest()).length).toBeLessThan(7);
    // … and a day back leaves nobody waiting for it.
    app.request('GET_GUILDS', {}, { nonce: 'last' });
    while ((await app.answer()).nonce !== 'last');
  });
});

it.skipIf(process.platform === 'win32')(
  'a peer that connected during a suspend does not exceed its handshake deadline (needs SIGSTOP) [R16]',
  async () => {
    const bridge = await faultBridge({ limits: { handshake_ms: 500, partial_frame_ms: 500 } });
    for (let round = 0; round < rounds({ few: 1, many: 3 }); round++) {
      const peers = await Promise.all(Array.from({ length: 5 }, () => bridge.peer()));
      process.kill(bridge.pid, 'SIGSTOP');
      for (const peer of peers) peer.send(0, { v: 1, client_id: APP });
      // Longer than the deadline, which is over when the process wakes.
      await new Promise((resolve) => setTimeout(resolve, 700));
      process.kill(bridge.pid, 'SIGCONT');
      for (const peer of peers) {
        expect((await peer.answer()).evt).toBe('READY');
        peer.end();
      }
    }
  },
);
