import { expect, it } from 'vitest';
import { ErrorCode } from '../../../src/protocol/error-code.ts';
import { upstreamBridge } from '../../helpers/upstream-bridge.ts';

it('the upstream core answers the first request after the upstream returned, however long it was away', async () => {
  const { client, app } = await upstreamBridge({ script: { request: (s, r) => s.answer(r, r.args) } });
  const peer = await app();
  await client.stop();
  // By then the attempts to come back are a second apart.
  for (let n = 0; n < 8; n++) {
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { code: ErrorCode.SERVICE_UNAVAILABLE } });
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await client.start();
  expect(await peer.call('GET_GUILDS', { n: 1 })).toMatchObject({ evt: null, data: { n: 1 } });
});
