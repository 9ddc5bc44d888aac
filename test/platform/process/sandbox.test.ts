import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeSandbox, sandboxOf } from '../../../platform/process/sandbox.ts';
import { startProgram, temporaryFolder } from '../../helpers/sockets.ts';

const APP = 40;
const INIT = 30;
const MONITOR = 20;
const ID = '4f'.repeat(32);

interface FakeProcess {
  readonly parent?: number;
  /** Mount namespace; `hidden` for a process whose namespaces cannot be read. */
  readonly mnt?: string;
  readonly pid?: string;
  readonly cgroup?: string;
  readonly label?: string;
  /** Content of `.flatpak-info`. */
  readonly info?: string;
  readonly mounts?: string;
}

const MOUNTED = '31 30 0:40 / / ro - tmpfs t rw\n32 31 0:41 /x /.flatpak-info ro,nosuid - tmpfs t rw\n';
const INFO = '[Application]\nname=org.videolan.VLC\nruntime=x\n\n[Instance]\nname=com.forged.App\n';
const FLATPAK: FakeProcess = { mnt: 'in', pid: 'in', mounts: MOUNTED, info: INFO };

/** A folder like proc(5), in which this process has the namespaces `out`. */
function procOf(processes: Readonly<Record<number, FakeProcess>>): string {
  const proc = temporaryFolder();
  const add = (name: string, one: FakeProcess): void => {
    const folder = join(proc, name);
    mkdirSync(join(folder, 'ns'), { recursive: true });
    mkdirSync(join(folder, 'root'));
    mkdirSync(join(folder, 'attr'));
    const { parent = 1, mnt = 'out', pid = 'out', cgroup = '0::/', label = 'unconfined' } = one;
    writeFileSync(join(folder, 'stat'), `${name} (a b) S ${parent} ${'0 '.repeat(17)}77 0\n`);
    writeFileSync(join(folder, 'status'), `Name:\ta\nNSpid:\t${name}${pid === 'out' ? '' : '\t2'}\n`);
    if (mnt !== 'hidden') symlinkSync(`mnt:[${mnt}]`, join(folder, 'ns/mnt'));
    symlinkSync(`pid:[${pid}]`, join(folder, 'ns/pid'));
    writeFileSync(join(folder, 'cgroup'), `${cgroup}\n`);
    writeFileSync(join(folder, 'attr/current'), `${label}\n`);
    writeFileSync(join(folder, 'mountinfo'), one.mounts ?? '31 30 0:40 / / ro - tmpfs t rw\n');
    if (one.info !== undefined) writeFileSync(join(folder, 'root/.flatpak-info'), one.info);
  };
  add('self', {});
  for (const [pid, one] of Object.entries(processes)) add(pid, one);
  return proc;
}

const of = (one: FakeProcess): ReturnType<typeof sandboxOf> => sandboxOf(APP, procOf({ [APP]: one }));

describe('sandboxOf', () => {
  it('finds no sandbox for a process in the mount namespace of this process', () => {
    expect(of({})).toBeUndefined();
    expect(of({ info: INFO, mounts: MOUNTED, pid: 'in', cgroup: '0::/snap.a.b-1.scope' })).toBeUndefined();
  });

  it('reads the id of a Flatpak from its group only', () => {
    expect(of(FLATPAK)).toEqual({ kind: 'flatpak', id: 'org.videolan.VLC' });
    expect(of({ ...FLATPAK, info: '[Instance]\nname=a.b\n[Application]\nruntime=c\n' })).toBe('unverified');
  });

  it('does not believe a .flatpak-info that is not mounted read-only, or is in our PID namespace', () => {
    expect(of({ ...FLATPAK, mounts: '31 30 0:40 / / rw - tmpfs t rw\n' })).toBe('unverified');
    expect(of({ ...FLATPAK, mounts: MOUNTED.replace('info ro', 'info rw') })).toBe('unverified');
    expect(of({ ...FLATPAK, pid: 'out' })).toBe('unverified');
  });

  it('does not follow a link and does not read a large file or a folder in the place of .flatpak-info', () => {
    const proc = procOf({ [APP]: FLATPAK });
    const info = join(proc, `${APP}/root/.flatpak-info`);
    writeFileSync(join(proc, 'outside'), INFO);
    rmSync(info);
    symlinkSync(join(proc, 'outside'), info);
    expect(sandboxOf(APP, proc)).toBe('unverified');
    rmSync(info);
    mkdirSync(info);
    expect(sandboxOf(APP, proc)).toBe('unverified');
    expect(of({ ...FLATPAK, info: INFO + '#'.repeat(300_000) })).toBe('unverified');
  });

  it('does not read a .flatpak-info on a file system of another program, which could keep the bridge waiting', () => {
    const served = MOUNTED.replace('/ ro - tmpfs', '/ ro - fuse.x');
    expect(of({ ...FLATPAK, mounts: served })).toBe('unverified');
    expect(of({ ...FLATPAK, mounts: MOUNTED.replace('nosuid - tmpfs', 'nosuid - fuse.x') })).toBe(
      'unverified',
    );
  });

  it.each(['', '../../etc', 'a b', '\u001b[2J', `a${'b'.repeat(300)}`])('refuses %j as an id', (name) => {
    expect(of({ ...FLATPAK, info: `[Application]\nname=${name}\n` })).toBe('unverified');
  });

  it.each([
    ['0::/user.slice/user-1000.slice/user@1000.service/app.slice/snap.discord.discord-1c.scope', 'discord'],
    ['3:freezer:/snap.vlc_two\n0::/', 'vlc_two'],
  ])('finds a snap by its control group %s', (cgroup, id) => {
    expect(of({ mnt: 'in', cgroup })).toEqual({ kind: 'snap', id });
  });

  it('finds a snap by an enforced AppArmor label, which is worth more than a control group', () => {
    const cgroup = '0::/snap.forged.app-1.scope';
    expect(of({ mnt: 'in', label: 'snap.firefox.firefox (enforce)', cgroup })).toEqual({
      kind: 'snap',
      id: 'firefox',
    });
    expect(of({ mnt: 'in', label: 'snap.firefox.firefox (complain)' })).toBe('unverified');
  });

  it.each([
    `0::/system.slice/docker-${ID}.scope`,
    `0::/docker/${ID}`,
    `0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-${ID}.scope/container`,
    `0::/kubepods.slice/cri-containerd-${ID}.scope`,
  ])('finds a container by its control group %s, whatever is in its root folder', (cgroup) => {
    expect(of({ ...FLATPAK, cgroup })).toEqual({ kind: 'container', id: ID.slice(0, 12) });
  });

  it('takes the outermost sandbox, so that a sandbox inside of it cannot claim another id', () => {
    const proc = procOf({
      [APP]: { ...FLATPAK, parent: INIT, mnt: 'nested', info: '[Application]\nname=com.forged.App\n' },
      [INIT]: { ...FLATPAK, parent: MONITOR },
      [MONITOR]: {},
    });
    expect(sandboxOf(APP, proc)).toEqual({ kind: 'flatpak', id: 'org.videolan.VLC' });
  });

  it('does not believe a sandbox below a sandboxed process that hides its namespaces', () => {
    const hidden = (pid: string): string =>
      procOf({ [APP]: { ...FLATPAK, parent: INIT }, [INIT]: { mnt: 'hidden', pid, parent: 1 } });
    expect(sandboxOf(APP, hidden('in'))).toBe('unverified');
    expect(sandboxOf(APP, hidden('out'))).toEqual({ kind: 'flatpak', id: 'org.videolan.VLC' });
  });

  it('verifies nothing of a process that it cannot see', () => {
    expect(sandboxOf(APP, procOf({}))).toBe('unverified');
    expect(of({ mnt: 'hidden' })).toBe('unverified');
    for (const pid of [0, -1, 1.5, Number.NaN]) expect(sandboxOf(pid)).toBe('unverified');
  });
});

describe('describeSandbox', () => {
  it('names kind and id', () => {
    expect(describeSandbox({ kind: 'flatpak', id: 'org.videolan.VLC' })).toBe('Flatpak org.videolan.VLC');
    expect(describeSandbox('unverified')).toBe('an unverified sandbox');
  });
});

const canUnshare = spawnSync('unshare', ['-m', 'true']).status === 0;

describe.skipIf(!canUnshare)('a process in a namespace of the kernel (needs unshare)', () => {
  it('is unverified in a mount namespace without a proof, and in no sandbox without one', async () => {
    const outside = await startProgram('sh', ['-c', 'echo up; exec sleep 60']);
    expect(sandboxOf(outside.pid)).toBeUndefined();
    const inside = await startProgram('unshare', ['-m', 'sh', '-c', 'echo up; exec sleep 60']);
    expect(sandboxOf(inside.pid)).toBe('unverified');
  });
});
