import { describe, expect, it } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import type { Connection, ConnectionListener } from '../../src/wire/connection.ts';
import { type EncodedFrame, encodeFrame } from '../../src/wire/frame.ts';
import { type ConnectionObserver, observedConnection } from '../../src/wire/observed.ts';

type Call = readonly unknown[];

/** An object whose methods write down that they were called, and with what. */
function recorder<T>(who: string, calls: Call[], names: readonly string[], answers: object = {}): T {
  const methods = names.map((name) => [
    name,
    (...args: unknown[]) => {
      calls.push([who, name, ...args]);
      return (answers as Record<string, unknown>)[name];
    },
  ]);
  return { ...answers, ...Object.fromEntries(methods) } as T;
}

const CONNECTION = [
  'start',
  'redirect',
  'send',
  'close',
  'end',
  'pause',
  'resume',
  'setFrameLimit',
  'destroy',
] as const;
const LISTENER = ['admits', 'frame', 'partial', 'backlog', 'halfClosed', 'broken', 'ended'] as const;
const TAP = ['frame', 'close', 'broken', 'ended'] as const;

function arrange(properties: Partial<Connection> = {}) {
  const calls: Call[] = [];
  const inner = recorder<Connection>('connection', calls, CONNECTION, { kind: 'ipc', ...properties });
  const connection = observedConnection(inner, recorder<ConnectionObserver>('tap', calls, TAP));
  return { calls, connection };
}

/** The listener that the connection inside is given. */
function arrangeListener(answers: object = {}) {
  const { calls, connection } = arrange();
  connection.start(recorder<ConnectionListener>('listener', calls, LISTENER, answers));
  const [, , listener] = calls.splice(0)[0] ?? [];
  return { calls, listener: listener as ConnectionListener };
}

const PING = encodeFrame(Opcode.PING, 'a');
const PONG = encodeFrame(Opcode.PONG, 'b');

describe('an observed connection', () => {
  it('has the kind, origin, peer and instance of the inner connection', () => {
    const properties = { origin: 'https://a.example', peer: { pid: 1, uid: 2 }, instance: 'i-1' };
    const { connection } = arrange({ kind: 'websocket', ...properties });
    expect(connection).toMatchObject({ kind: 'websocket', ...properties });
  });
  it.each(['origin', 'peer', 'instance'])('has no property %s when the inner connection has none', (name) => {
    expect(name in arrange().connection).toBe(false);
  });
  it('observes for a new listener, too', () => {
    const { calls, connection } = arrange();
    connection.redirect(recorder<ConnectionListener>('listener', calls, LISTENER));
    const [, method, listener] = calls.splice(0)[0] ?? [];
    (listener as ConnectionListener).frame(PING);
    expect([method, ...calls]).toEqual([
      'redirect',
      ['tap', 'frame', 'in', PING],
      ['listener', 'frame', PING],
    ]);
  });
  it('notifies the observer of a frame before it is sent', () => {
    const { calls, connection } = arrange();
    connection.send(PING);
    expect(calls).toEqual([
      ['tap', 'frame', 'out', PING],
      ['connection', 'send', PING],
    ]);
  });
  it('notifies the observer of each frame that a write completes', () => {
    const { calls, connection } = arrange();
    const both: EncodedFrame = { ...PING, completes: [PING, PONG] };
    connection.send(both);
    expect(calls).toEqual([
      ['tap', 'frame', 'out', PING],
      ['tap', 'frame', 'out', PONG],
      ['connection', 'send', both],
    ]);
  });
  it('notifies the observer of no frame when a write completes none', () => {
    const { calls, connection } = arrange();
    const part: EncodedFrame = { ...PING, completes: [] };
    connection.send(part);
    expect(calls).toEqual([['connection', 'send', part]]);
  });
  it('notifies the observer of its close before it closes', () => {
    const { calls, connection } = arrange();
    connection.close(4000, 'Bye');
    expect(calls).toEqual([
      ['tap', 'close', 4000, 'Bye'],
      ['connection', 'close', 4000, 'Bye'],
    ]);
  });
  it.each<[keyof Connection, unknown[]]>([
    ['end', []],
    ['pause', []],
    ['resume', []],
    ['setFrameLimit', [17]],
    ['destroy', []],
  ])('forwards %s without notifying the observer', (name, args) => {
    const { calls, connection } = arrange();
    (connection[name] as (...args: unknown[]) => void)(...args);
    expect(calls).toEqual([['connection', name, ...args]]);
  });
});

describe('the listener of an observed connection', () => {
  it('notifies the observer of a frame before it is handled', () => {
    const { calls, listener } = arrangeListener();
    listener.frame(PING);
    expect(calls).toEqual([
      ['tap', 'frame', 'in', PING],
      ['listener', 'frame', PING],
    ]);
  });
  it('notifies the observer why the bytes broke the protocol', () => {
    const { calls, listener } = arrangeListener();
    const error = new Error('Unknown opcode 5');
    listener.broken(error);
    expect(calls).toEqual([
      ['tap', 'broken', 'Unknown opcode 5'],
      ['listener', 'broken', error],
    ]);
  });
  it('notifies the observer of the end', () => {
    const { calls, listener } = arrangeListener();
    listener.ended();
    expect(calls).toEqual([
      ['tap', 'ended'],
      ['listener', 'ended'],
    ]);
  });
  it.each([true, false])('returns %s from admits() when its listener does', (admitted) => {
    const { calls, listener } = arrangeListener({ admits: admitted });
    expect(listener.admits(12)).toBe(admitted);
    expect(calls).toEqual([['listener', 'admits', 12]]);
  });
  it('has as many requests in flight as its listener', () => {
    expect(arrangeListener({ requestsInFlight: 3 }).listener.requestsInFlight).toBe(3);
  });
  it.each<[keyof ConnectionListener, unknown[]]>([
    ['partial', [5]],
    ['backlog', [6, 7]],
    ['halfClosed', []],
  ])('forwards %s without notifying the observer', (name, args) => {
    const { calls, listener } = arrangeListener();
    (listener[name] as (...args: unknown[]) => void)(...args);
    expect(calls).toEqual([['listener', name, ...args]]);
  });
});
