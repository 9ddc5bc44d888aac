import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Runtime } from '../helpers/daemon.ts';
import { withoutPackages } from './debian.ts';

/** Why there can be no sandbox; undefined where bubblewrap is installed. */
export const whyNoBubblewrap = withoutPackages({ bubblewrap: '/usr/bin/bwrap' });

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Longest wait for the end of what a test leaves in a sandbox (ms). */
const END_MS = 2_000;

/** Options of bubblewrap for a sandbox whose programs may mount. */
const MAY_MOUNT = ['--unshare-user', '--cap-add', 'ALL', '--dev-bind', '/dev/fuse', '/dev/fuse'];

/** Why no program in a sandbox can mount a FUSE file system; undefined where one can. */
export function whyNoMounts(): string | undefined {
  if (whyNoBubblewrap !== undefined) return whyNoBubblewrap;
  const script = '( : <>/dev/fuse ) && /usr/bin/python3 --version';
  const args = ['--dev-bind', '/', '/', ...MAY_MOUNT, 'sh', '-c', script];
  const { status, stderr } = spawnSync('bwrap', args, { encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim();
}

/** The runtime folder of programs in a sandbox. */
export const INSIDE = '/run/user/1';

/** Options of a sandbox. */
export interface SandboxOptions {
  /** Folder of the runtime folder that is shared, such as `app/com.discordapp.Discord`; nothing else is. */
  readonly shared: string;
  /** `mounted` is what Flatpak does; `written` is what any program can do in a sandbox of its own. */
  readonly info?: 'mounted' | 'written';
  /** `shared` for a sandbox without a PID namespace, whose orphans the init process of the machine adopts. */
  readonly pids?: 'own' | 'shared';
  /** Whether its programs may mount file systems, FUSE included, as in a user namespace of their own. */
  readonly mayMount?: boolean;
}

/** A program in a sandbox. */
export interface Sandboxed {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/**
 * Runs a script of a shell in a sandbox with the mounts and the `.flatpak-info` of Flatpak, and with the folder of an
 * instance that Flatpak keeps outside. `footbridge` and `node` are
 * commands of the script. The sandbox ends with the test.
 */
export function inBubblewrap(
  runtime: Runtime,
  script: string,
  { shared, info = 'mounted', pids = 'own', mayMount = false }: SandboxOptions,
): Sandboxed {
  const infoFile = join(runtime.folder, 'flatpak-info');
  writeFileSync(infoFile, '[Application]\nname=org.example.App\n');
  const fd = openSync(infoFile, 'r');
  const instance = join(
    runtime.folder,
    info === 'mounted' ? '.flatpak' : 'elsewhere',
    String(Date.now()).slice(-9),
  );
  mkdirSync(instance, { recursive: true });
  copyFileSync(infoFile, join(instance, 'info'));
  const instanceFd = openSync(join(instance, 'bwrapinfo.json'), 'w');
  const system = ['/usr', '/bin', '/lib', '/lib64', '/etc', dirname(process.execPath), ROOT];
  const commands = `footbridge() { "${process.execPath}" "${ROOT}dist/footbridge.js" "$@"; }\nnode() { "${process.execPath}" "$@"; }`;
  const child = spawn(
    'bwrap',
    [
      ...(pids === 'own' ? ['--unshare-pid'] : []),
      ...['--info-fd', '4'],
      ...['--die-with-parent', '--tmpfs', '/', '--dir', '/tmp', '--proc', '/proc', '--dev', '/dev'],
      ...(mayMount ? MAY_MOUNT : []),
      ...system.filter(existsSync).flatMap((path) => ['--ro-bind', path, path]),
      ...['--bind', join(runtime.folder, shared), join(INSIDE, shared)],
      ...[info === 'mounted' ? '--ro-bind-data' : '--file', '3', '/.flatpak-info'],
      ...['sh', '-c', `${commands}\n${script}`],
    ],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: '/tmp', XDG_RUNTIME_DIR: INSIDE },
      stdio: ['pipe', 'pipe', 'pipe', fd, instanceFd],
    },
  );
  closeSync(fd);
  closeSync(instanceFd);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
  // What still writes into a folder keeps it from being removed.
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await Promise.race([ended, delay(END_MS)]);
  });
  return { child, ended, output: () => output };
}
