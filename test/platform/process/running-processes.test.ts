import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runningProcesses } from '../../../platform/process/running-processes.ts';

const uid = process.getuid?.();

describe.skipIf(process.platform !== 'linux')('processes of proc(5)', () => {
  it('have a program, arguments and a start', async () => {
    const processes = runningProcesses(uid);
    const before = Date.now();
    const child = spawn('/bin/sleep', ['60', '0.5'], { argv0: 'Z:\\games\\game.exe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    await expect.poll(() => processes?.factsOf(pid)?.paths[0]).toBe('Z:\\games\\game.exe');
    expect(processes?.factsOf(pid)?.arguments).toBe('60 0.5');
    expect(processes?.factsOf(pid)?.paths[1]).toMatch(/\/(?:sleep|coreutils|busybox)$/);
    expect(processes?.pids()).toContain(pid);
    const start = processes?.startOf(pid);
    // proc(5) counts in hundredths of a second.
    expect(start?.at).toBeGreaterThan(before - 1000);
    expect(start?.at).toBeLessThanOrEqual(Date.now());
    expect(processes?.startOf(pid)?.mark).toBe(start?.mark);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([processes?.factsOf(pid), processes?.startOf(pid)]).toEqual([undefined, undefined]);
  });

  it('that have ended have no start, although their parent does not take notice', async () => {
    const processes = runningProcesses(uid);
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(line));
    await expect.poll(() => processes?.startOf(pid)).toBeUndefined();
    expect(processes?.pids()).toContain(pid);
  });

  it('of another user have no facts', () => {
    expect(runningProcesses((uid ?? 0) + 1)?.factsOf(process.pid)).toBeUndefined();
    expect(runningProcesses(uid)?.factsOf(process.pid)).toBeDefined();
  });

  it('are none where the folder cannot be read', () => {
    expect(runningProcesses(uid, '/nowhere')?.pids()).toEqual([]);
  });
});

it('are unknown on a system without a user id', () => {
  expect(runningProcesses(undefined)).toBeUndefined();
});
