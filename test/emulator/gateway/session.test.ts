import { expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../helpers/gateway-client.ts';
import { APP } from '../../helpers/platform.ts';

it('W-2: greets a bot, tells it READY and each of its guilds, and answers heartbeats', async () => {
  const platform = await botPlatform();
  const client = new GatewayClient(platform.url);
  expect(await client.next()).toEqual({ op: 10, s: null, t: null, d: { heartbeat_interval: 41_250 } });
  client.send({ op: 1, d: null });
  expect(await client.next()).toMatchObject({ op: 11 });
  client.send({ op: 2, d: { token: tokenOf(platform), intents: 1, properties: {} } });
  const ready = await client.next();
  expect(ready).toMatchObject({
    op: 0,
    s: 1,
    t: 'READY',
    d: {
      v: 10,
      user: { id: APP, bot: true },
      guilds: [{ id: ids.riverBank, unavailable: true }],
      application: { id: APP, flags: 1 << 19 },
      resume_gateway_url: `${platform.url.replace('http', 'ws').replace('/api', '')}/gateway`,
    },
  });
  expect(ready.d).not.toHaveProperty('shard');
  expect(await client.next()).toMatchObject({
    s: 2,
    t: 'GUILD_CREATE',
    d: { id: ids.riverBank, unavailable: false },
  });
  client.socket.close(1000);
  expect((await client.closed).code).toBe(1000);
});
