import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const OTHER = '300000000000000002';

it('one application may use all gateway slots, and makes room for another application [W-2]', async () => {
  const platform = await botPlatform({}, [], { maxGatewayConnections: 3 });
  const token = tokenOf(platform);
  const clients = [0, 1, 2].map(() => new GatewayClient(platform.url));
  await Promise.all(clients.map((client) => client.identify(token)));
  const [first, , third] = clients as [GatewayClient, GatewayClient, GatewayClient];

  const full = new GatewayClient(platform.url);
  await full.op(10);
  full.send({ op: 2, d: { token, intents: 0, properties: {} } });
  expect(await full.closed).toMatchObject({ code: 4000, reason: expect.stringMatching(/No room/) });
  const other = new GatewayClient(platform.url);
  await other.identify(platform.bot(OTHER).authorization.slice('Bot '.length));
  expect((await third.closed).code).toBe(1006);
  await first.rest();
});

it('heartbeats alone do not keep an unidentified connection open [W-2]', async () => {
  const clock = new ManualClock();
  const platform = await botPlatform({}, [], { clock });
  const client = new GatewayClient(platform.url);
  await client.op(10);
  clock.advance(20_000);
  await client.rest();
  clock.advance(11_000);
  expect((await client.closed).code).toBe(4009);
});
