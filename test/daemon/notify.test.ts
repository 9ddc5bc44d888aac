import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Stored } from '../../src/base/saves.ts';
import { notification, notificationWithButtons, supportsButtons } from '../../src/daemon/notification.ts';
import { notifyDesktop } from '../../src/daemon/notify.ts';
import { READING_MS } from '../../src/emulator/accounts/consent/reading-time.ts';
import type { WaitingRequest } from '../../src/emulator/api/waiting-request.ts';
import { settled } from '../helpers/app-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const request = (name = 'Harbour', id = 'abcde'): WaitingRequest => ({
  kind: 'authorization',
  id,
  clientId: '300000000000000001',
  applicationName: name,
  userId: '1',
  scopes: [{ name: 'rpc', description: 'Control' }],
  peer: { transport: 'ipc', verified: false },
  requestedAt: 30_000,
  expiresAt: 90_000,
});

describe('a notification', () => {
  it('names the command to type, the requester and the scopes', () => {
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
    expect(notification('darwin', request())).toEqual([
      'osascript',
      '-e',
      'on run argv',
      '-e',
      'display notification (item 1 of argv) with title "Footbridge"',
      '-e',
      'end run',
      expect.any(String),
    ]);
    expect(notification('win32', request())).toBeUndefined();
    const scopes = ['rpc', 'identify'].map((name) => ({ name, description: '' }));
    expect(notification('linux', { ...request(), scopes } as WaitingRequest)?.at(-1)).toMatch(
      / asks for rpc, identify\.$/,
    );
    const command = { ...request(), kind: 'command', what: 'open a link', details: [], cmd: 'X', pid: 1 };
    expect(notification('linux', command as unknown as WaitingRequest)?.at(-1)).toBe(
      'To answer: footbridge approve abcde, or footbridge deny abcde. "Harbour" (application 300000000000000001) asks: open a link.',
    );
  });

  it.each([
    ['--help', '"--help"'],
    ['<b>x</b> & co', '"&lt;b&gt;x&lt;/b&gt; &amp; co"'],
    ['a\u001b[31m\nb\u202ec', '"a?[31m?b?c"'],
    ['back\\nslash', '"back?nslash"'],
    ["'; rm -rf ~ #`id`$(id)", '"\'; rm -rf ~ #`id`$(id)"'],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(59)}…"`],
    ['x'.repeat(500), `"${'x'.repeat(59)}…"`],
    ['😀'.repeat(100), `"${'😀'.repeat(59)}…"`],
  ])('contains the name %j as plain text', (name, shown) => {
    const command: readonly string[] = notification('linux', request(name)) ?? [];
    expect(command.at(-1)).toContain(shown);
    expect(command.at(-1)).toMatch(/^To answer: /);
    expect(command.indexOf('--')).toBe(command.length - 3);
    const [script, text] = (notification('darwin', request(name)) ?? []).slice(-2);
    expect(script).toBe('end run');
    expect(text).toMatch(/^To answer: /);
  });

  it('is limited to 400 characters', () => {
    const scopes = Array.from({ length: 200 }, (_, index) => ({ name: `scope.${index}`, description: '' }));
    const command = notification('darwin', { ...request(), scopes } as WaitingRequest) ?? [];
    expect(Array.from(command.at(-1) ?? '')).toHaveLength(400);
  });
});

/** What an answer of `busctl` looks like. */
const able = (...what: readonly string[]): string => JSON.stringify({ type: 'as', data: [what] });

describe('a notification with buttons', () => {
  it('contains the same details as the terminal', () => {
    const command = notificationWithButtons(request('A & B'));
    expect(command?.slice(0, -1)).toEqual([
      'notify-send',
      '--app-name=Footbridge',
      '--action=allow=Allow once',
      '--action=deny=Deny',
      '--',
      'Footbridge: an app waits for you',
    ]);
    expect(command?.at(-1)).toBe(
      '"A &amp; B" (application 300000000000000001) asks to:\n  - Control (rpc)\n' +
        'Asked by an unnamed program (unverified). Request abcde.\nTo type: footbridge approve abcde',
    );
  });
  it('does not exist for a text that is too long for a desktop, so that no unread request can be allowed', () => {
    const many = Array.from({ length: 30 }, () => ({ name: 'rpc', description: 'Control your client' }));
    expect(notificationWithButtons({ ...request(), scopes: many } as WaitingRequest)).toBeUndefined();
  });
  it.each([
    [able('body', 'actions'), true],
    [able('body'), false],
    [able('actions'), false],
    ['', false],
    ['{"data":7}', false],
    ['Call failed', false],
  ])('needs a desktop that supports text and buttons: %j', (printed, shows) => {
    expect(supportsButtons(printed)).toBe(shows);
  });
});

/** A runtime folder with a socket where the session's bus is. */
async function withBus(): Promise<string> {
  const folder = temporaryFolder();
  const server = createServer().listen(join(folder, 'bus'));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return folder;
}

describe('the notifier', () => {
  interface Ran {
    readonly program: string;
    readonly text: string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly ms: number;
    readonly signal: AbortSignal | undefined;
    readonly end: (outcome: 'done' | 'failed' | 'missing', stdout?: string) => Promise<void>;
  }

  function bench(os: 'linux' | 'darwin' | 'win32', env: Readonly<Record<string, string>>, result?: Stored) {
    const ran: Ran[] = [];
    const decided: [string, string][] = [];
    let now = 0;
    let isFailing = false;
    let tell: (event: 'added' | 'settled', request: WaitingRequest) => void = () => {};
    const stop = notifyDesktop({
      os,
      env,
      uid: process.getuid?.(),
      now: () => now,
      onRequest: (listener) => {
        tell = listener;
        return () => {};
      },
      decide: ({ id }, answer) => {
        if (isFailing) return Promise.reject(new Error('No request waits any more'));
        decided.push([id, answer]);
        return Promise.resolve(result);
      },
      run: ([program, ...args], given, ms, signal) =>
        new Promise((resolve) => {
          const end: Ran['end'] = async (outcome, stdout = '') => {
            resolve({ outcome, stdout });
            await settled();
          };
          ran.push({ program, text: args.at(-1), env: given, ms, signal, end });
        }),
    });
    return {
      ran,
      decided,
      stop,
      pass: (ms: number) => {
        now += ms;
      },
      failNext: () => {
        isFailing = true;
      },
      notify: (id?: string) => tell('added', request('Harbour', id)),
      settle: (id?: string) => tell('settled', request('Harbour', id)),
    };
  }

  it.each([
    ['linux', {}, 0],
    ['linux', { DISPLAY: '' }, 0],
    ['linux', { DISPLAY: ':0' }, 1],
    ['linux', { WAYLAND_DISPLAY: 'wayland-1' }, 1],
    ['darwin', {}, 1],
    ['darwin', { SSH_CONNECTION: '::1 2 ::1 22' }, 0],
    ['win32', { DISPLAY: ':0' }, 0],
  ] as const)('sends, on %s with %j, %i notifications', async (os, env, times) => {
    const { ran, notify } = bench(os, env);
    notify();
    await settled();
    expect(ran).toHaveLength(times);
  });

  it('detects a desktop that starts after it', async () => {
    const folder = temporaryFolder();
    const { ran, notify } = bench('linux', { XDG_RUNTIME_DIR: folder });
    notify();
    writeFileSync(join(folder, 'wayland-0'), '');
    notify();
    await settled();
    expect(ran).toHaveLength(1);
  });

  it('runs at most four programs at a time, and none once the program is missing', async () => {
    const { ran, notify } = bench('linux', { DISPLAY: ':0' });
    for (let index = 0; index < 9; index++) notify(`id${index}`);
    await settled();
    expect(ran.map(({ ms, text }) => [ms, text?.slice(0, 39)])).toEqual(
      [0, 1, 2, 3].map((id) => [5000, `To answer: footbridge approve id${id}, or f`]),
    );
    await ran[0]?.end('done');
    notify();
    await settled();
    expect(ran).toHaveLength(5);
    await ran[4]?.end('missing');
    for (const { end } of ran.slice(1, 4)) await end('done');
    notify();
    await settled();
    expect(ran).toHaveLength(5);
  });

  describe('with a session bus', () => {
    const desktop = async (result?: Stored) =>
      bench('linux', { DISPLAY: ':0', XDG_RUNTIME_DIR: await withBus() }, result);
    /** Shows one with buttons; the clock stands. */
    async function asked(result?: Stored) {
      const made = await desktop(result);
      made.notify('abcde');
      await settled();
      expect(made.ran[0]).toMatchObject({ program: 'busctl' });
      await made.ran[0]?.end('done', able('body', 'actions'));
      expect(made.ran[0]?.ms).toBe(5000);
      // As long as the request waits.
      expect(made.ran[1]).toMatchObject({
        program: 'notify-send',
        ms: 60_000,
        signal: expect.any(AbortSignal),
      });
      return made;
    }

    it('decides by the pressed button, and passes the bus to the programs that it runs', async () => {
      for (const [pressed, answer] of [
        ['allow', 'once'],
        ['deny', 'deny'],
      ] as const) {
        const { ran, decided, pass } = await asked();
        expect(ran[1]?.env['DBUS_SESSION_BUS_ADDRESS']).toMatch(/^unix:path=\/.*\/bus$/);
        pass(1000);
        await ran[1]?.end('done', `${pressed}\n`);
        expect(decided).toEqual([['abcde', answer]]);
        expect(ran).toHaveLength(2);
      }
    });
    it.each([
      ['allow', 'Allowed; '],
      ['deny', 'Denied; '],
    ])('says in a second notification that the decision after "%s" is not stored', async (pressed, begin) => {
      const { ran, pass } = await asked({ stored: false, reason: 'the disk is full' });
      pass(READING_MS);
      await ran[1]?.end('done', `${pressed}\n`);
      expect(ran[2]).toMatchObject({ program: 'notify-send' });
      expect(ran[2]?.text).toBe(
        `${begin}not stored: the disk is full. It holds until the bridge ends. Make room on that disk, or make its folder writable.`,
      );
      await ran[2]?.end('done');
      expect(ran).toHaveLength(3);
    });
    it('ignores a click before the text could be read, and displays the notification again', async () => {
      const { ran, decided, pass } = await asked();
      pass(READING_MS - 1);
      await ran[1]?.end('done', 'allow\n');
      expect([decided, ran.length]).toEqual([[], 3]);
      pass(READING_MS);
      await ran[2]?.end('done', 'allow\n');
      expect(decided).toEqual([['abcde', 'once']]);
    });
    it('accepts an early Deny, because it grants nothing', async () => {
      const { ran, decided, pass } = await asked();
      pass(10);
      await ran[1]?.end('done', 'deny\n');
      expect([decided, ran.length]).toEqual([[['abcde', 'deny']], 2]);
    });
    it('decides nothing when the notification is closed or returns an unknown action', async () => {
      for (const printed of ['', 'allow always\n', 'ALLOW\n']) {
        const { ran, decided, pass } = await asked();
        pass(1000);
        await ran[1]?.end('done', printed);
        expect([decided, ran.length]).toEqual([[], 2]);
      }
    });
    it('shows none for a request that is settled while the desktop is asked what it can', async () => {
      const { ran, notify, settle } = await desktop();
      notify('abcde');
      await settled();
      settle('other');
      settle('abcde');
      await ran[0]?.end('done', able('body', 'actions'));
      expect(ran.map(({ program }) => program)).toEqual(['busctl']);
    });
    it('shows four with buttons at a time, and removes them when it stops', async () => {
      const { ran, notify, stop } = await desktop();
      for (let id = 0; id < 5; id += 1) notify(`id${id}`);
      await settled();
      expect(ran.map(({ program }) => program)).toEqual([
        'busctl',
        'busctl',
        'busctl',
        'busctl',
        'notify-send',
      ]);
      expect(ran[4]?.signal).toBeUndefined();
      await ran[0]?.end('done', able('body', 'actions'));
      expect(ran[5]?.signal?.aborted).toBe(false);
      stop();
      expect(ran[5]?.signal?.aborted).toBe(true);
      // One that is gone makes room for the next.
      await ran[5]?.end('done');
      notify('next');
      await settled();
      expect(ran[6]).toMatchObject({ program: 'busctl' });
    });
    it('shows nothing more where the decision fails, because the request was answered elsewhere', async () => {
      const { ran, pass, failNext } = await asked();
      pass(READING_MS);
      failNext();
      await ran[1]?.end('done', 'allow\n');
      expect(ran).toHaveLength(2);
    });
    it('removes the notification when the request is settled elsewhere, and ignores its answer', async () => {
      const { ran, decided, settle, pass } = await asked();
      settle('abcde');
      expect(ran[1]?.signal?.aborted).toBe(true);
      pass(1000);
      await ran[1]?.end('done', 'allow\n');
      expect(decided).toEqual([]);
    });
    it.each([
      ['a desktop without buttons', ['done', able('body')]],
      ['no busctl', ['missing', '']],
      ['a bus that does not answer', ['failed', '']],
    ] as const)('displays the command to type for %s', async (_what, [outcome, printed]) => {
      const { ran, notify } = await desktop();
      notify();
      await settled();
      await ran[0]?.end(outcome, printed);
      expect(ran[1]).toMatchObject({ program: 'notify-send', signal: undefined });
    });
    it('displays the command to type when notify-send does not support buttons', async () => {
      const { ran } = await asked();
      await ran[1]?.end('failed');
      expect(ran[2]).toMatchObject({ program: 'notify-send', signal: undefined });
    });
  });
});
