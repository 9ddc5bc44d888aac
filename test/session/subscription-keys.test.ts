import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { Subscriptions } from '../../src/session/subscriptions.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { encodeFrame } from '../../src/wire/frame.ts';

const EVT = 'SPEAKING_START';
const FRAME = encodeFrame(Opcode.FRAME, '{}');

/** Subscribed to, and answered. */
function subscribed(subscriptions: Subscriptions, args: object): void {
  subscriptions.activate(subscriptions.add(EVT, args).subscription);
}

describe('a subscription', () => {
  it.each([
    ['in another order', { c: 3, a: 1, b: 2 }],
    ['with one more that is undefined', { a: 1, b: 2, c: 3, d: undefined }],
  ])('is the same with its arguments %s', (_, args) => {
    const subscriptions = new Subscriptions(2);
    const first = subscriptions.add(EVT, { a: 1, b: 2, c: 3 });
    expect(subscriptions.add(EVT, args)).toEqual({ subscription: first.subscription, isNew: false });
    expect([subscriptions.remove(EVT, args), subscriptions.size]).toEqual([true, 0]);
  });
  it.each([
    ['another value', EVT, { a: 2 }],
    ['another argument', EVT, { b: 1 }],
    ['another event', 'SPEAKING_STOP', { a: 1 }],
  ])('is another one with %s', (_, evt, args) => {
    const subscriptions = new Subscriptions(2);
    subscriptions.add(EVT, { a: 1 });
    expect(subscriptions.remove(evt, args)).toBe(false);
    expect([subscriptions.add(evt, args).isNew, subscriptions.size]).toEqual([true, 2]);
  });
  it('beyond the limit is refused, and an existing one at the limit is found', () => {
    const subscriptions = new Subscriptions(1);
    subscriptions.add(EVT, {});
    expect(subscriptions.add(EVT, {}).isNew).toBe(false);
    expect(() => subscriptions.add(EVT, { a: 1 })).toThrow(
      expect.objectContaining({
        code: ErrorCode.INVALID_PAYLOAD,
        message: 'At most 1 subscriptions per connection',
      }),
    );
  });
  it('holds frames until it is answered, and returns them once', () => {
    const subscriptions = new Subscriptions(1);
    const { subscription } = subscriptions.add(EVT, {});
    expect(subscriptions.match(EVT, undefined, FRAME)).toBe(0);
    expect(subscriptions.activate(subscription)).toEqual([FRAME]);
    expect(subscriptions.activate(subscription)).toEqual([]);
    expect(subscriptions.match(EVT, undefined, FRAME)).toBe(1);
  });
  it('holds at most the newest 64 frames', () => {
    const subscriptions = new Subscriptions(1);
    const { subscription } = subscriptions.add(EVT, {});
    const frames = Array.from({ length: 65 }, (_, n) => encodeFrame(Opcode.FRAME, `${n}`));
    for (const frame of frames) subscriptions.match(EVT, undefined, frame);
    expect(subscriptions.activate(subscription)).toEqual(frames.slice(1));
  });
  it('that was cancelled is not activated when the same one was added again', () => {
    const subscriptions = new Subscriptions(1);
    const { subscription: first } = subscriptions.add(EVT, {});
    subscriptions.remove(EVT, {});
    const { subscription: second } = subscriptions.add(EVT, {});
    expect(subscriptions.activate(first)).toBeUndefined();
    subscriptions.cancel(first);
    expect(subscriptions.size).toBe(1);
    subscriptions.cancel(second);
    expect(subscriptions.size).toBe(0);
  });
});

describe('an event', () => {
  it('is sent once per subscription that matches its filter', () => {
    const subscriptions = new Subscriptions(4);
    for (const args of [{}, { channel_id: '1' }, { channel_id: '2' }, { channel_id: null }])
      subscribed(subscriptions, args);
    expect(subscriptions.match(EVT, { channel_id: '1' }, FRAME)).toBe(3);
    expect(subscriptions.match(EVT, { channel_id: '3' }, FRAME)).toBe(2);
    expect(subscriptions.match('SPEAKING_STOP', { channel_id: '1' }, FRAME)).toBe(0);
  });
  it('without a filter is sent once in all', () => {
    const subscriptions = new Subscriptions(2);
    for (const args of [{ channel_id: '1' }, { channel_id: '2' }]) subscribed(subscriptions, args);
    expect(subscriptions.match(EVT, undefined, FRAME)).toBe(1);
  });
  it('is wanted when any subscription matches it, answered or not', () => {
    const subscriptions = new Subscriptions(2);
    subscriptions.add(EVT, { channel_id: '1' });
    expect(subscriptions.some(EVT, { channel_id: '1' })).toBe(true);
    expect(subscriptions.some(EVT, undefined)).toBe(true);
    expect(subscriptions.some(EVT, { channel_id: '2' })).toBe(false);
    expect(subscriptions.some('SPEAKING_STOP', { channel_id: '1' })).toBe(false);
  });
});
