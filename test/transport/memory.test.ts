import { describe, expect, it } from 'vitest';
import { type MemoryPeer, memoryTransport } from '../../src/transport/memory.ts';
import { Opcode } from '../../src/wire/codes.ts';
import type { Connection } from '../../src/wire/connection.ts';
import { encodeFrame, type Frame } from '../../src/wire/frame.ts';
import { settled } from '../helpers/app-peer.ts';
import { concatBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';

interface Pair {
  readonly connection: Connection;
  readonly peer: MemoryPeer;
  readonly frames: string[];
  readonly broken: Error[];
  readonly ends: number;
  readonly start: (onFrame?: (text: string) => void) => void;
}

async function pair(): Promise<Pair> {
  const accepted: Connection[] = [];
  const transport = memoryTransport();
  await transport.listen((connection) => void accepted.push(connection));
  const peer = transport.connect();
  const [connection] = accepted;
  if (connection === undefined) throw new Error('nobody was told of the connection');
  const frames: string[] = [];
  const broken: Error[] = [];
  let ends = 0;
  return {
    connection,
    peer,
    frames,
    broken,
    get ends() {
      return ends;
    },
    start(onFrame = () => {}) {
      connection.start({
        frame({ body }) {
          frames.push(text(body));
          onFrame(text(body));
        },
        partial() {},
        backlog() {},
        requestsInFlight: 0,
        halfClosed() {},
        admits: () => true,
        broken: (error) => void broken.push(error),
        ended: () => {
          ends += 1;
        },
      });
    },
  };
}

const text = (body: Uint8Array) => new TextDecoder().decode(body);
const frame = (body: string) => frameBytes(Opcode.FRAME, body);
const received = (one: Frame | undefined) => one && text(one.body);

describe('the memory transport', () => {
  it('names its endpoint, and connects only between listen() and stopAccepting()', async () => {
    const transport = memoryTransport();
    expect(() => transport.connect()).toThrow('does not listen');
    expect(await transport.listen(() => {})).toEqual([{ kind: 'memory', path: 'memory' }]);
    transport.connect();
    transport.stopAccepting();
    expect(() => transport.connect()).toThrow('does not listen');
    await transport.close();
  });
});

describe('from the peer', () => {
  it('frames arrive in order after the start, however they are split', async () => {
    const { peer, frames, start } = await pair();
    const bytes = concatBytes(frame('a'), frame('b'), frame('c'));
    peer.write(bytes.subarray(0, 12));
    expect(frames).toEqual([]);
    start();
    expect(frames).toEqual(['a']);
    for (const byte of bytes.subarray(12)) peer.write(Uint8Array.of(byte));
    peer.send(Opcode.FRAME, { d: 1 });
    expect(frames).toEqual(['a', 'b', 'c', '{"d":1}']);
  });
  it('no frame arrives during a pause, and all of them afterwards', async () => {
    const { connection, peer, frames, start } = await pair();
    start((body) => body === 'b' && connection.pause());
    peer.write(concatBytes(...['a', 'b', 'c'].map(frame)));
    peer.write(frame('d'));
    expect(frames).toEqual(['a', 'b']);
    connection.resume();
    expect(frames).toEqual(['a', 'b', 'c', 'd']);
  });
  it('a frame sent while another is handled arrives after those that waited', async () => {
    const { peer, frames, start } = await pair();
    start((body) => body === 'a' && peer.write(frame('z')));
    peer.write(concatBytes(frame('a'), frame('b')));
    expect(frames).toEqual(['a', 'b', 'z']);
  });
  it('broken bytes and too large frames are reported as broken', async () => {
    const small = await pair();
    small.start();
    small.peer.write(headerBytes(Opcode.FRAME, 16 * 1024 + 1));
    expect(small.broken).toMatchObject([{ name: 'CloseError' }]);
    const large = await pair();
    large.start();
    large.connection.setFrameLimit(20 * 1024);
    large.peer.write(frame('x'.repeat(20 * 1024)));
    expect(large.frames).toHaveLength(1);
    expect(large.broken).toEqual([]);
  });
});

describe('from the bridge', () => {
  it('frames arrive in order, at a waiting receive() and a later one', async () => {
    const { connection, peer } = await pair();
    const waiting = peer.receive();
    for (const body of ['a', 'b']) connection.send(encodeFrame(Opcode.FRAME, body));
    expect([received(await waiting), received(await peer.receive())]).toEqual(['a', 'b']);
  });
  it('CLOSE is the last frame, and ends both sides once', async () => {
    const ours = await pair();
    ours.start();
    ours.connection.send(encodeFrame(Opcode.FRAME, 'a'));
    ours.connection.close(1000, 'bye');
    ours.connection.close(1000, 'again');
    ours.connection.send(encodeFrame(Opcode.FRAME, 'late'));
    ours.peer.write(frame('late'));
    await settled();
    expect(ours.frames).toEqual([]);
    expect(ours.ends).toBe(1);
    expect(received(await ours.peer.receive())).toBe('a');
    expect(received(await ours.peer.receive())).toBe('{"code":1000,"message":"bye"}');
    expect(await ours.peer.receive()).toBeUndefined();
  });
  it.each(['end', 'destroy'] as const)(
    '%s ends both sides once, including a receive() that waits',
    async (how) => {
      const both = await pair();
      both.start();
      const waiting = both.peer.receive();
      if (how === 'end') both.peer.end();
      else both.connection.destroy();
      both.peer.end();
      both.connection.destroy();
      expect(both.ends).toBe(0);
      expect(await waiting).toBeUndefined();
      await settled();
      expect(both.ends).toBe(1);
    },
  );
});
