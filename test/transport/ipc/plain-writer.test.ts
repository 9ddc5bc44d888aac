import { describe, expect, it, vi } from 'vitest';
import { PlainWriter } from '../../../src/transport/ipc/plain-writer.ts';
import { type SinkScript, scriptedSink } from '../../helpers/scripted-sink.ts';

const frame = (text: string) => new TextEncoder().encode(text);
const tick = () => new Promise<void>((resolve) => process.nextTick(resolve));

function start(script: SinkScript = {}, maxBytes = 1000) {
  const sink = scriptedSink(script);
  return { sink, writer: new PlainWriter(sink, maxBytes) };
}

describe('the plain writer', () => {
  it('sends the frames of one turn in one write, although none was read', async () => {
    const { sink, writer } = start();
    for (const text of ['a', 'bb']) writer.push(frame(text));
    expect(sink.writes).toEqual([]);
    await tick();
    expect(sink.writes).toEqual(['abb']);
    writer.push(frame('c'));
    await tick();
    expect(sink.writes).toEqual(['abb', 'c']);
    expect(sink.asked).toBe(0);
  });
  it('stops the writes at a full kernel buffer until there is room again', async () => {
    const { sink, writer } = start({ kernelBytes: 2 });
    writer.push(frame('abcd'));
    await tick();
    writer.push(frame('e'));
    await tick();
    expect(sink.writes).toEqual(['abcd']);
    expect(sink.backlogs).toEqual([2, 3]);
    sink.read();
    sink.read();
    writer.pump();
    expect(sink.writes).toEqual(['abcd', 'e']);
    expect(sink.backlogs.at(-1)).toBe(0);
  });
  it('overflows once beyond the unread limit, and writes nothing afterwards', async () => {
    const { sink, writer } = start({ kernelBytes: 1 }, 10);
    writer.push(frame('x'.repeat(11)));
    await tick();
    writer.push(frame('x'.repeat(10)));
    await tick();
    expect(sink.overflows).toBe(0);
    writer.push(frame('y'));
    await tick();
    expect(sink.overflows).toBe(1);
    sink.read();
    sink.read();
    writer.push(frame('z'));
    writer.pump();
    await tick();
    expect([sink.writes.length, sink.overflows]).toEqual([1, 1]);
  });
  it('calls whenEmpty back once everything has been handed to the kernel', async () => {
    const { sink, writer } = start({ kernelBytes: 1 });
    const done = vi.fn();
    writer.push(frame('abc'));
    writer.whenEmpty(done);
    expect(sink.writes).toEqual(['abc']);
    expect(done).not.toHaveBeenCalled();
    sink.read();
    sink.read();
    sink.read();
    writer.pump();
    writer.pump();
    expect(done).toHaveBeenCalledOnce();
  });
});

describe('the plain writer, further', () => {
  it('writes nothing that was pushed in the turn of its end, and nothing afterwards', async () => {
    const { sink, writer } = start();
    writer.push(frame('a'));
    writer.stop();
    await tick();
    writer.push(frame('b'));
    writer.pump();
    await tick();
    expect([sink.writes, sink.backlogs, writer.isEmpty]).toEqual([[], [], true]);
  });

  it('is empty while no frame waits in it or behind it', async () => {
    const { sink, writer } = start({ kernelBytes: 1 });
    expect(writer.isEmpty).toBe(true);
    writer.push(frame('ab'));
    expect(writer.isEmpty).toBe(false);
    await tick();
    expect([writer.isEmpty, sink.backlogs]).toEqual([false, [1]]);
    sink.read();
    writer.pump();
    expect([writer.isEmpty, sink.backlogs]).toEqual([true, [1, 0]]);
  });

  it('calls whenEmpty back at once, and once, when nothing waits', () => {
    const { sink, writer } = start();
    const done = vi.fn();
    writer.whenEmpty(done);
    writer.pump();
    expect(done).toHaveBeenCalledOnce();
    writer.received();
    expect([sink.writes, sink.backlogs]).toEqual([[], []]);
  });

  it('reports a backlog only when it changes', async () => {
    const { sink, writer } = start({ kernelBytes: 1 });
    writer.push(frame('abc'));
    await tick();
    writer.pump();
    writer.pump();
    expect(sink.backlogs).toEqual([2]);
    writer.push(frame('d'));
    writer.push(frame('e'));
    await tick();
    expect(sink.backlogs).toEqual([2, 4]);
  });

  it('sends every frame of a peer that does not read, unless it is stated that only the newest matters', async () => {
    const { sink, writer } = start({ kernelBytes: 1 }, 10_000_000);
    writer.push(frame('x'));
    writer.push(frame('x'));
    await tick();
    for (let index = 0; index < 40; index += 1) writer.push(frame(String(index % 10).repeat(10_000)));
    await tick();
    expect(sink.backlogs.at(-1)).toBe(400_001);
    sink.read();
    writer.pump();
    expect(sink.writes.at(-1)?.length).toBe(400_000);
  });

  it('has the limit of unread bytes without the write at the front, to the byte', async () => {
    const { sink, writer } = start({ kernelBytes: 0 }, 10);
    writer.push(frame('x'.repeat(50)));
    await tick();
    writer.push(frame('y'.repeat(10)));
    await tick();
    expect([sink.overflows, sink.backlogs]).toEqual([0, [50, 60]]);
    writer.push(frame('z'));
    await tick();
    expect([sink.overflows, sink.backlogs.at(-1), writer.isEmpty]).toEqual([1, 61, false]);
  });
});
