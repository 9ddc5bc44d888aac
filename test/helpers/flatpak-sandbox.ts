import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
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

/** A running sandbox with the namespaces of a Flatpak and the folder of its instance, for one test. */
export async function flatpakSandbox({
  folder,
  id,
  runtime,
  socket,
}: {
  /** XDG_RUNTIME_DIR outside, in which Flatpak keeps the folder of the instance. */
  readonly folder: string;
  readonly id: string;
  /** XDG_RUNTIME_DIR inside. */
  readonly runtime: string;
  /** The socket that is mounted as `discord-ipc-0` in the runtime folder; none by default. */
  readonly socket?: string;
}): Promise<void> {
  const instance = join(folder, '.flatpak', String(1000 + Math.trunc(Math.random() * 1_000_000)));
  mkdirSync(instance, { recursive: true });
  writeFileSync(join(instance, 'info'), `[Application]\nname=${id}\n`);
  const fd = openSync(join(instance, 'bwrapinfo.json'), 'wx');
  const options = ['--info-fd', '3', '--setenv', 'XDG_RUNTIME_DIR', runtime, '--die-with-parent'];
  const mounts = socket === undefined ? [] : ['--ro-bind', socket, `${runtime}/discord-ipc-0`];
  const shell = ['/bin/sh', '-c', 'echo started; read line'];
  const child = spawn('bwrap', [...BASE, ...options, ...mounts, ...shell], {
    stdio: ['pipe', 'pipe', 'inherit', fd],
  });
  closeSync(fd);
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve, reject) => child.once('exit', reject).stdout?.once('data', resolve));
}
