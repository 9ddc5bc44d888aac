import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

// The states of the link between the account of a game and one of the platform, by each way in which it ends.

const HERO = '76561';
/** What the store gives to the game for a user of its own. */
const ticket = (id: string) => ({
  external_auth_type: 'STEAM_SESSION_TICKET',
  external_auth_token: `emu.steam.${id}`,
});
const client = { clientId: APP, clientSecret: 'any' };
const DAY = 86_400_000;

/** What an application was told, as it reads it. */
interface Told {
  readonly application_id: string;
  readonly event: { readonly type: string; readonly data: { readonly user: { readonly id: string } } };
}

/** Where applications are told. */
async function inbox(): Promise<{ readonly url: string; readonly told: () => readonly Told[] }> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    const text = request.toArray().then((parts) => Buffer.concat(parts as Buffer[]).toString('utf8'));
    void text.then((body) => {
      told.push(JSON.parse(body) as Told);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told: () => told };
}

/** Who vouches for the external identity: a store, or the game itself through its bot. */
type Provider = 'STEAM' | 'DISCORD_BOT';

/** A person with a link: an external identity, tokens of two applications, and both applications listening. */
async function linked(provider: Provider = 'STEAM') {
  const clock = new ManualClock();
  const platform = await testPlatform(undefined, { clock });
  const { emulator } = platform;
  const { url, told } = await inbox();
  await emulator.apply({
    event_webhooks: [APP, ids.lighthouse].map((application) => ({
      application,
      url,
      types: ['APPLICATION_DEAUTHORIZED'],
    })),
    external_identities: [
      {
        application: APP,
        provider,
        external_user_id: HERO,
        user: 'river',
        status: 'linked',
      },
    ],
  });
  const token = await tokenOf(platform);
  const other = await platform.bearer(['identify'], ids.lighthouse);
  const identity = () => emulator.tables.external_identities.get(APP, provider, HERO);
  return { ...platform, clock, told, token, other, provider, identity };
}
type Linked = Awaited<ReturnType<typeof linked>>;

async function codeOf({ emulator }: TestPlatform): Promise<string> {
  const { code } = await emulator.oauth2.authorize({
    clientId: APP,
    scopes: ['identify'],
    peer: { transport: 'ipc' },
    signal: new AbortController().signal,
  });
  return code;
}

async function tokenOf(to: TestPlatform) {
  return to.emulator.oauth2.exchangeCode(client, { code: await codeOf(to), issuer: to.url });
}

/** What a game shows for the identity, as soon as that has an account of its own again. */
async function proofOf({ provider, call, bot }: Linked): Promise<Readonly<Record<string, string>>> {
  if (provider === 'STEAM') return ticket(HERO);
  const { body } = await call('POST /partner-sdk/token/bot', {
    headers: bot(),
    json: { external_user_id: HERO },
  });
  return {
    external_auth_type: 'DISCORD_BOT_ISSUED_ACCESS_TOKEN',
    external_auth_token: String(body.access_token),
  };
}

/** Merges an identity into a person who logs in for it; the platform's answer. */
async function merge(to: Linked, userId: string, proof?: Readonly<Record<string, string>>) {
  to.emulator.accounts.logIn(userId);
  const code = await codeOf(to);
  const form = { grant_type: 'authorization_code', code, client_id: APP, client_secret: 'any' };
  return to.call('POST /oauth2/token', { form: { ...form, ...(proof ?? (await proofOf(to))) } });
}

function refresh({ call, token }: Linked) {
  const form = {
    grant_type: 'refresh_token',
    refresh_token: token.refresh_token,
    client_id: APP,
    client_secret: 'any',
  };
  return call('POST /oauth2/token', { form });
}

const ways: readonly {
  readonly way: string;
  /** Whether the other application of the person loses its tokens, too. */
  readonly all?: true;
  readonly restricted?: true;
  readonly provider?: Provider;
  readonly end: (to: Linked) => Promise<unknown>;
}[] = [
  {
    way: 'the person is banned for good',
    all: true,
    restricted: true,
    end: ({ emulator }) => emulator.links.ban(ids.river, null),
  },
  {
    way: 'the person is banned for a day',
    all: true,
    restricted: true,
    end: ({ emulator, clock }) => emulator.links.ban(ids.river, clock.now() + DAY),
  },
  {
    way: 'a ban is written down',
    all: true,
    restricted: true,
    end: ({ emulator }) => emulator.apply({ account_bans: [{ user: 'river' }] }),
  },
  { way: 'the account is unlinked by hand', end: ({ emulator }) => emulator.links.end(ids.river, APP) },
  {
    way: 'the game unmerges it, by a ticket of the store',
    end: ({ call }) =>
      call('POST /partner-sdk/provisional-accounts/unmerge', {
        json: { client_id: APP, client_secret: 'any', ...ticket(HERO) },
      }),
  },
  {
    way: 'the bot of the game unmerges it',
    provider: 'DISCORD_BOT',
    end: ({ call, bot }) =>
      call('POST /partner-sdk/provisional-accounts/unmerge/bot', {
        headers: bot(),
        json: { external_user_id: HERO },
      }),
  },
  {
    way: 'the person is banned, whom the game knows by its bot',
    all: true,
    restricted: true,
    provider: 'DISCORD_BOT',
    end: ({ emulator }) => emulator.links.ban(ids.river, null),
  },
  {
    way: 'the application revokes a token',
    end: ({ call, token }) =>
      call('POST /oauth2/token/revoke', {
        form: { token: token.access_token, client_id: APP, client_secret: 'any' },
      }),
  },
  {
    way: 'the grant is revoked by the person',
    end: ({ emulator }) => {
      const grant = emulator.oauth2.grants().find(({ clientId }) => clientId === APP);
      return emulator.oauth2.revokeGrant(grant?.id ?? '');
    },
  },
];

describe.each(ways)('when $way [T-3, T-4]', ({ all = false, restricted = false, provider, end }) => {
  it('tokens are invalid at once, and a refresh answers invalid_grant [U-4, R-5]', async () => {
    const to = await linked(provider);
    await end(to);
    const { call, token, other, emulator } = to;
    const authorization = `Bearer ${token.access_token}`;
    expect(await call('GET /users/@me', { headers: { authorization } })).toMatchObject({
      status: 401,
      body: { message: '401: Unauthorized', code: 0 },
    });
    expect(await refresh(to)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid "refresh_token" in request' },
    });
    expect((await call('GET /users/@me', { headers: other })).status).toBe(all ? 401 : 200);
    expect(emulator.oauth2.grants().map(({ clientId }) => clientId)).toEqual(all ? [] : [ids.lighthouse]);
  });

  it('each affected application receives APPLICATION_DEAUTHORIZED once [V-1]', async () => {
    const to = await linked(provider);
    await end(to);
    const expected = all ? [APP, ids.lighthouse] : [APP];
    await expect.poll(() => to.told().length).toBe(expected.length);
    expect(to.told().map(({ application_id }) => application_id)).toEqual(expected);
    for (const { event } of to.told()) {
      expect(event).toMatchObject({
        type: 'APPLICATION_DEAUTHORIZED',
        data: { user: { id: ids.river, username: 'river' } },
      });
    }
  });

  it('the external identity has a new account, restricted after a ban [T-3, T-4]', async () => {
    const to = await linked(provider);
    await end(to);
    const { user = '', ...identity } = to.identity() ?? {};
    expect(identity).toMatchObject({
      external_user_id: HERO,
      status: restricted ? 'restricted' : 'provisional',
      source: restricted ? ids.river : null,
    });
    expect(user).not.toBe(ids.river);
    const token =
      to.provider === 'STEAM'
        ? await to.call('POST /partner-sdk/token', {
            json: { client_id: APP, client_secret: 'any', ...ticket(HERO) },
          })
        : await to.call('POST /partner-sdk/token/bot', {
            headers: to.bot(),
            json: { external_user_id: HERO },
          });
    const authorization = `Bearer ${token.body.access_token}`;
    const { body } = await to.call('GET /users/@me', { headers: { authorization } });
    expect(body).toMatchObject({ id: user, flags: 1 << 23 });
  });

  it('a merge with any account is refused with 530017 after a ban, and possible otherwise [R-2]', async () => {
    const to = await linked(provider);
    await end(to);
    const answer = await merge(to, ids.heron);
    if (restricted) {
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 530017, message: 'Merge source user is banned' },
      });
      expect(to.identity()?.status).toBe('restricted');
    } else {
      expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
      expect(to.identity()).toMatchObject({ status: 'merging', user: ids.heron });
    }
  });
});

describe('a ban ends', () => {
  it('by the clock, to the millisecond, and then a merge is possible [T-3, R-2]', async () => {
    const to = await linked();
    to.emulator.clock.freeze();
    await to.emulator.links.ban(ids.river, to.emulator.clock.now() + DAY);
    const account = to.identity()?.user;
    to.emulator.clock.advance(DAY - 1);
    expect((await merge(to, ids.heron)).body.code).toBe(530017);
    expect(to.emulator.bans.isBanned(ids.river)).toBe(true);
    to.emulator.clock.advance(1);
    expect(to.emulator.bans.isBanned(ids.river)).toBe(false);
    // No link comes back by itself.
    expect(to.identity()).toMatchObject({ user: account, status: 'provisional', source: null });
    expect((await refresh(to)).body.error).toBe('invalid_grant');
    expect((await merge(to, ids.river)).status).toBe(200);
    expect(to.identity()).toMatchObject({ user: ids.river, status: 'merging' });
  });

  it('by the machine clock, which the emulator follows [T-3]', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.river, to.emulator.clock.now() + DAY);
    to.clock.advance(DAY - 1);
    expect([to.emulator.tables.account_bans.size, to.identity()?.status]).toEqual([1, 'restricted']);
    to.clock.advance(1);
    expect([to.emulator.tables.account_bans.size, to.identity()?.status]).toEqual([0, 'provisional']);
  });

  it('by the unban operation [T-3]', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.river, to.clock.now() + DAY);
    to.emulator.bans.unban(ids.river);
    expect((await merge(to, ids.river)).status).toBe(200);
  });

  it('at no time when it is permanent [T-3]', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.river, null);
    to.emulator.clock.advance(50 * 365 * DAY);
    expect((await merge(to, ids.heron)).body.code).toBe(530017);
  });

  it('without effect on an identity that was unlinked before the ban [T-4]', async () => {
    const to = await linked();
    await to.emulator.links.end(ids.river, APP);
    await to.emulator.links.ban(ids.river, null);
    expect(to.identity()?.status).toBe('provisional');
    expect((await merge(to, ids.heron)).status).toBe(200);
  });
});

describe('the platform answers', () => {
  it('530010 while the identity is linked, to its own token and to a merge into another account', async () => {
    const to = await linked();
    const owned = {
      code: 530010,
      user_id: ids.river,
      provider_type: 'STEAM',
      provider_id: null,
      provider_issued_user_id: HERO,
    };
    const json = { client_id: APP, client_secret: 'any', ...ticket(HERO) };
    expect(await to.call('POST /partner-sdk/token', { json })).toMatchObject({ status: 400, body: owned });
    expect(await merge(to, ids.heron)).toMatchObject({ status: 400, body: owned });
    await to.emulator.links.ban(ids.river, null);
    expect((await to.call('POST /partner-sdk/token', { json })).status).toBe(200);
  });

  it('50229 to an unmerge of an identity that is no longer linked, after a ban as well', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.river, null);
    const json = { client_id: APP, client_secret: 'any', ...ticket(HERO) };
    expect(await to.call('POST /partner-sdk/provisional-accounts/unmerge', { json })).toMatchObject({
      status: 400,
      body: { code: 50229 },
    });
    expect(to.identity()?.status).toBe('restricted');
  });

  it('530023 to a second identity of one application for the same user', async () => {
    const to = await linked();
    expect(await merge(to, ids.river, ticket('8'))).toMatchObject({ status: 400, body: { code: 530023 } });
  });
});

it('a ban during a merge restricts the identity, and the merge is complete', async () => {
  const to = await linked();
  await to.emulator.links.end(ids.river, APP);
  const account = to.identity()?.user ?? '';
  expect((await merge(to, ids.heron)).status).toBe(200);
  await to.emulator.links.ban(ids.heron, null);
  expect(to.identity()).toMatchObject({ status: 'restricted', source: ids.heron });
  expect(to.emulator.user(account)).toBeUndefined();
  to.clock.advance(DAY);
  expect(to.identity()).toMatchObject({ status: 'restricted', source: ids.heron });
  expect((await merge(to, ids.otter)).body.code).toBe(530017);
});

describe('while a user is banned', () => {
  it('no new consent is possible for that user, and waiting requests are withdrawn', async () => {
    const to = await testPlatform(undefined, { consent: { policy: 'ask' } });
    const waiting = tokenOf(to);
    const refused = expect(waiting).rejects.toThrow('access_denied: The request was withdrawn');
    await to.emulator.links.ban(ids.river, null);
    await refused;
    expect(to.emulator.requests.list()).toEqual([]);
    to.emulator.oauth2.setPolicy('allow');
    await expect(tokenOf(to)).rejects.toThrow('access_denied: The account of the user is banned.');
    to.emulator.bans.unban(ids.river);
    expect(await tokenOf(to)).toMatchObject({ token_type: 'Bearer' });
  });

  it('a code or device that the user allowed before is invalid', async () => {
    const to = await testPlatform();
    const { oauth2 } = to.emulator;
    const { code } = await oauth2.authorize({
      clientId: APP,
      scopes: ['identify'],
      peer: { transport: 'ipc' },
      signal: new AbortController().signal,
    });
    const device = await to.call('POST /oauth2/device/authorize', {
      form: { client_id: APP, scope: 'identify' },
    });
    await to.call('POST /oauth2/device/finish', {
      json: { user_code: device.body.user_code, result: 'granted' },
    });
    await to.emulator.links.ban(ids.river, null);
    await expect(oauth2.exchangeCode(client, { code, issuer: to.url })).rejects.toThrow('invalid_grant');
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.body.device_code,
      client_id: APP,
    };
    expect(await to.call('POST /oauth2/token', { form })).toMatchObject({ status: 400 });
  });

  it('another user is not affected', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.heron, null);
    expect((await refresh(to)).status).toBe(200);
    expect(to.identity()?.status).toBe('linked');
  });
});
