import { describe, expect, it } from 'vitest';
import { type PageOwner, PendingPages } from '../../../../../src/emulator/accounts/oauth2/pages/pending.ts';
import { ManualClock } from '../../../../helpers/manual-clock.ts';

const browser = (session: string): PageOwner => ({ kind: 'browser', session });
const application = (id: string): PageOwner => ({ kind: 'application', id });
const unlisted: PageOwner = { kind: 'unlisted' };

function made(readingMs = 1000) {
  const machine = new ManualClock();
  const pages = new PendingPages<string>(machine, readingMs);
  const show = (owner: PageOwner, count: number) =>
    Array.from({ length: count }, (_, index) => pages.add(`request ${index}`, owner));
  const found = (tokens: readonly string[]) =>
    tokens.filter((token) => pages.find(token) !== undefined).length;
  return { machine, pages, show, found };
}

describe('the request of a page', () => {
  it('is found by the token of its form, and is displayed first', () => {
    const { pages } = made();
    const token = pages.add('request', unlisted);
    expect(token).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(pages.find(token)).toMatchObject({ request: 'request', progress: { kind: 'shown' } });
    expect(pages.find(token)?.id).toMatch(/^[A-Za-z0-9]{12}$/);
    expect([pages.find(''), pages.find(`${token}x`)]).toEqual([undefined, undefined]);
  });

  it('expires after ten minutes', () => {
    const { machine, pages } = made();
    const [old, other] = [pages.add('old', unlisted), pages.add('other', application('1'))];
    machine.advance(10 * 60_000 - 1);
    expect(pages.find(old)).toBeDefined();
    machine.advance(1);
    expect([pages.find(old), pages.find(other)]).toEqual([undefined, undefined]);
    pages.add('new', unlisted);
    expect(pages.all().map(({ request }) => request)).toEqual(['new']);
  });

  it('is allowed too early before the time that a person needs to read it', () => {
    const { machine, pages } = made(1000);
    const pending = pages.find(pages.add('request', unlisted));
    if (pending === undefined) throw new Error('no page');
    machine.advance(999);
    expect(pages.isTooEarly(pending)).toBe(true);
    machine.advance(1);
    expect(pages.isTooEarly(pending)).toBe(false);
  });

  it('is read in real time, without the time that a test adds', () => {
    const machine = Object.assign(new ManualClock(), { guard: new ManualClock() });
    const pages = new PendingPages<string>(machine, 1000);
    const pending = pages.find(pages.add('request', unlisted));
    if (pending === undefined) throw new Error('no page');
    machine.advance(5000);
    expect(pages.isTooEarly(pending)).toBe(true);
    machine.guard.advance(1000);
    expect(pages.isTooEarly(pending)).toBe(false);
  });

  it('is dropped alone, or with all others', () => {
    const { pages, show, found } = made();
    const tokens = show(unlisted, 3);
    pages.drop(tokens[0] ?? '');
    pages.drop('unknown');
    expect([found(tokens), pages.all().map(({ request }) => request)]).toEqual([
      2,
      ['request 1', 'request 2'],
    ]);
    pages.dropAll();
    expect([found(tokens), pages.all()]).toEqual([0, []]);
  });
});

describe('the slots of pages', () => {
  it.each([
    ['a browser', browser('a')],
    ['an application', application('1')],
    ['all unlisted applications', unlisted],
  ])('of %s go from the oldest page to the newest', (_, owner) => {
    const { show, found } = made();
    const tokens = show(owner, 200);
    const count = found(tokens);
    expect(count).toBeGreaterThan(32);
    expect(count).toBeLessThan(128);
    expect(found(tokens.slice(-count))).toBe(count);
  });

  it('are 128 for signed-in browsers, and as many for all others', () => {
    const { show, found } = made();
    const each = (owner: (name: string) => PageOwner) =>
      Array.from({ length: 128 }, (_, index) => show(owner(String(index)), 1)).flat();
    const [signedIn, others] = [each(browser), each(application)];
    expect([found(signedIn), found(others)]).toEqual([128, 128]);
    // A further owner gets a slot from the oldest page of all.
    const last = show(application('last'), 1);
    expect([found(last), found(others), found(others.slice(0, 1)), found(signedIn)]).toEqual([
      1, 127, 0, 128,
    ]);
    const further = show(browser('last'), 1);
    expect([found(further), found(signedIn), found(signedIn.slice(0, 1)), found(others)]).toEqual([
      1, 127, 0, 127,
    ]);
  });

  it('go to a new owner from the oldest page of the largest one', () => {
    const { show, found } = made();
    const small = show(application('small'), 1);
    const large = show(application('large'), 200);
    const count = found(large);
    const others = Array.from({ length: 100 }, (_, index) => show(application(String(index)), 1)).flat();
    expect([found(small), found(others)]).toEqual([1, 100]);
    expect(found(large)).toBeLessThan(count);
    expect(found(large.slice(-found(large)))).toBe(found(large));
  });

  it('are free again after their pages', () => {
    const { machine, pages, show, found } = made();
    const count = found(show(browser('a'), 200));
    machine.advance(10 * 60_000);
    expect(found(show(browser('a'), 200))).toBe(count);
    pages.dropAll();
    const again = show(browser('a'), count);
    expect(found(again)).toBe(count);
  });
});
