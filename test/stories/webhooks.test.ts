import { expect, it } from 'vitest';
import { APP, post, story, tokensOf } from './story.ts';
import { application, verifyKeyOf } from './webhook-app.ts';

it('discord-interactions accepts every real delivery, and refuses the probe with a wrong signature', async () => {
  const emulator = await story();
  const app = await application(await verifyKeyOf(emulator));
  await emulator.operations.call('webhook.set', { app: APP, url: `${app.url}/events` });
  expect(app.deliveries).toMatchObject([
    { isGenuine: true, body: { type: 0, application_id: APP } },
    { isGenuine: false },
  ]);
  const { access_token } = await tokensOf(emulator, { scope: 'identify' });
  await expect
    .poll(app.events)
    .toMatchObject([
      { type: 'APPLICATION_AUTHORIZED', data: { scopes: ['identify'], user: { username: 'river' } } },
    ]);
  await post(emulator, '/oauth2/token/revoke', { token: access_token, client_id: APP });
  await expect.poll(app.events).toHaveLength(2);
  expect(app.events()[1]).toMatchObject({
    type: 'APPLICATION_DEAUTHORIZED',
    data: { user: { username: 'river' } },
  });
  expect(app.deliveries.filter(({ isGenuine }) => !isGenuine)).toHaveLength(1);
});

it('discord-interactions refuses the deliveries of another application', async () => {
  const emulator = await story();
  const app = await application('0'.repeat(64));
  await expect(
    emulator.operations.call('webhook.set', { app: APP, url: `${app.url}/events` }),
  ).rejects.toThrow('answered the PING with 401');
});
