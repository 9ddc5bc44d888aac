import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError } from '../../../src/emulator/api/api-error.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';
import { APP, type TestPlatform, testPlatform } from '../../helpers/platform.ts';

// The states of the link between the account of a game and one of the platform, by each way in which it ends.

const HERO = { provider: 'DISCORD_BOT', externalUserId: 'hero-7', name: null };
const OTHER = { provider: 'STEAM', externalUserId: '76561', name: null };
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

/** A person with a link: an external identity, tokens of two applications, and both applications listening. */
async function linked() {
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
        provider: HERO.provider,
        external_user_id: HERO.externalUserId,
        user: 'river',
        status: 'linked',
      },
    ],
  });
  const token = await tokenOf(platform);
  const other = await platform.bearer(['identify'], ids.lighthouse);
  return { ...platform, clock, told, token, other, identity: () => emulator.external.find(APP, HERO) };
}
type Linked = Awaited<ReturnType<typeof linked>>;

async function tokenOf({ emulator, url }: TestPlatform) {
  const { code } = await emulator.oauth2.authorize({
    clientId: APP,
    scopes: ['identify'],
    peer: { transport: 'ipc' },
    signal: new AbortController().signal,
  });
  return emulator.oauth2.exchangeCode(client, { code, issuer: url });
}

/** The code that a merge of the identity into a person is refused with; `merged` when it is not. */
function merge({ emulator }: TestPlatform, userId: string, identity = HERO): number | 'merged' {
  try {
    emulator.external.link(APP, identity, userId);
    return 'merged';
  } catch (error) {
    if (error instanceof ApiError) return (error.body as { code: number }).code;
    throw error;
  }
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
  readonly end: (to: Linked) => Promise<unknown>;
}[] = [
  {
    way: 'T-3: the person is banned for good',
    all: true,
    restricted: true,
    end: ({ emulator }) => emulator.links.ban(ids.river, null),
  },
  {
    way: 'T-3: the person is banned for a day',
    all: true,
    restricted: true,
    end: ({ emulator, clock }) => emulator.links.ban(ids.river, clock.now() + DAY),
  },
  {
    way: 'T-3: a ban is written down',
    all: true,
    restricted: true,
    end: ({ emulator }) => emulator.apply({ account_bans: [{ user: 'river' }] }),
  },
  { way: 'T-4: the account is unlinked by hand', end: ({ emulator }) => emulator.links.end(ids.river, APP) },
  {
    way: 'T-4, U-3: the application revokes a token',
    end: ({ call, token }) =>
      call('POST /oauth2/token/revoke', {
        form: { token: token.access_token, client_id: APP, client_secret: 'any' },
      }),
  },
  {
    way: 'T-4: the grant is revoked by the person',
    end: ({ emulator }) => {
      const grant = emulator.oauth2.grants().find(({ clientId }) => clientId === APP);
      return emulator.oauth2.revokeGrant(grant?.id ?? '');
    },
  },
];

describe.each(ways)('$way', ({ all = false, restricted = false, end }) => {
  it('tokens are dead at once, and a refresh answers invalid_grant (U-4, R-5)', async () => {
    const to = await linked();
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

  it('the applications are told by APPLICATION_DEAUTHORIZED, once each (V-1)', async () => {
    const to = await linked();
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

  it(`the external identity has a new ${restricted ? 'restricted' : 'unrestricted'} account`, async () => {
    const to = await linked();
    await end(to);
    const { user = '', ...identity } = to.identity() ?? {};
    expect(identity).toMatchObject({
      external_user_id: HERO.externalUserId,
      status: restricted ? 'restricted' : 'provisional',
      source: restricted ? ids.river : null,
    });
    expect(user).not.toBe(ids.river);
    expect(to.emulator.user(user)).toMatchObject({ bot: false });
    expect(to.emulator.external.isProvisional(user)).toBe(true);
    expect(to.emulator.external.provisional(APP, HERO).id).toBe(user);
  });

  it(`a merge ${restricted ? 'is refused with 530017 (R-2)' : 'is possible'}, whoever it is with`, async () => {
    const to = await linked();
    await end(to);
    const heron = merge(to, ids.heron);
    expect(heron).toBe(restricted ? 530017 : 'merged');
    if (restricted) expect(merge(to, ids.river)).toBe(530017);
  });
});

describe('a ban ends', () => {
  it('by the clock, to the millisecond, and then a merge is possible (T-3)', async () => {
    const to = await linked();
    to.emulator.clock.freeze();
    await to.emulator.links.ban(ids.river, to.emulator.clock.now() + DAY);
    const account = to.identity()?.user;
    to.emulator.clock.advance(DAY - 1);
    expect([merge(to, ids.river), to.emulator.bans.isBanned(ids.river)]).toEqual([530017, true]);
    to.emulator.clock.advance(1);
    expect(to.emulator.bans.isBanned(ids.river)).toBe(false);
    // No link comes back by itself.
    expect(to.identity()).toMatchObject({ user: account, status: 'provisional', source: null });
    expect(merge(to, ids.river)).toBe('merged');
    expect((await refresh(to)).status).toBe(400);
  });

  it('by the clock of the machine, which the emulator follows', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.river, to.emulator.clock.now() + DAY);
    to.clock.advance(DAY - 1);
    expect(to.emulator.tables.account_bans.size).toBe(1);
    to.clock.advance(1);
    expect([to.emulator.tables.account_bans.size, to.clock.pending]).toEqual([0, 0]);
    expect(to.identity()?.status).toBe('provisional');
  });

  it('by hand, and no timer is left', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.river, to.clock.now() + DAY);
    to.emulator.bans.unban(ids.river);
    expect(merge(to, ids.river)).toBe('merged');
    expect(to.clock.pending).toBe(1);
    to.clock.advance(1000);
    expect([to.identity()?.status, to.clock.pending]).toEqual(['linked', 0]);
  });

  it('not when it is for good, however late it is', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.river, null);
    to.emulator.clock.advance(50 * 365 * DAY);
    expect(merge(to, ids.river)).toBe(530017);
  });

  it('and what was unlinked before it is not restricted by it', async () => {
    const to = await linked();
    await to.emulator.links.end(ids.river, APP);
    await to.emulator.links.ban(ids.river, null);
    expect(to.identity()?.status).toBe('provisional');
    expect(merge(to, ids.heron)).toBe('merged');
  });
});

describe('the other published codes', () => {
  it('530010 names whom the identity is linked with already', async () => {
    const to = await linked();
    expect(merge(to, ids.heron)).toBe(530010);
  });

  it('530016: a provisional account is no one to merge into', async () => {
    const to = await linked();
    await to.emulator.links.end(ids.river, APP);
    const account = to.identity()?.user ?? '';
    expect(merge(to, account, OTHER)).toBe(530016);
  });

  it('530023: a person has one identity of an application', async () => {
    const to = await linked();
    expect(merge(to, ids.river, OTHER)).toBe(530023);
  });
});

describe('while a person is banned', () => {
  it('nothing new can be allowed in their name, and what waits for their word is withdrawn', async () => {
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

  it('a code or a device that they allowed before is worth nothing', async () => {
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

  it('another person goes on', async () => {
    const to = await linked();
    await to.emulator.links.ban(ids.heron, null);
    expect((await refresh(to)).status).toBe(200);
    expect(to.identity()?.status).toBe('linked');
  });
});
