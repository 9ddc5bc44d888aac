import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/testing/testing.ts';
import { GatewayClient } from '../helpers/gateway-client.ts';

const APP = '300000000000000001';

it('a test requests reconnects, cuts connections, and lists the sessions of the gateway [W-2]', async () => {
  const fixture = {
    me: '1',
    users: [
      { id: '1', username: 'ana' },
      { id: '2', username: 'helper', bot: true },
    ],
    applications: [{ id: APP, name: 'Helper', bot_user: 'helper', secret: 'shh' }],
  };
  const emulator = await startEmulator({ fixture });
  onTestFinished(() => emulator.close());
  const { operations } = emulator;
  expect(await operations.call('gateway.sessions')).toEqual([]);
  expect(await operations.call('gateway.cut', { app: APP })).toEqual({ application: APP, cut: 0 });
  const token = `${Buffer.from(APP).toString('base64url')}.emulator.bot`;
  const client = new GatewayClient(emulator.api);
  const { d } = await client.identify(token);
  const session = { application: APP, user: '2', shard: [0, 1], intents: 0, seq: 1 };
  expect(await operations.call('gateway.sessions')).toEqual([{ ...session, state: 'connected' }]);
  expect(await operations.call('gateway.reconnect', { app: 'Helper' })).toEqual({
    application: APP,
    asked: 1,
  });
  expect(await client.op(7)).toMatchObject({ d: null });
  expect(await operations.call('gateway.cut', { app: APP })).toEqual({ application: APP, cut: 1 });
  expect((await client.closed).code).toBe(1006);
  await expect.poll(() => operations.call('gateway.sessions')).toEqual([{ ...session, state: 'cut' }]);
  const again = new GatewayClient(emulator.api);
  await again.op(10);
  again.send({ op: 6, d: { token, session_id: d.session_id, seq: 1 } });
  await again.event('RESUMED');
  await expect(operations.call('gateway.cut', { app: 'nobody' })).rejects.toThrow(
    'There is no application "nobody"',
  );
  // Whoever goes tells its clients to come back.
  await emulator.close();
  expect((await again.closed).code).toBe(1001);
  expect(again.received.some(({ op }) => op === 7)).toBe(true);
});
