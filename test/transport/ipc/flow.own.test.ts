import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IpcConnection } from '../../../src/transport/ipc/ipc-connection.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import type { ConnectionListener } from '../../../src/wire/connection.ts';
import { encodeFrame } from '../../../src/wire/frame.ts';
import { frameBytes } from '../../helpers/frame-bytes.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A socket that notes what is done to it. */
class NotingSocket extends EventEmitter {
  readonly calls: string[] = [];
  readonly written: Uint8Array[] = [];
  writableLength = 0;
  writableFinished = false;
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
  write(bytes: Uint8Array): boolean {
    this.written.push(bytes);
    return true;
  }
}

function setUp() {
  const socket = new NotingSocket();
  let hasHungUp = false;
  const over: IpcConnection[] = [];
  const connection = new IpcConnection(socket as unknown as Socket, {
    handshakeFrameBytes: 64,
    unreadBytes: 100,
    pacing: undefined,
    os: { unsentBytes: () => undefined, hungUp: () => hasHungUp },
    ended: (one) => void over.push(one),
  });
  socket.calls.length = 0;
  const noted: unknown[][] = [];
  let inFlight = 0;
  let admits = true;
  const listener: ConnectionListener = {
    frame: ({ body }) => void noted.push(['frame', new TextDecoder().decode(body)]),
    partial: (bytes) => void noted.push(['partial', bytes]),
    backlog: (held, unread) => void noted.push(['backlog', held, unread]),
    get requestsInFlight() {
      return inFlight;
    },
    halfClosed: () => void noted.push(['halfClosed']),
    admits: () => admits,
    broken: ({ message }) => void noted.push(['broken', message]),
    ended: () => void noted.push(['ended']),
  };
  return {
    socket,
    connection,
    listener,
    noted,
    over,
    hangUp: () => {
      hasHungUp = true;
    },
    setInFlight: (count: number) => {
      inFlight = count;
    },
    setAdmits: (value: boolean) => {
      admits = value;
    },
    receive: (text: string) => socket.emit('data', frameBytes(Opcode.FRAME, text)),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const sending = (text: string) => encodeFrame(Opcode.FRAME, text);

describe('an idle connection', () => {
  it('is read from its start, and starts once', () => {
    const { socket, connection, listener, noted, receive } = setUp();
    receive('early');
    expect([socket.calls, noted]).toEqual([[], []]);
    connection.start(listener);
    connection.start({ ...listener, frame: () => noted.push(['wrong listener']) });
    expect(socket.calls).toEqual(['resume']);
    receive('a');
    expect(noted[0]).toEqual(['frame', 'a']);
  });
  it('ignores send, pause, resume and redirect before its start', async () => {
    const { socket, connection, listener, noted, receive } = setUp();
    connection.send(sending('x'));
    connection.pause();
    connection.resume();
    connection.redirect(listener);
    receive('a');
    await turn();
    expect([socket.calls, socket.written, noted]).toEqual([[], [], []]);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('that has ended notifies its listener at the start', async () => {
    const { socket, connection, listener, noted, over } = setUp();
    socket.emit('close');
    expect(over).toEqual([connection]);
    connection.start(listener);
    expect(noted).toEqual([]);
    await turn();
    expect(noted).toEqual([['ended']]);
    expect(socket.calls).toEqual([]);
  });
});

describe('a paused connection', () => {
  it('is not read, is checked once a second, and resumes with the rest of the chunk', () => {
    const { socket, connection, listener, noted } = setUp();
    connection.start(listener);
    const pausing = { ...listener, frame: () => connection.pause() };
    connection.redirect(pausing);
    socket.emit('data', Buffer.concat(['a', 'b'].map((text) => frameBytes(Opcode.FRAME, text))));
    connection.pause();
    expect(socket.calls).toEqual(['resume', 'pause']);
    expect(vi.getTimerCount()).toBe(1);
    connection.redirect(listener);
    connection.resume();
    connection.resume();
    expect(noted).toEqual([
      ['frame', 'b'],
      ['partial', 0],
    ]);
    expect(socket.calls).toEqual(['resume', 'pause', 'resume']);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('still sends', async () => {
    const { socket, connection, listener } = setUp();
    connection.start(listener);
    connection.pause();
    connection.send(sending('x'));
    await turn();
    expect(socket.written.length).toBe(1);
  });
  it('is dropped once its peer has hung up', () => {
    const { socket, connection, listener, hangUp } = setUp();
    connection.start(listener);
    connection.pause();
    vi.advanceTimersByTime(5000);
    expect(socket.calls).not.toContain('destroy');
    hangUp();
    vi.advanceTimersByTime(999);
    expect(socket.calls).not.toContain('destroy');
    vi.advanceTimersByTime(1);
    expect(socket.calls.at(-1)).toBe('destroy');
    socket.emit('close');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a connection whose peer is crowded', () => {
  it('is not read until there is room again, and resumes in another turn', () => {
    const { socket, connection, listener, noted, receive } = setUp();
    connection.start(listener);
    connection.crowded(true);
    expect(socket.calls).toEqual(['resume', 'pause']);
    receive('a');
    expect(noted).toEqual([]);
    connection.crowded(false);
    expect(noted).toEqual([]);
    vi.runAllTimers();
    expect(noted).toEqual([
      ['frame', 'a'],
      ['partial', 0],
    ]);
    expect(socket.calls).toEqual(['resume', 'pause', 'resume']);
  });
  it('resumes only when its session reads, too', () => {
    const { socket, connection, listener } = setUp();
    connection.start(listener);
    connection.pause();
    connection.crowded(true);
    connection.resume();
    expect(socket.calls).toEqual(['resume', 'pause']);
    connection.pause();
    connection.crowded(false);
    vi.advanceTimersByTime(0);
    expect(socket.calls).not.toContain('destroy');
    expect(socket.calls.filter((call) => call === 'resume')).toHaveLength(1);
  });
});

describe('a connection that the bridge closes', () => {
  it('sends one CLOSE, delivers no more frames, and is dropped after a second', async () => {
    const { socket, connection, listener, noted, receive } = setUp();
    connection.start(listener);
    connection.close(4000, 'why');
    connection.close(4001, 'again');
    connection.send(sending('late'));
    await turn();
    expect(Buffer.concat(socket.written).toString()).toContain('{"code":4000,"message":"why"}');
    expect(Buffer.concat(socket.written).toString()).not.toMatch(/again|late/);
    expect(socket.calls).toContain('end');
    receive('a');
    connection.pause();
    connection.backlog(5, 5);
    expect(noted).toEqual([]);
    vi.advanceTimersByTime(999);
    expect(socket.calls).not.toContain('destroy');
    vi.advanceTimersByTime(1);
    expect(socket.calls).toContain('destroy');
    socket.emit('close');
    expect(noted).toEqual([['ended']]);
    connection.close(4000, 'why');
    expect(socket.written.length).toBe(1);
  });
  it.each([
    [false, ['destroy']],
    [true, ['destroy']],
  ])('is dropped at once by leave() when no CLOSE is pending (closing: %s)', async (closing, calls) => {
    const { socket, connection, listener } = setUp();
    connection.start(listener);
    if (closing) {
      connection.close(4000, 'why');
      socket.writableFinished = true;
    }
    await turn();
    socket.calls.length = 0;
    const left = connection.leave();
    expect(socket.calls).toEqual(calls);
    socket.emit('close');
    await left;
    await connection.leave();
    expect(socket.calls).toEqual(calls);
  });
  it('reads at most 64 KiB of a peer that goes on sending', () => {
    const { socket, connection, listener } = setUp();
    connection.start(listener);
    connection.close(4000, 'why');
    socket.calls.length = 0;
    socket.emit('data', Buffer.alloc(40 * 1024));
    socket.emit('data', Buffer.alloc(24 * 1024));
    expect(socket.calls).toEqual([]);
    socket.emit('data', Buffer.alloc(1));
    expect(socket.calls).toEqual(['pause']);
  });
  it('sends a pending CLOSE before leave() drops it', async () => {
    const { socket, connection, listener } = setUp();
    connection.start(listener);
    connection.close(4000, 'why');
    await turn();
    socket.calls.length = 0;
    const left = connection.leave();
    expect(socket.calls).toEqual([]);
    socket.emit('finish');
    expect(socket.calls).toEqual(['destroy']);
    socket.emit('close');
    await left;
  });
});

describe('a peer that has ended its sending side', () => {
  it('is dropped at once when no answer is pending', () => {
    const { socket, connection, listener, noted } = setUp();
    connection.start(listener);
    socket.emit('end');
    expect(socket.calls).toEqual(['resume', 'destroy']);
    expect(noted).toEqual([]);
  });
  it.each(['flowing', 'paused'])(
    'is reported as half-closed to a session with pending answers, while %s',
    (flow) => {
      const { socket, connection, listener, noted, setInFlight } = setUp();
      connection.start(listener);
      if (flow === 'paused') connection.pause();
      setInFlight(1);
      socket.emit('end');
      expect(noted).toEqual([['halfClosed']]);
      expect(socket.calls).not.toContain('destroy');
      vi.advanceTimersByTime(1000);
      expect(socket.calls).toContain('destroy');
    },
  );
  it('is dropped at once when it cannot read either', () => {
    const { socket, connection, listener, noted, setInFlight, hangUp } = setUp();
    connection.start(listener);
    setInFlight(1);
    hangUp();
    socket.emit('end');
    expect(noted).toEqual([]);
    expect(socket.calls.at(-1)).toBe('destroy');
  });
  it.each([
    ['the session is paused', 'paused'],
    ['the writer is crowded', 'crowded'],
  ])('is reported once its last frame is taken, when %s', (_, reason) => {
    const { socket, connection, listener, noted, receive } = setUp();
    connection.start(listener);
    if (reason === 'paused') connection.pause();
    else connection.crowded(true);
    receive('a');
    socket.emit('end');
    expect(noted).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(socket.calls).not.toContain('destroy');
    if (reason === 'paused') connection.resume();
    else connection.crowded(false);
    vi.advanceTimersByTime(0);
    expect(noted).toEqual([['frame', 'a'], ['partial', 0], ['halfClosed']]);
    vi.advanceTimersByTime(1000);
    expect(socket.calls).toContain('destroy');
  });
  it('before the start of its connection is answered with an end', () => {
    const { socket } = setUp();
    socket.emit('end');
    expect(socket.calls).toEqual(['end']);
    vi.advanceTimersByTime(1000);
    expect(socket.calls).toEqual(['end', 'destroy']);
  });
});

describe('received bytes', () => {
  it('wait while the session admits no frame', () => {
    const { connection, listener, noted, receive, setAdmits } = setUp();
    connection.start(listener);
    setAdmits(false);
    receive('a');
    expect(noted).toEqual([]);
    connection.pause();
    setAdmits(true);
    connection.resume();
    expect(noted[0]).toEqual(['frame', 'a']);
  });
  it('are reported as a partial frame, or as broken', () => {
    const { socket, connection, listener, noted } = setUp();
    connection.start(listener);
    socket.emit('data', frameBytes(Opcode.FRAME, 'abc').subarray(0, 9));
    expect(noted).toEqual([['partial', 9]]);
    connection.setFrameLimit(1000);
    socket.emit('data', Buffer.alloc(100, 0xff));
    expect(noted.at(-1)?.[0]).toBe('broken');
  });
  it('are reported as broken when a listener throws another error', () => {
    const { connection, listener, noted, receive } = setUp();
    connection.start({
      ...listener,
      frame() {
        throw new Error('own');
      },
    });
    receive('a');
    expect(noted).toEqual([['broken', 'The frame could not be read']]);
  });
});

describe('sent frames', () => {
  it('wait while a write is pending, and the session receives the size of the backlog', async () => {
    const { socket, connection, listener, noted } = setUp();
    connection.start(listener);
    const written: ((error?: Error) => void)[] = [];
    socket.write = (bytes: Uint8Array, done?: (error?: Error) => void) => {
      socket.written.push(bytes);
      if (done) written.push(done);
      socket.writableLength = bytes.byteLength;
      return false;
    };
    connection.send(sending('first'));
    await turn();
    connection.send(sending('second'));
    await turn();
    expect(socket.written.length).toBe(1);
    expect(noted).toEqual([
      ['backlog', 13, 13],
      ['backlog', 27, 27],
    ]);
    // Still in our memory, or failed.
    written[0]?.();
    socket.writableLength = 0;
    written[0]?.(new Error('EPIPE'));
    expect(socket.written.length).toBe(1);
    written[0]?.();
    expect(socket.written.length).toBe(2);
  });
  it('beyond the unread limit drop the peer', async () => {
    const { socket, connection, listener } = setUp();
    connection.start(listener);
    socket.writableLength = 10;
    connection.send(sending('x'.repeat(93)));
    await turn();
    expect(socket.calls.at(-1)).toBe('destroy');
  });
});
