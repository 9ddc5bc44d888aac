import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { runConsole } from '../../src/cli/console/run-console.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { ask, ownLines } from '../console/door.ts';
import { programs } from '../helpers/examples.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { fakeIo } from './fake-io.ts';
import {
  footbridge,
  footbridgeCommand,
  type Place,
  startDaemonProcess,
  startFootbridge,
  startProgram,
  temporaryPlace,
} from './spawn.ts';

/** What a person's browser has after it opened an address. */
interface Browser {
  readonly port: number;
  readonly cookie: string;
  get(path: string): ReturnType<typeof ask>;
  call(name: string, args?: object): Promise<unknown>;
}

async function browserAt(url: string): Promise<Browser> {
  const { port: text, pathname, search } = new URL(url);
  const port = Number(text);
  const { status, head } = await ask(port, `GET ${pathname}${search}`);
  expect(status).toBe(200);
  const cookie = `Cookie: ${/^set-cookie: ([^;]+);/im.exec(head)?.[1]}`;
  return {
    port,
    cookie,
    get: (path) => ask(port, `GET ${path}`, [cookie]),
    async call(name, args = {}) {
      const lines = [cookie, ...ownLines(port)];
      return JSON.parse((await ask(port, `POST /call/${name}`, lines, JSON.stringify(args))).body) as unknown;
    },
  };
}

const urlIn = (text: string): string =>
  /http:\/\/127\.0\.0\.1:\d+\/enter\?key=[\w-]{22}/.exec(text)?.[0] ?? '';

/** A program that opens files in a browser, and keeps what it was started with. */
function withOpener(place: Place): { readonly place: Place; readonly opened: () => string } {
  const kept = join(place.folder, 'opened');
  const script = `{ echo "$#:$1"; stat -c %a "$1"; cat "$1"; } > '${kept}.new'; mv '${kept}.new' '${kept}'`;
  const bin = programs(join(place.folder, 'bin'), { 'xdg-open': script });
  const env = { ...place.env, PATH: `${bin}:${place.env['PATH']}` };
  return { place: { ...place, env }, opened: () => (existsSync(kept) ? readFileSync(kept, 'utf8') : '') };
}

it('footbridge console serves the page until it is stopped, and opens a file that only this user can read', async () => {
  const { place, opened } = withOpener(temporaryPlace());
  await startDaemonProcess(place);
  const running = startFootbridge(place, ['console']);
  const printed = urlIn(await running.stdoutWith('Ctrl+C'));
  await expect.poll(opened).not.toBe('');
  const [started = '', mode] = opened().split('\n');
  const file = started.slice(2);
  expect([started.slice(0, 2), mode]).toEqual(['1:', '600']);
  // What a program is started with is for others to see.
  expect(started).not.toContain('key=');
  const handed = urlIn(opened());
  expect(handed).not.toBe(printed);
  for (const url of [printed, handed]) {
    const browser = await browserAt(url);
    expect((await browser.get('/')).body).toContain('<script type="module" src="/app.js">');
    expect(JSON.parse((await browser.get('/status')).body)).toMatchObject({ core: { name: 'emulator' } });
    expect(await browser.call('requests.list')).toEqual([]);
  }
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect({ code, stderr, left: existsSync(file) }).toEqual({ code: 0, stderr: '', left: false });
  await expect(fetch(printed)).rejects.toThrow();
});

it('footbridge console prints the remedy where no browser can be started', async () => {
  const place = temporaryPlace();
  await startDaemonProcess(place);
  const env = { ...place.env, PATH: join(place.folder, 'nothing') };
  const running = startFootbridge({ ...place, env }, ['console']);
  expect(await running.stderrWith('\n')).toContain('open the address yourself');
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

it('footbridge console prints a new address when the user presses Enter', async () => {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  const stdin = new PassThrough();
  const io = { ...fakeIo(bridge.env), stdin, interactive: true };
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const code = runConsole({ json: false, open: false }, io, () => ended);
  const urls = (): readonly string[] => io.stdout().match(/http:\S+/g) ?? [];
  await expect.poll(urls).toHaveLength(1);
  stdin.write('\n');
  await expect.poll(urls).toHaveLength(2);
  expect(new Set(urls()).size).toBe(2);
  for (const url of urls()) await browserAt(url);
  end();
  expect(await code).toBe(0);
});

it('footbridge console needs a running bridge at its start', async () => {
  const { code, stderr } = await footbridge(temporaryPlace(), 'console', '--no-open');
  expect({ code, stderr }).toEqual({ code: 69, stderr: expect.stringContaining('No bridge runs') });
});

it('footbridge console survives a restart of the bridge, and two consoles serve separate sessions', async () => {
  const place = temporaryPlace();
  const first = await startDaemonProcess(place);
  const [one, two] = await Promise.all(
    [0, 1].map(async () => {
      const running = startFootbridge(place, ['console', '--no-open', '--json']);
      const { url } = JSON.parse(await running.stdoutWith('\n')) as { url: string };
      return browserAt(url);
    }),
  );
  if (one === undefined || two === undefined) throw new Error('none started');
  expect((await ask(two.port, 'GET /status', [one.cookie])).status).toBe(403);
  first.child.kill('SIGTERM');
  await first.ended;
  for (const browser of [one, two])
    expect(await browser.call('requests.list')).toMatchObject({ code: 'FOOTBRIDGE_NO_DAEMON' });
  await startDaemonProcess(place);
  for (const browser of [one, two]) expect(await browser.call('requests.list')).toEqual([]);
});

it.skipIf(process.platform !== 'linux')(
  'with console = true the bridge serves the console from the first request for its address (Linux only: reads /proc)',
  async () => {
    const { place, opened } = withOpener(temporaryPlace());
    const env = { ...place.env, FOOTBRIDGE_CONSOLE: 'true' };
    const { ready } = await startDaemonProcess({ ...place, env });
    const before = listenersOf(ready.pid);
    const shown = await footbridge(place, 'console', '--no-open', '--json');
    expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' });
    expect(listenersOf(ready.pid)).toBe(before + 1);
    const browser = await browserAt((JSON.parse(shown.stdout) as { url: string }).url);
    expect((await browser.get('/')).status).toBe(200);
    expect(JSON.parse((await browser.get('/status')).body)).toMatchObject({ pid: ready.pid });
    expect(await browser.call('console.address', {})).toMatchObject({ url: expect.anything() });
    expect(await browser.call('console.address', { wrong: 1 })).toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
      message: 'console.address: arguments: must not have "wrong": not known here.',
    });
    const again = await footbridge(place, 'console');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(opened).not.toBe('');
    for (const text of [again.stdout, opened()])
      expect((await browserAt(urlIn(text))).port).toBe(browser.port);
    expect(listenersOf(ready.pid)).toBe(before + 1);
    const report = await ask(browser.port, 'POST /doctor', [browser.cookie, ...ownLines(browser.port)]);
    const { checks } = JSON.parse(report.body) as { checks: { id: string; evidence: string[] }[] };
    expect(checks.find(({ id }) => id === 'bridge')?.evidence.join()).toContain(String(ready.pid));
  },
);

/** On how many ports a process listens. */
function listenersOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const own = readdirSync(folder).map((name) => linkOf(join(folder, name)));
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows.filter((row) => {
    const columns = row.trim().split(/\s+/);
    return columns[3] === '0A' && own.includes(`socket:[${columns[9]}]`);
  }).length;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

// An app that asks to be allowed, and then tries to allow it itself: by its own request, by that of a program that it
// started, and through a console that it started.

const APP = '300000000000000001';
const REQUEST = { client_id: APP, scopes: ['identify'] };

/** Asks, then runs each line that it is told: a program to start, and prints what that prints. */
const ASKER = `
const { connect } = require('node:net');
const { spawn } = require('node:child_process');
const socket = connect(process.argv[1]);
for (const frame of process.argv.slice(2)) socket.write(Buffer.from(frame, 'base64'));
socket.resume();
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [name, ...args] = JSON.parse(line);
  if (name === 'own') return fetch(args[0], args[1]).then((answer) => answer.text()).then((text) => console.log(text));
  spawn(name, args, { stdio: ['ignore', 'inherit', 'inherit'] });
});
`;

async function asking(place: Place) {
  const frames = [
    frameBytes(0, JSON.stringify({ v: 1, client_id: APP })),
    frameBytes(1, JSON.stringify({ cmd: 'AUTHORIZE', nonce: '1', args: REQUEST })),
  ].map((frame) => Buffer.from(frame).toString('base64'));
  const app = startProgram([process.execPath, '-e', ASKER, join(place.folder, 'discord-ipc-0'), ...frames], {
    env: place.env,
    detached: true,
  });
  // With all that it has started, which would outlive it.
  onTestFinished(() => {
    if (app.child.pid !== undefined) process.kill(-app.child.pid, 'SIGKILL');
  });
  const tell = (...words: readonly unknown[]): void =>
    void app.child.stdin?.write(`${JSON.stringify(words)}\n`);
  return { app, tell };
}

it.skipIf(process.platform !== 'linux').each(['the command', 'the bridge'])(
  'an app cannot approve its own request, by a child or a console of its own, where %s serves it (reads /proc)',
  async (who) => {
    const place = temporaryPlace();
    const env = { ...place.env, FOOTBRIDGE_CONSOLE: String(who === 'the bridge') };
    await startDaemonProcess({ ...place, env }, '--consent', 'ask');
    const { app, tell } = await asking(place);
    const running = startFootbridge(place, ['console', '--no-open', '--json']);
    const { url } = JSON.parse(await running.stdoutWith('\n')) as { url: string };
    const person = await browserAt(url);
    const waiting = () => person.call('requests.list') as Promise<{ id: string }[]>;
    await expect.poll(waiting).toHaveLength(1);
    const [request] = await waiting();
    const args = { id: request?.id ?? '' };
    const refused = `"message":"Request ${args.id} was made by process ${app.child.pid}, which cannot allow it itself`;

    const origin = `http://127.0.0.1:${person.port}`;
    const headers = {
      cookie: person.cookie.slice('Cookie: '.length),
      origin,
      'footbridge-console': '1',
      'content-type': 'application/json',
    };
    const target = `${origin}/call/requests.approve`;
    const post = { method: 'POST', headers, body: JSON.stringify(args) };
    tell('own', target, post);
    await app.stdoutWith(refused);

    const script =
      'fetch(process.argv[1], JSON.parse(process.argv[2])).then((a) => a.text()).then((t) => console.log("browser " + t))';
    tell(process.execPath, '-e', script, target, JSON.stringify(post));
    expect(await app.stdoutWith('browser {')).toContain(`browser {"code":"FOOTBRIDGE_REFUSED",${refused}`);

    tell(...footbridgeCommand('console', '--no-open', '--json'));
    const theirs = urlIn(await app.stdoutWith('/enter?key='));
    const throughTheirs = await browserAt(theirs);
    expect(await throughTheirs.call('requests.approve', args)).toMatchObject({
      code: 'FOOTBRIDGE_REFUSED',
      message: expect.stringContaining('cannot allow it itself'),
    });
    expect(await waiting()).toHaveLength(1);

    expect(await person.call('requests.approve', args)).toMatchObject({ id: args.id, answer: 'allow' });
    expect(await waiting()).toEqual([]);
  },
);
