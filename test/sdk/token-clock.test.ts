import { expect, it } from 'vitest';
import { heldService } from './held-service.ts';
import { APP, until } from './played-game.ts';

it('the expiry timer of a token calls the callback of a game that has disconnected and connected again', async () => {
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

it('an expired token calls the callback once, by timer or by service, however often the game connects', async () => {
  const { client, play } = await heldService({
    atOnce: ({ what }) => {
      if (what === 'POST /oauth2/token')
        return [200, { access_token: 'token-of-ana', expires_in: 0.1, token_type: 'Bearer' }];
      return what === 'GET /users/@me/guilds' ? [401, { message: '401: Unauthorized', code: 0 }] : undefined;
    },
  });
  await client.RefreshToken(APP, 'a-refresh-token');
  let told = 0;
  client.SetTokenExpirationCallback(() => {
    told += 1;
  });
  await play('token-of-ana');
  await until(() => told > 0);
  for (let n = 0; n < 3; n += 1) client.Connect();
  expect((await client.GetUserGuilds()).result.Status()).toBe(401);
  await client.Disconnect();
  expect(told).toBe(1);
});
