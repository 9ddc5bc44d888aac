import { readlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  describeProgram,
  isAlive,
  isDescendant,
  programOf,
  startTicks,
} from '../../../platform/process/program.ts';
import { hasPython, startProgram } from '../../helpers/sockets.ts';

const isLinux = process.platform === 'linux';

/** A number above every pid the kernel gives out (PID_MAX_LIMIT is 2^22). */
const NO_PID = 2 ** 22 + 1;

describe.skipIf(!isLinux)('a process in /proc (Linux only)', () => {
  it('is described by its pid, executable and name', () => {
    expect(programOf(process.pid)).toEqual({
      pid: process.pid,
      exe: readlinkSync('/proc/self/exe'),
      name: expect.stringMatching(/./),
    });
  });

  it('is a descendant of its parent and grandparent', async () => {
    // The shell starts a second one and waits, so that there is a process between us and the grandchild.
    const shell = await startProgram('sh', ['-c', 'sleep 60 & echo $!; wait']);
    const grandchild = Number(shell.output);
    onTestFinished(() => void process.kill(grandchild, 'SIGKILL'));
    expect(isDescendant(grandchild, shell.pid)).toBe(true);
    expect(isDescendant(grandchild, process.pid)).toBe(true);
    expect(isDescendant(shell.pid, grandchild)).toBe(false);
  });

  it.skipIf(!hasPython())('cannot control a terminal through its name (needs python3)', async () => {
    const script = `import ctypes, time
ctypes.CDLL(None).prctl(15, b'a\\x1b[2J) R 1\\n', 0, 0, 0)
print('up', flush=True)
time.sleep(60)`;
    const { pid } = await startProgram('python3', ['-c', script]);
    expect(programOf(pid)?.name).toBe('a?[2J) R 1');
    // The same name must not shift the fields of `stat`.
    expect(isDescendant(pid, process.pid)).toBe(true);
    expect(startTicks(pid)).toMatch(/^\d+$/);
  });
});

it('a process that does not exist has no program, no start time and no ancestors', () => {
  for (const pid of [NO_PID, 0, -1, 1.5, Number.NaN]) {
    expect(programOf(pid)).toBeUndefined();
    expect(startTicks(pid)).toBeUndefined();
    expect(isDescendant(pid, 1)).toBe(false);
  }
  expect(isAlive(NO_PID)).toBe(false);
});

it('a process is not its own descendant', () => {
  expect(isDescendant(process.pid, process.pid)).toBe(false);
});

it('describeProgram lists the known fields of a program', () => {
  expect(describeProgram({ pid: 5, exe: '/usr/bin/x', name: 'x' })).toBe('x (pid 5, /usr/bin/x)');
  expect(describeProgram({ pid: 5 })).toBe('a program (pid 5)');
});
