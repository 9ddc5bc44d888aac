import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SYSTEMD = '/lib/systemd/systemd';
/** A user that no machine has. */
export const PLAIN_USER = 12_345;

/** How a program in the sandbox ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `systemd --user` of its own, with a home, a runtime folder and a copy of the built package; gone with `close`. */
export interface Sandbox {
  readonly home: string;
  /** The runtime folder as programs in the sandbox name it. */
  readonly runtime: string;
  /** Where the package and our programs lie. */
  readonly package: string;
  /** Runs a program there, as its user and without a shell. */
  run(argv: readonly [string, ...string[]], options?: RunOptions): Promise<Ended>;
  /** Starts one that goes on. */
  start(argv: readonly [string, ...string[]]): ChildProcess;
  /** The command line of the package. */
  footbridge(...words: readonly string[]): Promise<Ended>;
  systemctl(...words: readonly string[]): Promise<Ended>;
  close(): Promise<void>;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
}

/** PID 1 of the sandbox: makes its folders, becomes the user and runs the manager. */
const INIT = `
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system "/run/user/$U"
chmod 700 "/run/user/$U"
mount --bind "$PLACE/passwd" /etc/passwd
umount -R /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
chown -R "$U:$U" "/run/user/$U" /sys/fs/cgroup
cd /
setpriv --reuid "$U" --regid "$U" --clear-groups env -i HOME="$PLACE/home" PATH="$PATH" \\
  XDG_RUNTIME_DIR="/run/user/$U" ${SYSTEMD} --user >"$PLACE/manager.log" 2>&1 </dev/null &
echo up
# Until whoever started us has ended, however that came about; everything in here ends with us.
read -r || true
`;

/** Why there can be no sandbox on this machine; undefined when there can be one. Installs what root may install. */
export function whyNoSandbox(): string | undefined {
  if (process.platform !== 'linux') return 'systemd is for Linux';
  if (process.getuid?.() !== 0) return 'only root can make the namespaces';
  if (!existsSync(SYSTEMD)) {
    const words = ['install', '-y', '--no-install-recommends', 'systemd'];
    spawnSync('apt-get', words, { timeout: 120_000, stdio: 'ignore' });
    if (!existsSync(SYSTEMD)) return 'systemd is not installed, and apt-get cannot install it';
  }
  if (cgroupRoot() === undefined) return 'there is no cgroup2 file system';
  const tried = spawnSync('unshare', ['-m', '-p', '-f', '-C', '--mount-proc', 'true']);
  if (tried.status !== 0) return `the kernel forbids namespaces (${String(tried.stderr).trim()})`;
  try {
    rmdirSync(ownCgroup());
    return undefined;
  } catch (error) {
    return `no control group can be made (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Starts one for that user. */
export async function startSandbox(uid: number): Promise<Sandbox> {
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'fb-sys-'));
  chmodSync(place, 0o755);
  const home = join(place, 'home');
  mkdirSync(home, { mode: 0o700 });
  chownSync(home, uid, uid);
  writeFileSync(
    join(place, 'passwd'),
    `root:x:0:0::${uid === 0 ? home : '/root'}:/bin/sh\ntester:x:${uid}:${uid}::${home}:/bin/sh\n`,
  );
  const unpacked = join(place, 'package');
  await unpack(unpacked);

  const cgroup = ownCgroup();
  const child = spawn(
    'unshare',
    [
      '-m',
      '-p',
      '-f',
      '-C',
      '--mount-proc',
      '--propagation',
      'private',
      '--kill-child',
      'bash',
      '--norc',
      '-c',
      `echo go; read -r; ${INIT}`,
    ],
    {
      env: { PATH: process.env['PATH'] ?? '', U: String(uid), PLACE: place },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  try {
    await said(child, 'go');
    const init = childOf(child.pid ?? 0);
    // Before it makes its own namespaces' file systems, so that what it sees as the root is this group.
    writeFileSync(join(cgroup, 'cgroup.procs'), String(init));
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const init = childOf(child.pid ?? 0);
  child.stdin?.write('\n');
  await said(child, 'up');

  const runtime = `/run/user/${uid}`;
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: runtime };
  const enter = (
    argv: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): [string, string[]] => {
    const variables = Object.entries({ ...env, ...more }).map(([name, value]) => `${name}=${value}`);
    const user = ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
    // Node asks for its folder, and the one we are in is not there.
    const words = ['sh', '-c', 'cd / && exec "$@"', 'sh', ...user, 'env', '-i', ...variables, ...argv];
    return ['nsenter', ['--target', String(init), '--mount', '--pid', '--cgroup', ...words]];
  };
  const sandbox: Sandbox = {
    home,
    runtime,
    package: unpacked,
    run(argv, options = {}) {
      const [file, args] = enter(argv, options.env);
      return new Promise((resolve) => {
        execFile(file, args, { maxBuffer: 16 * 1024 * 1024, timeout: 150_000 }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
          resolve({ code, stdout, stderr });
        });
      });
    },
    start(argv) {
      const [file, args] = enter(argv);
      return spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    },
    footbridge: (...words) =>
      sandbox.run([process.execPath, join(unpacked, 'dist', 'footbridge.js'), ...words]),
    systemctl: (...words) => sandbox.run(['systemctl', '--user', ...words]),
    async close() {
      await sandbox.systemctl('exit');
      const gone = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await gone;
      // The kernel takes a moment to empty the groups of processes that are gone.
      for (let tries = 0; existsSync(cgroup) && tries < 40; tries++) {
        removeCgroup(cgroup);
        await delay(50);
      }
      rmSync(place, { recursive: true, force: true });
    },
  };
  await untilUp(sandbox, join(place, 'manager.log'));
  return sandbox;
}

/** What an installed package has, where every user can read it: the bundle and the native calls. */
export async function unpack(to: string): Promise<void> {
  cpSync(join(ROOT, 'dist'), join(to, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(to, 'package.json'));
  for (const name of ['koffi', '@koromix']) {
    const from = join(realpathSync(join(ROOT, 'node_modules')), name);
    if (existsSync(from))
      cpSync(from, join(to, 'node_modules', name), { recursive: true, dereference: true });
  }
  const inside = fileURLToPath(new URL('./inside', import.meta.url));
  await build({
    entryPoints: readdirSync(inside).map((name) => join(inside, name)),
    outdir: join(to, 'inside'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    external: ['koffi'],
    logLevel: 'warning',
  });
}

async function untilUp(sandbox: Sandbox, log: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { stdout } = await sandbox.systemctl('is-system-running');
    if (/running|degraded/.test(stdout)) return;
    await delay(50);
  }
  const said = readFileSync(log, 'utf8');
  await sandbox.close();
  throw new Error(`systemd --user does not come up:\n${said}`);
}

function said(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (chunk: unknown): void => {
      if (!String(chunk).includes(text)) return;
      child.stdout?.off('data', look);
      resolve();
    };
    child.stdout?.on('data', look);
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

function cgroupRoot(): string | undefined {
  const line = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .find((mount) => mount.split(' ')[2] === 'cgroup2');
  return line?.split(' ')[1];
}

function ownCgroup(): string {
  const path = join(cgroupRoot() ?? '', `footbridge-test-${process.pid}-${Date.now()}`);
  mkdirSync(path);
  return path;
}

/** Groups go from the innermost out, once their last process is gone. */
function removeCgroup(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeCgroup(join(path, entry.name));
  }
  try {
    rmdirSync(path);
  } catch {
    // Not empty yet.
  }
}
