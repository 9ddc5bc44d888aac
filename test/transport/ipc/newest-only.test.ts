import { expect, it, onTestFinished } from 'vitest';
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
])('%s: of more superfluous answers than may wait the newest is left', async (_, Writer) => {
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
