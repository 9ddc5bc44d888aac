import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GatewayObserver } from '../../../../src/emulator/serve/gateway/observer.ts';
import type { FaultEffect } from '../../../../src/faults/fault.ts';
import { Faults } from '../../../../src/faults/faults.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const APPLICATION = '100';

function arrange(...faults: FaultEffect[]) {
  const set = new Faults();
  for (const does of faults) set.add({ effect: does, where: { on: 'gateway' } });
  const connection = new GatewayObserver(undefined, set, new Map()).connection();
  /** What left and what was done, with the time in tens of ms: a timer for 0 ms takes one. */
  const log: string[] = [];
  const begun = performance.now();
  const note = (what: string): void =>
    void log.push(`${Math.floor((performance.now() - begun) / 10) * 10}: ${what}`);
  const send = (text: string, session: 'with a session' | 'without' = 'with a session'): void =>
    connection.sent(
      text,
      session === 'without' ? undefined : APPLICATION,
      (sent, isSplit) => note(isSplit ? `${sent} in pieces` : sent),
      {
        close: (code) => note(`close ${code}`),
        reconnect: () => note('reconnect'),
      },
    );
  return { set, connection, log, send };
}

describe('a gateway payload', () => {
  it('is sent at once without a fault', () => {
    const { log, send, connection } = arrange();
    send('a');
    expect([log, connection.held]).toEqual([['0: a'], 0]);
  });
  it('is sent after the milliseconds of a delay, and counts as held until then', () => {
    const { log, send, connection } = arrange({ kind: 'delay', ms: 200 });
    send('abc');
    expect(connection.held).toBe(3);
    vi.advanceTimersByTime(199);
    expect(log).toEqual([]);
    vi.advanceTimersByTime(1);
    expect([log, connection.held]).toEqual([['200: abc'], 0]);
  });
  it('is sent after a delay and the time of its bytes on a slow line', () => {
    const { log, send } = arrange({ kind: 'delay', ms: 200 }, { kind: 'slow', bytesPerSecond: 10 });
    send('12345');
    vi.advanceTimersByTime(10_000);
    expect(log).toEqual(['700: 12345']);
  });
  it('waits on a slow line for the payload before it', () => {
    const { log, send } = arrange({ kind: 'slow', bytesPerSecond: 100 });
    for (const text of ['12345', '1234567890', '1']) send(text);
    vi.advanceTimersByTime(10_000);
    expect(log).toEqual(['50: 12345', '150: 1234567890', '160: 1']);
  });
  it('does not overtake a delayed payload, even after the fault is removed', () => {
    const { log, send, set } = arrange({ kind: 'delay', ms: 200 });
    send('a');
    set.remove('f1');
    send('b');
    vi.advanceTimersByTime(200);
    send('c');
    vi.advanceTimersByTime(200);
    expect(log).toEqual(['200: a', '200: b', '200: c']);
  });
  it('of a connection without a session is not affected, and does not overtake a delayed payload', () => {
    const { log, send } = arrange({ kind: 'delay', ms: 200 });
    send('hello', 'without');
    send('a');
    send('hello again', 'without');
    vi.advanceTimersByTime(205);
    expect(log).toEqual(['0: hello', '200: a', '200: hello again']);
  });
  it('is cut into pieces by a split', () => {
    const { log, send } = arrange({ kind: 'split' });
    send('a');
    expect(log).toEqual(['0: a in pieces']);
  });
  it('is not sent when it is dropped', () => {
    const { log, send, connection } = arrange({ kind: 'drop' });
    send('a');
    vi.advanceTimersByTime(1000);
    expect([log, connection.held]).toEqual([[], 0]);
  });
  it('is not sent when the connection is closed instead', () => {
    const { log, send } = arrange({ kind: 'close', code: 4000 }, { kind: 'drop' });
    send('a');
    vi.advanceTimersByTime(1000);
    expect(log).toEqual(['0: close 4000']);
  });
  it('is sent after the request to reconnect', () => {
    const { log, send } = arrange({ kind: 'reconnect' });
    send('a');
    expect(log).toEqual(['0: reconnect', '0: a']);
  });
  it('is not sent when the connection closes before its delay is over', () => {
    const { log, send, connection } = arrange({ kind: 'delay', ms: 200 });
    send('a');
    connection.ended();
    vi.advanceTimersByTime(1000);
    expect(log).toEqual([]);
  });
});
