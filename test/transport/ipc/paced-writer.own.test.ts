import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PacedWriter } from '../../../src/transport/ipc/paced-writer.ts';
import { type ScriptedSink, type SinkScript, scriptedSink } from '../../helpers/scripted-sink.ts';

const frame = (text: string) => new TextEncoder().encode(text);

function start(script: SinkScript = {}, maxBytes = 1000): { sink: ScriptedSink; writer: PacedWriter } {
  const sink = scriptedSink(script);
  const writer = new PacedWriter(sink, maxBytes);
  onTestFinished(() => writer.stop());
  return { sink, writer };
}

// Time stands still unless a test moves it; the turns of the event loop are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** One turn of the event loop; no time passes. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** So many ms, with a turn of the event loop after each. */
async function pass(ms: number): Promise<void> {
  for (let i = 0; i < ms; i++) {
    vi.advanceTimersByTime(1);
    await turn();
  }
}

/** The peer reads, and leaves the read. */
async function readAll(sink: ScriptedSink): Promise<void> {
  sink.read();
  await turn();
  await pass(1);
}

describe('a peer that reads', () => {
  it('gets every frame in a write of its own, once it has left the previous read', async () => {
    const { sink, writer } = start({ eager: true });
    for (const text of ['a', 'bb', 'ccc']) writer.push(frame(text));
    expect(sink.writes).toEqual(['a']);
    for (let i = 0; i < 5; i++) await turn();
    expect(sink.writes).toEqual(['a']);
    await pass(1);
    expect(sink.writes).toEqual(['a', 'bb']);
    await pass(1);
    expect(sink.writes).toEqual(['a', 'bb', 'ccc']);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('gets the answer to a later request at once', () => {
    const { sink, writer } = start();
    for (const text of ['a', 'bb', 'ccc']) {
      writer.push(frame(text));
      sink.read();
      writer.received();
    }
    expect(sink.writes).toEqual(['a', 'bb', 'ccc']);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('gets the next frame only after a pause when its request preceded the read', async () => {
    const { sink, writer } = start();
    writer.push(frame('a'));
    writer.received();
    writer.push(frame('b'));
    sink.read();
    for (let i = 0; i < 5; i++) await turn();
    expect(sink.writes).toEqual(['a']);
    await pass(1);
    expect(sink.writes).toEqual(['a', 'b']);
  });
  it('gets a frame at once when it read the previous one long ago', async () => {
    const { sink, writer } = start();
    writer.push(frame('a'));
    sink.read();
    await pass(1);
    writer.push(frame('b'));
    expect(sink.writes).toEqual(['a', 'b']);
  });
  it('gets the next frame only once it has read the previous one', async () => {
    const { sink, writer } = start();
    for (const text of ['a', 'b', 'c']) writer.push(frame(text));
    expect(sink.writes).toEqual(['a']);
    await turn();
    expect(sink.writes).toEqual(['a']);
    await readAll(sink);
    expect(sink.writes).toEqual(['a', 'b']);
    await turn();
    expect(sink.writes).toEqual(['a', 'b']);
    await readAll(sink);
    expect(sink.writes).toEqual(['a', 'b', 'c']);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('gets a frame that follows many frames sent in one write', async () => {
    const { sink, writer } = start();
    for (let i = 0; i < 98; i++) writer.push(frame('x'));
    expect(sink.writes).toEqual(['x', 'x'.repeat(97)]);
    sink.read();
    await pass(5);
    writer.push(frame('last'));
    await pass(5);
    expect(sink.writes.at(-1)).toBe('last');
  });
  it('never gets an empty write or a frame twice', () => {
    const { sink, writer } = start();
    writer.pump();
    writer.push(frame('a'));
    sink.read();
    for (let i = 0; i < 3; i++) writer.pump();
    expect(sink.writes).toEqual(['a']);
  });
});

describe('polling whether the peer has read', () => {
  it('happens in fewer and fewer turns for half a millisecond, then every 2 ms', async () => {
    const { sink, writer } = start();
    writer.push(frame('a'));
    writer.push(frame('b'));
    /** How often the sink is asked within so many ms and the turn after them. */
    const asks = async (ms: number) => {
      const before = sink.asked;
      vi.advanceTimersByTime(ms);
      await turn();
      return sink.asked - before;
    };
    const turns: number[] = [];
    for (let n = 1; n <= 47; n++) if ((await asks(0)) > 0) turns.push(n);
    expect(turns).toEqual([1, 3, 7, 15, 31, 47]);
    expect(await asks(1)).toBe(0);
    for (let n = 2; n <= 16; n++) await turn();
    for (let i = 0; i < 5; i++) expect(await asks(0)).toBe(0);
    expect(await asks(1)).toBe(0);
    expect(await asks(1)).toBeGreaterThan(0);
    sink.read();
    vi.advanceTimersByTime(2);
    expect(sink.writes).toEqual(['a', 'b']);
  });
  it('is not repeated for another frame while it is scheduled', () => {
    const { sink, writer } = start();
    writer.push(frame('a'));
    writer.push(frame('b'));
    const { asked } = sink;
    for (const text of ['c', 'd', 'e']) writer.push(frame(text));
    expect(sink.asked).toBe(asked);
    expect(sink.backlogs.at(-1)).toBe(4);
  });
  it('ends with the last waiting frame', async () => {
    const { sink, writer } = start();
    writer.push(frame('a'));
    writer.push(frame('b'));
    await readAll(sink);
    const { asked } = sink;
    await pass(1000);
    expect(sink.asked).toBe(asked);
  });
});

describe('a slow peer', () => {
  it('gets the waiting frames in one write after 250 ms, and later frames without a wait', async () => {
    const { sink, writer } = start();
    for (const text of ['a', 'b', 'c']) writer.push(frame(text));
    await pass(248);
    expect(sink.writes).toEqual(['a']);
    await pass(4);
    expect(sink.writes).toEqual(['a', 'bc']);
    writer.push(frame('d'));
    expect(sink.writes).toEqual(['a', 'bc', 'd']);
  });
  it('gets at most 64 KiB in a write, and a larger frame by itself', async () => {
    const { sink, writer } = start({}, 1_000_000);
    writer.push(frame('a'));
    const sizes = [30_000, 30_000, 5537, 70_000, 1, 65_535];
    for (const size of sizes) writer.push(frame('x'.repeat(size)));
    await pass(260);
    expect(sink.writes.map((write) => write.length)).toEqual([1, 60_000, 5537, 70_000, 65_536]);
  });
  it('is paced again once it has caught up', async () => {
    const { sink, writer } = start();
    writer.push(frame('a'));
    writer.push(frame('b'));
    await pass(260);
    sink.read();
    for (const text of ['c', 'd', 'e']) writer.push(frame(text));
    expect(sink.writes).toEqual(['a', 'b', 'c']);
    await readAll(sink);
    expect(sink.writes).toEqual(['a', 'b', 'c', 'd']);
  });
  it('is one that left a single frame unread for 250 ms, not several frames together', async () => {
    const { sink, writer } = start();
    for (const text of 'abcde') writer.push(frame(text));
    for (let i = 0; i < 3; i++) {
      await pass(200);
      sink.read();
      await pass(2);
    }
    expect(sink.writes).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('many waiting frames', () => {
  const letters = Array.from({ length: 100 }, (_, i) => String.fromCharCode(48 + i));

  it('are still sent one by one at 96', async () => {
    const { sink, writer } = start();
    for (const text of letters.slice(0, 97)) writer.push(frame(text));
    expect(sink.writes).toEqual(letters.slice(0, 1));
    await readAll(sink);
    expect(sink.writes).toEqual(letters.slice(0, 2));
  });
  it('share a write at 97, in order', () => {
    const { sink, writer } = start();
    for (const text of letters.slice(0, 98)) writer.push(frame(text));
    expect(sink.writes).toEqual([letters[0], letters.slice(1, 98).join('')]);
  });
  it('are a crowd from 16 on, and no longer at 15', async () => {
    const { sink, writer } = start();
    for (const text of letters.slice(0, 16)) writer.push(frame(text));
    expect(sink.isCrowded).toBe(false);
    writer.push(frame('last'));
    expect(sink.isCrowded).toBe(true);
    await readAll(sink);
    expect(sink.writes).toHaveLength(2);
    expect(sink.isCrowded).toBe(false);
  });
  it('are no longer a crowd once 256 had to wait without a rest, and are one again after a rest', async () => {
    const { sink, writer } = start({ eager: true });
    let pushed = 0;
    for (const count of [256, 257]) {
      while (sink.writes.length < count) {
        for (; pushed - sink.writes.length < 20; pushed++) writer.push(frame('x'));
        await pass(1);
      }
      expect(sink.isCrowded).toBe(count === 256);
    }
    await pass(1100);
    expect(sink.writes.join('')).toHaveLength(pushed);
    for (const text of letters.slice(0, 20)) writer.push(frame(text));
    expect(sink.isCrowded).toBe(true);
  });
  it('share writes while the flood lasts, even if the queue is empty for a moment', async () => {
    const { sink, writer } = start({ eager: true }, 1_000_000);
    let pushed = 0;
    const push20 = (): void => {
      for (const end = pushed + 20; pushed < end; pushed++) writer.push(frame('x'));
    };
    const written = (): number => sink.writes.join('').length;
    while (sink.writes.length < 257) {
      if (pushed - sink.writes.length < 20) push20();
      await pass(1);
    }
    // From here on the peer asks for more than it is given, and reads all of it.
    for (let share = 0; share < 3; share++) {
      const before = sink.writes.length;
      while (sink.writes.length === before) {
        push20();
        expect(sink.isCrowded).toBe(false);
      }
      expect(sink.writes.at(-1)?.length).toBeGreaterThan(32);
    }
    await pass(1200);
    expect(written()).toBe(pushed);
    for (const text of letters.slice(0, 20)) writer.push(frame(text));
    expect(sink.isCrowded).toBe(true);
  });
  it('share one write per chunk of requests once 256 were written from a deep queue, until a long rest', async () => {
    const { sink, writer } = start({ eager: true });
    let pushed = 0;
    while (sink.writes.length < 257) {
      for (; pushed - sink.writes.length < 12; pushed++) writer.push(frame('x'));
      await pass(1);
    }
    // A busy bridge may take so long for the next requests.
    await pass(500);
    expect(sink.writes.join('')).toHaveLength(pushed);
    const before = sink.writes.length;
    for (const chunk of ['abcd', 'efgh', 'i']) {
      for (const text of chunk) {
        writer.push(frame(text));
        expect(sink.writes).not.toContain(text);
      }
      await turn();
      await pass(1);
    }
    expect(sink.writes.slice(before)).toEqual(['abcd', 'efgh', 'i']);
    await pass(1001);
    for (const text of 'jklm') writer.push(frame(text));
    expect(sink.writes.at(-1)).toBe('j');
  });
  it('share no write while only few wait, however many were written', async () => {
    const { sink, writer } = start({ eager: true });
    let pushed = 0;
    while (sink.writes.length < 1000) {
      for (; pushed - sink.writes.length < 8; pushed++) writer.push(frame('x'));
      await pass(1);
    }
    expect(sink.writes).toEqual(sink.writes.map(() => 'x'));
  });
  it('are no crowd for a peer that does not read: it gets all of them, and may send more requests', async () => {
    const { sink, writer } = start();
    for (const text of letters.slice(0, 40)) writer.push(frame(text));
    expect(sink.isCrowded).toBe(true);
    await pass(260);
    expect(sink.writes).toEqual([letters[0], letters.slice(1, 40).join('')]);
    expect(sink.isCrowded).toBe(false);
    for (const text of letters.slice(40, 80)) writer.push(frame(text));
    expect(sink.isCrowded).toBe(false);
  });
});

describe('a writer that cannot detect reads', () => {
  it('leaves 5 ms between the answers to a peer that sends a request after each', async () => {
    const { sink, writer } = start({ blind: true });
    for (const text of ['a', 'b', 'c']) {
      writer.push(frame(text));
      writer.received();
    }
    expect(sink.writes).toEqual(['a']);
    await pass(4);
    expect(sink.writes).toEqual(['a']);
    await pass(2);
    expect(sink.writes).toEqual(['a', 'b']);
    writer.received();
    await pass(4);
    expect(sink.writes).toEqual(['a', 'b']);
    await pass(2);
    expect(sink.writes).toEqual(['a', 'b', 'c']);
  });
  it('leaves 30 ms between frames that no request follows', async () => {
    const { sink, writer } = start({ blind: true });
    for (const text of ['a', 'b', 'c']) writer.push(frame(text));
    await pass(29);
    expect(sink.writes).toEqual(['a']);
    await pass(2);
    expect(sink.writes).toEqual(['a', 'b']);
    await pass(28);
    expect(sink.writes).toEqual(['a', 'b']);
    await pass(3);
    expect(sink.writes).toEqual(['a', 'b', 'c']);
  });
  it('leaves 30 ms after an event that no request follows, although one came between answer and event', async () => {
    const { sink, writer } = start({ blind: true });
    writer.push(frame('answer'));
    writer.push(frame('event'));
    writer.received();
    await pass(6);
    expect(sink.writes).toEqual(['answer', 'event']);
    writer.push(frame('answer'));
    await pass(28);
    expect(sink.writes).toHaveLength(2);
    await pass(4);
    expect(sink.writes).toHaveLength(3);
  });
  it('keeps up with events that are more frequent than one in 30 ms', async () => {
    const { sink, writer } = start({ blind: true });
    for (let i = 0; i < 50; i++) {
      writer.push(frame(String(i % 10)));
      await pass(20);
    }
    expect(sink.writes.length).toBeGreaterThan(45);
    expect(sink.isCrowded).toBe(false);
  });
  it('sends at once after a rest, and does not spin', async () => {
    const { sink, writer } = start({ blind: true });
    writer.push(frame('a'));
    await pass(30);
    writer.push(frame('b'));
    expect(sink.writes).toEqual(['a', 'b']);
    writer.push(frame('c'));
    const { asked } = sink;
    for (let i = 0; i < 100; i++) await turn();
    expect(sink.asked).toBe(asked);
  });
  it('never treats a peer as slow: frames share a write only when they are many', async () => {
    const { sink, writer } = start({ blind: true });
    for (let i = 0; i < 30; i++) writer.push(frame(String(i % 10)));
    await pass(1200);
    expect(sink.writes).toHaveLength(30);
  });
});

describe('a full kernel buffer', () => {
  it('stops the writes until there is room again', async () => {
    const { sink, writer } = start({ kernelBytes: 4 });
    writer.push(frame('abcdef'));
    writer.push(frame('g'));
    expect(sink.buffered()).toBe(2);
    await pass(1000);
    expect(sink.writes).toEqual(['abcdef']);
    sink.read();
    sink.read();
    writer.pump();
    expect(sink.writes).toEqual(['abcdef', 'g']);
  });
});

describe('the budget', () => {
  it('is exact to the byte: one more overflows once, and ends the writes', async () => {
    const { sink, writer } = start({}, 10);
    writer.push(frame('1'));
    writer.push(frame('23456'));
    writer.push(frame('78901'));
    writer.push(frame('23456'));
    expect(sink.overflows).toBe(0);
    writer.push(frame('7'));
    expect(sink.overflows).toBe(1);
    sink.read();
    writer.push(frame('3'));
    await pass(1000);
    expect(sink.overflows).toBe(1);
    expect(sink.writes).toEqual(['1']);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('counts bytes in the memory of the process behind the kernel, too', () => {
    const { sink, writer } = start({ kernelBytes: 4 }, 10);
    writer.push(frame('x'.repeat(14)));
    writer.push(frame('x'.repeat(10)));
    expect(sink.overflows).toBe(0);
    writer.push(frame('y'));
    expect(sink.overflows).toBe(1);
  });
  it.each([4, 1000])(
    'does not count the frame at the front, with room for %i bytes in the kernel',
    (kernelBytes) => {
      const { sink, writer } = start({ kernelBytes }, 10);
      writer.push(frame('x'));
      writer.push(frame('y'.repeat(500)));
      expect(sink.overflows).toBe(0);
    },
  );
  it('does not count frames that the peer has read', () => {
    const { sink, writer } = start({ eager: true }, 10);
    for (let i = 0; i < 100; i++) {
      writer.push(frame('12345'));
      writer.received();
    }
    expect(sink.overflows).toBe(0);
  });
});

describe('a large frame', () => {
  const LARGE = 16 * 1024;
  const large = frame('x'.repeat(LARGE));
  const small = frame('x'.repeat(LARGE - 1));

  it('counts as unread until the peer has read it, although none of it is held', async () => {
    const { sink, writer } = start();
    writer.push(large);
    expect([sink.backlogs.at(-1), sink.unreadTold]).toEqual([0, LARGE]);
    await pass(40);
    sink.read();
    await pass(11);
    expect([sink.backlogs.at(-1), sink.unreadTold]).toEqual([0, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('still counts while other frames wait behind it, and after they were written', async () => {
    const { sink, writer } = start({}, 1_000_000);
    writer.push(large);
    writer.push(large);
    writer.push(small);
    expect([sink.backlogs.at(-1), sink.unreadTold]).toEqual([2 * LARGE - 1, 3 * LARGE - 1]);
    await pass(260);
    expect(sink.writes).toHaveLength(2);
    expect([sink.backlogs.at(-1), sink.unreadTold]).toEqual([0, 2 * LARGE]);
    await pass(5000);
    expect(sink.unreadTold).toBe(2 * LARGE);
  });
  it('counts once when a part of it waits in the memory of the process', () => {
    const { sink, writer } = start({ kernelBytes: 1000 }, 1_000_000);
    writer.push(large);
    expect([sink.backlogs.at(-1), sink.unreadTold]).toEqual([LARGE - 1000, LARGE]);
  });
  it('no longer counts when the peer sends data after it has read the frame', () => {
    const { sink, writer } = start();
    writer.push(large);
    sink.read();
    writer.received();
    expect(vi.getTimerCount()).toBe(0);
    writer.push(frame('a'));
    expect(sink.unreadTold).toBe(0);
  });
  it('that stays unread is checked less and less often', async () => {
    const { sink, writer } = start();
    writer.push(large);
    await pass(2000);
    const before = sink.asked;
    await pass(10_000);
    expect(sink.asked - before).toBeLessThanOrEqual(11);
    expect(sink.unreadTold).toBe(LARGE);
  });
  it('does not count below 16 KiB, nor where the system cannot detect reads', async () => {
    for (const [script, bytes] of [[{}, small] as const, [{ blind: true }, large] as const]) {
      const { sink, writer } = start(script);
      writer.push(bytes);
      await pass(60);
      expect(sink.unreadTold).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    }
  });
  it('leaves no timer when the writer is stopped', () => {
    const { writer } = start();
    writer.push(large);
    writer.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('whenEmpty', () => {
  it('calls back at once when no frame waits', () => {
    const done = vi.fn();
    start().writer.whenEmpty(done);
    expect(done).toHaveBeenCalledOnce();
  });
  it('calls back once, after the last frame was handed to the kernel', async () => {
    const { sink, writer } = start({ kernelBytes: 4 });
    const done = vi.fn();
    writer.push(frame('a'));
    writer.push(frame('bcdefg'));
    writer.whenEmpty(done);
    await readAll(sink);
    expect(sink.writes).toEqual(['a', 'bcdefg']);
    expect(done).not.toHaveBeenCalled();
    sink.read();
    writer.pump();
    writer.pump();
    expect(done).toHaveBeenCalledOnce();
  });
  it('calls back after a frame that is pushed later', async () => {
    const { sink, writer } = start();
    const done = vi.fn(() => expect(sink.writes).toEqual(['a', 'b', 'c']));
    writer.push(frame('a'));
    writer.push(frame('b'));
    writer.whenEmpty(done);
    writer.push(frame('c'));
    for (let i = 0; i < 3; i++) await readAll(sink);
    expect(done).toHaveBeenCalledOnce();
  });
});

describe('stop', () => {
  it('drops waiting frames and leaves no timer', () => {
    const { sink, writer } = start();
    for (const text of ['a', 'b', 'c']) writer.push(frame(text));
    writer.stop();
    sink.read();
    writer.push(frame('d'));
    writer.pump();
    expect(vi.getTimerCount()).toBe(0);
    expect(sink.writes).toEqual(['a']);
  });
});
