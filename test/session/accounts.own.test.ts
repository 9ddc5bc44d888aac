import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Accounts, actorOf } from '../../src/session/accounts.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import type { Connection } from '../../src/wire/connection.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Where a process can come to owe something. */
const limits = { ...defaultLimits, shareOfCore: 0.1 };
const waiter = { goOn: () => {} };

it('actorOf returns the process, else the origin of a page, else the session', () => {
  const of = (connection: Partial<Connection>) => actorOf(connection as Connection, 'x1');
  expect(of({ kind: 'ipc', peer: { pid: 7, uid: 1000 } })).toBe('pid 7');
  expect(of({ kind: 'websocket', origin: 'http://a.example' })).toBe('origin http://a.example');
  // The same process, by whatever door; and one that lives where the kernel cannot name it.
  expect(of({ kind: 'websocket', origin: 'http://a.example', peer: { pid: 7, uid: 1000 } })).toBe('pid 7');
  expect(of({ kind: 'ipc', peer: { pid: 0, uid: 1000 } })).toBe('session x1');
  expect(of({ kind: 'ipc' })).toBe('session x1');
});

it('a process whose id belonged to another process inherits no debt older than a few seconds', () => {
  const accounts = new Accounts();
  const first = accounts.join('pid 7', limits);
  // As much as one process can come to owe: a second's worth at once, and one frame more.
  for (let i = 0; i < 11; i++) first.worked(100, performance.now());
  first.take(1, limits.frameBytes, performance.now());
  expect(first.admits(waiter)).toBe(false);
  first.forget(waiter);
  accounts.leave('pid 7');
  vi.advanceTimersByTime(1100);
  const second = accounts.join('pid 7', limits);
  expect(second.admits(waiter)).toBe(true);
});

it('only accounts in debt are stored, however many processes come and go', () => {
  const accounts = new Accounts();
  for (let pid = 1; pid <= 20_000; pid++) {
    const account = accounts.join(`pid ${pid}`, limits);
    account.take(1, 100, performance.now());
    accounts.leave(`pid ${pid}`);
    vi.advanceTimersByTime(1);
  }
  // Those of the last second or two.
  expect(accounts.size).toBeLessThan(2500);
  vi.advanceTimersByTime(60_000);
  accounts.join('pid 0', limits);
  expect(accounts.size).toBe(1);
});

it('changed limits apply to a process that connects after the change', () => {
  const accounts = new Accounts();
  const one = accounts.join('pid 7', limits);
  const changed = { ...defaultLimits, messagesBurst: 1 };
  expect(accounts.join('pid 7', changed)).toBe(one);
  accounts.leave('pid 7');
  accounts.leave('pid 7');
  const other = accounts.join('pid 7', changed);
  other.take(1, 10, performance.now());
  other.take(1, 10, performance.now());
  expect([other === one, other.admits(waiter)]).toEqual([false, false]);
});

it('accounts of processes that left in debt are removed once the debt is paid', () => {
  const accounts = new Accounts();
  const leaveInDebt = (actor: string): void => {
    const account = accounts.join(actor, limits);
    for (let i = 0; i < 11; i++) account.worked(100, performance.now());
    accounts.leave(actor);
  };
  for (let pid = 1; pid <= 255; pid++) leaveInDebt(`pid ${pid}`);
  const present = accounts.join('pid 256', limits);
  expect(accounts.size).toBe(256);
  // None of them is calm yet.
  leaveInDebt('pid 257');
  expect(accounts.size).toBe(257);
  vi.advanceTimersByTime(60_000);
  leaveInDebt('pid 258');
  expect(accounts.size).toBe(2);
  expect(accounts.join('pid 256', limits)).toBe(present);
});

it('accounts are searched for removable ones at most once a second', () => {
  const accounts = new Accounts();
  const leaveInDebt = (count: number): void => {
    for (let pid = 1; pid <= count; pid++) {
      accounts.join(`pid ${pid}`, limits).worked(1, performance.now());
      accounts.leave(`pid ${pid}`);
    }
  };
  leaveInDebt(256);
  vi.advanceTimersByTime(60_000);
  accounts.join('a', limits);
  expect(accounts.size).toBe(1);
  leaveInDebt(256);
  // They owe nothing any more, and nobody has looked.
  vi.advanceTimersByTime(500);
  accounts.join('b', limits);
  expect(accounts.size).toBe(258);
  vi.advanceTimersByTime(500);
  accounts.join('c', limits);
  expect(accounts.size).toBe(3);
});
