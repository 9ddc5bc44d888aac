import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HARDENING } from '../../service/systemd-unit.ts';
import { figure } from './figure.ts';
import { PLAIN_USER, type Sandbox, startSandbox, whyNoSandbox } from './sandbox.ts';

const reason = whyNoSandbox();
const users = [
  ['a plain user', PLAIN_USER],
  ['root', 0],
] as const;

if (reason !== undefined) process.stderr.write(`systemd: skipped, ${reason}\n`);

describe.skipIf(reason !== undefined).each(users)(
  `systemd --user of %s${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  (_, uid) => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await startSandbox(uid);
    });
    afterAll(() => sandbox.close());

    const endpoint = (): string => join(sandbox.runtime, 'discord-ipc-0');
    const units = (): string => join(sandbox.home, '.config', 'systemd', 'user');

    /** A command that must succeed, with its JSON. */
    const json = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await sandbox.footbridge(...words, '--json');
      expect({ words, code, stderr }).toMatchObject({ code: 0 });
      return JSON.parse(stdout);
    };
    const property = async (name: string, unit = 'footbridge.service'): Promise<string> =>
      (await sandbox.systemctl('show', unit, `--property=${name}`, '--value')).stdout.trim();
    const pid = async (): Promise<number> => Number(await property('MainPID'));
    const kill = (signal: string, target: number) => {
      // 0 is a whole group of processes, that of the tests among them.
      if (!(target > 1)) throw new Error(`${target} is no process of the sandbox`);
      return sandbox.run(['kill', `-${signal}`, String(target)]);
    };
    const status = async () => {
      const { code, stdout } = await sandbox.footbridge('status', '--json');
      return { code, ...JSON.parse(stdout) };
    };
    /** Time from connect() to READY as an app sees it (ms). */
    const app = async (path = endpoint()): Promise<number> => {
      const { code, stdout } = await sandbox.run([
        process.execPath,
        join(sandbox.package, 'inside', 'app.mjs'),
        path,
      ]);
      expect(code).toBe(0);
      return Number(stdout);
    };
    const inode = async (path: string): Promise<string> =>
      (await sandbox.run(['stat', '-c', '%i', path])).stdout.trim();
    /** Directives beside those of the unit, until the next call. */
    const dropIn = async (text: string | undefined): Promise<void> => {
      const path = join(units(), 'footbridge.service.d', 'test.conf');
      await sandbox.run(text === undefined ? ['rm', '-f', path] : ['mkdir', '-p', join(path, '..')]);
      if (text !== undefined) writeFileSync(path, `[Service]\n${text}\n`);
      await sandbox.systemctl('daemon-reload');
    };

    it('has no service before install', async () => {
      expect(await status()).toMatchObject({
        code: 4,
        running: false,
        service: { state: { kind: 'absent' } },
      });
      expect((await sandbox.footbridge('start')).stderr).toContain('footbridge install');
      expect((await sandbox.footbridge('uninstall')).code).toBe(0);
    });

    it('gets no file from install --print', async () => {
      const { code, stdout } = await sandbox.footbridge('install', '--print', '--socket', '--linger');
      expect(code).toBe(0);
      expect(stdout).toContain('ListenStream=');
      expect(readdirSync(sandbox.home)).toEqual([]);
    });

    it('serves a handshake within 3 seconds of install', async () => {
      const started = performance.now();
      const installed = await json('install', '--core', 'emulator');
      await app();
      figure(`install to first handshake (uid ${uid})`, performance.now() - started, 3000, 'ms');
      expect(installed).toMatchObject({ kind: 'systemd', change: 'new', running: true, core: 'emulator' });
      expect(installed.notes.join()).toContain('no app of yours reaches the real one');
      expect(installed.program.join(' ')).toContain(installed.copy);
      expect(await status()).toMatchObject({
        code: 0,
        running: true,
        service: { manager: 'systemd', state: { kind: 'running', restarts: 0 } },
        handshake: { kind: 'pong' },
        behind: true,
      });
      expect(await property('StatusText')).toBe(`Serving ${endpoint()} on the core "emulator"`);
      expect(await property('UnitFileState')).toBe('enabled');
      // The place it was installed from may go.
      expect(readFileSync(join(units(), 'footbridge.service'), 'utf8')).not.toContain(sandbox.package);
    });

    it('is unchanged by a second install', async () => {
      const before = await pid();
      expect(await json('install', '--core', 'emulator')).toMatchObject({
        change: 'unchanged',
        running: true,
      });
      expect(await pid()).toBe(before);
      expect((await json('start')).changed).toBe(false);
    });

    it('runs the unit with its hardening [T72]', async () => {
      const target = await pid();
      const { stdout } = await sandbox.run(['cat', `/proc/${target}/status`, `/proc/${target}/limits`]);
      expect(stdout).toMatch(/^NoNewPrivs:\s+1$/m);
      expect(stdout).toMatch(/^Seccomp:\s+2$/m);
      expect(stdout).toMatch(/^Umask:\s+0077$/m);
      expect(stdout).toMatch(/^Max core file size\s+0\s+0\s/m);
    });

    it.skipIf(arch() !== 'x64')('enforces every hardening directive (x86-64 only) [T72]', async () => {
      const probes = join(sandbox.home, 'probes');
      await sandbox.run(['mkdir', '-p', probes]);
      const probe = async (name: string, directives: readonly string[]) => {
        const file = join(probes, name);
        const command = [
          process.execPath,
          join(sandbox.package, 'inside', 'probe.mjs'),
          file,
          sandbox.package,
        ].join(' ');
        const lines = [
          'Type=oneshot',
          'Environment=NODE_OPTIONS=--no-warnings',
          ...directives,
          `ExecStart=${command}`,
        ];
        writeFileSync(join(units(), `probe-${name}.service`), `[Service]\n${lines.join('\n')}\n`);
        await sandbox.systemctl('daemon-reload');
        await sandbox.systemctl('start', `probe-${name}.service`);
        const seen = existsSync(file) ? readFileSync(file, 'utf8') : '';
        return {
          ...JSON.parse(seen || '{}'),
          Result: await property('Result', `probe-${name}.service`),
        };
      };
      const bare = await probe('bare', []);
      expect(bare).toMatchObject({ Result: 'success', SystemCallFilter: 'done' });
      for (const [key, value] of HARDENING) {
        if (key === 'SystemCallFilter' || key === 'SystemCallErrorNumber') continue;
        const seen = await probe(key, [`${key}=${value}`]);
        expect({ key, seen: seen[key] }).not.toEqual({ key, seen: bare[key] });
      }
      // A call that is not allowed ends the program, which for Node is at its start, unless an error number is given.
      const filter = HARDENING.filter(([key]) => key.startsWith('SystemCall')).map((words) =>
        words.join('='),
      );
      const deadly = filter.filter((line) => !line.includes('ErrorNumber'));
      expect((await probe('filter', deadly)).Result).toMatch(/^(?:core-dump|signal)$/);
      expect(await probe('errno', filter)).toMatchObject({
        Result: 'success',
        SystemCallFilter: 'errno 1',
      });
      for (const name of readdirSync(units()).filter((unit) => unit.startsWith('probe-'))) {
        await sandbox.run(['rm', join(units(), name)]);
      }
      await sandbox.systemctl('daemon-reload');
    });

    it('restarts the bridge after kill -9 [R02]', async () => {
      const before = await pid();
      await kill('KILL', before);
      await expect.poll(async () => (await status()).code, { timeout: 10_000 }).toBe(0);
      expect(await pid()).not.toBe(before);
      expect(await property('NRestarts')).toBe('1');
      await app();
    });

    it('restarts the bridge when its event loop hangs [R11]', async () => {
      await dropIn('WatchdogSec=2');
      await json('restart');
      const before = await pid();
      // Alive for several periods.
      await delay(5000);
      expect(await pid()).toBe(before);
      const started = performance.now();
      await kill('STOP', before);
      await expect.poll(pid, { timeout: 20_000 }).not.toBe(before);
      await expect.poll(async () => (await status()).code, { timeout: 10_000 }).toBe(0);
      figure(
        `hang to next handshake with a watchdog of 2 s (uid ${uid})`,
        performance.now() - started,
        12_000,
        'ms',
      );
      await dropIn(undefined);
    });

    it('reloads the bridge in the same process', async () => {
      const before = await pid();
      expect((await sandbox.systemctl('reload', 'footbridge.service')).code).toBe(0);
      await app();
      expect(await pid()).toBe(before);
    });

    it('does not restart the bridge after a wrong setting or argument', async () => {
      const config = join(sandbox.home, '.config', 'footbridge');
      await sandbox.run(['mkdir', '-p', config]);
      writeFileSync(join(config, 'footbridge.toml'), 'consent = "perhaps"\n');
      const { code, stderr } = await sandbox.footbridge('restart');
      expect(code).toBe(1);
      expect(stderr).toContain('exit code 78, a setting, file or folder is wrong');
      await delay(1500);
      expect(await property('NRestarts')).toBe('0');
      expect(await status()).toMatchObject({ code: 3, service: { state: { kind: 'failed' } } });
      writeFileSync(join(config, 'footbridge.toml'), '');

      await dropIn(
        `ExecStart=\nExecStart=${process.execPath} ${join(sandbox.package, 'dist', 'footbridge.js')} run --nonsense`,
      );
      expect((await sandbox.footbridge('restart')).stderr).toContain('exit code 64');
      await delay(1500);
      expect(await property('NRestarts')).toBe('0');
      await dropIn(undefined);
      expect((await json('start')).changed).toBe(true);
    });

    it('stops restarting the bridge after 10 starts within 60 seconds', async () => {
      await dropIn('ExecStart=\nExecStart=sh -c "exit 1"');
      expect((await sandbox.footbridge('restart')).code).toBe(1);
      await expect.poll(() => property('ActiveState'), { timeout: 40_000, interval: 500 }).toBe('failed');
      expect(Number(await property('NRestarts'))).toBe(10);
      await delay(2000);
      expect(await property('NRestarts')).toBe('10');
      expect((await status()).code).toBe(3);
      await dropIn(undefined);
      // Somebody who asks for it gets a new try.
      expect((await json('start')).changed).toBe(true);
      await app();
    });

    it('stops and starts the bridge', async () => {
      expect((await json('stop')).changed).toBe(true);
      expect((await json('stop')).changed).toBe(false);
      expect(await status()).toMatchObject({
        code: 3,
        running: false,
        service: { state: { kind: 'stopped' } },
      });
      expect(existsSync(endpoint())).toBe(false);
      expect((await json('start')).changed).toBe(true);
      await app();
    });

    it('leaves the path to its holder with --socket, and binds it once it is free [T12]', async () => {
      await json('stop');
      const first = sandbox.start([
        process.execPath,
        join(sandbox.package, 'inside', 'listen.mjs'),
        endpoint(),
      ]);
      await once(first.stdout ?? first, 'data');
      const before = await inode(endpoint());
      expect(await json('install', '--core', 'emulator', '--socket')).toMatchObject({
        change: 'updated',
        running: true,
      });
      expect(await inode(endpoint())).toBe(before);
      await app(join(sandbox.runtime, 'discord-ipc-1'));
      // Not even the unit that was started again.
      await sandbox.systemctl('restart', 'footbridge.socket');
      expect(await inode(endpoint())).toBe(before);
      first.kill();
      await sandbox.run(['pkill', '-f', 'inside/listen.mjs']);
      await json('restart');
      expect(await inode(endpoint())).not.toBe(before);
      await app();
    });

    it('starts the bridge within 250 ms when an app connects', async () => {
      const times: number[] = [];
      for (let i = 0; i < 7; i++) {
        await sandbox.systemctl('stop', 'footbridge.service');
        expect(await property('ActiveState')).toBe('inactive');
        await delay(300);
        times.push(await app());
      }
      times.sort((a, b) => a - b);
      figure(`cold activation to READY, median of 7 (uid ${uid})`, times[3] ?? Number.NaN, 250, 'ms');
    });

    it.skipIf(uid === 0)(
      'loses no connect to 8 kills under load (plain user only) [R02]',
      { timeout: 180_000 },
      async () => {
        await sandbox.systemctl('reset-failed', 'footbridge.service');
        const { stdout, stderr } = await sandbox.run([
          process.execPath,
          join(sandbox.package, 'inside', 'load.mjs'),
          endpoint(),
          '8',
          '10000',
        ]);
        expect(stderr).toBe('');
        const counts = JSON.parse(stdout);
        process.stdout.write(`8 kills under load: ${stdout}`);
        expect(counts).toMatchObject({ refused: 0, unserved: 0, endedOtherwise: 0 });
        expect(counts.connects).toBeGreaterThanOrEqual(1000);
        // Five sessions were open at each of eight kills.
        expect(counts.endedByEof).toBe(40);
        figure('longest wait for READY around a kill', counts.slowestMs, 500, 'ms');
      },
    );

    it('has no files of the bridge left after uninstall, except its configuration', async () => {
      expect(await json('uninstall')).toMatchObject({ change: 'removed' });
      expect(await json('uninstall')).toMatchObject({ change: 'unchanged', files: [] });
      expect((await status()).code).toBe(4);
      expect(await property('LoadState')).toBe('not-found');
      expect(await property('LoadState', 'footbridge.socket')).toBe('not-found');
      const { stdout } = await sandbox.run([
        'find',
        sandbox.home,
        sandbox.runtime,
        '-name',
        '*footbridge*',
        '-type',
        'f',
      ]);
      expect(stdout.split('\n').filter((line) => line !== '' && !/footbridge\.toml$/.test(line))).toEqual([]);
      expect((await sandbox.run(['ls', sandbox.runtime])).stdout).not.toContain('discord-ipc');
    });
  },
);
