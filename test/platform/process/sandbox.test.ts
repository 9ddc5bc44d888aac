import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeSandbox, sandboxOf } from '../../../platform/process/sandbox.ts';
import { startProgram, temporaryFolder } from '../../helpers/sockets.ts';
import { APPS, type FakeInstance, type FakeProcess, fakeSources, INFO } from './fake-proc.ts';

const APP = 40;
const INIT = 30;
const ID = '4f'.repeat(32);
const SPACE = '4026532180';
const VLC = { kind: 'flatpak', id: 'org.videolan.VLC' };

const of = (one: FakeProcess): ReturnType<typeof sandboxOf> => sandboxOf(APP, fakeSources({ [APP]: one }));

describe('sandboxOf', () => {
  it('finds no sandbox for a process in the mount namespace of this process', () => {
    expect(of({})).toBeUndefined();
    expect(of({ pid: SPACE, cgroup: `0::${APPS}/snap.a.b-1.scope` })).toBeUndefined();
  });

  it.each([
    [`0::${APPS}/app-flatpak-org.videolan.VLC-2412.scope`, VLC],
    [`0::${APPS}/app-flatpak-org.a.b\\x2dc-2412.scope`, { kind: 'flatpak', id: 'org.a.b-c' }],
    [`0::${APPS}/app-flatpak-org.a.b-c-2412.scope/below`, { kind: 'flatpak', id: 'org.a.b-c' }],
    [
      `9:name=systemd:${APPS}/app-flatpak-org.videolan.VLC-2412.scope\n0::${APPS}/app-flatpak-com.forged.App-1.scope`,
      VLC,
    ],
    [`0::${APPS}/snap.discord.discord-1c2f.scope`, { kind: 'snap', id: 'discord' }],
    [`0::/system.slice/snap.vlc_two.daemon.service`, { kind: 'snap', id: 'vlc_two' }],
    [`0::/system.slice/docker-${ID}.scope`, { kind: 'container', id: ID.slice(0, 12) }],
    [
      `0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-${ID}.scope/container`,
      { kind: 'container', id: ID.slice(0, 12) },
    ],
    [
      `0::/kubepods.slice/kubepods-a.slice/cri-containerd-${ID}.scope`,
      { kind: 'container', id: ID.slice(0, 12) },
    ],
  ])('reads the sandbox from the unit of systemd in %s', (cgroup, expected) => {
    expect(of({ mnt: 'in', cgroup })).toEqual(expected);
    expect(of({ mnt: 'hidden', cgroup })).toEqual(expected);
  });

  it.each([
    `0::${APPS}/vte-spawn-1.scope/app-flatpak-org.trusted.App-1.scope`,
    `0::${APPS}/vte-spawn-1.scope/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.trusted.App-1.scope`,
    `0::/user.slice/user-1000.slice/session-2.scope/snap.firefox.firefox-1.scope`,
    `0::${APPS}/app-org.gnome.Terminal.slice/x.scope/docker-${ID}.scope`,
    `0::/app-flatpak-org.trusted.App-1.scope`,
    `0::/docker/${ID}`,
    `3:freezer:/snap.vlc\n0::/`,
    `3:pids:${APPS}/app-flatpak-org.trusted.App-1.scope\n0::/`,
    `9:name=systemd:${APPS}/x.scope\n0::${APPS}/app-flatpak-org.trusted.App-1.scope`,
    `0::${APPS}/app-flatpak-..%2f-1.scope`,
    `0::${APPS}/app-flatpak-${'a'.repeat(300)}-1.scope`,
    '',
  ])('does not believe the control group %s, which a program can make below its own', (cgroup) => {
    expect(of({ mnt: 'in', cgroup })).toBe('unverified');
  });

  it('does not believe control groups where systemd does not manage them', () => {
    const cgroup = `0::${APPS}/app-flatpak-org.trusted.App-1.scope`;
    const sources = fakeSources({ [APP]: { mnt: 'in', cgroup } });
    expect(sandboxOf(APP, { ...sources, systemd: join(sources.proc, 'none') })).toBe('unverified');
  });

  it('verifies nothing of a process that it cannot see', () => {
    expect(sandboxOf(APP, fakeSources({}))).toBe('unverified');
    expect(of({ mnt: 'hidden' })).toBe('unverified');
    for (const pid of [0, -1, 1.5, Number.NaN]) expect(sandboxOf(pid, { runtimes: [] })).toBe('unverified');
  });
});

describe('a Flatpak without a unit', () => {
  const FIRST: FakeProcess = { mnt: 'in', pid: SPACE };
  const inside = (instance: FakeInstance = {}, first = FIRST, app: FakeProcess = FIRST) =>
    fakeSources({ [APP]: app, [INIT]: first }, [instance]);

  it('is proven by the instance in whose PID namespace the process is', () => {
    expect(sandboxOf(APP, inside())).toEqual(VLC);
    // However deep it is below the first process, and in which mounts.
    expect(sandboxOf(APP, inside({}, FIRST, { mnt: 'nested', pid: SPACE, parent: 4000 }))).toEqual(VLC);
  });

  it('is unverified in another PID namespace, whoever adopted it and whatever is in its root folder', () => {
    expect(sandboxOf(APP, inside({}, FIRST, { mnt: 'in', pid: '4026539999', parent: 1 }))).toBe('unverified');
    expect(sandboxOf(APP, inside({}, FIRST, { mnt: 'in', pid: 'out', parent: INIT }))).toBe('unverified');
  });

  it('is unverified when the first process has ended, or another one has its pid', () => {
    expect(sandboxOf(APP, fakeSources({ [APP]: FIRST }, [{}]))).toBe('unverified');
    expect(sandboxOf(APP, inside({}, { mnt: 'in', pid: 'out' }))).toBe('unverified');
    // The number of the namespace was given again, too, but the process is younger than the instance.
    const young = Math.round((uptime() + 60) * 100);
    expect(sandboxOf(APP, inside({}, { ...FIRST, start: young }))).toBe('unverified');
    const old = inside({}, { ...FIRST, start: Math.round((uptime() - 0.2) * 100) });
    expect(sandboxOf(APP, old)).toEqual(VLC);
    const [, runtime = ''] = old.runtimes;
    const before = Date.now() / 1000 - 3;
    utimesSync(join(runtime, '.flatpak/192931331/bwrapinfo.json'), before, before);
    expect(sandboxOf(APP, old)).toBe('unverified');
  });

  it('has its name from the group [Application] only', () => {
    expect(sandboxOf(APP, inside({ info: '[Instance]\nname=a.b\n[Application]\nruntime=c\n' }))).toBe(
      'unverified',
    );
  });

  it.each(['', '../../etc', 'a b', '\u001b[2J', `a${'b'.repeat(300)}`])(
    'is unverified with the id %j',
    (name) => {
      expect(sandboxOf(APP, inside({ info: `[Application]\nname=${name}\n` }))).toBe('unverified');
    },
  );

  it('is not read from the folder of an app, from a link or from a large file', () => {
    expect(sandboxOf(APP, inside({ number: 'org.evil.App' }))).toBe('unverified');
    const sources = inside();
    const info = join(sources.runtimes[1] ?? '', '.flatpak/192931331/info');
    const outside = join(temporaryFolder(), 'info');
    writeFileSync(outside, INFO);
    rmSync(info);
    symlinkSync(outside, info);
    expect(sandboxOf(APP, sources)).toBe('unverified');
    expect(sandboxOf(APP, inside({ info: INFO + '#'.repeat(100_000) }))).toBe('unverified');
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
    expect(sandboxOf(outside.pid, { runtimes: [] })).toBeUndefined();
    const inside = await startProgram('unshare', ['-m', 'sh', '-c', 'echo up; exec sleep 60']);
    expect(sandboxOf(inside.pid, { runtimes: [] })).toBe('unverified');
  });
});
