import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { app, closeIn, echoBridge } from '../../forward/forwards.ts';
import { eventually } from '../../helpers/eventually.ts';
import { frameBytes } from '../../helpers/frame-bytes.ts';
import {
  footbridge,
  footbridgeCommand,
  type Place,
  type Running,
  startFootbridge,
  temporaryPlace,
} from '../spawn.ts';

/** A command of this program, as a value of exec: takes it. */
const self = (...args: readonly string[]): string =>
  `exec:${footbridgeCommand(...args)
    .map((word) => `'${word}'`)
    .join(' ')}`;

/** Stores that the operator has allowed full rights between two ends. */
function allow({ env }: Place, from: string, to: string): void {
  const folder = join(env['XDG_DATA_HOME'] as string, 'footbridge');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'forwards.json'), JSON.stringify({ forwards: [{ from, to }] }), { mode: 0o600 });
}

/** The kinds of forwards of which both ends are on this machine. */
const KINDS = {
  'socket to socket': (_apps: string, bridge: string) => ['socket', bridge],
  'socket to a command': (_apps: string, bridge: string) => [
    'socket',
    self('forward', '--from', 'stdio:', '--rights', 'full', '--to', bridge),
  ],
  'a command to socket': (apps: string, bridge: string) => [
    self('forward', '--from', apps, '--to', 'stdio:', '--rights', 'full'),
    bridge,
  ],
} as const;

interface Started {
  readonly place: Place;
  readonly apps: string;
  readonly bridge: string;
  readonly running: Running;
}

/** Starts a forward of a kind, whose apps connect at `apps`. */
async function start(kind: keyof typeof KINDS): Promise<Started> {
  const place = temporaryPlace();
  const [apps, bridge] = [join(place.folder, 'apps'), join(place.folder, 'bridge')];
  const [first = '', to = ''] = KINDS[kind](apps, bridge);
  const from = first === 'socket' ? apps : first;
  allow(place, from, to);
  const running = startFootbridge(place, ['forward', '--from', from, '--to', to, '--rights', 'full']);
  await running.stderrWith('Forwarding');
  return { place, apps, bridge, running };
}

/** Processes that a process has started. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('%s', (kind) => {
  it('keeps every byte of many sessions at a time', async () => {
    const { apps, bridge } = await start(kind);
    await echoBridge(bridge);
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const sent = randomBytes(index === 7 ? 1024 * 1024 : 200 + index * 50);
        const one = app(apps);
        one.socket.end(sent);
        expect((await one.all).equals(sent)).toBe(true);
      }),
    );
  });

  it('ends with its signal, removes its socket and leaves no process', async () => {
    const { apps, bridge, running } = await start(kind);
    const sockets = await echoBridge(bridge);
    const one = app(apps);
    one.socket.write(frameBytes(0, '{}'));
    await eventually(() => expect(one.read().length).toBe(10));
    const children = childrenOf(running.child.pid as number);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    expect((await one.all).length).toBeGreaterThan(0);
    await eventually(() => expect(sockets[0]?.destroyed).toBe(true));
    await eventually(() => expect(children.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]));
    await eventually(() => expect(existsSync(apps)).toBe(false));
  });

  it('starts again after kill -9', async () => {
    const { place, apps, bridge, running } = await start(kind);
    await echoBridge(bridge);
    const children = childrenOf(running.child.pid as number);
    running.child.kill('SIGKILL');
    await running.ended;
    await eventually(() => expect(children.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]));
    const args = running.child.spawnargs.slice(2);
    const again = startFootbridge(place, args);
    await again.stderrWith('Forwarding');
    const one = app(apps);
    one.socket.end('again');
    expect((await one.all).toString()).toBe('again');
  });
});

it.skipIf(process.platform !== 'linux')(
  'its arguments are no longer visible to other users (Linux only)',
  async () => {
    const { running } = await start('socket to a command');
    expect(readFileSync(`/proc/${running.child.pid}/cmdline`, 'utf8')).toMatch(
      /^footbridge forward \/\S+\/apps exec:\S+ …\0*$/,
    );
  },
);

it('a far end that is killed is started again, and its sessions get a CLOSE frame', async () => {
  const { apps, bridge, running } = await start('socket to a command');
  await echoBridge(bridge);
  const one = app(apps);
  one.socket.write(frameBytes(0, '{}'));
  await eventually(() => expect(one.read().length).toBe(10));
  const [child] = childrenOf(running.child.pid as number);
  process.kill(child as number, 'SIGKILL');
  expect(closeIn(await one.all)).toMatchObject({ code: 1006 });
  await running.stderrWith('connected again');
  const two = app(apps);
  two.socket.end('again');
  expect((await two.all).toString()).toBe('again');
});

it('--json prints one object when apps can connect', async () => {
  const place = temporaryPlace();
  const [from, to] = [join(place.folder, 'apps'), join(place.folder, 'bridge')];
  const running = startFootbridge(place, [
    'forward',
    '--from',
    from,
    '--to',
    to,
    '--rights',
    'full',
    '--json',
  ]);
  expect(JSON.parse(await running.stdoutWith('\n'))).toEqual({ from, to, rights: 'full' });
  expect(existsSync(from)).toBe(true);
});

it('the far end of stdio: ends at once where no bridge runs, while its input is open', async () => {
  const running = startFootbridge(temporaryPlace(), ['forward', '--from', 'stdio:', '--to', 'auto']);
  running.child.stdin?.write('footbridge-forward/1 apps presence "x"\n');
  expect(await running.ended).toMatchObject({
    code: 69,
    stdout: '',
    stderr: expect.stringContaining('Here runs no bridge of Footbridge'),
  });
});

it.each([
  ['ends', '', 0, /^$/],
  [
    'breaks the protocol',
    '\u00ff'.repeat(16),
    1,
    /^footbridge: stdio: the other end sent a frame of the unknown kind 195\.\n$/,
  ],
])('the end with stdio: whose other end %s exits with the reason', async (_what, bytes, code, stderr) => {
  const place = temporaryPlace();
  const bridge = join(place.folder, 'bridge');
  await echoBridge(bridge);
  const args = ['forward', '--from', 'stdio:', '--rights', 'full', '--to', bridge];
  const running = startFootbridge(place, args);
  running.child.stdin?.write('footbridge-forward/1 apps full "x"\n');
  await running.stdoutWith('footbridge-forward/1 bridge');
  if (bytes === '') running.child.stdin?.end();
  else running.child.stdin?.write(bytes);
  expect(await running.ended).toMatchObject({ code, stderr: expect.stringMatching(stderr) });
});

describe('a wrong command line', () => {
  it.each([
    [[], 64, '--from ENDPOINT is missing'],
    [['--from', '/tmp/a'], 64, '--to ENDPOINT is missing'],
    [['--from', 'stdio:', '--to', 'stdio:'], 64, 'cannot both be stdio:'],
    [['--from', '/tmp/a', '--to', '/tmp/a'], 64, 'the same path'],
    [['--from', '/tmp/a', '--to', '/tmp/../tmp/a', '--rights', 'full'], 64, 'the same path'],
    [['--from', '127.0.0.1:80', '--to', 'auto'], 64, 'network'],
    [['--from', '/tmp/a', '--to', 'auto', '--rights', 'admin'], 64, '--rights'],
    [['--from', '/tmp/a', '--to', 'auto', '--name', 'bad name'], 64, '--name: "bad name" is not 1 to 64'],
    [['--from', '/tmp/a', '--to', 'auto', '--name', ''], 64, '--name: "" is not'],
    [['--from', '/dev/null/a', '--to', '/tmp/b', '--rights', 'full'], 78, '/dev/null'],
    [
      ['--from', '/tmp/a', '--to', 'exec:sshpass -p hunter2 ssh pier footbridge', '--rights', 'full'],
      1,
      'nobody has allowed "sshpass … pier" all rights yet. Run',
    ],
  ])('%j ends with %i and one line', async (args, code, problem) => {
    const result = await footbridge(temporaryPlace(), 'forward', ...args);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(problem) });
    expect(result.stderr.trimEnd()).not.toContain('\n');
  });

  it('stdio: needs another forward at the other end', async () => {
    const place = temporaryPlace();
    const running = startFootbridge(place, ['forward', '--from', 'stdio:', '--to', '/tmp/b'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await running.ended).toMatchObject({ code: 64, stderr: expect.stringContaining('not a pipe') });
  });
});
