import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { desktopNotifier, notification } from '../../src/daemon/notify.ts';
import type { WaitingRequest } from '../../src/emulator/people/request.ts';
import { faultBridge, place } from '../helpers/fault-bridge.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const request = (name = 'Harbour', id = 'abcde'): WaitingRequest => ({
  kind: 'authorization',
  id,
  clientId: '300000000000000001',
  applicationName: name,
  userId: '1',
  scopes: [{ name: 'rpc', description: 'Control' }],
  peer: { transport: 'ipc', verified: false },
  requestedAt: 0,
  expiresAt: 1,
});

describe('a notification', () => {
  it('names the command to type, who asks and for what', () => {
    expect(notification('linux', request())).toEqual([
      'notify-send',
      '--app-name=Footbridge',
      '--',
      'Footbridge: an app waits for you',
      'To answer: footbridge approve abcde, or footbridge deny abcde. "Harbour" (application 300000000000000001) asks for rpc.',
    ]);
    expect(notification('darwin', request())?.slice(-2)).toEqual([
      'end run',
      expect.stringMatching(/^To answer: footbridge approve abcde/),
    ]);
    expect(notification('win32', request())).toBeUndefined();
  });

  it.each([
    ['--help', '"--help"'],
    ['<b>x</b> & co', '"&lt;b&gt;x&lt;/b&gt; &amp; co"'],
    ['a\u001b[31m\nb\u202ec', '"a?[31m?b?c"'],
    ['back\\nslash', '"back?nslash"'],
    ["'; rm -rf ~ #`id`$(id)", '"\'; rm -rf ~ #`id`$(id)"'],
    ['x'.repeat(500), `"${'x'.repeat(59)}…"`],
    ['😀'.repeat(100), `"${'😀'.repeat(59)}…"`],
  ])('passes the name %j on as text', (name, shown) => {
    const command: readonly string[] = notification('linux', request(name)) ?? [];
    expect(command.at(-1)).toContain(shown);
    expect(command.at(-1)).toMatch(/^To answer: /);
    expect(command.indexOf('--')).toBe(command.length - 3);
    const [script, text] = (notification('darwin', request(name)) ?? []).slice(-2);
    expect(script).toBe('end run');
    expect(text).toMatch(/^To answer: /);
  });

  it('has a bound', () => {
    const scopes = Array.from({ length: 200 }, (_, index) => ({ name: `scope.${index}`, description: '' }));
    const command = notification('darwin', { ...request(), scopes } as WaitingRequest) ?? [];
    expect(Array.from(command.at(-1) ?? '')).toHaveLength(400);
  });
});

describe('the notifier', () => {
  function bench(os: 'linux' | 'darwin' | 'win32', env: Readonly<Record<string, string>>) {
    const ran: string[] = [];
    let settle: ((outcome: 'done' | 'missing') => void)[] = [];
    const notify = desktopNotifier({
      os,
      env,
      run: ([program]) => {
        ran.push(program);
        return new Promise((resolve) => settle.push(resolve));
      },
    });
    const finish = async (outcome: 'done' | 'missing'): Promise<void> => {
      for (const one of settle) one(outcome);
      settle = [];
      await Promise.resolve();
    };
    return { ran, notify: (name?: string) => notify(request(name)), finish };
  }

  it.each([
    ['linux', {}, 0],
    ['linux', { DISPLAY: '' }, 0],
    ['linux', { DISPLAY: ':0' }, 1],
    ['linux', { WAYLAND_DISPLAY: 'wayland-1' }, 1],
    ['darwin', {}, 1],
    ['darwin', { SSH_CONNECTION: '::1 2 ::1 22' }, 0],
    ['win32', { DISPLAY: ':0' }, 0],
  ] as const)('on %s with %j tells %i of one', (os, env, times) => {
    const { ran, notify } = bench(os, env);
    notify();
    expect(ran).toHaveLength(times);
  });

  it('finds a desktop that came up after it', () => {
    const folder = temporaryFolder();
    const { ran, notify } = bench('linux', { XDG_RUNTIME_DIR: folder });
    notify();
    writeFileSync(join(folder, 'wayland-0'), '');
    notify();
    expect(ran).toHaveLength(1);
  });

  it('runs four at most at a time, and none any more once the program is missing', async () => {
    const { ran, notify, finish } = bench('linux', { DISPLAY: ':0' });
    for (let index = 0; index < 9; index++) notify();
    expect(ran).toHaveLength(4);
    await finish('done');
    notify();
    expect(ran).toHaveLength(5);
    await finish('missing');
    notify();
    expect(ran).toHaveLength(5);
  });
});

describe('a bridge with a desktop', () => {
  /** A desktop whose notifications land in a file, an argument a line. */
  function desktop() {
    const runtime = place();
    const bin = join(runtime.folder, 'bin');
    const shown = join(runtime.folder, 'shown');
    mkdirSync(bin);
    writeFileSync(join(bin, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${shown}'\n`);
    chmodSync(join(bin, 'notify-send'), 0o755);
    const env = { DISPLAY: ':0', PATH: `${bin}:${process.env['PATH']}` };
    const lines = (): string[] =>
      existsSync(shown) ? readFileSync(shown, 'utf8').trimEnd().split('\n') : [];
    return { runtime, env, lines };
  }
  const authorize = { client_id: '300000000000000001', scopes: ['rpc'] };

  it.skipIf(process.platform !== 'linux')('tells it once a request (skipped off Linux)', async () => {
    const { runtime, env, lines } = desktop();
    const bridge = await faultBridge({ runtime, env, args: ['--http-port', '0', '--ws-port', 'off'] });
    const app = await bridge.app();
    app.request('AUTHORIZE', authorize);
    await expect.poll(lines, { timeout: 10_000 }).toHaveLength(4);
    const [waiting] = (await bridge.control.call('requests.list')) as { id: string }[];
    expect(lines()[3]).toContain(`footbridge approve ${waiting?.id}`);
    const other = await bridge.app('300000000000000002');
    other.request('AUTHORIZE', { ...authorize, client_id: '300000000000000002' });
    await expect.poll(lines, { timeout: 10_000 }).toHaveLength(8);
  });

  it.skipIf(process.platform !== 'linux')(
    'is told nothing where that is off (skipped off Linux)',
    async () => {
      const { runtime, env, lines } = desktop();
      const args = ['--http-port', '0', '--ws-port', 'off', '--notifications', 'false'];
      const bridge = await faultBridge({ runtime, env, args });
      const app = await bridge.app();
      app.request('AUTHORIZE', authorize);
      await expect.poll(() => bridge.control.call('requests.list'), { timeout: 10_000 }).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(lines()).toEqual([]);
    },
  );
});
