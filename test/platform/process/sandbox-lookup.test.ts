import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SandboxLookup } from '../../../platform/process/sandbox-lookup.ts';
import { APPS, fakeSources } from './fake-proc.ts';

const APP = 40;
const cgroup = `0::${APPS}/snap.discord.discord-1.scope`;
const SNAP = { kind: 'snap', id: 'discord' };

function setUp() {
  const sources = fakeSources({ [APP]: { mnt: 'in', cgroup } });
  const lookup = new SandboxLookup(sources);
  const write = (file: string, text: string) => writeFileSync(join(sources.proc, String(APP), file), text);
  return {
    lookup,
    read: () => {
      const found = lookup.of(APP);
      return found.kind === 'known' ? found.sandbox : found.read();
    },
    write,
    /** Another process gets the pid. */
    replace: () => write('stat', `${APP} (a) S 1 ${'0 '.repeat(17)}78 0\n`),
    enter: (namespace: string) => {
      const link = join(sources.proc, String(APP), 'ns/mnt');
      rmSync(link);
      symlinkSync(`mnt:[${namespace}]`, link);
    },
  };
}

it('a sandbox is read once for a process, and again for the next one with its pid', () => {
  const { lookup, read, write, replace } = setUp();
  expect(lookup.of(APP).kind).toBe('unread');
  expect(read()).toEqual(SNAP);
  write('cgroup', '0::/\n');
  expect(lookup.of(APP)).toEqual({ kind: 'known', sandbox: SNAP });
  replace();
  expect(lookup.of(APP).kind).toBe('unread');
  expect(read()).toBe('unverified');
});

it('a process that got the pid while the lookup waited is unverified, and not remembered', () => {
  const { lookup, replace } = setUp();
  const found = lookup.of(APP);
  replace();
  expect(found.kind === 'unread' && found.read()).toBe('unverified');
  expect(lookup.of(APP).kind).toBe('unread');
});

it('a program that enters a mount namespace later is read again', () => {
  const { lookup, read, enter } = setUp();
  enter('out');
  expect(read()).toBeUndefined();
  enter('in');
  expect(lookup.of(APP).kind).toBe('unread');
  expect(read()).toEqual(SNAP);
});

it('connections of one process that wait together read once', () => {
  const { lookup, write } = setUp();
  const [first, second] = [lookup.of(APP), lookup.of(APP)];
  expect(first.kind === 'unread' && first.read()).toEqual(SNAP);
  write('cgroup', '0::/\n');
  expect(second.kind === 'unread' && second.read()).toEqual(SNAP);
});

it('a process that cannot be seen is unverified, and the oldest of many are forgotten', () => {
  const app = { mnt: 'in', cgroup };
  const lookup = new SandboxLookup(fakeSources({ 100: app, 101: app, 102: app }), 2);
  expect(lookup.of(7)).toEqual({ kind: 'known', sandbox: 'unverified' });
  for (const pid of [100, 101, 102]) {
    const found = lookup.of(pid);
    if (found.kind === 'unread') found.read();
  }
  expect([100, 101, 102].map((pid) => lookup.of(pid).kind)).toEqual(['unread', 'known', 'known']);
});
