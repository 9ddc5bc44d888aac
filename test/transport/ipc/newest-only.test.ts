import { describe, expect, it, onTestFinished } from 'vitest';
import { bytesOf, NewestOnly } from '../../../src/transport/ipc/newest-only.ts';
import { PacedWriter } from '../../../src/transport/ipc/paced-writer.ts';
import { PlainWriter } from '../../../src/transport/ipc/plain-writer.ts';
import { scriptedSink } from '../../helpers/scripted-sink.ts';

const frame = (text: string) => new TextEncoder().encode(text);
const LARGE = 'x'.repeat(300_000);
/** Answers of which only the newest matters. */
const answer = (index: number) => `{answer ${index}}`;

it.each([
  ['paced', PacedWriter],
  ['plain', PlainWriter],
])('%s: large answers that wait make no other answer superfluous', async (_, Writer) => {
  const sink = scriptedSink({ kernelBytes: 100_000 });
  const writer = new Writer(sink, 10_000_000);
  onTestFinished(() => writer.stop());
  const sent = [LARGE, LARGE, answer(1), LARGE, answer(2), answer(3)];
  for (const text of sent) {
    writer.push(frame(text), text !== LARGE);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (let reads = 0; !writer.isEmpty && reads < 1000; reads += 1) {
    sink.read();
    writer.pump();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(sink.writes.join('') === sent.join('')).toBe(true);
});

it.each([
  ['paced', PacedWriter],
  ['plain', PlainWriter],
])('%s: of superfluous answers beyond the limit only the newest ones are sent', async (_, Writer) => {
  const sink = scriptedSink({ kernelBytes: 100_000 });
  const writer = new Writer(sink, 10_000_000);
  onTestFinished(() => writer.stop());
  writer.push(frame(LARGE));
  await new Promise((resolve) => setImmediate(resolve));
  for (let index = 0; index < 30; index += 1) writer.push(frame(answer(index).padEnd(10_000)), true);
  for (let reads = 0; !writer.isEmpty && reads < 1000; reads += 1) {
    sink.read();
    writer.pump();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const got = sink.writes
    .join('')
    .slice(LARGE.length)
    .match(/[{]answer \d+[}]/g);
  expect(got?.length).toBeLessThan(10);
  expect(got?.at(-1)).toBe(answer(29));
});

describe('waiting newest-only answers', () => {
  const KIB = 1024;

  /** Frames of so many bytes; the answers among them are added. */
  function arrange(...frames: readonly (readonly ['answer' | 'other', number])[]) {
    const newestOnly = new NewestOnly();
    const waiting = frames.map(([, bytes]) => new Uint8Array(bytes));
    for (const [index, [kind]] of frames.entries()) {
      const frame = waiting[index];
      if (kind === 'answer' && frame) newestOnly.add(frame);
    }
    return { newestOnly, waiting };
  }

  it('all wait up to 256 KiB', () => {
    const { newestOnly, waiting } = arrange(['answer', 128 * KIB], ['answer', 128 * KIB]);
    expect(newestOnly.thinned(waiting)).toBe(waiting);
  });
  it('are dropped above 256 KiB, except the newest, and other frames stay', () => {
    const { newestOnly, waiting } = arrange(
      ['other', 1],
      ['answer', 128 * KIB],
      ['other', 2],
      ['answer', 128 * KIB + 1],
      ['other', 3],
    );
    expect(newestOnly.thinned(waiting).map(({ byteLength }) => byteLength)).toEqual([1, 2, 128 * KIB + 1, 3]);
  });
  it('no longer count once they have been sent', () => {
    const { newestOnly, waiting } = arrange(['answer', 200 * KIB], ['answer', 100 * KIB]);
    const left = waiting.slice(1);
    expect(newestOnly.thinned(left)).toBe(left);
    // What is left and two more are 256 KiB.
    const more = [...left, new Uint8Array(100 * KIB), new Uint8Array(56 * KIB)];
    for (const frame of more.slice(1)) newestOnly.add(frame);
    expect(newestOnly.thinned(more)).toBe(more);
    const tooMany = [...more, new Uint8Array(1)];
    newestOnly.add(tooMany.at(-1) ?? new Uint8Array());
    expect(newestOnly.thinned(tooMany)).toEqual([new Uint8Array(1)]);
  });
  it('all wait when those that were sent made them more than 256 KiB', () => {
    const { newestOnly, waiting } = arrange(
      ['answer', 200 * KIB],
      ['answer', 50 * KIB],
      ['other', 1],
      ['answer', 50 * KIB],
    );
    const left = waiting.slice(1);
    expect(newestOnly.thinned(left)).toBe(left);
  });
  it('are counted from the newest on after some were dropped', () => {
    const { newestOnly, waiting } = arrange(['answer', 200 * KIB], ['answer', 100 * KIB]);
    const left = newestOnly.thinned(waiting);
    expect(left).toHaveLength(1);
    const more = [...left, new Uint8Array(156 * KIB)];
    newestOnly.add(more.at(-1) ?? new Uint8Array());
    expect(newestOnly.thinned(more)).toBe(more);
  });
  it('are not dropped when there is only one, however large', () => {
    const { newestOnly, waiting } = arrange(['other', 5], ['answer', 300 * KIB]);
    expect(newestOnly.thinned(waiting)).toBe(waiting);
  });
  it('are none when no answer was added, and no frame is dropped', () => {
    const waiting = [new Uint8Array(300 * KIB), new Uint8Array(300 * KIB)];
    expect(new NewestOnly().thinned(waiting)).toBe(waiting);
  });
  it('have a size that is the sum of their bytes', () => {
    expect(bytesOf([new Uint8Array(3), new Uint8Array(4)])).toBe(7);
  });
});
