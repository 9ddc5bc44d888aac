import { createInflate, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import {
  COMPRESSORS,
  type Compressor,
  PlainWire,
  StreamWire,
} from '../../../../src/emulator/serve/gateway/wire.ts';

interface Sent {
  readonly data: Buffer;
  readonly binary: boolean;
  readonly fin: boolean;
}

/** A socket that keeps what is sent. */
function socketOf() {
  const sent: Sent[] = [];
  const socket = {
    bufferedAmount: 7,
    send: (
      data: string | Buffer,
      { binary, fin = true }: { binary: boolean; fin?: boolean },
      left?: () => void,
    ) => {
      sent.push({ data: Buffer.from(data), binary, fin });
      left?.();
    },
    terminate: () => {},
  };
  return { socket: socket as unknown as WebSocket, sent };
}

const zlibWire = (socket: WebSocket) =>
  new StreamWire(socket, (COMPRESSORS.get('zlib-stream') as () => Compressor)());

const joined = (sent: readonly Sent[]) => Buffer.concat(sent.map(({ data }) => data));

describe('a plain wire', () => {
  it('compresses payloads from 1024 characters on, once the client asks for it', () => {
    const { socket, sent } = socketOf();
    const wire = new PlainWire(socket);
    wire.send('x'.repeat(1024));
    wire.compress();
    wire.send('x'.repeat(1023));
    wire.send('x'.repeat(1024));
    expect(sent.map(({ binary, data }) => [binary, data.length < 1000])).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
    expect(inflateSync(sent[2]?.data ?? '').toString()).toBe('x'.repeat(1024));
    expect(wire.waiting).toBe(7);
  });

  it.each([false, true])(
    'splits a message into fragments of which the last is final (compressed: %s)',
    (compressed) => {
      const { socket, sent } = socketOf();
      const wire = new PlainWire(socket);
      if (compressed) wire.compress();
      const text = Array.from({ length: 600 }, (_, n) => n).join();
      let left = 0;
      wire.send(text, () => (left += 1), true);
      expect(sent.length).toBeGreaterThan(1);
      expect(sent.map(({ fin }) => fin)).toEqual(sent.map((_, at) => at === sent.length - 1));
      expect(sent.every(({ binary }) => binary === compressed)).toBe(true);
      const bytes = joined(sent);
      expect((compressed ? inflateSync(bytes) : bytes).toString()).toBe(text);
      expect(left).toBe(1);
    },
  );
});

describe('a wire of one zlib stream', () => {
  it('flushes each payload, in one message or in fragments', async () => {
    const { socket, sent } = socketOf();
    const wire = zlibWire(socket);
    const texts = ['one', 'two'.repeat(100), 'three'];
    const left: string[] = [];
    for (const text of texts) wire.send(text, () => left.push(text), text.length > 100);
    expect(wire.waiting).toBe(7 + texts.join('').length);
    await expect.poll(() => left).toEqual(texts);
    expect(wire.waiting).toBe(7);
    expect(sent.every(({ binary }) => binary)).toBe(true);
    const messages = sent.filter(({ fin }) => fin);
    expect(
      messages.map(({ data }) => data.subarray(-4).toString('hex')).filter((end) => end === '0000ffff')
        .length,
    ).toBeGreaterThanOrEqual(2);
    expect(joined(sent).subarray(-4).toString('hex')).toBe('0000ffff');
    expect(sent.length).toBeGreaterThan(3);
    const inflate = createInflate();
    const parts: Buffer[] = [];
    inflate.on('data', (part: Buffer) => parts.push(part));
    inflate.write(joined(sent));
    await expect.poll(() => Buffer.concat(parts).toString()).toBe(texts.join(''));
    wire.close();
  });

  it('that is closed sends nothing more', async () => {
    const { socket, sent } = socketOf();
    const wire = zlibWire(socket);
    wire.close();
    let left = 0;
    wire.send('one', () => (left += 1));
    await expect.poll(() => left).toBe(1);
    expect([sent, wire.waiting]).toEqual([[], 7]);
  });
});
