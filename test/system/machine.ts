import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Ended, PLAIN_USER, unpack } from './sandbox.ts';

/** The name of the plain user of a machine. */
export const TESTER = 'tester';

/**
 * A whole system: systemd as the first process, logind and journald, on a disk that lies over this system's own and is gone
 * with `close`. It is booted and powered off as often as a test likes.
 */
export interface Machine {
  /** Where the package and our programs lie. */
  readonly package: string;
  boot(): Promise<void>;
  /** Runs a program as that user, without a session. */
  run(user: string, argv: readonly [string, ...string[]]): Promise<Ended>;
  /** The same in a login of that user, which ends with the program. */
  login(user: string, argv: readonly [string, ...string[]]): Promise<Ended>;
  powerOff(): Promise<void>;
  close(): Promise<void>;
}

/** A mount namespace with the disk: `$PLACE/root`. It lives until whoever made it has ended. */
const DISK = `
mount -t tmpfs tmpfs "$PLACE" && cd "$PLACE" && mkdir upper work root &&
mount -t overlay -o "lowerdir=/,upperdir=$PLACE/upper,workdir=$PLACE/work" overlay root`;

/** As little of the host's system as gives logins and a journal: nothing that serves or looks for updates. */
const TARGET = `[Unit]
Requires=basic.target
Wants=dbus.service systemd-logind.service systemd-user-sessions.service
After=basic.target dbus.service systemd-logind.service systemd-user-sessions.service
`;
const MASKED = ['timers.target', 'paths.target', 'systemd-networkd.socket'];
const TARGET_NAME = 'footbridge-test.target';
const NSPAWN = ['--quiet', '--private-network', '--register=no', '--keep-unit', '--link-journal=no'];
/** Where the host has control groups of the first version beside the second. */
const ENV = { PATH: process.env['PATH'] ?? '', SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' };
const BOOT_MS = 60_000;

/** Why there can be no machine here; undefined when there can be one. Installs what root may install. */
export function whyNoMachine(): string | undefined {
  if (process.platform !== 'linux') return 'systemd is for Linux';
  if (process.getuid?.() !== 0) return 'only root can boot one';
  if (!existsSync('/usr/bin/systemd-nspawn') || !existsSync('/usr/bin/dbus-daemon')) {
    const words = ['install', '-y', '--no-install-recommends', 'systemd-container', 'dbus', 'libpam-systemd'];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const command of [words, ['update'], words]) {
      if (existsSync('/usr/bin/systemd-nspawn')) break;
      spawnSync('apt-get', command, { timeout: 120_000, stdio: 'ignore', env });
    }
    if (!existsSync('/usr/bin/systemd-nspawn')) return 'apt-get cannot install systemd-container';
  }
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'fb-machine-'));
  try {
    // Not a boot, but all that the kernel has to allow for one.
    const script = `${DISK} && exec systemd-nspawn ${NSPAWN.join(' ')} -D root true`;
    const tried = spawnSync('unshare', ['-m', '--propagation', 'private', 'sh', '-c', script], {
      env: { ...ENV, PLACE: place },
      encoding: 'utf8',
      timeout: BOOT_MS,
    });
    return tried.status === 0 ? undefined : `systemd-nspawn cannot run here (${tried.stderr.trim()})`;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Makes one, with the built package on its disk; it is not booted yet. */
export async function makeMachine(): Promise<Machine> {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'fb-machine-'));
  const keeper = spawn(
    'unshare',
    ['-m', '--propagation', 'private', 'sh', '-c', `${DISK} && echo up && read -r _`],
    { env: { ...ENV, PLACE: place }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(keeper.stdout ?? keeper, 'data');
  const disk = join('/proc', String(keeper.pid), 'root', place, 'root');
  prepareDisk(disk);
  await unpack(join(disk, 'opt/footbridge'));

  let running: { readonly nspawn: ChildProcess; readonly init: number } | undefined;
  const enter = (argv: readonly string[]): [string, string[]] => {
    if (running === undefined) throw new Error('the machine is off');
    const spaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup'];
    return [
      'nsenter',
      ['--target', String(running.init), ...spaces, 'sh', '-c', 'cd / && exec "$@"', 'sh', ...argv],
    ];
  };
  /** As a service of the machine's own manager, so that it is in none of the host's control groups. */
  const asService = (properties: readonly string[], argv: readonly string[]): Promise<Ended> => {
    const words = ['--quiet', '--wait', '--pipe', '--collect', ...properties.flatMap((one) => ['-p', one])];
    return ended(enter(['systemd-run', ...words, '--', ...argv]));
  };
  const machine: Machine = {
    package: '/opt/footbridge',
    async boot() {
      const words = ['--boot', '--console=pipe', `systemd.unit=${TARGET_NAME}`];
      const [file, args] = [
        'nsenter',
        ['--target', String(keeper.pid), '--mount', 'systemd-nspawn', ...NSPAWN, '-D', join(place, 'root')],
      ];
      const nspawn = spawn(file, [...args, ...words], { env: ENV, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [nspawn.stdout, nspawn.stderr]) stream.on('data', (text) => (output += text));
      const patience = Date.now() + BOOT_MS;
      while (Date.now() < patience && nspawn.exitCode === null) {
        const init = firstProcess(nspawn.pid ?? 0);
        if (init !== undefined) {
          running = { nspawn, init };
          const { stdout } = await ended(enter(['systemctl', 'is-system-running']));
          if (/^(?:running|degraded)/.test(stdout)) return;
        }
        await delay(50);
      }
      nspawn.kill('SIGKILL');
      throw new Error(`the machine does not come up:\n${output}`);
    },
    run: (user, argv) => asService([`User=${user}`], argv),
    login: (user, argv) => asService([`User=${user}`, 'PAMName=login'], argv),
    async powerOff() {
      if (running === undefined) return;
      const { nspawn } = running;
      const gone = once(nspawn, 'close');
      await ended(enter(['systemctl', 'poweroff']));
      const late = setTimeout(() => nspawn.kill('SIGKILL'), BOOT_MS);
      await gone;
      clearTimeout(late);
      running = undefined;
    },
    async close() {
      await machine.powerOff();
      const gone = once(keeper, 'close');
      keeper.stdin?.end();
      await gone;
      rmSync(place, { recursive: true, force: true });
    },
  };
  return machine;
}

function prepareDisk(disk: string): void {
  const home = `/home/${TESTER}`;
  appendFileSync(join(disk, 'etc/passwd'), `${TESTER}:x:${PLAIN_USER}:${PLAIN_USER}::${home}:/bin/sh\n`);
  appendFileSync(join(disk, 'etc/group'), `${TESTER}:x:${PLAIN_USER}:\n`);
  appendFileSync(join(disk, 'etc/shadow'), `${TESTER}:!:19000:0:99999:7:::\n`);
  mkdirSync(join(disk, home), { mode: 0o700 });
  chownSync(join(disk, home), PLAIN_USER, PLAIN_USER);
  const units = join(disk, 'etc/systemd/system');
  writeFileSync(join(units, TARGET_NAME), TARGET);
  for (const name of MASKED) {
    rmSync(join(units, name), { force: true });
    symlinkSync('/dev/null', join(units, name));
  }
  // A user's manager goes with the last login at once, and journals outlive a boot.
  mkdirSync(join(disk, 'etc/systemd/logind.conf.d'), { recursive: true });
  writeFileSync(join(disk, 'etc/systemd/logind.conf.d/test.conf'), '[Login]\nUserStopDelaySec=0\n');
  mkdirSync(join(disk, 'etc/systemd/journald.conf.d'), { recursive: true });
  writeFileSync(join(disk, 'etc/systemd/journald.conf.d/test.conf'), '[Journal]\nStorage=persistent\n');
}

/** The process that is number 1 of the machine. */
function firstProcess(nspawn: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${nspawn}/task/${nspawn}/children`, 'utf8').trim().split(' ');
    return children
      .filter((pid) => pid !== '')
      .map(Number)
      .find((pid) => /^NSpid:\s+\d+\s+1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
  } catch {
    return undefined;
  }
}

function ended([file, args]: readonly [string, readonly string[]]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { env: ENV, timeout: BOOT_MS, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr });
      },
    );
  });
}
