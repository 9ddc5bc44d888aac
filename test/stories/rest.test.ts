// @discordjs/rest is what most bots of the JavaScript world call the platform with: its routes, its queue, its reading of 429.
import { DiscordAPIError, HTTPError, RateLimitError, REST, type RESTOptions } from '@discordjs/rest';
import { describe, expect, it } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { APP, botToken, codeOf, REDIRECT, story } from './story.ts';

function bot({ api }: TestEmulator, options: Partial<RESTOptions> = {}): REST {
  return new REST({ api, version: '10', ...options }).setToken(botToken());
}

describe('@discordjs/rest', () => {
  it('reads and changes its own user and application', async () => {
    const emulator = await story();
    const rest = bot(emulator);
    expect(await rest.get('/users/@me')).toMatchObject({ id: APP, bot: true });
    const changed = await rest.patch('/users/@me', { body: { username: 'tug' }, reason: 'Grüße' });
    expect(changed).toMatchObject({ id: APP, username: 'tug' });
    expect(await rest.get(`/users/${APP}`)).toMatchObject({ username: 'tug' });
    expect(await rest.get('/applications/@me')).toMatchObject({ id: APP, name: 'Harbour Example' });
    expect(await rest.get('/gateway/bot')).toMatchObject({
      shards: 1,
      session_start_limit: { max_concurrency: 1 },
    });
    const metadata = [{ type: 7, key: 'verified', name: 'Verified', description: 'x' }];
    const path = `/applications/${APP}/role-connections/metadata` as const;
    expect(await rest.put(path, { body: metadata })).toEqual(metadata);
    expect(await rest.get(path)).toEqual(metadata);
  });

  it('exchanges a code as multipart, and acts for a user with the token', async () => {
    const emulator = await story();
    const rest = new REST({ api: emulator.api });
    const form = new FormData();
    form.set('grant_type', 'authorization_code');
    form.set('code', await codeOf(emulator, { scope: 'identify role_connections.write' }));
    form.set('redirect_uri', REDIRECT);
    form.set('client_id', APP);
    form.set('client_secret', 'x');
    const send = { body: form, passThroughBody: true, auth: false } as const;
    const token = (await rest.post('/oauth2/token', send)) as { readonly access_token: string };
    const person = new REST({ api: emulator.api, authPrefix: 'Bearer' }).setToken(token.access_token);
    expect(await person.get('/users/@me')).toMatchObject({ username: 'river' });
    const connection = { platform_name: 'Harbour', platform_username: 'river', metadata: { wins: '3' } };
    const path = `/users/@me/applications/${APP}/role-connection` as const;
    expect(await person.put(path, { body: connection })).toEqual(connection);
    expect(await person.delete(path)).toBeInstanceOf(ArrayBuffer);
  });

  it('parses every refusal', async () => {
    const emulator = await story({ strict: false });
    const rest = bot(emulator, { retries: 0 });
    const broken = await rest
      .patch('/users/@me', { body: { username: 'x', avatar: 'y' } })
      .catch((error: unknown) => error);
    expect(broken).toBeInstanceOf(DiscordAPIError);
    expect(broken).toMatchObject({ code: 50035, status: 400 });
    expect((broken as Error).message).toContain(
      'username[BASE_TYPE_BAD_LENGTH]: Must be between 2 and 32 in length.',
    );
    await expect(rest.get('/users/9')).rejects.toMatchObject({ code: 10013, status: 404 });
    await expect(rest.get('/no/such/route')).rejects.toMatchObject({ code: 0, status: 404 });
    await expect(rest.delete('/users/@me')).rejects.toMatchObject({ code: 0, status: 405 });
    await expect(rest.get('/oauth2/@me')).rejects.toMatchObject({ code: 20001, status: 403 });
    await expect(rest.patch('/applications/@me', { body: { tags: ['sea'] } })).rejects.toBeInstanceOf(
      HTTPError,
    );
    await expect(bot(emulator).setToken(botToken('9').slice(1)).get('/users/@me')).rejects.toMatchObject({
      status: 401,
    });
    await expect(
      new REST({ api: emulator.api, version: '5' }).setToken('x').get('/gateway'),
    ).rejects.toMatchObject({
      code: 50041,
    });
  });

  it('queues its requests where limits are enforced, and receives no 429', async () => {
    const emulator = await enforced();
    const rest = bot(emulator, { globalRequestsPerSecond: 0x7fffffff });
    let limited = 0;
    rest.on('response', (_request, { status }) => {
      if (status === 429) limited += 1;
    });
    const answers = await Promise.all(Array.from({ length: 60 }, () => rest.get('/gateway')));
    expect(answers).toHaveLength(60);
    expect(limited).toBe(0);
  });

  it('distinguishes a 429 for one route from a global one', async () => {
    const emulator = await enforced();
    await emulator.clock.freeze();
    for (let i = 0; i < 50; i += 1) await fetch(`${emulator.api}/v10/gateway`);
    const rest = bot(emulator, { rejectOnRateLimit: () => true });
    const one = await rest.get('/gateway', { auth: false }).catch((error: unknown) => error);
    expect(one).toBeInstanceOf(RateLimitError);
    expect(one).toMatchObject({ global: false, scope: 'user', limit: 50, route: '/gateway' });
    const all = await bot(emulator, { rejectOnRateLimit: () => true })
      .get('/oauth2/keys', { auth: false })
      .catch((error: unknown) => error);
    expect(all).toBeInstanceOf(RateLimitError);
    expect(all).toMatchObject({ global: true, scope: 'global' });
    // Without a word to the contrary it tries again once the time is over.
    const later = new REST({ api: emulator.api }).get('/gateway', { auth: false });
    await emulator.clock.run();
    await emulator.clock.advance('1s');
    expect(await later).toHaveProperty('url');
  });
});

async function enforced(): Promise<TestEmulator> {
  const emulator = await story();
  await emulator.operations.call('emulator.apply', { patch: { rate_limits: 'enforced' } });
  return emulator;
}
