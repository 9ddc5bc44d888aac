import { describe, expect, it } from 'vitest';
import { namedFields } from '../../../../src/emulator/serve/http/header-fields.ts';
import { RateLimits } from '../../../../src/emulator/serve/http/rate-limit.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

it('the headers of a reply follow from one reading of the clock, although it advances with each reading', () => {
  const start = 1_800_000_000_000;
  let now = start;
  const clock = new ManualClock(start);
  clock.now = () => {
    now += 1;
    return now;
  };
  for (const isEnforced of [true, false]) {
    const limits = new RateLimits(clock, { isEnforced: () => isEnforced, isPreApproval: () => false });
    const headers = limits.take(
      { method: 'GET', path: '/gateway', communication: undefined },
      {},
      { name: 'a', application: 'b' },
    );
    expect(namedFields(headers)).toMatchObject({ 'X-RateLimit-Reset-After': '1.000' });
  }
});

const ROUTE = { method: 'GET', path: '/channels/{channel_id}/messages', communication: undefined } as const;
const BOT = { name: 'bot 1', application: '1' };

function limits({ enforced = true, preApproval = false } = {}) {
  const clock = new ManualClock();
  const all = new RateLimits(clock, { isEnforced: () => enforced, isPreApproval: () => preApproval });
  const take = (
    route: Parameters<RateLimits['take']>[0] = ROUTE,
    params: Readonly<Record<string, string>> = { channel_id: '5' },
    who = BOT,
  ): {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | string[]>>;
    readonly body?: unknown;
  } => {
    try {
      return { status: 200, headers: namedFields(all.take(route, params, who)) };
    } catch (error) {
      return (error as { readonly reply: ReturnType<typeof take> }).reply;
    }
  };
  return { clock, take };
}

const statuses = (count: number, one: () => { readonly status: number }) =>
  Array.from({ length: count }, one).filter(({ status }) => status === 200).length;

describe('rate limits', () => {
  it('are shown and never reached unless they are enforced', () => {
    const { take, clock } = limits({ enforced: false });
    expect(statuses(200, () => take())).toBe(200);
    expect(take().headers).toEqual({
      'X-RateLimit-Limit': '50',
      'X-RateLimit-Remaining': '49',
      'X-RateLimit-Reset': ((clock.now() + 1000) / 1000).toFixed(3),
      'X-RateLimit-Reset-After': '1.000',
      'X-RateLimit-Bucket': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('count down for a route and its channel, guild or webhook, and begin again after a second', () => {
    const { take, clock } = limits();
    expect(take().headers['X-RateLimit-Remaining']).toBe('49');
    clock.advance(400);
    expect(take().headers).toMatchObject({
      'X-RateLimit-Remaining': '48',
      'X-RateLimit-Reset-After': '0.600',
    });
    expect(statuses(100, () => take())).toBe(48);
    const refused = take();
    expect(refused).toMatchObject({
      status: 429,
      body: { message: 'You are being rate limited.', code: 0, retry_after: 0.6, global: false },
      headers: {
        'X-RateLimit-Limit': '50',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset-After': '0.600',
        'X-RateLimit-Scope': 'user',
        'Retry-After': '1',
      },
    });
    expect(refused.headers).not.toHaveProperty('X-RateLimit-Global');
    clock.advance(600);
    expect(take().headers['X-RateLimit-Remaining']).toBe('49');
  });

  it.each(['channel_id', 'guild_id', 'webhook_id'])('are separate by %s, and by no other id', (major) => {
    const { take, clock } = limits();
    const remaining = (params: Readonly<Record<string, string>>) =>
      take(ROUTE, params).headers['X-RateLimit-Remaining'];
    expect(remaining({ [major]: '5' })).toBe('49');
    expect(remaining({ [major]: '6' })).toBe('49');
    expect(remaining({ [major]: '5', message_id: '1' })).toBe('48');
    expect(remaining({ [major]: '5', message_id: '2' })).toBe('47');
    expect(take({ ...ROUTE, method: 'POST' }, { [major]: '5' }).headers['X-RateLimit-Remaining']).toBe('49');
    expect(take(ROUTE, { [major]: '5' }, { ...BOT, name: 'bot 2' }).headers['X-RateLimit-Remaining']).toBe(
      '49',
    );
    clock.advance(1);
  });

  it('are global across the routes of a caller', () => {
    const { take } = limits();
    expect(statuses(60, () => take(ROUTE, { channel_id: String(Math.random()) }))).toBe(50);
    const refused = take(ROUTE, { channel_id: '7' });
    expect(refused).toMatchObject({
      status: 429,
      body: { retry_after: 1, global: true },
      headers: { 'X-RateLimit-Global': 'true', 'X-RateLimit-Scope': 'global', 'Retry-After': '1' },
    });
    expect(refused.headers).not.toHaveProperty('X-RateLimit-Limit');
    expect(take(ROUTE, { channel_id: '7' }, { ...BOT, name: 'bot 2' }).status).toBe(200);
  });

  it.each([
    ['lobby-join', 100],
    ['lobby-change', 100],
    ['lobby-link', 20],
    ['lobby-message', 100],
    ['direct-message', 100],
  ] as const)(
    'before the approval are %s: %i in two hours for all users of an application',
    (communication, count) => {
      const { take, clock } = limits({ enforced: false, preApproval: true });
      let user = 0;
      const ask = (application = '1') =>
        take({ ...ROUTE, communication }, {}, { name: `user ${user++}`, application });
      expect(ask().headers).toMatchObject({
        'X-RateLimit-Limit': String(count),
        'X-RateLimit-Remaining': String(count - 1),
        'X-RateLimit-Reset-After': '7200.000',
      });
      expect(statuses(count + 5, () => ask())).toBe(count - 1);
      expect(ask()).toMatchObject({
        status: 429,
        body: { retry_after: 7200, global: false },
        headers: { 'X-RateLimit-Scope': 'shared', 'Retry-After': '7200' },
      });
      expect(ask('2').status).toBe(200);
      expect(take(ROUTE, {}).headers['X-RateLimit-Limit']).toBe('50');
      clock.advance(7_200_000);
      expect(ask().status).toBe(200);
    },
  );

  it('of communication are not in force once it is approved', () => {
    const { take } = limits({ enforced: false });
    expect(statuses(30, () => take({ ...ROUTE, communication: 'lobby-link' }))).toBe(30);
  });

  it('state at least a millisecond to wait, and discard a window of a clock that was set back', () => {
    const { take, clock } = limits();
    statuses(50, () => take());
    clock.advance(999);
    expect(take()).toMatchObject({
      status: 429,
      body: { retry_after: 0.001 },
      headers: { 'Retry-After': '1' },
    });
    clock.advance(-1000);
    expect(take()).toMatchObject({ status: 200, headers: { 'X-RateLimit-Remaining': '49' } });
  });

  it('forget the least recent of more than 10,000 windows', () => {
    const { take } = limits();
    const ask = (n: number) => take(ROUTE, { channel_id: '5' }, { name: String(n), application: '' });
    // Each has a window of its route and a global one.
    for (let n = 0; n < 5000; n += 1) ask(n);
    expect(ask(0).headers['X-RateLimit-Remaining']).toBe('48');
    ask(5000);
    expect(ask(1).headers['X-RateLimit-Remaining']).toBe('49');
    expect(ask(0).headers['X-RateLimit-Remaining']).toBe('47');
  });
});
