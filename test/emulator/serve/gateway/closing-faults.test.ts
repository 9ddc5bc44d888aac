import { expect, it } from 'vitest';
import { Faults } from '../../../../src/faults/faults.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { testPlatform } from '../../../helpers/platform.ts';

it.each([
  [1000, 'A fault closed the connection.'],
  // No close frame has this code: the connection just ends.
  [1006, ''],
  [4999, 'A fault closed the connection.'],
])('a fault closes the connection with %i in the place of a payload', async (code, reason) => {
  const faults = new Faults();
  const platform = await testPlatform(undefined, { faults });
  const client = new GatewayClient(platform.url);
  const ready = await client.identify(tokenOf(platform));
  faults.add({ effect: { kind: 'close', code }, where: { on: 'gateway' }, count: 1 });
  client.send({ op: 1, d: null });
  expect(await client.closed).toEqual({ code, reason });
  expect(platform.lines).toEqual([]);
  // Its session can be resumed.
  const again = new GatewayClient(platform.url);
  await again.op(10);
  again.send({ op: 6, d: { token: tokenOf(platform), session_id: ready.d.session_id, seq: ready.s } });
  expect(await again.event('RESUMED')).toMatchObject({ op: 0 });
});
