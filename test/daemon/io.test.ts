import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { processIo } from '../../src/daemon/io.ts';

/** A process with streams of the test. */
function bench(stdout: Writable = new PassThrough()) {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const own = Object.assign(new EventEmitter(), {
    env: { HOME: '/' },
    stdin,
    stdout,
    stderr,
    exitCode: undefined as number | undefined,
  });
  return { own, stdin, stderr, io: processIo(own as unknown as Parameters<typeof processIo>[0]) };
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** A stream whose writes fail. */
const failing = (code: string): Writable =>
  new Writable({
    write: (_chunk, _encoding, done) => done(failure(code)),
  });

describe('the streams of the process', () => {
  it('are those of the process', () => {
    const stdout = new PassThrough();
    const { io, stdin, stderr } = bench(stdout);
    io.out('one');
    io.out('two');
    io.err('three');
    // Some versions of Node read a chunk at a time.
    const [read, rest] = [String(stdout.read()), stdout.read() as Buffer | null];
    expect([read + String(rest ?? ''), String(stderr.read())]).toEqual(['onetwo', 'three']);
    expect([io.env, io.stdin]).toEqual([{ HOME: '/' }, stdin]);
    expect(io.outClosed.aborted).toBe(false);
  });

  it.each([
    ['EPIPE', undefined, ''],
    ['ENOSPC', 1, 'footbridge: the output could not be written: the disk is full (ENOSPC)\n'],
  ])('tell of stdout that fails with %s', async (code, exitCode, text) => {
    const { io, own, stderr } = bench(failing(code));
    const closed = new Promise((resolve) => io.outClosed.addEventListener('abort', resolve));
    io.out('x');
    await closed;
    own.emit('exit');
    expect([own.exitCode, String(stderr.read() ?? '')]).toEqual([exitCode, text]);
    // Nobody reads any more.
    await io.outTaken();
  });

  it('keep the exit code of a command that failed before', async () => {
    const { io, own } = bench(failing('ENOSPC'));
    const closed = new Promise((resolve) => io.outClosed.addEventListener('abort', resolve));
    io.out('x');
    await closed;
    own.exitCode = 64;
    own.emit('exit');
    expect(own.exitCode).toBe(64);
  });

  it('ignore that stderr fails', async () => {
    const { io, own } = bench();
    const broken = failing('EPIPE');
    Object.assign(own, { stderr: broken });
    const failed = new Promise((resolve) => broken.once('close', resolve));
    io.err('x');
    io.err('y');
    await failed;
    expect(own.exitCode).toBeUndefined();
  });

  it('make a long output wait until the reader has taken it', async () => {
    let take = (): void => {};
    const slow = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => {
        take = done;
      },
    });
    const { io } = bench(slow);
    await io.outTaken();
    io.out('long');
    let isTaken = false;
    const taken = io.outTaken().then(() => {
      isTaken = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    take();
    await taken;
  });
});
