import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileSink } from '../../../src/daemon/log/file-sink.ts';
import { isRoot } from '../../helpers/fault-bridge.ts';
import { NOBODY } from '../../helpers/other-user.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const isLinux = process.platform === 'linux';

const line = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`);
const read = (path: string): string => readFileSync(path, 'utf8');

function bench(fileBytes = 100) {
  const folder = join(temporaryFolder(), 'logs');
  const clock = { ms: 1 };
  const sink = fileSink(folder, { fileBytes, now: () => clock.ms });
  onTestFinished(() => sink.close());
  return {
    folder,
    sink,
    clock,
    current: join(folder, 'footbridge.log'),
    older: join(folder, 'footbridge.1.log'),
  };
}

describe('the log files', () => {
  it('are created on the first write, for their owner alone', () => {
    const { folder, sink, current } = bench();
    expect(existsSync(folder)).toBe(false);
    expect(sink.write(line('one'))).toEqual({ kind: 'written', bytes: 4 });
    expect(read(current)).toBe('one\n');
    expect(statSync(current).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('are two within the size limit, and contain the newest lines', () => {
    const { folder, sink, current, older } = bench(100);
    for (let index = 0; index < 1000; index++) sink.write(line(`line ${String(index).padStart(4, '0')}`));
    expect(readdirSync(folder).sort()).toEqual(['footbridge.1.log', 'footbridge.log']);
    expect([current, older].map((path) => statSync(path).size <= 100)).toEqual([true, true]);
    expect(read(current)).toMatch(/line 0999\n$/);
    expect((read(older) + read(current)).split('\n').length).toBeGreaterThan(10);
    expect(statSync(older).mode & 0o777).toBe(0o600);
  });

  it('continue where an earlier bridge stopped', () => {
    const { folder, sink, current, older } = bench(100);
    mkdirSync(folder);
    writeFileSync(current, 'x'.repeat(95));
    chmodSync(current, 0o644);
    sink.write(line('next'));
    expect(read(current)).toBe(`${'x'.repeat(95)}next\n`);
    sink.write(line('over'));
    expect([read(older).length, read(current)]).toEqual([100, 'over\n']);
    expect([current, older].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it.skipIf(process.platform === 'win32').each<[string, (path: string, folder: string) => void]>([
    ['a link', (path, folder) => symlinkSync(join(folder, 'target'), path)],
    ['a link to nowhere', (path) => symlinkSync('nowhere', path)],
    ['a FIFO', (path) => spawnSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a second name of a file', (path, folder) => linkSync(join(folder, 'target'), path)],
  ])('are not written through %s (not on Windows)', (_, make) => {
    const { folder, sink, current, clock } = bench();
    mkdirSync(folder);
    writeFileSync(join(folder, 'target'), 'mine');
    make(current, folder);
    expect(sink.write(line('x')).kind).toBe('failed');
    expect(read(join(folder, 'target'))).toBe('mine');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
    rmSync(current, { recursive: true });
    // It is left in peace for a while, and then tried again.
    clock.ms += 9_999;
    expect(sink.write(line('x')).kind).toBe('failed');
    clock.ms += 1;
    expect(sink.write(line('x')).kind).toBe('written');
  });

  it('fail silently when they cannot be rotated, and work again later', () => {
    const { folder, sink, older, current, clock } = bench(10);
    sink.write(line('12345678'));
    mkdirSync(join(older, 'in the way'), { recursive: true });
    expect(sink.write(line('more')).kind).toBe('failed');
    rmSync(older, { recursive: true });
    clock.ms += 10_001;
    expect(sink.write(line('more')).kind).toBe('written');
    expect([read(older), read(current)]).toEqual(['12345678\n', 'more\n']);
    rmSync(folder, { recursive: true });
    expect(sink.write(line('again')).kind).toBe('failed');
  });

  it.skipIf(!isLinux)('drop lines on a full disk (needs /dev/full)', () => {
    const { folder, sink, current } = bench();
    mkdirSync(folder);
    symlinkSync('/dev/full', current);
    expect(sink.write(line('x')).kind).toBe('failed');
  });
});

it.skipIf(process.platform === 'win32')(
  'the log files tell why they fail, each time (not on Windows)',
  () => {
    const { folder, sink, current } = bench();
    mkdirSync(folder);
    symlinkSync('nowhere', current);
    const failed = { kind: 'failed', code: 'ELOOP' };
    expect([sink.write(line('x')), sink.write(line('x'))]).toEqual([failed, failed]);
    sink.close();
    expect(sink.write(line('x'))).toEqual({ kind: 'failed', code: 'EBADF' });
  },
);

it.skipIf(process.platform === 'win32')(
  'the log files are not written into a FIFO, even while somebody reads it (not on Windows)',
  () => {
    const { folder, sink, current } = bench();
    mkdirSync(folder);
    spawnSync('mkfifo', [current]);
    const reader = openSync(current, constants.O_RDONLY | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(reader));
    expect(sink.write(line('x')).kind).toBe('failed');
    expect(readSync(reader, Buffer.alloc(8))).toBe(0);
  },
);

it('a line that is larger than a log file has one of its own', () => {
  const { sink, current, older } = bench(10);
  sink.write(line('x'.repeat(20)));
  expect([read(current).length, existsSync(older)]).toEqual([21, false]);
  sink.write(line('y'));
  expect([read(current), read(older).length]).toEqual(['y\n', 21]);
});

it.skipIf(!isRoot)('the log files are not written where they belong to another user (needs root)', () => {
  const { folder, sink, current } = bench();
  mkdirSync(folder);
  writeFileSync(current, 'theirs');
  chownSync(current, NOBODY, NOBODY);
  expect([sink.write(line('x')).kind, read(current)]).toEqual(['failed', 'theirs']);
});
