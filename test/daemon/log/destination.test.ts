import { describe, expect, it } from 'vitest';
import { LogDestination } from '../../../src/daemon/log/destination.ts';
import type { Sink, WriteResult } from '../../../src/daemon/log/sink.ts';

/** A sink that does what the test says next; afterwards it takes everything. */
class ScriptedSink implements Sink {
  written = '';
  calls = 0;
  plan: (number | 'blocked' | 'failed')[] = [];
  closed = false;

  write(bytes: Uint8Array): WriteResult {
    this.calls += 1;
    const next = this.plan.shift() ?? bytes.byteLength;
    if (next === 'blocked') return { kind: 'blocked' };
    if (next === 'failed') return { kind: 'failed', code: 'ENOSPC' };
    this.written += new TextDecoder().decode(bytes.subarray(0, next));
    return { kind: 'written', bytes: Math.min(next, bytes.byteLength) };
  }

  close(): void {
    this.closed = true;
  }
}

const droppedLine = (count: number): string => `lost ${count}\n`;

describe('LogDestination', () => {
  it('writes lines at once', () => {
    const sink = new ScriptedSink();
    const log = new LogDestination(sink);
    log.write('one\n');
    log.write('two\n');
    expect(sink.written).toBe('one\ntwo\n');
  });

  it('continues a partial write where it stopped', () => {
    const sink = new ScriptedSink();
    sink.plan = [2, 1];
    new LogDestination(sink).write('abcdef\n');
    expect(sink.written).toBe('abcdef\n');
    expect(sink.calls).toBe(3);
  });

  it('queues lines in order while the sink is blocked', async () => {
    const sink = new ScriptedSink();
    sink.plan = ['blocked'];
    const log = new LogDestination(sink);
    log.write('one\n');
    log.write('two\n');
    expect(sink.written).toBe('');
    await log.flush(1000);
    expect(sink.written).toBe('one\ntwo\n');
  });

  it('retries a blocked write by itself', async () => {
    const sink = new ScriptedSink();
    sink.plan = ['blocked', 'blocked'];
    new LogDestination(sink).write('one\n');
    await expect.poll(() => sink.written).toBe('one\n');
  });

  it('drops lines beyond its limit, counts them, and reports the count once writing works', async () => {
    const sink = new ScriptedSink();
    sink.plan = ['blocked'];
    const log = new LogDestination(sink, { queueBytes: 8, droppedLine });
    for (const line of ['aaa\n', 'bbb\n', 'ccc\n', 'ddd\n']) log.write(line);
    expect(log.dropped).toBe(2);
    await log.flush(1000);
    expect(sink.written).toBe('aaa\nbbb\nlost 2\n');
    expect(log.dropped).toBe(0);
  });

  it('drops a line whose write fails, and reports it after the next successful write', () => {
    const sink = new ScriptedSink();
    sink.plan = ['failed', 'failed'];
    const log = new LogDestination(sink, { droppedLine });
    for (const line of ['one\n', 'two\n', 'three\n']) log.write(line);
    expect(sink.written).toBe('three\nlost 2\n');
  });

  it('retains the count of lost lines when the report of it fails', () => {
    const sink = new ScriptedSink();
    sink.plan = ['failed', 'failed', 4, 'failed'];
    const log = new LogDestination(sink, { droppedLine });
    for (const line of ['one\n', 'two\n', 'tri\n']) log.write(line);
    expect(sink.written).toBe('tri\n');
    expect(log.dropped).toBe(2);
    log.write('for\n');
    expect(sink.written).toBe('tri\nfor\nlost 2\n');
  });

  it('reports all losses in few lines while the sink is barely fast enough', async () => {
    const sink = new ScriptedSink();
    const log = new LogDestination(sink, { queueBytes: 40, droppedLine });
    for (let round = 0; round < 50; round++) {
      sink.plan = ['blocked'];
      for (let count = 0; count < 20; count++) log.write('abc\n');
      // One line gets out, then nobody reads again.
      sink.plan = [4, 'blocked'];
      await log.flush(0);
    }
    sink.plan = [];
    await log.flush(1000);
    const reported = [...sink.written.matchAll(/lost (\d+)/g)].map(([, count]) => Number(count));
    const lines = sink.written.match(/abc/g)?.length ?? 0;
    expect(lines + reported.reduce((sum, count) => sum + count, 0) + log.dropped).toBe(50 * 20);
    expect(reported.length).toBeLessThan(60);
  });

  it('never continues a truncated line', () => {
    const sink = new ScriptedSink();
    sink.plan = [3, 'failed'];
    const log = new LogDestination(sink);
    log.write('{"a":1}\n');
    log.write('{"b":2}\n');
    expect(sink.written).toBe('{"a\n{"b":2}\n');
  });

  it('counts the line feed correctly when the next line is truncated as well', () => {
    const sink = new ScriptedSink();
    sink.plan = [1, 'failed', 3];
    const log = new LogDestination(sink);
    log.write('abc\n');
    log.write('defg\n');
    expect(sink.written).toBe('a\ndefg\n');
  });

  it('discards lines that it cannot flush in time', async () => {
    const sink = new ScriptedSink();
    sink.plan = Array.from({ length: 1000 }, () => 'blocked' as const);
    const log = new LogDestination(sink);
    log.write('one\n');
    await log.flush(20);
    expect(sink.written).toBe('');
    log.close();
    expect(sink.closed).toBe(true);
  });

  it('waits for a sink that signals when it is writable', () => {
    let ready = (): void => {};
    const plan: WriteResult[] = [{ kind: 'blocked' }];
    const got: string[] = [];
    const sink: Sink = {
      write: (bytes) => {
        const next = plan.shift();
        if (next !== undefined) return next;
        got.push(new TextDecoder().decode(bytes));
        return { kind: 'written', bytes: bytes.byteLength };
      },
      onWritable: (resume) => {
        ready = resume;
      },
      close() {},
    };
    new LogDestination(sink).write('one\n');
    expect(got).toEqual([]);
    ready();
    expect(got).toEqual(['one\n']);
  });

  it('has nothing to wait for with an empty queue', async () => {
    const log = new LogDestination(new ScriptedSink());
    log.write('one\n');
    await log.flush(60_000);
  });

  it('has one report in its queue at a time, and counts what it reports and what came later', () => {
    const sink = new ScriptedSink();
    sink.plan = ['blocked'];
    const log = new LogDestination(sink, { droppedLine });
    for (const line of ['one\n', 'two\n', 'tri\n', 'for\n']) log.write(line);
    sink.plan = ['failed', 4, 'failed', 4, 'blocked'];
    void log.flush(0);
    expect([sink.written, log.dropped]).toEqual(['two\nfor\n', 2]);
    void log.flush(0);
    expect([sink.written, log.dropped]).toEqual(['two\nfor\nlost 1\nlost 1\n', 0]);
  });

  it('takes lines up to its limit, and more once they are written', () => {
    const sink = new ScriptedSink();
    const log = new LogDestination(sink, { queueBytes: 4 });
    for (const line of ['abc\n', 'abcd\n', 'abc\n']) log.write(line);
    expect([sink.written, log.dropped]).toEqual(['abc\nabc\n', 1]);
    sink.plan = ['failed'];
    for (const line of ['abc\n', 'abc\n']) log.write(line);
    expect([sink.written, log.dropped]).toEqual(['abc\nabc\nabc\n', 2]);
  });

  it('tells of the first failure, with its code', () => {
    const sink = new ScriptedSink();
    sink.plan = ['failed', 'failed'];
    const log = new LogDestination(sink);
    const codes: string[] = [];
    log.onFailure((code) => void codes.push(code));
    for (const line of ['one\n', 'two\n', 'tri\n']) log.write(line);
    expect([codes, log.dropped]).toEqual([['ENOSPC'], 2]);
  });

  it('forgets what waits when it is closed', () => {
    const sink = new ScriptedSink();
    sink.plan = ['blocked'];
    const log = new LogDestination(sink, { queueBytes: 4 });
    log.write('one\n');
    log.close();
    log.write('two\n');
    expect([sink.written, log.dropped]).toEqual(['two\n', 0]);
  });

  it('limits its queue for 100,000 lines without a reader', () => {
    const sink = new ScriptedSink();
    sink.write = () => ({ kind: 'blocked' });
    const log = new LogDestination(sink, { queueBytes: 10_000 });
    for (let count = 0; count < 100_000; count++) log.write('0123456789\n');
    expect(log.dropped).toBe(100_000 - Math.floor(10_000 / 11));
    log.close();
  });
});
