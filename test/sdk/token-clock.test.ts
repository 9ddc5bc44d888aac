import { expect, it } from 'vitest';
import { heldService } from './held-service.ts';
import { APP, until } from './played-game.ts';

it('the end of a token is told by the clock also to whoever has left and come back', async () => {
  const { client, use } = await heldService({
    atOnce: ({ what }) =>
      what === 'POST /oauth2/token'
        ? [200, { access_token: 'token-of-ana', expires_in: 0.3, token_type: 'Bearer' }]
        : undefined,
  });
  const { accessToken } = await client.RefreshToken(APP, 'a-refresh-token');
  await use(accessToken);
  await client.Disconnect();
  let isOver = false;
  client.SetTokenExpirationCallback(() => {
    isOver = true;
  });
  client.Connect();
  await until(() => isOver);
  expect(client.IsAuthenticated()).toBe(true);
});
