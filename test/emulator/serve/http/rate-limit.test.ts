import { expect, it } from 'vitest';
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
    expect(headers).toMatchObject({ 'X-RateLimit-Reset-After': '1.000' });
  }
});
