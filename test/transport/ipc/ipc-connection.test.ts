import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IpcConnection } from '../../../src/transport/ipc/ipc-connection.ts';
import { TurnWatch } from '../../../src/transport/ipc/turn-watch.ts';
import { CloseError } from '../../../src/wire/close-error.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import type { ConnectionListener } from '../../../src/wire/connection.ts';
import { encodeFrame, type Frame } from '../../../src/wire/frame.ts';
import { settled } from '../../helpers/app-peer.ts';
import { concatBytes, frameBytes } from '../../helpers/frame-bytes.ts';
import { os } from '../../helpers/ipc-bridge.ts';
import { type RawPeer, rawPeer } from '../../helpers/raw-peer.ts';
import { closeAfterTest, temporaryFolder } from '../../helpers/sockets.ts';

interface Pair {
  readonly connection: IpcConnection;
  /** Our end of the socket. */
  readonly socket: Socket;
  readonly peer: RawPeer;
  readonly frames: string[];
  readonly broken: Error[];
  /** Resolves when the listener is told that the peer is gone. */
  readonly ended: Promise<void>;
  readonly start: (onFrame?: (text: string) => void) => void;
}

/** A connection and the peer at its other end; `blind` is a system that cannot tell what is unread. */
async function pair({ reading = true, unreadBytes = 1024 * 1024, blind = false } = {}): Promise<Pair> {
  const path = join(temporaryFolder(), 's');
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  closeAfterTest(server);
  server.listen(path);
  await once(server, 'listening');
  const [[socket], peer] = await Promise.all([
    once(server, 'connection') as Promise<[Socket]>,
    rawPeer(path, { reading }),
  ]);
  const connection = new IpcConnection(socket, {
    handshakeFrameBytes: 64,
    unreadBytes,
    pacing: new TurnWatch(),
    os: blind ? { unsentBytes: () => undefined, hungUp: (other) => os.hungUp(other) } : os,
  });
  const frames: string[] = [];
  const broken: Error[] = [];
  let ended = (): void => {};
  const ending = new Promise<void>((resolve) => {
    ended = resolve;
  });
  return {
    connection,
    socket,
    peer,
    frames,
    broken,
    ended: ending,
    start(onFrame = () => {}) {
      const listener: ConnectionListener = {
        frame({ body }) {
          const text = new TextDecoder().decode(body);
          frames.push(text);
          onFrame(text);
        },
        partial() {},
        backlog() {},
        requestsInFlight: 0,
        halfClosed: () => connection.end(),
        admits: () => true,
        broken: (error) => void broken.push(error),
        ended,
      };
      connection.start(listener);
    },
  };
}

const frame = (text: string) => frameBytes(Opcode.FRAME, text);
const received = ({ body }: Frame) => new TextDecoder().decode(body);

/** Waits for what can only be seen from outside, and looks after each turn of the event loop: a moment may be what is meant. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('delivery', () => {
  it('waits for start(), and loses no earlier frame', async () => {
    const { peer, frames, start } = await pair();
    peer.write(concatBytes(frame('a'), frame('b')));
    await settled();
    expect(frames).toEqual([]);
    start();
    await until(() => frames.length === 2);
    expect(frames).toEqual(['a', 'b']);
  });
  it('pauses in the middle of a chunk, and resumes from there', async () => {
    const { connection, peer, frames, start } = await pair();
    start((text) => text === 'b' && connection.pause());
    peer.write(concatBytes(...['a', 'b', 'c', 'd'].map(frame)));
    await until(() => frames.length === 2);
    peer.write(concatBytes(frame('e'), frame('f').subarray(0, 3)));
    await settled();
    expect(frames).toEqual(['a', 'b']);
    connection.resume();
    expect(frames).toEqual(['a', 'b', 'c', 'd']);
    peer.write(frame('f').subarray(3));
    await until(() => frames.length === 6);
    expect(frames).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
  it('continues in the middle of a chunk with the listener of redirect()', async () => {
    const { connection, peer, frames, start } = await pair();
    const others: string[] = [];
    const other = {
      frame: (one: Frame) => void others.push(received(one)),
      partial() {},
      backlog() {},
      requestsInFlight: 0,
      halfClosed: () => connection.end(),
      admits: () => true,
      broken() {},
      ended: () => void others.push('ended'),
    };
    start((text) => text === 'b' && connection.redirect(other));
    peer.write(concatBytes(...['a', 'b', 'c', 'd'].map(frame)));
    await until(() => others.length === 2);
    peer.end();
    await until(() => others.length === 3);
    expect([frames, others]).toEqual([
      ['a', 'b'],
      ['c', 'd', 'ended'],
    ]);
  });
  it('stops while answers wait, then continues in order, unless the session has paused it', async () => {
    const { connection, peer, frames, start } = await pair();
    const answer = encodeFrame(Opcode.FRAME, '{}');
    start((text) => {
      // One at a time would be answered at once: so come the answers to many.
      if (text === '0') for (let n = 0; n < 40; n++) connection.send(answer);
      if (text === '5') connection.pause();
    });
    const texts = Array.from({ length: 10 }, (_, n) => String(n));
    peer.write(concatBytes(...texts.slice(0, 8).map(frame)));
    await until(() => frames.length > 0);
    peer.write(concatBytes(...texts.slice(8).map(frame)));
    for (let n = 0; n < 5; n++) expect(received((await peer.receive()) as Frame)).toBe('{}');
    expect(frames).toEqual(['0']);
    await until(() => frames.length === 6);
    await settled();
    expect(frames).toEqual(texts.slice(0, 6));
    connection.resume();
    await until(() => frames.length === 10);
    expect(frames).toEqual(texts);
    for (let n = 5; n < 40; n++) expect(received((await peer.receive()) as Frame)).toBe('{}');
  });
  it('can be paused again by a frame that the resume delivers', async () => {
    const { connection, peer, frames, start } = await pair();
    start(() => connection.pause());
    peer.write(concatBytes(...['a', 'b', 'c'].map(frame)));
    for (let count = 1; count <= 3; count++) {
      await until(() => frames.length === count);
      await settled();
      expect(frames).toHaveLength(count);
      connection.resume();
    }
  });
  it('accepts larger frames after setFrameLimit()', async () => {
    const { connection, peer, frames, broken, start } = await pair();
    start();
    connection.setFrameLimit(65);
    peer.write(frame('x'.repeat(65)));
    await until(() => frames.length === 1);
    peer.write(frame('x'.repeat(66)));
    await until(() => broken.length === 1);
    expect(broken[0]).toBeInstanceOf(CloseError);
  });
  it('reports broken bytes once, and delivers nothing after them', async () => {
    const { connection, peer, frames, broken, start } = await pair();
    start();
    peer.write(concatBytes(frame('a'), frameBytes(9, 'b'), frame('c')));
    await until(() => broken.length > 0);
    connection.close(1003, 'broken');
    peer.write(frame('d'));
    await settled();
    expect(frames).toEqual(['a']);
    expect(broken).toHaveLength(1);
  });
  it('reports a broken connection when a listener throws, and the process survives', async () => {
    const { peer, broken, start } = await pair();
    start(() => {
      throw new TypeError('oops');
    });
    peer.write(frame('a'));
    await until(() => broken.length === 1);
    expect(broken[0]).toMatchObject({ name: 'CloseError', cause: expect.any(TypeError) });
  });
});

describe('close', () => {
  it('sends waiting frames, then CLOSE, then the end', async () => {
    const { connection, peer, ended, start } = await pair();
    start();
    connection.send(encodeFrame(Opcode.FRAME, 'a'));
    connection.send(encodeFrame(Opcode.FRAME, 'b'));
    connection.close(1000, 'bye');
    connection.close(4000, 'again');
    connection.send(encodeFrame(Opcode.FRAME, 'too late'));
    const got = [await peer.receive(), await peer.receive(), await peer.receive(), await peer.receive()];
    expect(got.map((one) => one && received(one))).toEqual([
      'a',
      'b',
      '{"code":1000,"message":"bye"}',
      undefined,
    ]);
    peer.end();
    await ended;
  });
  it('works before start() and while paused', async () => {
    for (const started of [false, true]) {
      const both = await pair();
      if (started) both.start();
      if (started) both.connection.pause();
      both.peer.write(frame('never read'));
      both.connection.close(1006, 'full');
      const got = await both.peer.receive();
      expect(got && received(got)).toBe('{"code":1006,"message":"full"}');
      expect(await both.peer.receive()).toBeUndefined();
      expect(both.frames).toEqual([]);
    }
  });
  it('drops a peer that stays connected', async () => {
    const { connection, socket, ended, start } = await pair();
    start();
    connection.close(1000, 'bye');
    await ended;
    expect(socket.destroyed).toBe(true);
  });
});

describe('unpace', () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(20_000)}`);
  const all = async (peer: RawPeer, count: number): Promise<string[]> => {
    const got: string[] = [];
    for (let n = 0; n < count; n++) got.push(received((await peer.receive()) as Frame));
    return got;
  };

  it.each([
    ['while frames wait for the peer to read', false],
    ['while a write has left in part', true],
    ['while the connection is paused', false, true],
  ])('sends every frame, and in order, %s', async (_, isPartial, isPaused = false) => {
    const { connection, socket, peer, start } = await pair({ reading: false, unreadBytes: 4_000_000 });
    start();
    if (isPartial) connection.send(encodeFrame(Opcode.FRAME, 'first '.repeat(200_000)));
    for (const text of texts.slice(0, 20)) connection.send(encodeFrame(Opcode.FRAME, text));
    expect(socket.writableLength > 0).toBe(isPartial);
    if (isPaused) connection.pause();
    expect(connection.isPaced).toBe(true);
    connection.unpace();
    expect(connection.isPaced).toBe(false);
    connection.unpace();
    for (const text of texts.slice(20)) connection.send(encodeFrame(Opcode.FRAME, text));
    peer.socket.resume();
    const got = await all(peer, texts.length + (isPartial ? 1 : 0));
    expect(got.slice(isPartial ? 1 : 0)).toEqual(texts);
  });
  it('ends a connection that was to end once all is sent', async () => {
    const { connection, peer, start } = await pair({ reading: false });
    start();
    for (const text of ['a', 'b', 'c']) connection.send(encodeFrame(Opcode.FRAME, text));
    connection.end();
    connection.unpace();
    peer.socket.resume();
    expect(await all(peer, 3)).toEqual(['a', 'b', 'c']);
    expect(await peer.receive()).toBeUndefined();
  });
  it('reads on from a peer whose answers had waited', async () => {
    const { connection, peer, frames, start } = await pair();
    start((text) => {
      if (text === '0') for (let n = 0; n < 40; n++) connection.send(encodeFrame(Opcode.FRAME, '{}'));
    });
    peer.write(concatBytes(...['0', '1', '2'].map(frame)));
    await until(() => frames.length > 0);
    expect(frames).toEqual(['0']);
    connection.unpace();
    await until(() => frames.length === 3);
    expect(await all(peer, 40)).toEqual(Array.from({ length: 40 }, () => '{}'));
  });
  it('has no effect after the end', async () => {
    const { connection, peer, ended, start } = await pair();
    start();
    peer.end();
    await ended;
    connection.unpace();
    connection.send(encodeFrame(Opcode.FRAME, 'late'));
  });
});

describe('the end of the peer', () => {
  it('is reported once, as the last event', async () => {
    const { connection, peer, ended, frames, start } = await pair();
    start();
    peer.write(frame('a'));
    peer.end();
    await ended;
    expect(frames).toEqual(['a']);
    connection.send(encodeFrame(Opcode.FRAME, 'late'));
    connection.close(1000, 'late');
    connection.pause();
    connection.resume();
    connection.destroy();
  });
  it('lets waiting answers leave while the peer can still read', async () => {
    const { connection, peer, start } = await pair();
    start((text) => connection.send(encodeFrame(Opcode.FRAME, text)));
    const texts = Array.from({ length: 20 }, (_, i) => String(i));
    peer.write(concatBytes(...texts.map(frame)));
    peer.halfClose();
    const got: string[] = [];
    for (let one = await peer.receive(); one; one = await peer.receive()) got.push(received(one));
    expect(got).toEqual(texts);
  });
});

describe.each([
  ['a system that tells what is unread', false],
  ['a system that cannot tell', true],
])('on %s', (_name, blind) => {
  it('a peer that begins to read late gets every frame, although no new one is sent', async () => {
    const { connection, peer, socket, start } = await pair({ reading: false, blind });
    start();
    // Small frames: the write that the kernel no longer takes is shorter than any stream's own buffer.
    for (let i = 0; i < 6000; i++) connection.send(encodeFrame(Opcode.FRAME, String(i).padEnd(100)));
    expect(socket.writableLength).toBeGreaterThan(0);
    peer.socket.resume();
    for (let i = 0; i < 6000; i++) {
      const one = await peer.receive();
      expect(one && received(one).trim()).toBe(String(i));
    }
    connection.close(1000, 'bye');
    expect(await peer.receive()).toMatchObject({ opcode: Opcode.CLOSE });
  });
  it('a peer that never reads stays connected, and gets the newest of its newest-only answers', async () => {
    const { connection, socket, peer, ended, start } = await pair({ reading: false, blind });
    start();
    let gone = false;
    void ended.then(() => {
      gone = true;
    });
    for (let i = 1; i <= 8000; i++) {
      const frame = encodeFrame(Opcode.FRAME, String(i).padEnd(400));
      connection.send({ ...frame, newestOnly: true });
      if (i % 100 === 0) await settled();
    }
    connection.send(encodeFrame(Opcode.FRAME, 'another'));
    expect([gone, socket.writableLength < 1024 * 1024]).toEqual([false, true]);
    peer.socket.resume();
    const texts: string[] = [];
    while (texts.at(-1) !== 'another') {
      const frame = await peer.receive();
      texts.push(frame ? received(frame).trim() : 'another');
    }
    expect(texts.at(0)).toBe('1');
    expect(texts.slice(-2)).toEqual(['8000', 'another']);
    expect(texts.length).toBeLessThan(8000);
  });
  it('a peer that never reads is dropped at the budget', async () => {
    const { connection, ended, start } = await pair({ reading: false, blind, unreadBytes: 64 * 1024 });
    start();
    let sent = 0;
    let gone = false;
    void ended.then(() => {
      gone = true;
    });
    while (!gone) {
      connection.send(encodeFrame(Opcode.FRAME, 'x'.repeat(1000)));
      sent += 1;
      if (sent % 100 === 0) await settled();
    }
    // What the kernel takes is the system's; ours ends at the budget.
    expect(sent * 1008).toBeGreaterThan(64 * 1024);
    expect(sent * 1008).toBeLessThan(4 * 1024 * 1024);
  });
});
