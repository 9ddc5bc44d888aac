import { copyFileSync, readlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  describeProgram,
  isAlive,
  isDescendant,
  programOf,
  programText,
  startTicks,
} from '../../../platform/process/program.ts';
import { NOBODY } from '../../helpers/other-user.ts';
import { hasPython, startProgram, temporaryFolder } from '../../helpers/sockets.ts';

const isLinux = process.platform === 'linux';

/** A number above every pid the kernel gives out (PID_MAX_LIMIT is 2^22). */
const NO_PID = 2 ** 22 + 1;

describe.skipIf(!isLinux)('a process in /proc (Linux only)', () => {
  it('is described by its pid, executable and name', () => {
    expect(programOf(process.pid)).toEqual({
      pid: process.pid,
      exe: readlinkSync('/proc/self/exe'),
      name: expect.stringMatching(/^node /),
    });
  });

  it('is named by its script where it is an interpreter, whatever its main thread is called', async () => {
    const folder = temporaryFolder();
    const started = async (program: string, file: string, text: string): Promise<number> => {
      writeFileSync(join(folder, file), text);
      const args = program === 'dash' ? [] : ['--no-warnings'];
      return (await startProgram(program, [...args, join(folder, file), 'secret.mjs'])).pid;
    };
    const app = await started(process.execPath, 'app.mjs', `console.log('up'); setInterval(() => {}, 1000);`);
    expect(programOf(app)).toEqual({ pid: app, exe: process.execPath, name: 'node app.mjs' });
    expect(programText(app)).toBe(`node app.mjs, ${process.execPath}`);
    // A title replaces the arguments, and the short name, which is the one that Node 24 gives its main thread.
    const titled = `process.title = 'MainThread'; console.log('up'); setInterval(() => {}, 1000);`;
    expect(programOf(await started(process.execPath, 'titled.mjs', titled))?.name).toBe('node');
    expect(programOf(await started('dash', 'deck.sh', 'echo up; sleep 60'))?.name).toBe('dash deck.sh');
  });

  it('is looked up once, and again when it runs another executable', async () => {
    const { pid } = await startProgram('dash', ['-c', 'echo up; sleep 0.5; exec sleep 60']);
    const first = programOf(pid);
    expect(first?.name).toBe('dash -c');
    expect(programOf(pid)).toBe(first);
    await expect.poll(() => programOf(pid)?.name).toBe('sleep');
  });

  it('has a name of bounded length without control characters, and none of a deleted executable', async () => {
    const folder = temporaryFolder();
    const file = `${'\u001b[2J'.repeat(20)}${'x'.repeat(100)}`;
    const path = join(folder, file);
    copyFileSync('/bin/sleep', path);
    const { pid } = await startProgram('sh', ['-c', 'echo up; exec "$0" 60', path]);
    await expect.poll(() => programOf(pid)?.name).toMatch(/^\?\[2J.*…$/);
    expect(programOf(pid)?.name?.length).toBe(65);
    unlinkSync(path);
    expect(programOf(pid)?.exe).not.toContain('deleted');
    expect(programOf(pid)?.name).not.toContain('deleted');
    // The script of an interpreter: 4 KB, and bytes that are no text.
    for (const name of ['s'.repeat(200), '\u001b]0;x\u0007']) {
      writeFileSync(join(folder, name), 'echo up; sleep 60');
      const shell = await startProgram('dash', [join(folder, name)]);
      expect(programOf(shell.pid)?.name).toMatch(/^dash [ -~…]{1,65}$/);
    }
    const long = await startProgram('dash', ['-c', 'echo up; sleep 60', 'x'.repeat(100_000)]);
    expect(programOf(long.pid)?.name).toBe('dash -c');
  });

  it('of Wine has the name of the Windows program', async () => {
    const loader = join(temporaryFolder(), 'wine64-preloader');
    copyFileSync('/bin/bash', loader);
    const windows = 'C:\\Tug Boats\\game.exe';
    const { pid } = await startProgram('bash', [
      '-c',
      `echo up; exec -a '${windows}' '${loader}' -c 'read go < <(sleep 60)' -token=secret`,
    ]);
    await expect.poll(() => programOf(pid)?.name).toBe('wine64-preloader game.exe');
  });

  it.skipIf(!hasPython())('of Python has the name of its script or module (needs python3)', async () => {
    const file = join(temporaryFolder(), 'deck.py');
    writeFileSync(file, 'import time\nprint("up", flush=True)\ntime.sleep(60)');
    const { pid } = await startProgram('python3', [file, 'secret.py']);
    expect(programOf(pid)?.name).toBe('python3 deck.py');
  });

  it.skipIf(process.getuid?.() !== 0)('of another user has its short name (needs root)', async () => {
    const { pid } = await startProgram('dash', ['-c', 'echo up; sleep 60']);
    process.seteuid?.(NOBODY);
    try {
      expect(programOf(pid)).toEqual({ pid, name: 'dash' });
    } finally {
      process.seteuid?.(0);
    }
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
    expect(programOf(pid)?.name).toBe('python3 -c');
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
