import { expect, it } from 'vitest';
import { APP, testPlatform } from '../../helpers/platform.ts';

const PUBLIC_CLIENT = 1 << 8;
const MESSAGE_CONTENT = 1 << 19;

it('flags have 31 bits, and a request changes only their limited intents [O-1]', async () => {
  const { call, bot } = await testPlatform((fixture) => ({
    ...fixture,
    applications: fixture.applications.map((one) => (one.id === APP ? { ...one, public_client: true } : one)),
  }));
  const before = await call('GET /applications/@me', { headers: bot() });
  expect(before.body.flags).toBe(PUBLIC_CLIENT);
  const json = { flags: MESSAGE_CONTENT | (1 << 17) };
  const changed = await call('PATCH /applications/@me', { headers: bot(), json });
  expect(changed.body.flags).toBe(PUBLIC_CLIENT | MESSAGE_CONTENT);
  const cleared = await call('PATCH /applications/@me', { headers: bot(), json: { flags: 0 } });
  expect(cleared.body.flags).toBe(PUBLIC_CLIENT);
});

it('flags_new is a string with every bit, also above those of flags [O-2, N-6]', async () => {
  const { call, bot } = await testPlatform((fixture) => ({
    ...fixture,
    applications: fixture.applications.map((one) =>
      one.id === APP ? { ...one, intents: ['message_content'] as const } : { ...one, parent: APP },
    ),
  }));
  // Bit 33: a publisher, which has applications of its own.
  const { body } = await call('GET /applications/@me', { headers: bot() });
  expect(body).toMatchObject({ id: APP, flags: MESSAGE_CONTENT });
  expect(body.flags_new).toBe(String((1n << 33n) | BigInt(MESSAGE_CONTENT)));
  const child = await call('GET /applications/@me', { headers: bot('300000000000000002') });
  expect(child.body).toMatchObject({ flags: 0, flags_new: '0' });
});
