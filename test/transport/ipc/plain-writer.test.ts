import { describe, expect, it, vi } from 'vitest';
import { PacedWriter } from '../../../src/transport/ipc/paced-writer.ts';
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

describe('a plain writer that continues for a paced one', () => {
  function handedOver(script: SinkScript, push: (writer: PacedWriter) => void) {
    const sink = scriptedSink(script);
    const paced = new PacedWriter(sink, 1_000_000);
    push(paced);
    const writer = new PlainWriter(sink, 1_000_000);
    writer.takeOver(paced.handOver());
    return { sink, paced, writer };
  }
  const pushAll = (writer: PacedWriter, texts: readonly string[]) => {
    for (const text of texts) writer.push(frame(text));
  };

  it('writes the frames that waited at once, and later frames after them', async () => {
    const { sink, paced, writer } = handedOver({}, (all) => pushAll(all, ['a', 'b', 'c']));
    expect(sink.writes).toEqual(['a', 'bc']);
    writer.push(frame('d'));
    await tick();
    expect(sink.writes).toEqual(['a', 'bc', 'd']);
    paced.push(frame('late'));
    paced.pump();
    expect([sink.writes.length, sink.backlogs.at(-1)]).toEqual([3, 0]);
  });
  it('writes them once the write at the front has left', async () => {
    const { sink, writer } = handedOver({ kernelBytes: 2 }, (all) => pushAll(all, ['abcd', 'e', 'f']));
    writer.push(frame('g'));
    await tick();
    expect([sink.writes, sink.backlogs.at(-1)]).toEqual([['abcd'], 5]);
    sink.read();
    sink.read();
    writer.pump();
    expect([sink.writes, sink.backlogs.at(-1)]).toEqual([['abcd', 'efg'], 1]);
  });
  it('calls whenEmpty of the paced writer back', () => {
    const done = vi.fn();
    const { sink, writer } = handedOver({ kernelBytes: 1 }, (all) => {
      pushAll(all, ['ab', 'c']);
      all.whenEmpty(done);
    });
    expect(done).not.toHaveBeenCalled();
    for (const _ of [1, 2, 3]) {
      sink.read();
      writer.pump();
    }
    expect([sink.writes, done.mock.calls.length]).toEqual([['ab', 'c'], 1]);
  });
  it('reports what is unread anew, without the large frames that the kernel has taken', () => {
    const sink = scriptedSink();
    const paced = new PacedWriter(sink, 1_000_000);
    paced.push(frame('x'.repeat(20_000)));
    expect(sink.unreadTold).toBe(20_000);
    new PlainWriter(sink, 1_000_000).takeOver(paced.handOver());
    expect(sink.unreadTold).toBe(0);
  });
  it('drops replaced answers of a peer that does not read, as before', () => {
    const large = 'n'.repeat(100_000);
    const { sink, writer } = handedOver({ kernelBytes: 1 }, (all) => {
      all.push(frame('ab'));
      for (const _ of [1, 2]) all.push(frame(large), true);
    });
    writer.push(frame(large), true);
    expect(sink.backlogs.at(-1)).toBe(1 + large.length);
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
    expect(sink.backlogs).toEqual([2, 3]);
    writer.push(frame('e'));
    await tick();
    expect(sink.backlogs).toEqual([2, 3, 4]);
  });

  it('writes the frames of a turn before its end once they have 64 KiB', async () => {
    const { sink, writer } = start({ kernelBytes: 1 }, 1_000_000);
    const half = 'x'.repeat(32 * 1024);
    writer.push(frame(half));
    expect(sink.writes).toEqual([]);
    writer.push(frame(half));
    expect(sink.writes).toEqual([half + half]);
    expect(sink.backlogs).toEqual([64 * 1024 - 1]);
    writer.push(frame('y'));
    await tick();
    expect([sink.writes.length, sink.backlogs.at(-1)]).toEqual([1, 64 * 1024]);
  });

  it('retains no larger buffer with a frame that waits', async () => {
    const { sink, writer } = start({ kernelBytes: 1 });
    writer.push(frame('ab'));
    await tick();
    const block = new Uint8Array(100).fill(0x61);
    writer.push(block.subarray(10, 12));
    block.fill(0x62);
    sink.read();
    writer.pump();
    expect(sink.writes).toEqual(['ab', 'aa']);
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
