import { describe, expect, it } from 'vitest';
import { Browsers } from '../../../../../src/emulator/accounts/oauth2/pages/browsers.ts';
import { ManualClock } from '../../../../helpers/manual-clock.ts';

function made() {
  const machine = new ManualClock();
  const browsers = new Browsers(machine);
  /** The cookie that a new browser sends from then on. */
  const signIn = () => {
    const [cookie = ''] = browsers.signIn(browsers.invite()) ?? [];
    return { cookie: cookie.split(';')[0] ?? '' };
  };
  return { machine, browsers, signIn };
}

describe('a browser', () => {
  it('is signed in by a key, once, with a cookie for each page', () => {
    const { browsers } = made();
    const key = browsers.invite();
    const cookies = browsers.signIn(key) ?? [];
    const shape = (path: string) =>
      new RegExp(
        `^footbridge_[A-Za-z0-9]{12}=[A-Za-z0-9]{40}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=43200$`,
      );
    expect(cookies).toEqual([
      expect.stringMatching(shape('/oauth2/authorize')),
      expect.stringMatching(shape('/activate')),
    ]);
    expect(browsers.signIn(key)).toBeUndefined();
    expect(browsers.signIn('')).toBeUndefined();
  });

  it.each([
    [10 * 60_000 - 1, true],
    [10 * 60_000, false],
  ])('is signed in by a key that is %i ms old: %s', (age, expected) => {
    const { machine, browsers } = made();
    const key = browsers.invite();
    machine.advance(age);
    expect(browsers.signIn(key) !== undefined).toBe(expected);
  });

  it('has a session for twelve hours', () => {
    const { machine, browsers, signIn } = made();
    const headers = signIn();
    const session = browsers.sessionOf(headers);
    expect(session).toBeDefined();
    expect(headers.cookie).not.toContain(session);
    machine.advance(12 * 3_600_000 - 1);
    expect(browsers.sessionOf(headers)).toBe(session);
    machine.advance(1);
    expect(browsers.sessionOf(headers)).toBeUndefined();
  });

  it.each<[what: string, cookie: (own: string) => string | undefined, isKnown: boolean]>([
    ['its cookie', (own) => own, true],
    ['its cookie among others', (own) => `a=b;  ${own} ; c=d`, true],
    ['its cookie after a stale one of the same name', (own) => `${own.split('=')[0]}=old; ${own}`, true],
    ['no cookie', () => undefined, false],
    ['the value of its cookie alone', (own) => own.split('=')[1], false],
    ['its cookie under another name', (own) => `x${own}`, false],
    ['another value', (own) => `${own}x`, false],
    ['an empty value', (own) => `${own.split('=')[0]}=`, false],
  ])('that sends %s is known or not', (_, cookie, isKnown) => {
    const { browsers, signIn } = made();
    const { cookie: own } = signIn();
    expect(browsers.sessionOf({ cookie: cookie(own) }) !== undefined).toBe(isKnown);
  });

  it('is not known before any was signed in, nor by the cookie of another emulator', () => {
    const [one, other] = [made(), made()];
    expect(one.browsers.sessionOf({ cookie: '=' })).toBeUndefined();
    const headers = other.signIn();
    one.signIn();
    expect(one.browsers.sessionOf(headers)).toBeUndefined();
    expect(one.signIn().cookie.split('=')[0]).toBe(one.signIn().cookie.split('=')[0]);
  });

  it('is forgotten after 64 newer ones, and so is a key', () => {
    const { browsers, signIn } = made();
    const keys = Array.from({ length: 65 }, () => browsers.invite());
    const sessions = keys.slice(0, 2).map((key) => browsers.signIn(key) !== undefined);
    expect(sessions).toEqual([false, true]);
    const all = Array.from({ length: 65 }, signIn);
    const known = all.map((headers) => browsers.sessionOf(headers) !== undefined);
    expect(known).toEqual([false, ...Array.from({ length: 64 }, () => true)]);
  });
});
