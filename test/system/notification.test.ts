// The buttons of a notification on a real D-Bus, with the notification server of python-dbusmock in place of a desktop.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { READING_MS } from '../../src/emulator/accounts/consent/reading-time.ts';
import { faultBridge, place } from '../helpers/fault-bridge.ts';
import { withoutPackages } from './debian.ts';

const missing = withoutPackages({
  dbus: '/usr/bin/dbus-daemon',
  'libnotify-bin': '/usr/bin/notify-send',
  'libglib2.0-bin': '/usr/bin/gdbus',
  'python3-dbusmock': '/usr/lib/python3/dist-packages/dbusmock/__init__.py',
  systemd: '/usr/bin/busctl',
});
const NOTIFICATIONS = 'org.freedesktop.Notifications';
const OBJECT = '/org/freedesktop/Notifications';
const AUTHORIZE = { client_id: '300000000000000001', scopes: ['rpc', 'identify'] };

/** A session's bus with a desktop on it that has these capabilities, and a bridge that finds it. */
async function session(capabilities: string) {
  const runtime = place();
  const bus = join(runtime.folder, 'bus');
  const env = { PATH: process.env['PATH'] ?? '', DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` };
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', `--address=unix:path=${bus}`], { env });
  onTestFinished(() => void daemon.kill('SIGKILL'));
  await expect.poll(() => existsSync(bus)).toBe(true);
  const parameters = JSON.stringify({ capabilities });
  const words = ['-m', 'dbusmock', '--session', '-t', 'notification_daemon', '-p', parameters];
  const desktop = spawn('/usr/bin/python3', ['-u', ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void desktop.kill('SIGKILL'));
  let log = '';
  desktop.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const call = async (method: string, ...args: readonly string[]): Promise<string> => {
    const where = ['call', '--session', '--dest', NOTIFICATIONS, '--object-path', OBJECT];
    const { stdout } = await promisify(execFile)('gdbus', [...where, '--method', method, ...args], { env });
    return stdout;
  };
  const able = () => call(`${NOTIFICATIONS}.GetCapabilities`).catch(() => '');
  await expect.poll(able, { timeout: 20_000 }).toContain(capabilities.split(' ')[0]);
  const bridge = await faultBridge({
    runtime,
    env: { DISPLAY: ':0' },
    args: ['--http-port', '0', '--ws-port', 'off'],
  });
  const app = await bridge.app();
  app.request('AUTHORIZE', AUTHORIZE);
  /** The calls of Notify so far, as the mock writes them down. */
  const shown = (): string[] => log.split(/^(?=\d+\.\d+ )/m).filter((text) => /^\S+ Notify "Foot/.test(text));
  await expect.poll(shown, { timeout: 20_000 }).toHaveLength(1);
  const emit = (signal: string, types: string, values: string) =>
    call('org.freedesktop.DBus.Mock.EmitSignal', NOTIFICATIONS, signal, types, values);
  return {
    bridge,
    app,
    shown,
    log: () => log,
    /** Presses a button of the first notification, and closes it as a desktop does. */
    press: async (name: string): Promise<void> => {
      await emit('ActionInvoked', 'us', `[<uint32 1>, <'${name}'>]`);
      await emit('NotificationClosed', 'uu', '[<uint32 1>, <uint32 2>]');
    },
  };
}

const patience = { timeout: 20_000 };

describe.skipIf(missing !== undefined)(
  `a desktop with buttons${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('displays app and request, and allows the request once at a press of "Allow once"', async () => {
      const { bridge, app, shown, press } = await session('body actions');
      const [text = ''] = shown();
      expect(text).toContain('"Harbour Example" (application 300000000000000001) asks to:');
      expect(text).toContain('read and change your voice settings');
      expect(text).toContain('["allow", "Allow once", "deny", "Deny"]');
      // Longer than the time that a click for something else may take.
      await new Promise((resolve) => setTimeout(resolve, READING_MS + 100));
      await press('allow');
      expect(await app.answer()).toMatchObject({
        cmd: 'AUTHORIZE',
        evt: null,
        data: { code: expect.any(String) },
      });
      expect(await bridge.control.call('requests.list')).toEqual([]);
      expect(shown()).toHaveLength(1);
    });

    it('denies the request at a press of "Deny"', async () => {
      const { app, press } = await session('body actions');
      await press('deny');
      expect(await app.answer()).toMatchObject({ evt: 'ERROR', data: { code: 5000 } });
    });

    it('closes the notification when the request is answered elsewhere', async () => {
      const { bridge, app, log } = await session('body actions');
      const [waiting] = (await bridge.control.call('requests.list')) as { id: string }[];
      await bridge.control.call('requests.deny', { id: waiting?.id });
      expect(await app.answer()).toMatchObject({ evt: 'ERROR' });
      await expect.poll(log, patience).toMatch(/ CloseNotification 1/);
    });

    it.each(['body', 'actions'])(
      'displays the command to type where the desktop supports only %s',
      async (capability) => {
        const { bridge, shown } = await session(capability);
        const [waiting] = (await bridge.control.call('requests.list')) as { id: string }[];
        expect(shown()[0]).toContain(`footbridge approve ${waiting?.id}`);
        expect(shown()[0]).not.toContain('Allow once');
      },
    );
  },
);
