// One player's life over every door: known to the game alone, linked, banned while the game runs, and back again.
import { REST } from '@discordjs/rest';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { type Library, libraries, startApp } from '../interop/start-app.ts';
import { APP, botToken, codeOf, post, REDIRECT, story, type Tokens } from './story.ts';
import { application, verifyKeyOf } from './webhook-app.ts';

const TOKEN_REVOKED = 4003;
const ALREADY_LINKED = 530010;
const SOURCE_BANNED = 530017;
const GAMER = { external_user_id: 'gamer 1', preferred_global_name: 'Gamer' };

function bot({ api }: TestEmulator): REST {
  return new REST({ api }).setToken(botToken());
}

async function provisional(emulator: TestEmulator): Promise<Tokens> {
  return (await bot(emulator).post('/partner-sdk/token/bot', { body: GAMER })) as Tokens;
}

interface Me {
  readonly status: number;
  readonly body: { readonly id?: string; readonly username?: string; readonly global_name?: string };
}

async function me({ api }: TestEmulator, { access_token }: Pick<Tokens, 'access_token'>): Promise<Me> {
  const answer = await fetch(`${api}/v10/users/@me`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  return { status: answer.status, body: (await answer.json()) as Me['body'] };
}

/** The logged-in user allows the game, which shows whom it knows them as. */
async function linked(emulator: TestEmulator, { access_token }: Tokens) {
  const answer = await post(emulator, '/oauth2/token', {
    grant_type: 'authorization_code',
    code: await codeOf(emulator, { scope: 'identify openid rpc' }),
    redirect_uri: REDIRECT,
    client_id: APP,
    client_secret: 'any',
    external_auth_type: 'DISCORD_BOT_ISSUED_ACCESS_TOKEN',
    external_auth_token: access_token,
  });
  return { status: answer.status, body: (await answer.json()) as Tokens & { readonly code?: number } };
}

describe.each(Object.keys(libraries) as Library[])('a user of a game made with %s', (library) => {
  it('starts provisional, is linked, is banned while the game runs, and is linked again after the ban', async () => {
    const emulator = await story();
    const hooks = await application(await verifyKeyOf(emulator));
    await emulator.operations.call('webhook.set', { app: APP, url: hooks.url });

    const alone = await provisional(emulator);
    const gamer = await me(emulator, alone);
    expect(gamer).toMatchObject({ status: 200, body: { global_name: 'Gamer' } });
    const { origin } = new URL(emulator.api);
    const { payload } = await jwtVerify(
      alone.id_token,
      createRemoteJWKSet(new URL(`${emulator.api}/oauth2/keys`)),
      {
        issuer: origin,
        audience: APP,
      },
    );
    expect(payload.sub).toBe(gamer.body.id);

    const river = await linked(emulator, alone);
    expect(river.status).toBe(200);
    expect((await me(emulator, river.body)).body).toMatchObject({ username: 'river' });
    await expect(provisional(emulator)).rejects.toMatchObject({
      code: ALREADY_LINKED,
      status: 400,
      rawError: {
        user_id: expect.any(String),
        provider_type: 'DISCORD_BOT',
        provider_issued_user_id: 'gamer 1',
      },
    });

    const game = startApp(library, { ...process.env, ...emulator.env } as Record<string, string>);
    onTestFinished(async () => void (await game.end()));
    await game.connect(APP);
    await game.login({ clientId: APP, scopes: ['rpc'], api: emulator.api, token: river.body.access_token });

    const until = new Date((await emulator.clock.now()).getTime() + 2 * 60 * 60 * 1000).toISOString();
    await emulator.operations.call('user.ban', { user: 'river', until });
    expect((await me(emulator, river.body)).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: river.body.refresh_token };
    const dead = await post(emulator, '/oauth2/token', { ...refresh, client_id: APP, client_secret: 'any' });
    expect([dead.status, await dead.json()]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Invalid "refresh_token" in request' },
    ]);
    expect(await game.closed()).toMatchObject({ code: TOKEN_REVOKED });
    await expect.poll(() => hooks.events().map((event) => event?.type)).toContain('APPLICATION_DEAUTHORIZED');

    const again = await provisional(emulator);
    const restricted = await me(emulator, again);
    expect(restricted.status).toBe(200);
    expect([gamer.body.id, undefined]).not.toContain(restricted.body.id);
    await emulator.operations.call('user.switch', { id: 'otter' });
    expect(await linked(emulator, again)).toMatchObject({ status: 400, body: { code: SOURCE_BANNED } });

    await emulator.operations.call('user.switch', { id: 'river' });
    await emulator.clock.advance('2h');
    const back = await linked(emulator, again);
    expect(back.status).toBe(200);
    expect((await me(emulator, back.body)).body).toMatchObject({ username: 'river' });
    expect(hooks.deliveries.filter(({ isGenuine }) => !isGenuine)).toHaveLength(1);
  });
});

describe.each(['user.unlink', 'user.remove-app', 'unmerge by the bot', 'revoke'] as const)(
  'an account link that ends by %s',
  (way) => {
    it('leaves a new provisional account, which can be linked at once', async () => {
      const emulator = await story();
      const first = await provisional(emulator);
      const river = await linked(emulator, first);
      if (way === 'revoke') {
        await post(emulator, '/oauth2/token/revoke', { token: river.body.access_token, client_id: APP });
      } else if (way === 'unmerge by the bot') {
        const body = { external_user_id: GAMER.external_user_id };
        await bot(emulator).post('/partner-sdk/provisional-accounts/unmerge/bot', { body });
      } else {
        await emulator.operations.call(way, { user: 'river', app: APP });
      }
      expect((await me(emulator, river.body)).status).toBe(401);
      const next = await provisional(emulator);
      const { body } = await me(emulator, next);
      expect(body.username).not.toBe('river');
      expect((await linked(emulator, next)).status).toBe(200);
    });
  },
);
