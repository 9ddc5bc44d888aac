import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireLock, type HeldLock, type Lock } from '../../../platform/native/lock.ts';
import { loadNative, type NativeAbsence } from '../../../platform/native/native.ts';
import { startTicks } from '../../../platform/process/program.ts';
import { bundledModule } from '../../helpers/bundled.ts';
import { startProgram, temporaryFolder } from '../../helpers/sockets.ts';

const absent: NativeAbsence = { kind: 'absent', reason: 'left out by the test' };
const native = await loadNative();
const modes = [
  { mode: 'pid file', calls: absent },
  ...(native.kind === 'loaded' ? [{ mode: 'flock', calls: native }] : []),
];

function mustLock(outcome: Lock | HeldLock): Lock {
  if (outcome.kind === 'held') throw new Error(`held by ${outcome.heldBy}`);
  return outcome;
}

/** A pid that belonged to a process until just now. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe.each(modes)('acquireLock by $mode', ({ calls }) => {
  it('locks, names its holder, unlocks, and leaves no file', async () => {
    const folder = temporaryFolder();
    const path = join(folder, '0.lock');
    const lock = mustLock(await acquireLock(path, calls));
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(await acquireLock(path, calls)).toEqual({ kind: 'held', heldBy: process.pid });
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    const next = mustLock(await acquireLock(path, calls));
    lock.release();
    expect(await acquireLock(path, calls), 'a second release frees nothing').toMatchObject({ kind: 'held' });
    next.release();
  });

  it('takes over the file of a dead process', async () => {
    const path = join(temporaryFolder(), '0.lock');
    const pid = await deadPid();
    for (const text of [`pid ${pid}\n`, `pid ${pid} 1\n`, `flock ${pid}\n`]) {
      writeFileSync(path, text);
      mustLock(await acquireLock(path, calls)).release();
    }
  });

  it.skipIf(startTicks(process.pid) === undefined)(
    'takes over the file of a dead process whose pid was reused (needs /proc)',
    async () => {
      const path = join(temporaryFolder(), '0.lock');
      writeFileSync(path, `pid ${process.pid} 1\n`);
      mustLock(await acquireLock(path, calls)).release();
    },
  );

  it('refuses a lock whose living holder has only a pid file', async () => {
    const path = join(temporaryFolder(), '0.lock');
    const { pid } = await startProgram('sh', ['-c', 'echo up; exec sleep 60']);
    writeFileSync(path, `pid ${pid}\n`);
    expect(await acquireLock(path, calls)).toEqual({ kind: 'held', heldBy: pid });
    expect(readFileSync(path, 'utf8')).toBe(`pid ${pid}\n`);
  });

  it.each(['', 'nonsense', `pid 0\n`, `pid ${'9'.repeat(30)}\n`, 'x'.repeat(100_000)])(
    'takes over a file without a valid pid: %.20j',
    async (text) => {
      const path = join(temporaryFolder(), '0.lock');
      writeFileSync(path, text);
      mustLock(await acquireLock(path, calls)).release();
    },
  );

  it.each(['mine', 'x'.repeat(100), 'pidgin: 7'])(
    'leaves a file alone that another program may own: %.20j',
    async (text) => {
      const path = join(temporaryFolder(), 'emulator.lock');
      writeFileSync(path, text);
      await expect(acquireLock(path, calls, { onlyOurs: true })).rejects.toThrow(
        /it holds something else, so another program has it\. Use another folder\.$/,
      );
      expect(readFileSync(path, 'utf8')).toBe(text);
      for (const left of ['', '\0\0\0', 'flock 12', `pid ${await deadPid()} 1\n`]) {
        writeFileSync(path, left);
        mustLock(await acquireLock(path, calls, { onlyOurs: true })).release();
      }
    },
  );

  it('does not follow a link', async () => {
    const folder = temporaryFolder();
    const target = join(folder, 'target');
    writeFileSync(target, 'kept');
    symlinkSync(target, join(folder, '0.lock'));
    await expect(acquireLock(join(folder, '0.lock'), calls)).rejects.toThrow(
      expect.objectContaining({ code: 'FOOTBRIDGE_LOCK', message: expect.stringContaining('0.lock') }),
    );
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  it('displaces a holder on request, and the old holder cannot release the new lock', async () => {
    const folder = temporaryFolder();
    const path = join(folder, '0.lock');
    const old = mustLock(await acquireLock(path, calls));
    const taken = mustLock(await acquireLock(path, calls, { takeOver: true }));
    old.release();
    expect(await acquireLock(path, calls)).toEqual({ kind: 'held', heldBy: process.pid });
    taken.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports a missing folder', async () => {
    await expect(acquireLock(join(temporaryFolder(), 'none', '0.lock'), calls)).rejects.toThrow('ENOENT');
  });
});

describe('the pid file', () => {
  it('of a dead process is reclaimed by exactly one of many callers, in each round', async () => {
    const path = join(temporaryFolder(), '0.lock');
    const pid = await deadPid();
    for (let round = 0; round < 10; round++) {
      writeFileSync(path, `pid ${pid}\n`);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => acquireLock(path, absent)));
      const locks = outcomes.filter((outcome) => outcome.kind === 'locked');
      expect(locks).toHaveLength(1);
      locks[0]?.release();
    }
  });

  it('of a dead process with our own pid is taken over, also without /proc', async () => {
    const path = join(temporaryFolder(), '0.lock');
    const { value: platform } = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
    Object.defineProperty(process, 'platform', { value: 'win32' });
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
    writeFileSync(path, `pid ${process.pid} 1\n`);
    const lock = mustLock(await acquireLock(path, absent));
    expect(await acquireLock(path, absent)).toEqual({ kind: 'held', heldBy: process.pid });
    lock.release();
  });
  it('is taken over after a process died while it reclaimed the file', async () => {
    const path = join(temporaryFolder(), '0.lock');
    writeFileSync(path, `pid ${await deadPid()}\n`);
    writeFileSync(`${path}.reclaim`, '');
    const longAgo = Date.now() / 1000 - 60;
    utimesSync(`${path}.reclaim`, longAgo, longAgo);
    mustLock(await acquireLock(path, absent)).release();
    expect(existsSync(`${path}.reclaim`)).toBe(false);
  });
});

describe.skipIf(native.kind === 'absent')('flock (needs koffi)', () => {
  it('passes to the next process when the holder is killed', async () => {
    const path = join(temporaryFolder(), '0.lock');
    const script = `
      import { loadNative } from ${bundledModule('native')};
      import { acquireLock } from ${bundledModule('lock')};
      console.log((await acquireLock(${JSON.stringify(path)}, await loadNative())).kind);
      setInterval(() => {}, 1000);`;
    const args = ['--input-type=module', '-e', script];
    const { child, pid, output } = await startProgram(process.execPath, args);
    expect(output).toBe('locked\n');
    expect(await acquireLock(path, native)).toEqual({ kind: 'held', heldBy: pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
    mustLock(await acquireLock(path, native)).release();
  });
});
