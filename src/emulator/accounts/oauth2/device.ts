import { randomInt } from 'node:crypto';
import { SlotPool } from '../../../scheduling/slot-pool.ts';
import type { Clock } from '../../kernel/clock.ts';
import { digest, randomSecret } from '../../kernel/secrets.ts';
import { OAuth2Error } from './error.ts';

/** Lifetime of a device code (`LIFETIME_S`) and minimum polling interval (`INTERVAL_S`), in seconds. */
const LIFETIME_S = 300;
const INTERVAL_S = 5;
/** Maximum number of waiting devices; the applications share it. */
const MAX_DEVICES = 1024;

/**
 * Letters of a user code. There are no vowels and no ambiguous letters, because a user copies the code from a screen.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LETTERS_EACH = 4;

/** The request of a device. */
export interface DeviceRequest {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly nonce?: string | undefined;
}

/** The codes of a device (RFC 8628 section 3.2). */
export interface DeviceAnswer {
  readonly device_code: string;
  /** User code: eight letters with a dash in the middle. */
  readonly user_code: string;
  /** In seconds. */
  readonly expires_in: number;
  readonly interval: number;
}

type Decision = { readonly kind: 'granted'; readonly userId: string } | { readonly kind: 'denied' };

interface Device {
  readonly request: DeviceRequest;
  readonly userCode: string;
  readonly expires: number;
  state: { readonly kind: 'pending' } | Decision;
  /** Minimum polling interval in milliseconds. */
  interval: number;
  /** Earliest permitted time of the next poll, in milliseconds. */
  next: number;
}

/** Devices that wait for their code to be typed (RFC 8628), in memory only. */
export class DeviceStore {
  readonly #clock: Clock;
  /** Devices by the hash of their device code, oldest first. */
  readonly #devices = new Map<string, Device>();
  readonly #byUserCode = new Map<string, string>();
  readonly #slots = new SlotPool<string>(MAX_DEVICES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Registers a device. @throws OAuth2Error `temporarily_unavailable` when too many devices of the application wait. */
  begin(request: DeviceRequest): DeviceAnswer {
    const now = this.#clock.now();
    for (const [key, { expires }] of this.#devices) if (expires <= now) this.#drop(key);
    const code = randomSecret(32);
    const key = digest(code);
    if (!this.#slots.take(`client ${request.clientId}`, key)) {
      throw new OAuth2Error('temporarily_unavailable', 'Too many devices wait for their user.');
    }
    const userCode = this.#freeUserCode();
    this.#devices.set(key, {
      request,
      userCode,
      expires: now + LIFETIME_S * 1000,
      state: { kind: 'pending' },
      interval: INTERVAL_S * 1000,
      next: now,
    });
    this.#byUserCode.set(plain(userCode), key);
    return { device_code: code, user_code: userCode, expires_in: LIFETIME_S, interval: INTERVAL_S };
  }

  /** The pending request of the device with this user code; case and dash are ignored. */
  waiting(userCode: string): DeviceRequest | undefined {
    const device = this.#byTyped(userCode);
    return device?.state.kind === 'pending' ? device.request : undefined;
  }

  /** Records the decision about the device with this user code; false when no such device is pending. */
  decide(userCode: string, decision: Decision): boolean {
    const device = this.#byTyped(userCode);
    if (device?.state.kind !== 'pending') return false;
    device.state = decision;
    return true;
  }

  /**
   * Handles a poll of a device; a permission is redeemed once. `accept` may still refuse by throwing, after which the device
   * may poll again.
   * @throws OAuth2Error per RFC 8628 section 3.5.
   */
  redeem(
    code: string,
    clientId: string,
    accept?: (userId: string) => void,
  ): { readonly request: DeviceRequest; readonly userId: string } {
    const key = digest(code);
    const device = this.#devices.get(key);
    const now = this.#clock.now();
    if (device === undefined || device.request.clientId !== clientId) {
      throw new OAuth2Error('invalid_grant', 'Invalid "device_code" in request.');
    }
    if (now >= device.expires) {
      this.#drop(key);
      throw new OAuth2Error('expired_token', 'The device code has expired.');
    }
    const isEarly = now < device.next;
    if (isEarly) device.interval += INTERVAL_S * 1000;
    device.next = now + device.interval;
    switch (device.state.kind) {
      case 'pending':
        throw isEarly
          ? new OAuth2Error('slow_down', `Look again in ${device.interval / 1000} s.`)
          : new OAuth2Error('authorization_pending', 'The user has not answered yet.');
      case 'denied':
        this.#drop(key);
        throw new OAuth2Error('access_denied', 'The user denied the request.');
      case 'granted':
        accept?.(device.state.userId);
        this.#drop(key);
        return { request: device.request, userId: device.state.userId };
    }
  }

  /** Drops the granted devices of a user and an application. */
  remove(userId: string, clientId: string): void {
    for (const [key, { request, state }] of this.#devices) {
      if (request.clientId === clientId && state.kind === 'granted' && state.userId === userId)
        this.#drop(key);
    }
  }

  #byTyped(userCode: string): Device | undefined {
    const device = this.#devices.get(this.#byUserCode.get(plain(userCode)) ?? '');
    return device !== undefined && this.#clock.now() < device.expires ? device : undefined;
  }

  #drop(key: string): void {
    const device = this.#devices.get(key);
    if (device === undefined) return;
    this.#slots.leave(`client ${device.request.clientId}`, key);
    this.#byUserCode.delete(plain(device.userCode));
    this.#devices.delete(key);
  }

  #freeUserCode(): string {
    for (;;) {
      const [first, second] = [word(), word()];
      if (!this.#byUserCode.has(`${first}${second}`)) return `${first}-${second}`;
    }
  }
}

function word(): string {
  return Array.from({ length: LETTERS_EACH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

function plain(userCode: string): string {
  return userCode
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, 2 * LETTERS_EACH);
}
