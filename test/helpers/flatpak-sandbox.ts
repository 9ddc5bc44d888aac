import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Options of bwrap for a root folder with programs and nothing else. */
const BASE: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--ro-bind', '/usr', '/usr', '--proc', '/proc', '--dev', '/dev'],
  ...['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
];

/** Whether bwrap is installed and may make a sandbox here. */
export const canSandbox =
  process.platform === 'linux' && spawnSync('bwrap', [...BASE, 'true'], { stdio: 'ignore' }).status === 0;

/** A running sandbox with the namespaces and the `.flatpak-info` of a Flatpak, for one test. */
export async function flatpakSandbox({
  folder,
  id,
  runtime,
  socket,
}: {
  /** For the file that is mounted as `.flatpak-info`. */
  readonly folder: string;
  readonly id: string;
  /** XDG_RUNTIME_DIR inside. */
  readonly runtime: string;
  /** The socket that is mounted as `discord-ipc-0` in the runtime folder; none by default. */
  readonly socket?: string;
}): Promise<void> {
  const info = join(folder, `info-${id}`);
  writeFileSync(info, `[Application]\nname=${id}\n`);
  const options = [
    '--ro-bind',
    info,
    '/.flatpak-info',
    '--setenv',
    'XDG_RUNTIME_DIR',
    runtime,
    '--die-with-parent',
  ];
  const mounts = socket === undefined ? [] : ['--ro-bind', socket, `${runtime}/discord-ipc-0`];
  const shell = ['/bin/sh', '-c', 'echo started; read line'];
  const child = spawn('bwrap', [...BASE, ...options, ...mounts, ...shell], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve, reject) => child.once('exit', reject).stdout.once('data', resolve));
}
