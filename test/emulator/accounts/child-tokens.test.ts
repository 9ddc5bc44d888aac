import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../src/emulator/accounts/oauth2/storage/store.ts';
import { anybodyMayAnswer } from '../../../src/emulator/api/waiting-request.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { ids, recordChanges } from '../../helpers/emulator-world.ts';
import { patch } from '../../helpers/patched.ts';
import { type PlatformAnswer, type TestPlatform, testPlatform } from '../../helpers/platform.ts';

const publisher = ids.harbourExample;
const game = '310000000000000001';
const sibling = '310000000000000002';
const secret = 'publisher secret';
const family = {
  applications: [
    { id: publisher, secret },
    { id: game, name: 'Game', parent: publisher },
    { id: sibling, name: 'Other game', parent: publisher },
    { id: '310000000000000003', name: 'Game of another', parent: ids.lighthouse },
  ],
};

const platformWith = (change: object = {}, options = {}) =>
  testPlatform((fixture) => patch(patch(fixture, family).fixture, change).fixture, options);

const child = (
  { call }: TestPlatform,
  parent_access_token: string,
  more: object = {},
): Promise<PlatformAnswer> =>
  call('POST /partner-sdk/child-token', {
    json: { parent_access_token, child_application_id: game, parent_client_secret: secret, ...more },
  });

/** Tokens of the publisher for the logged-in user. */
async function parent(
  platform: TestPlatform,
  clientId: string = publisher,
  scopes: readonly string[] = ['sdk.social_layer'],
) {
  const { oauth2 } = platform.emulator;
  const { code } = await oauth2.authorize({
    clientId,
    scopes,
    peer: { transport: 'ipc' },
    signal: new AbortController().signal,
  });
  return oauth2.exchangeCode(
    { clientId, clientSecret: clientId === publisher ? secret : 'any' },
    { code, issuer: 'i' },
  );
}

const stateOf = ({ emulator }: TestPlatform, token: string) => emulator.oauth2.introspect(token).state;

describe('a child token of a game [U-7, K-6]', () => {
  it('is issued for a publisher token, with the same user, scopes and expiry, and no refresh token', async () => {
    const platform = await platformWith();
    platform.emulator.clock.freeze();
    const { access_token } = await parent(platform);
    platform.emulator.clock.advance(3_600_000);
    const { status, body } = await child(platform, access_token);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 604_800 - 3_600,
      scope: 'sdk.social_layer',
    });
    expect(platform.emulator.oauth2.introspect(body.access_token)).toMatchObject({
      state: 'active',
      clientId: game,
      userId: platform.emulator.me().id,
      scopes: ['sdk.social_layer'],
    });
    platform.emulator.clock.advance(604_800_000 - 3_600_000 - 1);
    expect(stateOf(platform, body.access_token)).toBe('active');
    platform.emulator.clock.advance(1);
    expect(stateOf(platform, body.access_token)).toBe('invalid');
    expect((await child(platform, access_token)).body.code).toBe(50025);
  });

  it('is issued for a provisional account of the publisher as well', async () => {
    const platform = await platformWith();
    const { body } = await platform.call('POST /partner-sdk/token/bot', {
      headers: platform.bot(publisher),
      json: { external_user_id: '7' },
    });
    const answer = await child(platform, body.access_token);
    expect(answer).toMatchObject({ status: 200, body: { scope: 'sdk.social_layer' } });
    expect(platform.emulator.oauth2.introspect(answer.body.access_token)).toMatchObject({
      clientId: game,
      user: { flags: 1 << 23 },
    });
  });

  const refusals: Record<string, [more: object, status: number, code: number]> = {
    'of nobody': [{ parent_access_token: 'x' }, 403, 50025],
    'of no application': [{ child_application_id: ids.otter }, 403, 50001],
    'of the publisher itself': [{ child_application_id: publisher }, 403, 50001],
    'of an application without a publisher': [{ child_application_id: ids.lighthouse }, 403, 50001],
    'of a game of another publisher': [{ child_application_id: '310000000000000003' }, 403, 50001],
    'with a wrong secret': [{ parent_client_secret: 'wrong' }, 400, 530007],
    'without the secret': [{ parent_client_secret: null }, 400, 530007],
    'without a token': [{ parent_access_token: '' }, 400, 50035],
    'with a token that is none': [{ parent_access_token: 7 }, 400, 50035],
    'of a game that has no id': [{ child_application_id: 'game' }, 400, 50035],
  };
  it.each(Object.keys(refusals))('is not issued %s', async (which) => {
    const platform = await platformWith();
    const { access_token } = await parent(platform);
    const [more, status, code] = refusals[which] as (typeof refusals)[string];
    const answer = await child(platform, access_token, more);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(JSON.stringify(answer.body)).not.toContain(access_token);
  });

  it('is not issued for a child token, or for a token of another publisher', async () => {
    const platform = await platformWith();
    const { access_token } = await parent(platform);
    const { body } = await child(platform, access_token);
    const more = { child_application_id: sibling };
    expect(await child(platform, body.access_token, more)).toMatchObject({
      status: 403,
      body: { code: 50001 },
    });
    const other = await parent(platform, ids.lighthouse);
    expect(await child(platform, other.access_token)).toMatchObject({ status: 403, body: { code: 50001 } });
  });

  it('is issued to a public publisher without a secret', async () => {
    const platform = await platformWith({ applications: [{ id: publisher, public_client: true }] });
    const { access_token } = await parent(platform);
    const more = { parent_client_secret: undefined };
    expect((await child(platform, access_token, more)).status).toBe(200);
  });

  it('survives a refresh by the publisher, and is revoked with the tokens that it came from', async () => {
    const platform = await platformWith();
    const changes = recordChanges(platform.emulator);
    const first = await parent(platform);
    const { body: one } = await child(platform, first.access_token);
    const { body: two } = await child(platform, first.access_token, { child_application_id: sibling });
    const client = { clientId: publisher, clientSecret: secret };
    const refreshed = await platform.emulator.oauth2.refresh(client, { refreshToken: first.refresh_token });
    expect(stateOf(platform, one.access_token)).toBe('active');
    expect((await child(platform, refreshed.access_token)).status).toBe(200);
    const answer = await platform.call('POST /oauth2/token/revoke', {
      form: { token: refreshed.refresh_token, client_id: publisher, client_secret: secret },
    });
    expect(answer.status).toBe(200);
    expect([one, two].map(({ access_token }) => stateOf(platform, access_token))).toEqual([
      'invalid',
      'invalid',
    ]);
    const gone = changes.filter(({ type }) => type === 'tokens-revoked');
    expect(gone).toMatchObject([
      { clientId: publisher },
      { clientId: game, family: expect.any(String) },
      { clientId: sibling, family: expect.any(String) },
      { clientId: game, family: expect.any(String) },
    ]);
  });

  it('is revoked when a refresh token of the publisher is used twice', async () => {
    const platform = await platformWith();
    const first = await parent(platform);
    const { body } = await child(platform, first.access_token);
    const client = { clientId: publisher, clientSecret: secret };
    await platform.emulator.oauth2.refresh(client, { refreshToken: first.refresh_token });
    await expect(
      platform.emulator.oauth2.refresh(client, { refreshToken: first.refresh_token }),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(stateOf(platform, body.access_token)).toBe('invalid');
  });

  it('can be revoked only by the game, and the publisher token stays valid', async () => {
    const platform = await platformWith();
    const { access_token } = await parent(platform);
    const { body } = await child(platform, access_token);
    const revoke = (client_id: string, client_secret: string) =>
      platform.call('POST /oauth2/token/revoke', {
        form: { token: body.access_token, client_id, client_secret },
      });
    await revoke(publisher, secret);
    expect(stateOf(platform, body.access_token)).toBe('active');
    await revoke(game, 'any');
    expect(stateOf(platform, body.access_token)).toBe('invalid');
    expect(stateOf(platform, access_token)).toBe('active');
  });

  it('survives a restart, and stays revoked after a restart when the publisher was revoked', async () => {
    const storage = memoryStore();
    const before = await platformWith({}, { storage });
    const { access_token } = await parent(before);
    const { body } = await child(before, access_token);
    await before.emulator.close();
    const after = await platformWith({}, { storage });
    expect(after.emulator.oauth2.introspect(body.access_token)).toMatchObject({
      state: 'active',
      clientId: game,
    });
    await after.emulator.oauth2.revokeAll(after.emulator.me().id, publisher);
    expect(stateOf(after, body.access_token)).toBe('invalid');
    await after.emulator.close();
    const last = await platformWith({}, { storage });
    expect(stateOf(last, body.access_token)).toBe('invalid');
  });

  it('is dropped at a restart when only the publisher token is missing in the stored state', async () => {
    const storage = memoryStore();
    const before = await platformWith({}, { storage });
    const { access_token } = await parent(before);
    const { body } = await child(before, access_token);
    await before.emulator.close();
    const kept = await storage.load();
    if (kept.kind !== 'loaded') throw new Error('nothing was kept');
    await storage.save({
      ...kept.state,
      tokens: kept.state.tokens.filter(({ clientId }) => clientId === game),
    });
    const after = await platformWith({}, { storage });
    expect(stateOf(after, body.access_token)).toBe('invalid');
  });
});

describe('a child token of a game with the policy "ask"', () => {
  const askFor = { applications: [{ id: game, consent: 'ask' }] };
  const waiting = ({ emulator }: TestPlatform) => emulator.requests.list();
  const settle = ({ emulator }: TestPlatform, answer: 'allow' | 'deny') =>
    emulator.requests.answer(
      emulator.requests.list()[0]?.id ?? '',
      { answer, by: { via: 'test' } },
      anybodyMayAnswer,
    );
  /** A token of the publisher for these scopes, and one of its game for that, which waits. */
  async function asked(platform: TestPlatform, scope: string) {
    const { access_token } = await parent(platform, publisher, scope.split(' '));
    const answer = child(platform, access_token);
    await expect.poll(() => waiting(platform).length).toBe(1);
    return { access_token, answer, request: waiting(platform)[0] };
  }

  it.each(['rpc identify', 'identify rpc.voice.read', 'messages.read', 'sdk.social_layer'])(
    'needs the consent of the user once where the scopes reach into the client: %s',
    async (scope) => {
      const platform = await platformWith(askFor);
      const { oauth2 } = platform.emulator;
      const { access_token, answer, request } = await asked(platform, scope);
      expect(oauth2.holds(ids.river, game)).toBe(false);
      expect(request).toMatchObject({
        clientId: game,
        scopes: scope.split(' ').map((name) => ({ name })),
        peer: { transport: 'child token', program: expect.stringContaining('over HTTP') },
      });
      settle(platform, 'allow');
      const { status, body } = await answer;
      expect(status).toBe(200);
      const own = oauth2.grants().filter(({ clientId }) => clientId === game);
      expect(own).toMatchObject([{ scopes: scope.split(' '), decidedBy: { kind: 'person' } }]);
      expect((await child(platform, access_token)).status).toBe(200);
      await oauth2.revokeGrant(own[0]?.id ?? '');
      expect(stateOf(platform, body.access_token)).toBe('invalid');
      expect(stateOf(platform, access_token)).toBe('active');
    },
  );

  it('is not issued when the user denies the request, and no grant is recorded', async () => {
    const platform = await platformWith(askFor);
    const { answer } = await asked(platform, 'rpc identify');
    settle(platform, 'deny');
    expect(await answer).toMatchObject({ status: 403, body: { code: 50001 } });
    expect(platform.emulator.oauth2.holds(ids.river, game)).toBe(false);
    expect(platform.emulator.oauth2.grants()).toMatchObject([{ clientId: publisher }]);
  });

  it('is not issued when the publisher token is revoked while the request waits', async () => {
    const platform = await platformWith(askFor);
    const { answer } = await asked(platform, 'rpc identify');
    await platform.emulator.oauth2.revokeAll(ids.river, publisher);
    settle(platform, 'allow');
    expect(await answer).toMatchObject({ status: 403, body: { code: 50025 } });
    expect(platform.emulator.oauth2.holds(ids.river, game)).toBe(false);
  });

  it('is issued at once for other scopes, and the grant of the game names its publisher', async () => {
    const storage = memoryStore();
    const platform = await platformWith(askFor, { storage });
    const { access_token } = await parent(platform, publisher, ['identify', 'guilds']);
    expect((await child(platform, access_token)).status).toBe(200);
    expect((await child(platform, access_token)).status).toBe(200);
    const ofGame = { clientId: game, transport: 'child token', decidedBy: { kind: 'publisher' } };
    expect(platform.emulator.oauth2.grants()).toMatchObject([{ clientId: publisher }, ofGame]);
    await platform.emulator.close();
    const after = await platformWith(askFor, { storage });
    expect(after.emulator.oauth2.grants()).toMatchObject([{ clientId: publisher }, ofGame]);
  });

  it('is issued at once for an account that exists only at the publisher', async () => {
    const platform = await platformWith(askFor);
    const { body } = await platform.call('POST /partner-sdk/token/bot', {
      headers: platform.bot(publisher),
      json: { external_user_id: '7' },
    });
    expect((await child(platform, body.access_token)).status).toBe(200);
    expect(waiting(platform)).toEqual([]);
  });
});

describe('a game of a publisher [U-7]', () => {
  it('cannot be its own publisher', () => {
    const change = { applications: [{ id: game, name: 'x', parent: game }] };
    expect(() => patch(patch(defaultFixture(), family).fixture, change)).toThrow(
      `applications[${game}].parent: is the application itself`,
    );
  });

  it('receives no child token when its policy is "deny"', async () => {
    const platform = await platformWith({ applications: [{ id: game, consent: 'deny' }] });
    const { access_token } = await parent(platform);
    expect(await child(platform, access_token)).toMatchObject({ status: 403, body: { code: 50001 } });
    expect(platform.emulator.oauth2.holds(ids.river, game)).toBe(false);
    expect((await child(platform, access_token, { child_application_id: sibling })).status).toBe(200);
  });

  it.each([
    ['each is the other’s', [[publisher, game]]],
    ['a game gets a game', [['310000000000000004', game]]],
    ['a publisher with games becomes a game', [[publisher, ids.lighthouse]]],
  ])('cannot have a game as its publisher: %s', (_name, parents) => {
    const known = patch(patch(defaultFixture(), family).fixture, {
      applications: [{ id: '310000000000000004', name: 'x' }],
    }).fixture;
    const change = { applications: parents.map(([id, parent]) => ({ id, parent })) };
    expect(() => patch(known, change)).toThrow(
      'names an application that is a game itself, or for an application that has games',
    );
  });

  it('cannot have a game as its publisher in a complete fixture', () => {
    const fixture = defaultFixture();
    const applications = [
      { id: game, name: 'x', parent: sibling },
      { id: sibling, name: 'y', parent: game },
    ];
    expect(() => patch(fixture, { applications })).toThrow('that is a game itself');
  });

  it('can neither be authorized nor have accounts of its own', async () => {
    const platform = await platformWith();
    const { oauth2 } = platform.emulator;
    const signal = new AbortController().signal;
    const ask = { clientId: game, scopes: ['identify'], peer: { transport: 'ipc' }, signal } as const;
    const refused = { error: 'unauthorized_client', description: expect.stringContaining(publisher) };
    await expect(oauth2.authorize(ask)).rejects.toMatchObject(refused);
    await expect(oauth2.authorizeAccess(ask)).rejects.toMatchObject(refused);
    const client = { clientId: game, clientSecret: 'any' };
    expect(() => oauth2.devices.begin(client, { scopes: ['identify'] })).toThrow(
      expect.objectContaining(refused),
    );
    await expect(oauth2.clientCredentials(client, { scopes: ['identify'], signal })).rejects.toMatchObject(
      refused,
    );
    await expect(oauth2.exchangeCode(client, { code: 'x', issuer: 'i' })).rejects.toMatchObject(refused);
    await expect(oauth2.exchangeDevice(client, { deviceCode: 'x', issuer: 'i' })).rejects.toMatchObject(
      refused,
    );
    const bot = await platform.call('POST /partner-sdk/token/bot', {
      headers: platform.bot(game),
      json: { external_user_id: '7' },
    });
    expect(bot).toMatchObject({ status: 400, body: { code: 530000 } });
    const ticket = await platform.call('POST /partner-sdk/token', {
      json: {
        client_id: game,
        external_auth_type: 'STEAM_SESSION_TICKET',
        external_auth_token: 'emu.steam.7',
      },
    });
    expect(ticket).toMatchObject({ status: 400, body: { code: 530000 } });
    expect(platform.emulator.tables.external_identities.size).toBe(0);
  });

  it('loses its tokens and accounts when it is assigned to a publisher', async () => {
    const platform = await testPlatform();
    const { emulator } = platform;
    const own = await parent(platform, ids.lighthouse);
    const identity = (externalUserId: string) => ({ provider: 'STEAM', externalUserId, name: null });
    const provisional = emulator.external.provisional(ids.lighthouse, identity('7'));
    emulator.external.link(ids.lighthouse, identity('8'), emulator.me().id);
    const elsewhere = emulator.external.provisional(publisher, identity('7'));
    await emulator.apply({ applications: [{ id: ids.lighthouse, parent: publisher }] });
    expect(stateOf(platform, own.access_token)).toBe('invalid');
    expect(emulator.user(provisional.id)).toBeUndefined();
    expect([...emulator.tables.external_identities]).toMatchObject([{ user: elsewhere.id }]);
    expect(emulator.user(emulator.me().id)).toBeDefined();
  });
});
