import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/testing/testing.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { rawPeer } from '../helpers/raw-peer.ts';

const APP = '300000000000000001';
const external = { external_auth_type: 'STEAM_SESSION_TICKET', external_auth_token: 'emu.steam.76561' };

/** A game and its backend against an emulator for tests. */
async function game() {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const post = async (path: string, body: URLSearchParams | string) => {
    const headers = {
      'content-type': typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded',
    };
    const response = await fetch(`${emulator.api}/v10${path}`, {
      method: 'POST',
      body: body.toString(),
      headers,
    });
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  };
  const client = { client_id: APP, client_secret: 'any' };
  const app = async () => {
    const peer = new AppPeer(await rawPeer(emulator.endpoint));
    await peer.handshake(APP);
    return peer;
  };
  /** What a game does to link the account of a player: AUTHORIZE, and an exchange that names the player. */
  const link = async (peer: AppPeer) => {
    const { data } = await peer.call('AUTHORIZE', { client_id: APP, scopes: ['identify', 'rpc'] });
    return post(
      '/oauth2/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        code: String(data.code),
        ...client,
        ...external,
      }),
    );
  };
  return {
    emulator,
    app,
    link,
    provisional: () => post('/partner-sdk/token', JSON.stringify({ ...client, ...external })),
    refresh: (token: unknown) =>
      post(
        '/oauth2/token',
        new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(token), ...client }),
      ),
  };
}

it('a user.ban of a test ends sessions and tokens of a game, and is lifted by the clock [T-3]', async () => {
  const { emulator, app, link, provisional, refresh } = await game();
  const session = await app();
  const { body: token } = await link(session);
  await session.call('AUTHENTICATE', { access_token: token['access_token'] });

  const now = await emulator.clock.now();
  const until = new Date(now.getTime() + 86_400_000).toISOString();
  const ended = await emulator.operations.call('user.ban', { user: 'river', until });
  expect(ended).toMatchObject({
    until,
    applications: [{ id: APP }],
    identities: [{ external_user_id: '76561', status: 'restricted' }],
  });
  expect(await session.closed()).toMatchObject({ code: 4003 });
  expect(await refresh(token['refresh_token'])).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect(await provisional()).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });

  // Another person at the same game.
  await emulator.operations.call('user.switch', { id: 'heron' });
  expect(await link(await app())).toMatchObject({ status: 400, body: { code: 530017 } });
  await emulator.clock.advance('1d');
  expect(await link(await app())).toMatchObject({ status: 200 });
});
