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
