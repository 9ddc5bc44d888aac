import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PROBE_MARK } from '../../platform/endpoint/probe-mark.ts';
import { currentOs } from '../../platform/operating-system.ts';
import { eventually } from '../helpers/eventually.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { closeAfterTest, leaveStaleSocket, listenOn, temporaryFolder } from '../helpers/sockets.ts';
import { app, closeIn, echoBridge, forwarding, paths } from './forwards.ts';

/** A child that runs a script of Node instead of a forward. */
function script(text: string): string {
  return `exec:${process.execPath} -e "${text.replaceAll('"', String.raw`\"`)}"`;
}

const hello = `process.stdout.write('footbridge-forward/1 bridge full \\x22x\\x22\\n');`;

it('socket to socket: every byte and both ends arrive', async () => {
  const { apps, bridge } = paths();
  await echoBridge(bridge);
  await forwarding(apps, bridge);
  const one = app(apps);
  const sent = randomBytes(3 * 1024 * 1024);
  one.socket.end(sent);
  expect((await one.all).equals(sent)).toBe(true);
});

it('an app may end its direction and still read the answer', async () => {
  const { apps, bridge } = paths();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume();
    socket.on('end', () => socket.end('answer after the end'));
  });
  closeAfterTest(server);
  await new Promise<void>((resolve) => void server.listen(bridge, resolve));
  await forwarding(apps, bridge);
  const one = app(apps);
  one.socket.end('question');
  expect((await one.all).toString()).toBe('answer after the end');
});

it('the socket is for its user alone and is removed at the end', async () => {
  const { apps, bridge } = paths();
  const { forward } = await forwarding(apps, bridge);
  expect(lstatSync(apps).mode & 0o777).toBe(0o600);
  forward.close();
  expect(existsSync(apps)).toBe(false);
});

it('an app gets a CLOSE frame with the reason when no bridge listens', async () => {
  const { apps, bridge } = paths();
  await forwarding(apps, bridge);
  expect(closeIn(await app(apps).all)).toEqual({
    code: 1006,
    message: `${bridge} cannot be reached: there is no such file or folder (ENOENT).`,
  });
});

it('an app that leaves ends its session at the bridge, and a bridge that leaves that of the app', async () => {
  const { apps, bridge } = paths();
  const sockets = await echoBridge(bridge);
  await forwarding(apps, bridge);
  const one = app(apps);
  await eventually(() => expect(sockets).toHaveLength(1));
  one.socket.destroy();
  await eventually(() => expect(sockets[0]?.destroyed).toBe(true));
  const two = app(apps);
  two.socket.write('x');
  await eventually(() => expect(two.read().toString()).toBe('x'));
  sockets[1]?.destroy();
  expect((await two.all).toString()).toBe('x');
});

it('a socket that is deleted comes back, and its sessions continue', async () => {
  const { apps, bridge } = paths();
  await echoBridge(bridge);
  await forwarding(apps, bridge);
  const before = app(apps);
  before.socket.write('before');
  await eventually(() => expect(before.read().toString()).toBe('before'));
  rmSync(apps);
  await eventually(() => expect(existsSync(apps)).toBe(true));
  const after = app(apps);
  after.socket.end('after');
  expect((await after.all).toString()).toBe('after');
  before.socket.end('!');
  expect((await before.all).toString()).toBe('before!');
});

it('what has replaced a deleted socket is left alone and reported once, until it is gone', async () => {
  const { apps, bridge } = paths();
  await echoBridge(bridge);
  const { reports } = await forwarding(apps, bridge);
  rmSync(apps);
  writeFileSync(apps, '1');
  await eventually(() => expect(reports).toEqual([expect.stringContaining(`${apps} is taken`)]));
  writeFileSync(apps, '2');
  await setTimeout(100);
  expect(reports).toHaveLength(1);
  expect(readFileSync(apps, 'utf8')).toBe('2');
  rmSync(apps);
  await eventually(() => expect(lstatSync(apps).isSocket()).toBe(true));
  const one = app(apps);
  one.socket.end('x');
  expect((await one.all).toString()).toBe('x');
});

it('a socket whose folder goes away is reported, and comes back with the folder', async () => {
  const { apps, bridge } = paths();
  const folder = dirname(apps);
  const { reports } = await forwarding(apps, bridge);
  rmSync(folder, { recursive: true });
  await eventually(() => expect(reports).toEqual([expect.stringContaining(folder)]));
  mkdirSync(folder, { mode: 0o700 });
  await eventually(() => expect(lstatSync(apps).isSocket()).toBe(true));
  await echoBridge(bridge);
  const one = app(apps);
  one.socket.end('x');
  expect((await one.all).toString()).toBe('x');
});

it('a socket without a listener is replaced', async () => {
  const { apps, bridge } = paths();
  await leaveStaleSocket(apps);
  await echoBridge(bridge);
  await forwarding(apps, bridge);
  const one = app(apps);
  one.socket.end('x');
  expect((await one.all).toString()).toBe('x');
});

it.each([
  ['a live socket', async (path: string) => void (await listenOn({ path })), 'is taken'],
  ['a file', async (path: string) => writeFileSync(path, ''), 'a regular file stands there'],
  ['a link', async (path: string) => symlinkSync('/nowhere', path), 'a symbolic link stands there'],
])('%s at the path is left alone', async (_what, make, problem) => {
  const { apps, bridge } = paths();
  await make(apps);
  const before = lstatSync(apps).ino;
  await expect(forwarding(apps, bridge)).rejects.toThrow(problem);
  expect(lstatSync(apps).ino).toBe(before);
});

it('a folder that is missing is named', async () => {
  const apps = `${temporaryFolder()}/missing/apps`;
  await expect(forwarding(apps, '/tmp/bridge')).rejects.toThrow(dirname(apps));
});

it.each([
  ['does not exist', 'exec:/nowhere/ssh host', 'cannot be started: there is no such file or folder'],
  ['ends at once', script('process.exit(3)'), 'ended before it said hello (exit code 3)'],
  ['does not find its program', script('process.exit(127)'), 'name it with its full path'],
  [
    'prints without reading and ends',
    'exec:echo hello world',
    'after it printed "hello world" (exit code 0). Run the command itself in a terminal to see why.',
  ],
  ['prints and ends', script(`console.log('Permission denied')`), 'printed "Permission denied"'],
  ['floods', script(`setInterval(() => process.stdout.write('y'.repeat(9999)), 1)`), 'and no hello'],
  [
    'speaks another version',
    script(
      `process.stdout.write('footbridge-forward/7 bridge full \\x22x\\x22\\n'); setInterval(() => {}, 9)`,
    ),
    'version 7',
  ],
  [
    'is the same end',
    script(`process.stdout.write('footbridge-forward/1 apps full \\x22x\\x22\\n'); setInterval(() => {}, 9)`),
    'needs --from stdio:',
  ],
])('a command that %s is refused in one line', async (_what, to, problem) => {
  const { apps } = paths();
  const started = forwarding(apps, to);
  await expect(started).rejects.toThrow(problem);
  await expect(started).rejects.toThrow(/^exec:[^\n]+\.$/);
  expect(existsSync(apps)).toBe(false);
});

it('a command behind which the apps are gets the hello of the end with the bridge', async () => {
  const line = `${temporaryFolder()}/line`;
  const from = script(
    `process.stdout.write('footbridge-forward/1 apps full \\x22x\\x22\\n'); process.stdin.once('data', (data) => require('fs').writeFileSync('${line}', data))`,
  );
  await forwarding(from, paths().bridge, { rights: 'presence', name: 'here' });
  await eventually(() =>
    expect(readFileSync(line, 'utf8')).toBe('footbridge-forward/1 bridge presence "here"\n'),
  );
});

it('a command behind which the apps are is refused in time, and one of the same end at once', async () => {
  const { bridge } = paths();
  const silent = script('setInterval(() => {}, 9)');
  await expect(forwarding(silent, bridge, { timing: { helloMs: 50 } })).rejects.toThrow(
    'did not say hello within 0.05 s',
  );
  await expect(forwarding(script(`${hello} setInterval(() => {}, 9)`), bridge)).rejects.toThrow(
    'needs --to stdio:',
  );
});

it('a command that says nothing is refused in time', async () => {
  const { apps } = paths();
  const started = forwarding(apps, script('setInterval(() => {}, 9)'), { timing: { helloMs: 50 } });
  await expect(started).rejects.toThrow('did not say hello within 0.05 s');
});

it('a command that breaks the protocol is started again, and its sessions get a CLOSE frame', async () => {
  const { apps } = paths();
  const to = script(
    `${hello} let size = 0; process.stdin.on('data', (data) => { size += data.length; if (size > 50) console.log('broken link'); })`,
  );
  const { reports } = await forwarding(apps, to);
  const one = app(apps);
  one.socket.write(frameBytes(0, '{"v":1}'));
  expect(closeIn(await one.all)).toMatchObject({
    code: 1006,
    message: expect.stringContaining('lost its connection'),
  });
  await eventually(() => expect(reports.at(-1)).toContain('connected again'));
  expect(reports[0]).toContain('unknown kind 98');
});

it('a command that hangs is started again', async () => {
  const { apps } = paths();
  const { reports } = await forwarding(apps, script(`${hello} process.stdin.resume()`), {
    timing: { pingMs: 20, minPauseMs: 10 },
  });
  await eventually(() => expect(reports.join('\n')).toContain('does not answer'));
  await eventually(() => expect(reports.join('\n')).toContain('connected again'));
});

it('an app gets a CLOSE frame with the reason when the bridge closes its connection without an answer', async () => {
  const { apps, bridge } = paths();
  await listenOn({ path: bridge }, (socket) => void socket.destroy());
  await forwarding(apps, bridge);
  const one = app(apps);
  one.socket.write(frameBytes(0, '{"v":1}'));
  expect(closeIn(await one.all)).toMatchObject({
    code: 1006,
    message: expect.stringContaining('half of its connections'),
  });
});

it('status counts the apps, and says why the other end is not reached', async () => {
  const { apps, bridge } = paths();
  await echoBridge(bridge);
  const { forward } = await forwarding(apps, bridge);
  const [one, two] = [app(apps), app(apps)];
  await eventually(() => expect(forward.status()).toMatchObject({ sessions: 2, why: null, lastError: null }));
  one.socket.destroy();
  two.socket.destroy();
  await eventually(() => expect(forward.status()).toMatchObject({ sessions: 0, why: null }));
  const other = paths().apps;
  const broken = await forwarding(
    other,
    script(`${hello} process.stdin.once('data', () => process.exit(3))`),
    {
      timing: { minPauseMs: 60_000 },
    },
  );
  expect(Date.now() - (broken.forward.status().since ?? 0)).toBeLessThan(60_000);
  app(other).socket.write('x');
  const lost = expect.stringContaining('ended (exit code 3).');
  await eventually(() =>
    expect(broken.forward.status()).toMatchObject({ why: lost, since: null, lastError: lost }),
  );
});

it('status has the time of the new link and the last error after the other end was lost', async () => {
  const { apps } = paths();
  const { forward } = await forwarding(
    apps,
    script(`${hello} process.stdin.once('data', () => process.exit(3))`),
  );
  const first = forward.status().since;
  app(apps).socket.write('x');
  await eventually(() =>
    expect(forward.status()).toMatchObject({ why: null, lastError: expect.stringContaining('exit code 3') }),
  );
  expect(forward.status().since).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
});

it('a greeting before the hello is reported and skipped', async () => {
  const { apps } = paths();
  const { reports } = await forwarding(
    apps,
    script(`console.log('Welcome'); ${hello} process.stdin.resume()`),
  );
  expect(reports).toEqual([expect.stringContaining('"Welcome"')]);
});

it.each(['', '-link'])(
  'two forwards that lead to each other notice it, tell the app and the operator, and open few sessions: PATH%s',
  async (end) => {
    const { apps, bridge } = paths();
    for (const path of [apps, bridge]) symlinkSync(path, `${path}-link`);
    const one = await forwarding(apps, `${bridge}${end}`);
    const other = await forwarding(bridge, `${apps}${end}`);
    const before = readdirSync('/dev/fd').length;
    const asking = app(apps);
    expect(closeIn(await asking.all)?.message).toContain('The forward leads back to itself');
    await eventually(() => expect([...one.reports, ...other.reports].length).toBeGreaterThan(0));
    expect(`${one.forward.status().why}${other.forward.status().why}`).toContain('leads back to itself');
    // The next one is refused at once.
    const next = app(apps);
    expect(closeIn(await next.all)?.message).toContain('leads back to itself');
    for (const { socket } of [asking, next]) socket.destroy();
    await eventually(() =>
      expect([one.forward.status().sessions, other.forward.status().sessions]).toEqual([0, 0]),
    );
    await eventually(() => expect(readdirSync('/dev/fd').length).toBeLessThan(before + 20));
    expect([one.reports.length, other.reports.length].every((count) => count <= 1)).toBe(true);
  },
);

it('a forward whose circle was broken up leads to the bridge again', async () => {
  const { apps, bridge } = paths();
  const one = await forwarding(apps, bridge);
  const other = await forwarding(bridge, apps);
  await app(apps).all;
  await eventually(() => expect(one.forward.status().why).toContain('leads back to itself'));
  other.forward.close();
  await echoBridge(bridge);
  await eventually(
    async () => {
      const next = app(apps);
      next.socket.end('still there');
      expect((await next.all).toString()).toBe('still there');
    },
    { interval: 500 },
  );
  await eventually(() => expect(one.forward.status().why).toBeNull());
});

it('a bridge that closes its connection once the app has ended sends the app no reason', async () => {
  const { apps, bridge } = paths();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.resume();
    socket.on('end', () => socket.destroy());
  });
  closeAfterTest(server);
  await new Promise<void>((resolve) => void server.listen(bridge, resolve));
  await forwarding(apps, bridge);
  const one = app(apps);
  one.socket.end('x');
  expect((await one.all).length).toBe(0);
});

it('a forward from a folder that is missing says how to make it', async () => {
  const folder = temporaryFolder();
  await expect(forwarding(`${folder}/missing/apps`, `${folder}/bridge`)).rejects.toMatchObject({
    code: 'FOOTBRIDGE_ENDPOINT_FOLDER',
    message: expect.stringMatching(new RegExp(`${folder}/missing.* Make it first, with mode 0700\\.$`)),
  });
});

it('a forward from a path that is taken leaves the path to its owner', async () => {
  const { apps, bridge } = paths();
  await listenOn({ path: apps }, (socket) => socket.end());
  await expect(forwarding(apps, bridge)).rejects.toMatchObject({
    code: 'FOOTBRIDGE_ENDPOINT_TAKEN',
    message: expect.not.stringContaining('Make it first'),
  });
});

it('an app of another user gets no session', async () => {
  const { apps, bridge } = paths();
  const sockets = await echoBridge(bridge);
  const os = await currentOs();
  const credentials = { pid: 1, uid: (os.uid ?? 0) + 12_345, gid: 0 };
  const { forward } = await forwarding(apps, bridge, {
    os: { ...os, peerOf: () => ({ kind: 'known', credentials }) },
  });
  expect((await app(apps).all).length).toBe(0);
  expect([sockets, forward.status().sessions]).toEqual([[], 0]);
});

it('the status of forwards that lead to each other names the circle, and no time since which they work', async () => {
  const { apps, bridge } = paths();
  const { forward, reports } = await forwarding(apps, bridge);
  await forwarding(bridge, apps);
  expect(forward.status()).toMatchObject({ why: null, since: expect.any(Number) });
  app(apps);
  await eventually(() => expect(forward.status().why).toContain('The forward leads back to itself'));
  expect(forward.status()).toMatchObject({ since: null, lastError: null });
  expect(reports).toEqual([forward.status().why]);
});

it('a forward probes the path of its bridge once for the sessions of five seconds', async () => {
  const { apps, bridge } = paths();
  let [probes, sessions] = [0, 0];
  await listenOn({ path: bridge }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      if (String(bytes).includes(PROBE_MARK)) probes += 1;
      else sessions += 1;
      socket.end(bytes);
    });
  });
  const { forward } = await forwarding(apps, bridge);
  for (let count = 1; count <= 3; count += 1) {
    const one = app(apps);
    one.socket.end('x');
    expect(String(await one.all)).toBe('x');
  }
  await eventually(() => expect([sessions, probes]).toEqual([3, 1]));
  expect(forward.status()).toMatchObject({ why: null });
});
