import { describe, expect, it, onTestFinished } from 'vitest';
import { CloseCode, GatewayFault } from '../../../../src/emulator/serve/gateway/codes.ts';
import { Connection, type ConnectionHost } from '../../../../src/emulator/serve/gateway/connection.ts';
import { GatewayObserver } from '../../../../src/emulator/serve/gateway/observer.ts';
import type { Session } from '../../../../src/emulator/serve/gateway/session.ts';
import { Faults } from '../../../../src/faults/faults.ts';

const HEARTBEAT_MS = 41_250;
const BEGIN = { op: 2, d: {} };

/** A connection on a clock that stands, and what it does. */
function connected({ session = {}, fails }: { session?: object | 'refused'; fails?: () => Error } = {}) {
  let now = 1_000;
  let waiting = 0;
  const done: unknown[] = [];
  const acknowledged: number[] = [];
  const own = {
    listener: { application: { id: '1' } },
    acknowledge: (seq: number) => acknowledged.push(seq),
    ...(session === 'refused' ? {} : session),
  };
  const host: ConnectionHost = {
    monotonic: () => now,
    begin: () => (session === 'refused' ? undefined : (own as unknown as Session)),
    command: (_, payload) => {
      if (fails !== undefined) throw fails();
      done.push(['command', payload]);
    },
    ended: (_, ended, isClean) =>
      done.push(['ended', (ended as unknown) === own ? 'with its session' : ended, isClean]),
    failed: (error) => done.push(['failed', String(error)]),
  };
  const connection = new Connection(host, {
    end: {
      close: (code, reason) => done.push(['close', code, reason]),
      terminate: () => done.push(['terminate']),
    },
    wire: {
      get waiting() {
        return waiting;
      },
      send: (text, left) => {
        const { op, d } = JSON.parse(text);
        done.push(['send', op, d]);
        left?.();
      },
      close: () => done.push(['wire closed']),
    },
    observer: new GatewayObserver(undefined, new Faults(), new Map()).connection(),
    version: 10,
    base: '',
  });
  connection.open();
  onTestFinished(() => connection.closed(1006));
  const receive = (payload: unknown) => connection.receive(Buffer.from(JSON.stringify(payload)));
  return {
    connection,
    receive,
    acknowledged,
    take: () => done.splice(0),
    passes: (ms: number) => {
      now += ms;
    },
    leaves: (bytes: number) => {
      waiting = bytes;
    },
  };
}

/** One that has a session. */
function listening(options: Parameters<typeof connected>[0] = {}) {
  const one = connected(options);
  one.receive(BEGIN);
  one.take();
  return one;
}

const HELLO = ['send', 10, { heartbeat_interval: HEARTBEAT_MS }];

describe('a connection to the gateway', () => {
  it('receives HELLO once, at the latest before the first reply', () => {
    const { receive, take } = connected();
    receive({ op: 1, d: null });
    expect(take()).toEqual([HELLO, ['send', 11, null]]);
    receive({ op: 1, d: null });
    expect(take()).toEqual([['send', 11, null]]);
  });

  it('receives HELLO without a payload of its own', async () => {
    const { take } = connected();
    const all: unknown[] = [];
    await expect.poll(() => all.push(...take()) && all).toEqual([HELLO]);
  });

  it('has 30 seconds for Identify, whatever heartbeats it sends', () => {
    const { connection, receive, take, passes } = connected();
    receive({ op: 1, d: null });
    passes(30_000);
    receive({ op: 1, d: null });
    connection.watch();
    expect(take().at(-1)).toEqual(['send', 11, null]);
    passes(1);
    connection.watch();
    expect(take()).toEqual([['close', 4009, 'Session timed out: no Identify came.']]);
  });

  it('has 30 seconds again after an Identify that it may repeat', () => {
    const { connection, receive, take, passes } = connected({ session: 'refused' });
    passes(20_000);
    receive(BEGIN);
    passes(20_000);
    connection.watch();
    expect(take()).toEqual([HELLO]);
    expect(connection.session).toBeUndefined();
    passes(10_001);
    connection.watch();
    expect(take()).toEqual([['close', 4009, 'Session timed out: no Identify came.']]);
  });

  it('is asked for a late heartbeat once, and closed after one and a half intervals', () => {
    const { connection, take, passes } = listening();
    const watched = (ms: number) => {
      passes(ms);
      connection.watch();
      return take();
    };
    expect(watched(HEARTBEAT_MS + 5_000)).toEqual([]);
    expect(watched(1)).toEqual([['send', 1, null]]);
    expect(watched(1)).toEqual([]);
    expect(watched(HEARTBEAT_MS / 2 - 5_002)).toEqual([]);
    expect(watched(1)).toEqual([['close', 4009, 'Session timed out: no heartbeat came.']]);
    connection.closed(1006);
    expect(take()).toEqual([['wire closed'], ['ended', 'with its session', true]]);
  });

  it('has its whole time again with each heartbeat, which acknowledges events', () => {
    const { connection, receive, take, passes, acknowledged } = listening();
    for (let count = 0; count < 5; count += 1) {
      passes(HEARTBEAT_MS + 5_001);
      connection.watch();
      receive({ op: 1, d: count });
      expect(take()).toEqual([
        ['send', 1, null],
        ['send', 11, null],
      ]);
    }
    receive({ op: 1, d: null });
    receive({ op: 1, d: 1.5 });
    expect(acknowledged).toEqual([0, 1, 2, 3, 4]);
  });

  it('may send 120 payloads a minute', () => {
    const { receive, take, passes } = listening();
    const send = (count: number) => {
      for (let one = 0; one < count; one += 1) receive({ op: 3, d: one });
      return take();
    };
    // Identify was the first.
    expect(send(119)).toHaveLength(119);
    passes(60_000);
    expect(send(120)).toHaveLength(120);
    passes(59_999);
    expect(send(2)).toEqual([['close', 4008, 'Rate limited: more than 120 payloads in 60 s']]);
  });

  it('identifies itself before anything else, and once', () => {
    const early = connected();
    early.receive({ op: 3, d: null });
    expect(early.take()).toEqual([HELLO, ['close', 4003, 'Not authenticated: Identify or Resume first.']]);
    const { receive, take, connection } = listening();
    expect(connection.session).toBeDefined();
    receive({ op: 3, d: 'x' });
    expect(take()).toEqual([['command', { op: 3, d: 'x' }]]);
    receive({ op: 6, d: {} });
    expect(take()).toEqual([['close', 4005, 'Already authenticated.']]);
    expect(connection.session).toBeUndefined();
  });

  it('is closed by a command that fails, with the reason of a client’s fault alone', () => {
    const own = listening({ fails: () => new GatewayFault(CloseCode.DECODE_ERROR, 'wrong') });
    own.receive({ op: 3, d: null });
    expect(own.take()).toEqual([['close', 4002, 'wrong']]);
    const ours = listening({ fails: () => new TypeError('secret') });
    ours.receive({ op: 3, d: null });
    expect(ours.take()).toEqual([
      ['failed', 'TypeError: secret'],
      ['close', 4000, 'Unknown error.'],
    ]);
  });

  it.each([
    ['x'.repeat(123), 'x'.repeat(123)],
    ['x'.repeat(124), 'x'.repeat(123)],
    [`${'x'.repeat(122)}é`, 'x'.repeat(122)],
    ['é'.repeat(100), 'é'.repeat(61)],
  ])('is closed for %s with as much of it as a frame has room for', (reason, sent) => {
    const { take, receive } = listening({ fails: () => new GatewayFault(CloseCode.DECODE_ERROR, reason) });
    receive({ op: 3, d: null });
    expect(take()).toEqual([['close', 4002, sent]]);
  });

  it('receives and sends nothing more once it is over', () => {
    const { connection, receive, take } = listening();
    connection.close(4000, 'x');
    connection.close(4001, 'y');
    receive({ op: 3, d: null });
    expect(take()).toEqual([['close', 4000, 'x']]);
    connection.closed(4000);
    expect(take()).toEqual([['wire closed'], ['ended', 'with its session', false]]);
    connection.closed(4000);
    connection.sendOp(7, null);
    receive({ op: 1, d: null });
    connection.watch();
    expect(take()).toEqual([]);
  });

  it.each([
    [1000, true],
    [1001, true],
    [1005, false],
    [1006, false],
    [4000, false],
  ])('that its client closes with %i ends its session: %s', (code, isClean) => {
    const { connection, take } = listening();
    connection.closed(code);
    expect(take()).toEqual([['wire closed'], ['ended', 'with its session', isClean]]);
  });

  it.each([
    [4004, undefined, true],
    [4000, undefined, false],
    [4000, true, true],
  ])('that the server closes with %i and %s ends its session: %s', (code, clean, isClean) => {
    const { connection, take } = listening();
    connection.close(code, 'x', clean);
    connection.closed(1000);
    expect(take().at(-1)).toEqual(['ended', 'with its session', isClean]);
  });

  it('is terminated when it leaves more than 8 MiB unread', () => {
    const { connection, take, leaves } = listening();
    leaves(8 * 1024 * 1024);
    connection.sendOp(7, null);
    expect(take()).toEqual([['send', 7, null]]);
    leaves(8 * 1024 * 1024 + 1);
    connection.sendOp(7, null);
    expect(take()).toEqual([['send', 7, null], ['terminate']]);
    connection.drop();
    expect(take()).toEqual([['terminate']]);
  });

  it('that ends before HELLO was due receives none', async () => {
    const { connection, take } = connected();
    connection.closed(1006);
    expect(take()).toEqual([['wire closed'], ['ended', undefined, false]]);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(take()).toEqual([]);
  });
});
