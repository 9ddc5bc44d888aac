import { describe, expect, it } from 'vitest';
import { DeviceStore } from '../../../../src/emulator/accounts/oauth2/device.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const request = { clientId: '2', scopes: ['identify'] };
const granted = { kind: 'granted', userId: '1' } as const;

function made() {
  const clock = new ManualClock();
  return { clock, devices: new DeviceStore(clock) };
}

/** The error of a poll, or its user. */
function poll(devices: DeviceStore, code: string, clientId = '2'): string {
  try {
    return devices.redeem(code, clientId).userId;
  } catch (error) {
    return (error as Error).message;
  }
}

const UNKNOWN = 'invalid_grant: Invalid "device_code" in request.';
const PENDING = 'authorization_pending: The user has not answered yet.';

describe('a device', () => {
  it('has a code to type, an expiry and an interval', () => {
    const { devices } = made();
    const answers = Array.from({ length: 50 }, () => devices.begin(request));
    for (const answer of answers) {
      expect(answer.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      expect(answer.device_code).toMatch(/^[A-Za-z0-9]{32}$/);
      expect([answer.expires_in, answer.interval]).toEqual([300, 5]);
    }
    expect(new Set(answers.map(({ user_code }) => user_code)).size).toBe(50);
  });

  it.each<[string, (code: string) => string, boolean]>([
    ['as it is', (code) => code, true],
    ['in lower case', (code) => code.toLowerCase(), true],
    ['without its dash', (code) => code.replace('-', ''), true],
    ['with spaces around', (code) => ` ${code} `, true],
    ['with further letters behind', (code) => `${code}XYZ`, true],
    ['without its last letter', (code) => code.slice(0, -1), false],
    ['not at all', () => '', false],
  ])('is found by its code, typed %s', (_, typed, isFound) => {
    const { devices } = made();
    const { user_code } = devices.begin(request);
    expect(devices.waiting(typed(user_code))).toEqual(isFound ? request : undefined);
    expect(devices.decide(typed(user_code), granted)).toBe(isFound);
  });

  it('is decided once, and gets its user once', () => {
    const { devices } = made();
    const { user_code, device_code } = devices.begin(request);
    expect(devices.decide(user_code, granted)).toBe(true);
    expect(devices.waiting(user_code)).toBeUndefined();
    expect(devices.decide(user_code, { kind: 'denied' })).toBe(false);
    expect(devices.redeem(device_code, '2')).toEqual({ request, userId: '1' });
    expect(poll(devices, device_code)).toBe(UNKNOWN);
  });

  it('of another application is unknown, and not used up', () => {
    const { devices } = made();
    const { user_code, device_code } = devices.begin(request);
    devices.decide(user_code, granted);
    expect([poll(devices, device_code, '3'), poll(devices, 'x')]).toEqual([UNKNOWN, UNKNOWN]);
    expect(poll(devices, device_code)).toBe('1');
  });

  it('receives its denial once', () => {
    const { devices } = made();
    const { user_code, device_code } = devices.begin(request);
    devices.decide(user_code, { kind: 'denied' });
    expect(poll(devices, device_code)).toBe('access_denied: The user denied the request.');
    expect(poll(devices, device_code)).toBe(UNKNOWN);
  });

  it('expires after 300 seconds, decided or not', () => {
    const { clock, devices } = made();
    const { user_code, device_code } = devices.begin(request);
    clock.advance(299_999);
    expect(devices.waiting(user_code)).toEqual(request);
    expect(poll(devices, device_code)).toBe(PENDING);
    clock.advance(1);
    expect(devices.waiting(user_code)).toBeUndefined();
    expect(devices.decide(user_code, granted)).toBe(false);
    expect(poll(devices, device_code)).toBe('expired_token: The device code has expired.');
    expect(poll(devices, device_code)).toBe(UNKNOWN);
  });

  it('must poll five seconds more slowly after each poll that comes too early', () => {
    const { clock, devices } = made();
    const { device_code } = devices.begin(request);
    const pollAfter = (ms: number) => {
      clock.advance(ms);
      return poll(devices, device_code);
    };
    expect(pollAfter(0)).toBe(PENDING);
    expect(pollAfter(4999)).toBe('slow_down: Look again in 10 s.');
    expect(pollAfter(9999)).toBe('slow_down: Look again in 15 s.');
    expect(pollAfter(15_000)).toBe(PENDING);
    expect(pollAfter(15_000)).toBe(PENDING);
  });

  it('may poll again when its permission is refused at the end', () => {
    const { devices } = made();
    const { user_code, device_code } = devices.begin(request);
    devices.decide(user_code, granted);
    const refused = () =>
      devices.redeem(device_code, '2', (userId) => {
        throw new Error(`user ${userId} has gone`);
      });
    expect(refused).toThrow('user 1 has gone');
    expect(poll(devices, device_code)).toBe('1');
  });

  it('is removed with the permission of its user and application, and no other', () => {
    const { devices } = made();
    const [own, pending, denied] = [devices.begin(request), devices.begin(request), devices.begin(request)];
    const [other, stranger] = [devices.begin({ ...request, clientId: '3' }), devices.begin(request)];
    for (const { user_code } of [own, other]) devices.decide(user_code, granted);
    devices.decide(denied.user_code, { kind: 'denied' });
    devices.decide(stranger.user_code, { kind: 'granted', userId: '9' });
    devices.remove('1', '2');
    expect(poll(devices, own.device_code)).toBe(UNKNOWN);
    expect(poll(devices, pending.device_code)).toBe(PENDING);
    expect(poll(devices, denied.device_code)).toContain('access_denied');
    expect(poll(devices, other.device_code, '3')).toBe('1');
    expect(poll(devices, stranger.device_code)).toBe('9');
  });

  it('finds a slot beside the devices of other applications, and when those of its own expired', () => {
    const { clock, devices } = made();
    const begin = (clientId: string) => () => devices.begin({ ...request, clientId });
    let count = 0;
    const full = 'temporarily_unavailable: Too many devices wait for their user.';
    expect(() => {
      for (; count < 2000; count += 1) begin('2')();
    }).toThrow(full);
    expect(count).toBeGreaterThan(500);
    expect(count).toBeLessThanOrEqual(1024);
    expect(begin('3')).not.toThrow();
    expect(begin('2')).toThrow(full);
    clock.advance(300_000);
    expect(begin('2')).not.toThrow();
  });
});
