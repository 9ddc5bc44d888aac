// Forwards as whole programs: many sessions, the conformance suite, and OpenSSH between two ends on this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  footbridge,
  footbridgeCommand,
  type Place,
  type Running,
  startFootbridge,
  temporaryPlace,
} from '../cli/spawn.ts';
import { app, closeIn, echoBridge } from '../forward/forwards.ts';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import { eventually } from '../helpers/eventually.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { freePort } from '../helpers/sockets.ts';

const SESSIONS = 10_000;
const AT_A_TIME = 250;

/** A command line of this program, with each word in quotes. */
const quoted = (...args: readonly string[]): string =>
  footbridgeCommand(...args)
    .map((word) => `'${word}'`)
    .join(' ');

/** Starts a forward with full rights, which count as allowed. */
async function start(place: Place, from: string, to: string): Promise<Running> {
  const folder = join(place.env['XDG_DATA_HOME'] as string, 'footbridge');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'forwards.json'), JSON.stringify({ forwards: [{ from, to }] }), { mode: 0o600 });
  const running = startFootbridge(place, ['forward', '--from', from, '--to', to, '--rights', 'full']);
  await running.stderrWith('Forwarding');
  return running;
}

/** Runs a session: what it sends has to come back. */
async function session(path: string, index: number): Promise<void> {
  const size = index % 1000 === 0 ? 300_000 : 20 + (index % 3000);
  const sent = Buffer.concat([Buffer.from(`${index}:`), randomBytes(size)]);
  const one = app(path);
  one.socket.end(sent);
  const back = await one.all;
  if (!back.equals(sent)) throw new Error(`session ${index} sent ${digest(sent)} and got ${digest(back)}`);
}

function digest(bytes: Buffer): string {
  return `${bytes.length} bytes ${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`;
}

async function manySessions(path: string, count: number): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: AT_A_TIME }, async () => {
    while (next < count) {
      next += 1;
      await session(path, next);
    }
  });
  await Promise.all(workers);
}

const kinds = [
  'socket to socket',
  'socket to a command',
  'a command to socket',
  'a command to a command',
] as const;

/** Both values of a kind, for apps at one path and a bridge at the other. */
function endsOf(kind: (typeof kinds)[number], apps: string, bridge: string): readonly [string, string] {
  const near = `exec:${quoted('forward', '--from', apps, '--to', 'stdio:', '--rights', 'full')}`;
  const far = `exec:${quoted('forward', '--from', 'stdio:', '--to', bridge, '--rights', 'full')}`;
  return [kind.startsWith('socket') ? apps : near, kind.endsWith('socket') ? bridge : far];
}

describe.each(kinds)('%s', (kind) => {
  it(`keeps ${SESSIONS} sessions apart and every byte of each`, async () => {
    const place = temporaryPlace();
    const [apps, bridge] = [join(place.folder, 'apps'), join(place.folder, 'bridge')];
    const sockets = await echoBridge(bridge);
    await start(place, ...endsOf(kind, apps, bridge));
    await manySessions(apps, SESSIONS);
    expect(sockets).toHaveLength(SESSIONS);
    await eventually(() => expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(0));
  });
});

describe('the conformance suite', () => {
  let daemon: Daemon;
  beforeAll(async () => {
    daemon = await startDaemon({ args: ['--consent', 'allow', '--http-port', '0', '--ws-port', 'off'] });
  });
  afterAll(() => daemon.stop());

  it.each(kinds)('passes through a forward: %s', async (kind) => {
    const place = temporaryPlace();
    const apps = join(place.folder, 'apps');
    await start(place, ...endsOf(kind, apps, daemon.endpoint));
    const suite = [
      'conformance',
      'server',
      '--endpoint',
      apps,
      '--token-endpoint',
      `${daemon.ready.api}/oauth2/token`,
    ];
    const { code, stdout } = await footbridge(place, ...suite);
    expect({ code, end: stdout.slice(-1500) }).toMatchObject({ code: 0 });
  });
});

const noSsh = ['/usr/sbin/sshd', '/usr/bin/ssh', '/usr/bin/ssh-keygen'].find((path) => !existsSync(path));

describe.skipIf(noSsh !== undefined)(
  `over OpenSSH${noSsh === undefined ? '' : ` (skipped: no ${noSsh})`}`,
  () => {
    let folder: string;
    let ssh: string;
    let server: ChildProcess | undefined;
    beforeAll(async () => {
      // sshd requires that nobody else can write to a folder above its keys.
      folder = mkdtempSync('/run/fb-ssh-');
      chmodSync(folder, 0o700);
      for (const name of ['host', 'user'])
        spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
      writeFileSync(join(folder, 'authorized'), spawnSync('cat', [join(folder, 'user.pub')]).stdout);
      const port = await freePort();
      const config = [
        `Port ${port}`,
        'ListenAddress 127.0.0.1',
        `HostKey ${folder}/host`,
        `AuthorizedKeysFile ${folder}/authorized`,
        `PidFile ${folder}/pid`,
        'PasswordAuthentication no',
        'UsePAM no',
        'StrictModes no',
      ];
      writeFileSync(join(folder, 'config'), `${config.join('\n')}\n`);
      mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
      server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' });
      ssh = `ssh -F none -p ${port} -i ${folder}/user -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=${folder}/known 127.0.0.1`;
      await eventually(() => expect(spawnSync('sh', ['-c', `${ssh} true`]).status).toBe(0));
    });
    afterAll(() => {
      server?.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    });

    /** The far end in a shell of the other side. */
    const far = (...args: readonly string[]): string => `exec:${ssh} "${quoted(...args)}"`;

    it('leads apps here to a bridge there', async () => {
      const place = temporaryPlace();
      const [apps, bridge] = [join(place.folder, 'apps'), join(place.folder, 'bridge')];
      await echoBridge(bridge);
      await start(place, apps, far('forward', '--from', 'stdio:', '--to', bridge, '--rights', 'full'));
      await manySessions(apps, 500);
    });

    it('leads apps there to a bridge here', async () => {
      const place = temporaryPlace();
      const [apps, bridge] = [join(place.folder, 'apps'), join(place.folder, 'bridge')];
      await echoBridge(bridge);
      await start(place, far('forward', '--from', apps, '--to', 'stdio:', '--rights', 'full'), bridge);
      await manySessions(apps, 500);
    });

    it('starts again after ssh is killed', async () => {
      const place = temporaryPlace();
      const [apps, bridge] = [join(place.folder, 'apps'), join(place.folder, 'bridge')];
      const sockets = await echoBridge(bridge);
      const running = await start(
        place,
        apps,
        far('forward', '--from', 'stdio:', '--to', bridge, '--rights', 'full'),
      );
      const one = app(apps);
      one.socket.write(frameBytes(0, '{}'));
      await eventually(() => expect(one.read().length).toBe(10));
      const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(running.child.pid)], {
        encoding: 'utf8',
      });
      process.kill(Number(stdout.trim()), 'SIGKILL');
      expect(closeIn(await one.all)).toMatchObject({ code: 1006 });
      await eventually(() => expect(sockets[0]?.destroyed).toBe(true));
      await running.stderrWith('connected again');
      await session(apps, 1);
    });

    it('names a host that refuses', async () => {
      const place = temporaryPlace();
      const to = `exec:${ssh.replace('/user', '/host')} true`;
      const started = start(place, join(place.folder, 'apps'), to);
      await expect(started).rejects.toThrow('Permission denied');
    });
  },
);
