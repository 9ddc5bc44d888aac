import { expect, it } from 'vitest';
import { testPlatform } from '../../../helpers/platform.ts';

it('P-16: tells anybody where the gateway is, and a bot how many sessions it may start', async () => {
  const { call, bot, url } = await testPlatform();
  const address = `${url.replace('http', 'ws').replace('/api', '')}/gateway`;
  expect((await call('GET /gateway')).body).toEqual({ url: address });
  expect((await call('GET /gateway/bot', { headers: bot() })).body).toEqual({
    url: address,
    shards: 1,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
  });
  expect((await call('GET /gateway/bot')).status).toBe(401);
});
