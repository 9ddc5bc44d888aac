import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure } from './figure.ts';
import { type Machine, makeMachine, TESTER, whyNoMachine } from './machine.ts';
import { PLAIN_USER } from './sandbox.ts';

/** Where the machine's disk says how journals are kept. */
const JOURNAL = '/etc/systemd/journald.conf.d/test.conf';
const reason = whyNoMachine();
if (reason !== undefined) process.stderr.write(`a booted machine: skipped, ${reason}\n`);

describe.skipIf(reason !== undefined)(
  `a booted machine${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let machine: Machine;
    beforeAll(async () => {
      machine = await makeMachine();
      await machine.boot();
    });
    afterAll(() => machine.close());

    const program = (...words: readonly string[]): [string, ...string[]] => [
      process.execPath,
      join(machine.package, 'dist/footbridge.js'),
      ...words,
    ];
    /** What a command prints in a login of its own; it must end with that code. */
    const says = async (words: readonly string[], expected = 0, user = TESTER): Promise<string> => {
      const { code, stdout, stderr } = await machine.login(user, program(...words));
      expect({ words, code, stderr: code === expected ? '' : stderr }).toEqual({
        words,
        code: expected,
        stderr: '',
      });
      return stdout;
    };
    const json = async (...words: readonly string[]) => JSON.parse(await says([...words, '--json']));
    const asRoot = async (...argv: readonly [string, ...string[]]): Promise<string> =>
      (await machine.run('root', argv)).stdout;
    const endpoint = `/run/user/${PLAIN_USER}/discord-ipc-0`;
    /** An app of the user, without a login. */
    const app = () =>
      machine.run(TESTER, [process.execPath, join(machine.package, 'inside/app.mjs'), endpoint]);
    const managers = () => asRoot('loginctl', 'list-users', '--no-legend');

    it('runs no bridge and no user manager before a login', async () => {
      expect(await managers()).toBe('');
      expect((await app()).code).toBe(1);
    });

    it('has no user manager without a login, and install --print still works', async () => {
      const refused = await machine.run(TESTER, program('install', '--core', 'emulator'));
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('XDG_RUNTIME_DIR is not set');
      const printed = await machine.run(TESTER, program('install', '--print'));
      expect([printed.code, printed.stdout]).toEqual([0, expect.stringContaining('[Service]')]);
    });

    it('runs the bridge during a login, and ends it with the last one', async () => {
      // What it says of itself at a start is asked of the journal below.
      const folder = `~${TESTER}/.config/footbridge`;
      const script = `umask 077; mkdir -p ${folder}; echo 'log_level = "info"' >${folder}/footbridge.toml`;
      expect((await machine.run(TESTER, ['sh', '-c', script])).code).toBe(0);
      expect(await json('install', '--core', 'emulator')).toMatchObject({
        kind: 'systemd',
        change: 'new',
        running: true,
      });
      await expect.poll(managers).toBe('');
      expect((await app()).code).toBe(1);
    });

    it('starts the bridge at every login', async () => {
      const words = program('status', '--json');
      const wait = 'until "$@" >/dev/null; do sleep 0.1; done; exec "$@"';
      const { code, stdout } = await machine.login(TESTER, ['sh', '-c', wait, 'sh', ...words]);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        { service: { manager: 'systemd', state: { kind: 'running', restarts: 0 } } },
      ]);
      await expect.poll(managers).toBe('');
    });

    it('runs the bridge without a login after install --linger, or names the command that permits it', async () => {
      const { notes } = await json('install', '--core', 'emulator', '--linger');
      const isAllowed = !notes.join().includes('loginctl enable-linger');
      // Without a policy daemon nobody but root may.
      expect(isAllowed).toBe(
        (await machine.run('root', ['test', '-x', '/usr/lib/polkit-1/polkitd'])).code === 0,
      );
      if (!isAllowed) await asRoot('loginctl', 'enable-linger', TESTER);
      expect(await asRoot('loginctl', 'show-user', TESTER, '--property=Linger')).toBe('Linger=yes\n');
      expect((await machine.run('root', ['test', '-e', `/var/lib/systemd/linger/${TESTER}`])).code).toBe(0);
      await expect.poll(async () => (await app()).code).toBe(0);
      expect(await asRoot('loginctl', 'list-sessions', '--no-legend')).toBe('');
    });

    it('has the logs of the bridge in the journal', async () => {
      const lines = (await says(['logs'])).split('\n');
      expect(lines.filter((line) => line.includes(`listening path=${endpoint}`)).length).toBeGreaterThan(1);
      expect(await says(['logs', '-n', '2'])).toMatch(/^.+\n.+\n$/);
      // Our own priorities are the journal's.
      const upTo = async (priority: string): Promise<string> => {
        const words = ['--user', '--unit', 'footbridge', '--priority', priority, '--quiet'];
        return (await machine.login(TESTER, ['journalctl', ...words])).stdout;
      };
      expect(await upTo('info')).toContain('listening path=');
      expect(await upTo('warning')).not.toContain('listening path=');
    });

    it('runs the bridge after a boot, before any login', async () => {
      await machine.powerOff();
      const started = performance.now();
      await machine.boot();
      await expect.poll(async () => (await app()).code, { timeout: 10_000 }).toBe(0);
      figure('boot of the machine to READY of an app', performance.now() - started, 10_000, 'ms');
      expect(await asRoot('loginctl', 'list-sessions', '--no-legend')).toBe('');
      expect(await json('status')).toMatchObject({
        service: { manager: 'systemd', state: { kind: 'running', restarts: 0 } },
        handshake: { kind: 'pong' },
      });
      const boots = (await says(['logs', '-n', '1000'])).split(/^-- Boot /m);
      expect(boots.map((part) => part.includes('listening path='))).toEqual([true, true]);
    });

    it('names the group that can read the journal when the user cannot', async () => {
      const unreadable = 'rm -rf /var/log/journal/* && systemctl restart systemd-journald';
      await asRoot('sh', '-c', `printf '[Journal]\\nStorage=volatile\\n' > ${JOURNAL} && ${unreadable}`);
      const { code, stderr } = await machine.login(TESTER, program('logs'));
      expect([code, stderr]).toEqual([0, expect.stringContaining('members of the group systemd-journal')]);
    });

    it('runs no bridge after an uninstall, even after a boot', async () => {
      expect(await json('uninstall')).toMatchObject({ change: 'removed' });
      await says(['status'], 4);
      if ((await machine.run('root', ['test', '-x', '/usr/lib/polkit-1/polkitd'])).code === 0) {
        await expect.poll(managers).toBe('');
      }
      await machine.powerOff();
      await machine.boot();
      expect((await app()).code).toBe(1);
    });

    it('serves root, who needs no permission to linger', async () => {
      const installed = JSON.parse(
        await says(['install', '--core', 'emulator', '--linger', '--json'], 0, 'root'),
      );
      expect(installed).toMatchObject({ running: true });
      await says(['status'], 0, 'root');
      expect(await asRoot('loginctl', 'show-user', 'root', '--property=Linger')).toBe('Linger=yes\n');
      await says(['uninstall', '--purge'], 0, 'root');
      await expect.poll(managers).toBe('');
    });
  },
);
