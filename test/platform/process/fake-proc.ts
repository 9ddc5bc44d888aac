import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProofSources } from '../../../platform/process/sandbox.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

/** A process of {@link fakeSources}. */
export interface FakeProcess {
  readonly parent?: number;
  /** Mount namespace; `hidden` for a process whose namespaces cannot be read. */
  readonly mnt?: string;
  /** PID namespace, a number but for that of this process. */
  readonly pid?: string;
  readonly cgroup?: string;
  /** Start of the process in ticks since boot. */
  readonly start?: number;
}

/** Folder of a Flatpak's instance, as Flatpak writes it. */
export interface FakeInstance {
  readonly child?: number;
  readonly namespace?: string;
  readonly info?: string;
  readonly number?: string;
}

export const INFO = '[Application]\nname=org.videolan.VLC\nruntime=x\n\n[Instance]\nname=com.forged.App\n';
/** Control group of a program that a terminal started in a session of systemd. */
export const APPS = '/user.slice/user-1000.slice/user@1000.service/app.slice';

/** A machine with systemd, in which this process has the namespaces `out`. */
export function fakeSources(
  processes: Readonly<Record<number, FakeProcess>>,
  instances: readonly FakeInstance[] = [],
): Required<ProofSources> {
  const folder = temporaryFolder();
  const proc = join(folder, 'proc');
  for (const [name, one] of Object.entries<FakeProcess>({ self: {}, ...processes })) addTo(proc, name, one);
  const runtime = join(folder, 'run');
  mkdirSync(join(runtime, '.flatpak'), { recursive: true });
  for (const { child = 30, namespace = '4026532180', info = INFO, number = '192931331' } of instances) {
    const at = join(runtime, '.flatpak', number);
    mkdirSync(at);
    writeFileSync(join(at, 'info'), info);
    writeFileSync(
      join(at, 'bwrapinfo.json'),
      `{\n    "child-pid": ${child},\n    "mnt-namespace": 7,\n    "pid-namespace": ${namespace}\n}\n`,
    );
  }
  const systemd = join(folder, 'systemd');
  mkdirSync(systemd);
  return { proc, runtimes: [join(folder, 'none'), runtime], systemd };
}

function addTo(proc: string, name: string, one: FakeProcess): void {
  const folder = join(proc, name);
  mkdirSync(join(folder, 'ns'), { recursive: true });
  const { parent = 1, mnt = 'out', pid = 'out', cgroup = '0::/', start = 77 } = one;
  writeFileSync(join(folder, 'stat'), `${name} (a b) S ${parent} ${'0 '.repeat(17)}${start} 0\n`);
  if (mnt !== 'hidden') symlinkSync(`mnt:[${mnt}]`, join(folder, 'ns/mnt'));
  symlinkSync(`pid:[${pid}]`, join(folder, 'ns/pid'));
  writeFileSync(join(folder, 'cgroup'), `${cgroup}\n`);
}
