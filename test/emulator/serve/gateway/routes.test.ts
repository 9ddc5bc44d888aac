import { expect, it } from 'vitest';
import { testPlatform } from '../../../helpers/platform.ts';

it('GET /gateway returns the address to anyone, and GET /gateway/bot the start limit to a bot [P-16]', async () => {
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
