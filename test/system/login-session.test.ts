// The idle hint of logind on a real D-Bus, with an object of python-dbusmock in place of the session.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loginSession } from '../../platform/session/login-session.ts';
import { place } from '../helpers/fault-bridge.ts';
import { withoutPackages } from './debian.ts';

const missing = withoutPackages({
  dbus: '/usr/bin/dbus-daemon',
  'libglib2.0-bin': '/usr/bin/gdbus',
  'python3-dbusmock': '/usr/lib/python3/dist-packages/dbusmock/__init__.py',
  systemd: '/usr/bin/busctl',
});
const LOGIND = 'org.freedesktop.login1';
const SESSION = '/org/freedesktop/login1/session/auto';

/** A system's bus with the session of a user on it. */
async function systemBus() {
  const { folder } = place();
  const path = join(folder, 'bus');
  const address = `unix:path=${path}`;
  const env = { PATH: process.env['PATH'] ?? '', DBUS_SYSTEM_BUS_ADDRESS: address };
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', `--address=${address}`], { env });
  onTestFinished(() => void daemon.kill('SIGKILL'));
  await expect.poll(() => existsSync(path)).toBe(true);
  const call = async (method: string, ...args: readonly string[]): Promise<unknown> => {
    const where = ['call', '--system', '--dest', LOGIND, '--object-path', SESSION, '--method', method];
    return promisify(execFile)('gdbus', [...where, ...args], { env });
  };
  const source = loginSession('linux', env);
  if (source.kind !== 'supported') throw new Error(source.reason);
  return {
    source,
    logIn: async (): Promise<void> => {
      const words = ['-m', 'dbusmock', '--system', LOGIND, SESSION, `${LOGIND}.Session`];
      const logind = spawn('/usr/bin/python3', words, { env, stdio: 'ignore' });
      onTestFinished(() => void logind.kill('SIGKILL'));
      const isThere = () =>
        call('org.freedesktop.DBus.Peer.Ping').then(
          () => true,
          () => false,
        );
      await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
      const add = 'org.freedesktop.DBus.Mock.AddProperty';
      await call(add, `${LOGIND}.Session`, 'IdleHint', '<false>');
      await call(add, `${LOGIND}.Session`, 'IdleSinceHint', '<uint64 1700000000123456>');
      await call(add, `${LOGIND}.Session`, 'LockedHint', '<false>');
    },
    set: (name: string, value: string) =>
      call('org.freedesktop.DBus.Properties.Set', `${LOGIND}.Session`, name, value),
  };
}

describe.skipIf(missing !== undefined)(
  `a login session of logind${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('reports idle, since when, and locked', async () => {
      const { source, logIn, set } = await systemBus();
      await logIn();
      expect(await source.current()).toEqual({ idleSince: null, isLocked: false });
      await set('IdleHint', '<true>');
      expect(await source.current()).toEqual({ idleSince: 1_700_000_000_123.456, isLocked: false });
      await set('LockedHint', '<true>');
      expect(await source.current()).toEqual({ idleSince: 1_700_000_000_123.456, isLocked: true });
    });

    it('is reported as missing on a bus without logind', async () => {
      const { source } = await systemBus();
      await expect(source.current()).rejects.toThrow(
        /^busctl: .+\. Start the bridge in a session of logind with busctl of systemd, or remove presence_away from the configuration\.$/,
      );
    });
  },
);
