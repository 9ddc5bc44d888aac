import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dump, frameName, SecretFilter } from '../../src/conformance/trace/dump.ts';
import { Trace, Tracer } from '../../src/conformance/trace/trace.ts';
import { frameBytes } from '../../src/conformance/wire/frame.ts';
import { connectIpc } from '../../src/conformance/wire/ipc.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

it('dump prints bytes at their offsets, with the text beside them', () => {
  const rows = dump(Buffer.from('0123456789abcdef\u0000\u001b[31m\u00e9', 'latin1'));
  expect(rows).toEqual([
    '000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  |0123456789abcdef|',
    `000010  00 1b 5b 33 31 6d e9${' '.repeat(27)}  |..[31m.|`,
  ]);
  expect(dump(Buffer.alloc(0))).toEqual([]);
  expect(dump(Buffer.alloc(5000)).slice(-2)).toEqual([
    expect.stringMatching(/^0001f0 /),
    '… 4488 bytes more',
  ]);
});

it('frameName names bytes that are exactly one frame', () => {
  expect(frameName(frameBytes(1, '{}'))).toBe('FRAME(1)');
  expect(frameName(frameBytes(9, '{}'))).toBeUndefined();
  expect(frameName(frameBytes(1, '{}', 3))).toBeUndefined();
  expect(frameName(Buffer.alloc(3))).toBeUndefined();
});

it('SecretFilter hides tokens and codes, and moves no byte', () => {
  const body = '{"data":{"code":"c0de","access_token" : "t0ken","code":4000},"x":"kept"}';
  const hidden = text(new SecretFilter().hide(Buffer.from(body)));
  expect(hidden).toBe('{"data":{"code":"****","access_token" : "*****","code":4000},"x":"kept"}');
});

it('SecretFilter hides secrets wherever and however often the stream is cut', () => {
  const body = '{"a":1,"access_token":"s3cret-s3cret","b":2,"code":"t0p","c":"kept"}';
  const shown = '{"a":1,"access_token":"*************","b":2,"code":"***","c":"kept"}';
  for (let cut = 0; cut <= body.length; cut++) {
    const filter = new SecretFilter();
    const parts = [body.slice(0, cut), body.slice(cut)].map((part) => text(filter.hide(Buffer.from(part))));
    // A name that is not whole yet could be anybody's; what stands behind it is hidden all the same.
    expect(parts.join('')).toBe(shown);
  }
  const filter = new SecretFilter();
  expect(
    body
      .split('')
      .map((sign) => text(filter.hide(Buffer.from(sign))))
      .join(''),
  ).toBe(shown);
});

it('the tracer assigns a connection to the case that opened it, although other cases run in parallel', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ct-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 's');
  const server = createServer((socket) => socket.on('data', (bytes) => socket.end(bytes)));
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => void server.close());
  const tracer = new Tracer();
  const run = async (words: string): Promise<readonly string[]> => {
    const trace = new Trace();
    await tracer.follow(trace, async () => {
      const connection = await connectIpc(path, 1000, tracer);
      await connection.sendText(words);
      await connection.next(1000);
      expect((await connection.next(1000)).kind).toBe('end');
      connection.destroy();
    });
    return trace.lines.map((line) => line.replace(/^ +[\d.]+ s /, ''));
  };
  const [one, two] = await Promise.all([run('one'), run('twotwo')]);
  expect(one).toEqual([
    ` #1 connection: ${path}`,
    ' #1 sent 11 bytes, FRAME(1)',
    `           000000  01 00 00 00 03 00 00 00 6f 6e 65${' '.repeat(15)}  |........one|`,
    ' #1 received 11 bytes, FRAME(1)',
    `           000000  01 00 00 00 03 00 00 00 6f 6e 65${' '.repeat(15)}  |........one|`,
    ' #1 end of stream',
    ' #1 we hang up',
  ]);
  expect(two?.filter((line) => line.includes('twotwo'))).toHaveLength(2);
  expect(tracer.current).toBeUndefined();
});

it('a trace stops at a limit when a case floods it', () => {
  const trace = new Trace();
  for (let count = 0; count < 5000; count++) trace.note('again');
  expect(trace.lines).toHaveLength(2001);
  expect(trace.lines.at(-1)).toBe('… what follows is left out');
});
