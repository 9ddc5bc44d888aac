import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { listen } from '../../../helpers/gateway-listener.ts';
import { APP } from '../../../helpers/platform.ts';

it('a gateway that nobody connected to has no session, nobody to disturb and nobody to tell', async () => {
  const { emulator } = await botPlatform();
  const { gateway } = emulator;
  expect(await gateway.sessions()).toEqual([]);
  expect([await gateway.disturb(APP, 'cut'), gateway.hasReceiver(APP)]).toEqual([0, false]);
  await gateway.close();
  const heard = await listen(emulator);
  expect([gateway.hasReceiver(APP), gateway.hasReceiver('1')]).toEqual([true, false]);
  // A listener is no session.
  expect(await gateway.sessions()).toEqual([]);
  expect(heard()).toEqual([]);
});

it('the gateway asks every client to come again when it closes, and their sessions end', async () => {
  const platform = await botPlatform();
  const { gateway } = platform.emulator;
  const [identified, silent] = [new GatewayClient(platform.url), new GatewayClient(platform.url)];
  await identified.identify(tokenOf(platform));
  await silent.op(10);
  expect(gateway.hasReceiver(APP)).toBe(true);
  await gateway.close();
  for (const client of [identified, silent]) {
    expect(await client.op(7)).toEqual({ op: 7, t: null, s: null, d: null });
    expect(await client.closed).toEqual({ code: 1001, reason: 'Going away' });
  }
  expect([await gateway.sessions(), gateway.hasReceiver(APP)]).toEqual([[], false]);
});
