import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IpcConnection } from '../../../src/transport/ipc/ipc-connection.ts';
import { PacedWriter } from '../../../src/transport/ipc/paced-writer.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import type { ConnectionListener } from '../../../src/wire/connection.ts';
import { encodeFrame } from '../../../src/wire/frame.ts';
import { scriptedSink } from '../../helpers/scripted-sink.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A socket whose kernel buffer is full. */
class FullSocket extends EventEmitter {
  readonly calls: string[] = [];
  writableLength = 0;
  pause(): void {
    this.calls.push('pause');
  }
  resume(): void {
    this.calls.push('resume');
  }
  end(): void {
    this.calls.push('end');
  }
  destroy(): void {
    this.calls.push('destroy');
  }
  write({ byteLength }: Uint8Array): boolean {
    this.writableLength += byteLength;
    return false;
  }
}

function setUp() {
  const socket = new FullSocket();
  const connection = new IpcConnection(socket as unknown as Socket, {
    handshakeFrameBytes: 64,
    unreadBytes: 1000,
    pacing: undefined,
    os: { unsentBytes: () => undefined, hungUp: () => false },
  });
  socket.calls.length = 0;
  const backlogs: unknown[][] = [];
  let ends = 0;
  const listener: ConnectionListener = {
    frame() {},
    partial() {},
    backlog: (held, unread) => void backlogs.push([held, unread]),
    requestsInFlight: 0,
    halfClosed() {},
    admits: () => true,
    broken() {},
    ended() {
      ends += 1;
    },
  };
  return { socket, connection, listener, backlogs, ends: () => ends };
}

const FRAME = encodeFrame(Opcode.FRAME, 'abc');
const turn = () => vi.advanceTimersToNextTimerAsync();

describe('the backlog of a connection', () => {
  it('is reported while its session reads, and while it is paused', async () => {
    const { connection, listener, backlogs } = setUp();
    connection.start(listener);
    connection.send(FRAME);
    await turn();
    connection.pause();
    connection.send(FRAME);
    await turn();
    const size = FRAME.bytes.byteLength;
    expect(backlogs).toEqual([
      [size, size],
      [2 * size, 2 * size],
    ]);
  });

  it('is not reported once a CLOSE is on its way', async () => {
    const { connection, listener, backlogs } = setUp();
    connection.start(listener);
    connection.close(1000, 'bye');
    await turn();
    expect(backlogs).toEqual([]);
  });
});

it('a connection delivers what arrives while it is paused when it resumes', () => {
  const { socket, connection, listener } = setUp();
  const frames: string[] = [];
  connection.start({ ...listener, frame: ({ body }) => void frames.push(new TextDecoder().decode(body)) });
  connection.pause();
  socket.emit('data', Buffer.from(FRAME.bytes));
  expect(frames).toEqual([]);
  connection.resume();
  expect(frames).toEqual(['abc']);
});

describe('a connection that has ended', () => {
  it('ignores a CLOSE, a redirect and leave(), and its listener receives the end once', async () => {
    const { socket, connection, listener, ends } = setUp();
    connection.start(listener);
    socket.emit('close');
    const calls = [...socket.calls];
    connection.close(1000, 'bye');
    connection.redirect(listener);
    await connection.leave();
    await vi.advanceTimersByTimeAsync(5000);
    expect([socket.calls, ends()]).toEqual([calls, 1]);
    // Node may report more of a closed socket.
    socket.emit('data', Buffer.from(FRAME.bytes));
    socket.emit('end');
    socket.emit('close');
    expect([socket.calls, ends()]).toEqual([calls, 1]);
    // It has not become one that is closing.
    connection.start(listener);
    await vi.advanceTimersByTimeAsync(0);
    expect(ends()).toBe(2);
  });
});

it('the paced writer reports a crowd when it begins and when it ends, and at no other time', async () => {
  const reports: boolean[] = [];
  const sink = Object.assign(scriptedSink(), { crowded: (crowded: boolean) => void reports.push(crowded) });
  const writer = new PacedWriter(sink, 1_000_000);
  for (let index = 0; index < 40; index += 1) writer.push(new Uint8Array(10));
  expect(reports).toEqual([true]);
  for (let reads = 0; reads < 200 && !writer.isEmpty; reads += 1) {
    sink.read();
    await vi.advanceTimersByTimeAsync(2);
  }
  expect([writer.isEmpty, reports]).toEqual([true, [true, false]]);
  writer.stop();
});

it('the paced writer checks a large frame that stays unread after 50 ms, and twice as late each time, up to a second', async () => {
  const sink = scriptedSink();
  const writer = new PacedWriter(sink, 1_000_000);
  writer.push(new Uint8Array(16 * 1024));
  const times: number[] = [];
  for (let ms = 1; ms <= 4000; ms += 1) {
    const { asked } = sink;
    await vi.advanceTimersByTimeAsync(1);
    if (sink.asked > asked) times.push(ms);
  }
  expect(times).toEqual([50, 150, 350, 750, 1550, 2550, 3550]);
  writer.stop();
});
