import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { openSink, type Sink } from '../../../src/daemon/log/sink.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const none = (): never => {
  throw new Error('the stream is not wanted');
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('a sink for a file writes at once, and tells why it cannot', () => {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, 'old\n');
  const fd = openSync(path, 'a');
  const sink = openSink(fd, none);
  expect(sink.write(bytes('new\n'))).toEqual({ kind: 'written', bytes: 4 });
  sink.close();
  expect(sink.onWritable).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe('old\nnew\n');
  closeSync(fd);
  const reading = openSync(path, 'r');
  onTestFinished(() => closeSync(reading));
  expect(openSink(reading, none).write(bytes('x'))).toEqual({ kind: 'failed', code: 'EBADF' });
});

it.skipIf(process.platform !== 'linux')('a sink for a pipe never waits for its reader (Linux only)', () => {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, 'w');
  const sink = openSink(writer, none);
  const part = new Uint8Array(4096);
  let written = 0;
  for (let n = 0; n < 1000; n++) {
    const result = sink.write(part);
    if (result.kind !== 'written') {
      expect(result).toEqual({ kind: 'blocked' });
      break;
    }
    written += result.bytes;
  }
  expect(written).toBeGreaterThan(0);
  expect(readSync(reader, Buffer.alloc(8192))).toBe(8192);
  expect(sink.write(bytes('x')).kind).toBe('written');
  closeSync(reader);
  expect(sink.write(bytes('x'))).toEqual({ kind: 'failed', code: 'EPIPE' });
  // The inherited descriptor stays open, and its own one does not.
  sink.close();
  expect(sink.write(bytes('x'))).toEqual({ kind: 'failed', code: 'EBADF' });
  closeSync(writer);
});

/** A stream whose writes end when the test says so. */
function streamed() {
  const ends: ((error?: Error) => void)[] = [];
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, end) {
      chunks.push(String(chunk));
      ends.push(end);
    },
  });
  const sink: Sink = openSink(1_000_000, () => stream);
  let resumed = 0;
  sink.onWritable?.(() => {
    resumed += 1;
  });
  return { sink, stream, chunks, end: (error?: Error) => ends.shift()?.(error), resumed: () => resumed };
}

it('a sink for a stream has one write in flight, and says when it takes another', async () => {
  const { sink, chunks, end, resumed } = streamed();
  expect(sink.write(bytes('one'))).toEqual({ kind: 'written', bytes: 3 });
  expect([sink.write(bytes('two')), resumed(), chunks]).toEqual([{ kind: 'blocked' }, 0, ['one']]);
  end();
  await new Promise(setImmediate);
  expect([resumed(), sink.write(bytes('two'))]).toEqual([1, { kind: 'written', bytes: 3 }]);
  sink.close();
});

it.each([
  [Object.assign(new Error('x'), { code: 'EPIPE' }), 'EPIPE'],
  [new Error('odd'), 'EIO'],
])('a sink for a stream that has failed writes no more: %o', async (error, code) => {
  const { sink, stream, chunks, end, resumed } = streamed();
  sink.write(bytes('one'));
  end(error);
  await new Promise(setImmediate);
  expect([sink.write(bytes('two')), resumed(), chunks]).toEqual([{ kind: 'failed', code }, 1, ['one']]);
  stream.emit('error', Object.assign(new Error('x'), { code: 'EOTHER' }));
  expect([sink.write(bytes('two')), resumed()]).toEqual([{ kind: 'failed', code }, 1]);
});
