import { describe, expect, it, vi } from 'vitest';
import type { Core } from '../../../src/sdk/core.ts';
import { action, callbackValues, method, request } from '../../../src/sdk/entry-points/row.ts';
import { ENTRY_POINTS } from '../../../src/sdk/entry-points/table.ts';
import { Client, type ClientResult, ErrorType } from '../../../src/sdk/index.ts';
import { Log } from '../../../src/sdk/log.ts';
import { instance } from '../../../src/sdk/values.ts';

/** As much of a client as a row needs that asks nobody. */
function core(isDestroyed = false): Core {
  return { log: new Log(), isDestroyed, timeoutMs: 7 } as unknown as Core;
}

const PAIR = callbackValues(
  { left: 0, right: '' },
  (call: (result: ClientResult, left: number, right: string) => void, { result, left, right }) =>
    call(result, left, right),
);

describe('request', () => {
  const row = request(PAIR, async ({ timeoutMs }, left: number, right: string) => {
    if (left < 0) throw new Error('left: is below 0');
    return { left: left + timeoutMs, right };
  });

  it('passes the same values to its callback, which follows the arguments, and to its promise', async () => {
    const callback = vi.fn();
    const outcome = await row.of(core(), 'Pair')(1, 'x', callback);
    expect(outcome).toEqual({ result: expect.anything(), left: 8, right: 'x' });
    expect(callback.mock.calls).toEqual([[outcome.result, 8, 'x']]);
    expect(outcome.result.Successful()).toBe(true);
  });

  it('returns the values of a failure, with a result for the thrown error', async () => {
    const callback = vi.fn();
    const outcome = await row.of(core(), 'Pair')(-1, 'x', callback);
    expect([outcome.left, outcome.right, outcome.result.Error()]).toEqual([0, '', 'left: is below 0']);
    expect(callback.mock.calls).toEqual([[outcome.result, 0, '']]);
  });

  it('passes undefined for an omitted argument, and no later argument in its place', async () => {
    const seen = vi.fn(async (_core: Core, _left: number, _right: string) => ({ left: 1, right: '' }));
    Object.defineProperty(seen, 'length', { value: 3 });
    await (request(PAIR, seen).of(core(), 'Pair') as () => Promise<unknown>)();
    expect(seen.mock.calls.map(([, ...args]) => args)).toEqual([[]]);
    expect(() => row.of(core(), 'Pair')(1, 'x', 'y' as never)).toThrow('callback: must be a function');
  });

  it('fails after Disconnect unless its row states otherwise', async () => {
    const work = async (_core: Core): Promise<void> => {};
    const left = await action(work).of(core(true), 'Left')();
    expect(left.result.Type()).toBe(ErrorType.ClientDestroyed);
    const always = await action(work, { afterDisconnect: true }).of(core(true), 'Always')();
    expect(always).toEqual({ result: expect.anything() });
    expect(always.result.Successful()).toBe(true);
  });

  it('checks an argument of a class before the callback and before any work', () => {
    const work = vi.fn(async (_core: Core, _map: Map<string, string>) => {});
    Object.defineProperty(work, 'length', { value: 2 });
    const checked = action(work, { check: (map) => instance('map', map, Map<string, string>) });
    expect(() => checked.of(core(), 'Checked')({} as never, 5 as never)).toThrow('map: must be an Map');
    expect(work).not.toHaveBeenCalled();
  });
});

it('method returns at once, and throws the errors of its function', () => {
  const row = method(({ timeoutMs }, factor: number) => {
    if (Number.isNaN(factor)) throw new TypeError('factor: must be a number');
    return timeoutMs * factor;
  });
  expect(row.of(core(), 'Times')(2)).toBe(14);
  expect(() => row.of(core(), 'Times')(Number.NaN)).toThrow('factor: must be a number');
});

describe('Client', () => {
  it('has a method for each row and no other, all in one base class', () => {
    const base = Object.getPrototypeOf(Client.prototype) as object;
    expect(Object.getPrototypeOf(base)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(Client.prototype)).toEqual(['constructor']);
    const names = Object.getOwnPropertyNames(base).filter((name) => name !== 'constructor');
    expect(names.toSorted()).toEqual(Object.keys(ENTRY_POINTS).toSorted());
  });

  it('has methods like those of a class: named, replaceable, not enumerable, and only for a client', () => {
    const base = Object.getPrototypeOf(Client.prototype) as object;
    for (const name of Object.keys(ENTRY_POINTS)) {
      const { value, ...flags } = Object.getOwnPropertyDescriptor(base, name) as PropertyDescriptor;
      expect([value.name, flags]).toEqual([name, { writable: true, configurable: true, enumerable: false }]);
      expect(() => value.call({})).toThrow(TypeError);
    }
  });
});
