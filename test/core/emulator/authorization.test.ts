import { describe, expect, it } from 'vitest';
import { type AppPeer, asAnswer } from '../../helpers/app-peer.ts';
import { allScopes, type EmulatorBridge, emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { eventually } from '../../helpers/eventually.ts';

const client_id = ids.harbourExample;

async function tokenFor(bridge: EmulatorBridge, clientId: string, scopes: readonly string[]) {
  const app = bridge.connect();
  await app.handshake(clientId);
  const { data } = await app.call('AUTHORIZE', { client_id: clientId, scopes });
  const token = await bridge.emulator.oauth2.exchangeCode(
    { clientId, clientSecret: 'any' },
    { code: data.code, issuer: 'http://127.0.0.1' },
  );
  return token.access_token;
}

it('AUTHENTICATE returns application, user and scopes, and grants the scopes to the session [W-6]', async () => {
  const bridge = await emulatorBridge();
  const access_token = await tokenFor(bridge, client_id, ['rpc', 'identify', 'identify.premium'].slice(0, 2));
  const app = await bridge.app({ via: 'web' });
  expect((await app.call('GET_GUILDS')).data.code).toBe(4006);
  expect(await app.call('AUTHENTICATE', { access_token })).toMatchObject({
    evt: null,
    data: {
      application: { id: client_id, name: 'Harbour Example', rpc_origins: [] },
      user: { username: 'river', premium_type: 0 },
      scopes: ['rpc', 'identify'],
      access_token,
    },
  });
  expect((await app.call('GET_GUILDS')).evt).toBeNull();
  expect((await app.call('AUTHENTICATE', { access_token })).data.code).toBe(4002);
  expect((await app.call('AUTHORIZE', { client_id, scopes: ['rpc'] })).data.code).toBe(4002);
});

it('AUTHENTICATE rejects a token that is not of this application and user', async () => {
  const bridge = await emulatorBridge();
  const app = await bridge.app();
  const codeOf = async (access_token: string) => (await app.call('AUTHENTICATE', { access_token })).data.code;
  expect(await codeOf('made up')).toBe(4009);
  // From elsewhere: an authorization over RPC grants identify as well.
  const { oauth2 } = bridge.emulator;
  const { signal } = new AbortController();
  const { code } = await oauth2.authorize({
    clientId: client_id,
    scopes: ['rpc'],
    peer: { transport: 'ipc' },
    signal,
  });
  const credentials = { clientId: client_id, clientSecret: 'any' };
  const elsewhere = await oauth2.exchangeCode(credentials, { code, issuer: 'http://127.0.0.1' });
  expect(await codeOf(elsewhere.access_token)).toBe(4009);
  expect(await codeOf(await tokenFor(bridge, ids.lighthouse, ['identify']))).toBe(4007);
  const rivers = await tokenFor(bridge, client_id, ['identify']);
  await bridge.run('user.switch', { id: 'otter' });
  await app.closed();
  const otters = await bridge.app();
  expect((await otters.call('AUTHENTICATE', { access_token: rivers })).data.code).toBe(4009);
});

describe('AUTHENTICATE without a token', () => {
  const waiting = async ({ run }: EmulatorBridge) => (await run('requests.list')) as { id: string }[];

  it.each([undefined, {}, { access_token: null }, { access_token: '' }])(
    'over IPC obtains a token with the scope identify when the policy allows it: %j',
    async (args) => {
      const bridge = await emulatorBridge();
      const app = await bridge.app();
      const { data, evt } = await app.call('AUTHENTICATE', args);
      expect(evt).toBeNull();
      expect(data).toMatchObject({
        application: { id: client_id },
        user: { username: 'river' },
        scopes: ['identify'],
        access_token: expect.stringMatching(/^\w{30}$/),
      });
      expect((await app.call('USER_SETTINGS_GET_LOCALE')).evt).toBeNull();
      expect((await app.call('GET_GUILDS')).data.code).toBe(4006);
      expect((await app.call('AUTHENTICATE', args)).data.code).toBe(4002);
      expect(await bridge.run('grants.list')).toMatchObject([
        { clientId: client_id, scopes: ['identify'], transport: 'ipc', decidedBy: { kind: 'policy' } },
      ]);
    },
  );

  it('obtains one token for all connections of an application, valid like any other token', async () => {
    const bridge = await emulatorBridge();
    const tokens: string[] = [];
    for (let i = 0; i < 40; i++) {
      const app = await bridge.app();
      tokens.push((await app.call('AUTHENTICATE', {})).data.access_token);
    }
    expect(new Set(tokens).size).toBe(1);
    const [access_token] = tokens;
    const named = await bridge.app({ via: 'web' });
    expect((await named.call('AUTHENTICATE', { access_token })).evt).toBeNull();
    const other = await bridge.app({ clientId: ids.lighthouse });
    expect((await other.call('AUTHENTICATE', {})).data.access_token).not.toBe(access_token);
  });

  it('obtains a new token after a revocation, which closes the sessions with the old token', async () => {
    const bridge = await emulatorBridge();
    const first = await bridge.app();
    const { access_token } = (await first.call('AUTHENTICATE', {})).data;
    const [grant] = (await bridge.run('grants.list')) as { id: string }[];
    await bridge.run('grants.revoke', { id: grant?.id });
    expect(await first.closed()).toEqual({ code: 4003, message: 'Token revoked' });
    const second = await bridge.app();
    expect((await second.call('AUTHENTICATE', {})).data.access_token).not.toBe(access_token);
  });

  it('requests consent like AUTHORIZE, and needs no consent once the user has allowed the app', async () => {
    const bridge = await emulatorBridge({ applications: [{ id: client_id, consent: 'ask' }] });
    const app = await bridge.app();
    const nonce = app.request('AUTHENTICATE');
    expect(await app.rest()).toEqual([]);
    const [request] = await waiting(bridge);
    expect(request).toMatchObject({ clientId: client_id, scopes: [{ name: 'identify' }] });
    expect((await app.call('AUTHORIZE', { client_id, scopes: ['rpc'] })).data.code).toBe(4002);
    await bridge.run('requests.approve', { id: request?.id });
    expect(await app.answer()).toMatchObject({ nonce, evt: null, data: { scopes: ['identify'] } });
    const later = await bridge.app();
    expect((await later.call('AUTHENTICATE', {})).evt).toBeNull();
    expect(await waiting(bridge)).toEqual([]);
  });

  it('uses the consent to AUTHORIZE over the same transport', async () => {
    const bridge = await emulatorBridge({ applications: [{ id: client_id, consent: 'ask' }] });
    const app = await bridge.app();
    app.request('AUTHORIZE', { client_id, scopes: ['rpc'] });
    await app.rest();
    const [request] = await waiting(bridge);
    await bridge.run('requests.approve', { id: request?.id });
    await app.answer();
    expect(await app.call('AUTHENTICATE', {})).toMatchObject({ evt: null, data: { scopes: ['identify'] } });
  });

  it('is ERROR 5000 when the user denies, and grants nothing', async () => {
    const bridge = await emulatorBridge({ applications: [{ id: client_id, consent: 'ask' }] });
    const app = await bridge.app();
    app.request('AUTHENTICATE');
    await app.rest();
    const [request] = await waiting(bridge);
    await bridge.run('requests.deny', { id: request?.id });
    expect((await app.answer()).data).toMatchObject({
      code: 5000,
      message: expect.stringContaining('access_denied'),
    });
    expect((await app.call('USER_SETTINGS_GET_LOCALE')).data.code).toBe(4006);
    expect(bridge.emulator.oauth2.holds(ids.river, client_id)).toBe(false);
  });

  it('is ERROR 5000 under the policy "deny", also with a token from an earlier policy', async () => {
    const bridge = await emulatorBridge();
    expect((await (await bridge.app()).call('AUTHENTICATE', {})).evt).toBeNull();
    bridge.emulator.oauth2.setPolicy('deny');
    expect((await (await bridge.app()).call('AUTHENTICATE', {})).data.code).toBe(5000);
  });

  it('withdraws its consent request when the app disconnects', async () => {
    const bridge = await emulatorBridge({ applications: [{ id: client_id, consent: 'ask' }] });
    const app = await bridge.app();
    const pending = bridge.clock.pending;
    app.request('AUTHENTICATE');
    await app.rest();
    expect(await waiting(bridge)).toHaveLength(1);
    app.end();
    await eventually(async () => expect(await waiting(bridge)).toEqual([]));
    await eventually(() => expect(bridge.clock.pending).toBeLessThanOrEqual(pending));
  });

  it.each([
    ['AUTHORIZE', { client_id, scopes: ['rpc'] }],
    ['AUTHENTICATE', {}],
  ])(
    '(as %s) is ERROR 1000 when its consent request is withdrawn before the user answers',
    async (cmd, args) => {
      const bridge = await emulatorBridge({ applications: [{ id: client_id, consent: 'ask' }] });
      const app = await bridge.app();
      app.request(cmd, args);
      await app.rest();
      bridge.emulator.requests.withdrawAll('test');
      const { data } = await app.answer();
      expect(data).toEqual({ code: 1000, message: expect.stringContaining('withdrawn') });
    },
  );

  it('is ERROR 4009 from a web page', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app({ via: 'web' });
    for (const args of [undefined, { access_token: null }, { access_token: '' }]) {
      expect((await app.call('AUTHENTICATE', args)).data.code).toBe(4009);
    }
  });
});

it('a configured secret links no account, and link.ask still sends the request to link', async () => {
  const bridge = await emulatorBridge({ applications: [{ id: client_id, secret: 'kept', consent: 'ask' }] });
  const { signal } = new AbortController();
  const credentials = { clientId: client_id, clientSecret: 'kept' };
  await bridge.emulator.oauth2.clientCredentials(credentials, { scopes: ['identify'], signal });
  expect(await bridge.run('link.ask', { app: client_id })).toMatchObject({ linked: false });
});

it.each([
  [4007, {}],
  [4007, { client_id: ids.lighthouse }],
  [4002, { client_id, response_type: 'token', scopes: ['rpc'] }],
  [5000, { client_id, scopes: ['rpc'], redirect_uri: 'http://localhost' }],
  [5000, { client_id, scopes: ['no.such.scope'] }],
  [5000, { client_id, scopes: ['identify.premium'] }],
])('AUTHORIZE returns %i for %j', async (code, args) => {
  const { app } = await emulatorBridge();
  const peer = await app();
  expect((await peer.call('AUTHORIZE', args)).data.code).toBe(code);
});

it.each([
  [['rpc'], ['rpc', 'identify']],
  [
    ['rpc', 'identify'],
    ['rpc', 'identify'],
  ],
  [['sdk.social_layer_presence'], ['sdk.social_layer_presence']],
])(
  'AUTHORIZE for %j grants %j, and the consent request lists the granted scopes',
  async (scopes, granted) => {
    const bridge = await emulatorBridge({ applications: [{ id: client_id, consent: 'ask' }] });
    const app = await bridge.app({ via: 'web' });
    app.request('AUTHORIZE', { client_id, scopes });
    await app.rest();
    const [request] = (await bridge.run('requests.list')) as { id: string; scopes: { name: string }[] }[];
    expect(request?.scopes.map(({ name }) => name)).toEqual(granted);
    await bridge.run('requests.approve', { id: request?.id });
    const { code } = (await app.answer()).data;
    const token = await bridge.emulator.oauth2.exchangeCode(
      { clientId: client_id, clientSecret: 'any' },
      { code, issuer: 'http://127.0.0.1' },
    );
    expect(token.scope.split(' ')).toEqual(granted);
    expect(await app.call('AUTHENTICATE', { access_token: token.access_token })).toMatchObject({
      evt: null,
      data: { scopes: granted, user: { username: 'river', avatar: expect.stringMatching(/^[0-9a-f]{32}$/) } },
    });
  },
);

it('AUTHORIZE with a token of /oauth2/token/rpc needs no consent, and grants identify as well', async () => {
  const change = { id: client_id, partner: true, secret: 'kept' };
  const bridge = await emulatorBridge({ applications: [change] });
  bridge.emulator.oauth2.setPolicy('ask');
  const credentials = { clientId: client_id, clientSecret: 'kept' };
  const { rpc_token } = bridge.emulator.oauth2.issueRpcToken(credentials);
  const app = await bridge.app();
  const { data } = await app.call('AUTHORIZE', { client_id, scopes: ['rpc'], rpc_token });
  const token = await bridge.emulator.oauth2.exchangeCode(credentials, {
    code: data.code,
    issuer: 'http://x',
  });
  expect(token.scope).toBe('rpc identify');
  app.request('AUTHORIZE', { client_id, scopes: ['rpc'], rpc_token });
  await app.rest();
  expect(bridge.emulator.requests.list()).toHaveLength(1);
});

it('AUTHORIZE adds a bot to the guild in its arguments, and refuses a bot without a guild', async () => {
  const bridge = await emulatorBridge();
  const app = await bridge.app();
  const scopes = ['bot'];
  expect((await app.call('AUTHORIZE', { client_id, scopes })).data).toMatchObject({
    code: 5000,
    message: expect.stringContaining('guild_id'),
  });
  const args = { client_id, scopes, guild_id: ids.riverBank, permissions: 8192 };
  expect((await app.call('AUTHORIZE', args)).data.code).toHaveLength(30);
  const { members, roles } = bridge.emulator.tables;
  const [role] = members.get(ids.riverBank, client_id)?.roles ?? [];
  expect(roles.get(role ?? '')).toMatchObject({ bot: client_id, permissions: '8192' });
  expect((await app.call('AUTHORIZE', { ...args, guild_id: ids.harbour })).data.code).toBe(5000);
});

it('AUTHORIZE returns 5000 when the user denies', async () => {
  const bridge = await emulatorBridge({ applications: [{ id: client_id, consent: 'ask' }] });
  const app = await bridge.app();
  app.request('AUTHORIZE', { client_id, scopes: ['rpc'] });
  await app.rest();
  const [request] = (await bridge.run('requests.list')) as { id: string }[];
  await bridge.run('requests.deny', { id: request?.id });
  expect((await app.answer()).data).toMatchObject({
    code: 5000,
    message: expect.stringContaining('access_denied'),
  });
});

it('a revocation closes the sessions of its token with 4003, and no others', async () => {
  const bridge = await emulatorBridge();
  const held = await bridge.app({ scopes: ['rpc'] });
  const other = await bridge.app({ clientId: ids.lighthouse, scopes: ['rpc'] });
  const anonymous = await bridge.app();
  const [grant] = (await bridge.run('grants.list')) as { id: string; applicationName: string }[];
  expect(grant?.applicationName).toBe('Harbour Example');
  await bridge.run('grants.revoke', { id: grant?.id });
  expect(await held.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  expect(await other.rest()).toEqual([]);
  expect(await anonymous.rest()).toEqual([]);
});

it('premium_type is visible only with identify.premium, in answers and in events [O-3]', async () => {
  const bridge = await emulatorBridge({ applications: [{ id: client_id, partner: true }] });
  const premium = await bridge.app({ scopes: [...allScopes, 'identify.premium'] });
  const plain = await bridge.app({ scopes: allScopes });
  expect((await premium.call('GET_USER', { id: ids.river })).data.premium_type).toBe(2);
  expect((await plain.call('GET_USER', { id: ids.river })).data.premium_type).toBe(0);
  for (const app of [premium, plain]) {
    await app.subscribe('CURRENT_USER_UPDATE');
    await app.rest();
  }
  await bridge.run('emulator.apply', { patch: { users: [{ id: ids.river, global_name: 'Stream' }] } });
  expect((await premium.rest()).map(asAnswer)).toMatchObject([{ data: { premium_type: 2 } }]);
  expect((await plain.rest()).map(asAnswer)).toMatchObject([{ data: { premium_type: 0 } }]);
});

it('a revocation closes a session also after its token was refreshed or displaced', async () => {
  const bridge = await emulatorBridge();
  const client = { clientId: client_id, clientSecret: 'any' };
  const exchange = async (app: AppPeer) => {
    const { data } = await app.call('AUTHORIZE', { client_id, scopes: ['rpc', 'identify'] });
    return bridge.emulator.oauth2.exchangeCode(client, { code: data.code, issuer: 'http://127.0.0.1' });
  };
  const refreshed = await bridge.app();
  let token = await exchange(refreshed);
  await refreshed.call('AUTHENTICATE', { access_token: token.access_token });
  for (let i = 0; i < 16; i++) {
    token = await bridge.emulator.oauth2.refresh(client, { refreshToken: token.refresh_token });
  }
  // More families than one application may keep: the one this session came with is forgotten.
  const crowded = await bridge.app();
  await crowded.call('AUTHENTICATE', { access_token: (await exchange(crowded)).access_token });
  const asking = await bridge.app();
  for (let i = 0; i < 33; i++) await exchange(asking);
  const other = await bridge.app({ clientId: ids.lighthouse, scopes: ['rpc'] });

  const [grant] = (await bridge.run('grants.list')) as { id: string }[];
  await bridge.run('grants.revoke', { id: grant?.id });
  expect(await refreshed.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  expect(await crowded.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  expect(await other.rest()).toEqual([]);
  expect(await asking.rest()).toEqual([]);
});

describe('a session whose token is displaced by newer tokens', () => {
  const client = { clientId: client_id, clientSecret: 'any' };
  const revoked = { code: 4003, message: 'Token revoked' };
  const authorized = async (bridge: EmulatorBridge) => {
    const app = await bridge.app();
    const { data } = await app.call('AUTHORIZE', { client_id, scopes: ['rpc', 'identify'] });
    const token = await bridge.emulator.oauth2.exchangeCode(client, { code: data.code, issuer: 'http://x' });
    return { app, token };
  };

  it('is closed when its application exceeds the limit of stored tokens of a user, and no other session is', async () => {
    const bridge = await emulatorBridge();
    const { app, token } = await authorized(bridge);
    await app.call('AUTHENTICATE', { access_token: token.access_token });
    const later = await authorized(bridge);
    await later.app.call('AUTHENTICATE', { access_token: later.token.access_token });
    for (let i = 0; i < 30; i++) await authorized(bridge);
    expect((await app.call('GET_GUILDS')).evt).toBeNull();
    await authorized(bridge);
    expect(await app.closed()).toEqual(revoked);
    expect((await later.app.call('GET_GUILDS')).evt).toBeNull();
  });

  it('is closed when the token is refreshed too often, and sessions with newer tokens are not', async () => {
    const bridge = await emulatorBridge();
    const { app, token } = await authorized(bridge);
    await app.call('AUTHENTICATE', { access_token: token.access_token });
    const refresh = (refreshToken: string) => bridge.emulator.oauth2.refresh(client, { refreshToken });
    let next = await refresh(token.refresh_token);
    const newer = await bridge.app();
    await newer.call('AUTHENTICATE', { access_token: next.access_token });
    for (let i = 0; i < 14; i++) next = await refresh(next.refresh_token);
    expect((await app.call('GET_GUILDS')).evt).toBeNull();
    await refresh(next.refresh_token);
    expect(await app.closed()).toEqual(revoked);
    expect((await newer.call('GET_GUILDS')).evt).toBeNull();
  });

  it('is closed when the code of its token is used again', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app();
    const { data } = await app.call('AUTHORIZE', { client_id, scopes: ['rpc', 'identify'] });
    const exchange = () =>
      bridge.emulator.oauth2.exchangeCode(client, { code: data.code, issuer: 'http://x' });
    await app.call('AUTHENTICATE', { access_token: (await exchange()).access_token });
    const other = await bridge.app({ scopes: ['rpc'] });
    await expect(exchange()).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await app.closed()).toEqual(revoked);
    expect((await other.call('GET_GUILDS')).evt).toBeNull();
  });
});

it('a replayed refresh token closes the sessions of its family, and no others', async () => {
  const bridge = await emulatorBridge();
  const client = { clientId: client_id, clientSecret: 'any' };
  const sessionWithToken = async () => {
    const app = await bridge.app();
    const { data } = await app.call('AUTHORIZE', { client_id, scopes: ['rpc', 'identify'] });
    const issuer = 'http://127.0.0.1';
    const token = await bridge.emulator.oauth2.exchangeCode(client, { code: data.code, issuer });
    await app.call('AUTHENTICATE', { access_token: token.access_token });
    return { app, token };
  };
  const stolen = await sessionWithToken();
  const other = await sessionWithToken();
  let refreshToken = stolen.token.refresh_token;
  for (let i = 0; i < 20; i++) {
    refreshToken = (await bridge.emulator.oauth2.refresh(client, { refreshToken })).refresh_token;
  }
  await expect(
    bridge.emulator.oauth2.refresh(client, { refreshToken: stolen.token.refresh_token }),
  ).rejects.toThrow(/invalid_grant/);
  expect(await stolen.app.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  expect(await other.app.rest()).toEqual([]);
});

describe('a session whose token expires', () => {
  const week = 7 * 86_400_000;
  const expired = { code: 4003, message: 'Token expired' };

  it('is closed at the expiry, and no other session is', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app({ scopes: ['rpc'] });
    const anonymous = await bridge.app();
    bridge.clock.advance(week - 1);
    expect((await app.call('GET_GUILDS')).evt).toBeNull();
    const later = await bridge.app({ scopes: ['rpc'] });
    bridge.clock.advance(1);
    expect(await app.closed()).toEqual(expired);
    expect((await later.call('GET_GUILDS')).evt).toBeNull();
    expect(await anonymous.rest()).toEqual([]);
  });

  it('is closed within half a minute when the clock jumps ahead, and stays open when the clock was set back', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app({ scopes: ['rpc'] });
    bridge.clock.jump(-week);
    bridge.clock.advance(week);
    expect((await app.call('GET_GUILDS')).evt).toBeNull();
    bridge.clock.jump(week);
    bridge.clock.advance(30_000);
    expect(await app.closed()).toEqual(expired);
  });

  it('is closed at once when the clock of the emulator is moved to the expiry', async () => {
    const bridge = await emulatorBridge();
    const app = await bridge.app({ scopes: ['rpc'] });
    bridge.emulator.clock.advance(week);
    expect(await app.closed()).toEqual(expired);
  });

  it.each([
    ['GET_GUILDS', undefined],
    ['SET_ACTIVITY', undefined],
    ['SUBSCRIBE', 'VOICE_SETTINGS_UPDATE'],
  ])('is closed at once when the clock has jumped and %s arrives', async (cmd, evt) => {
    const bridge = await emulatorBridge();
    const app = await bridge.app({ scopes: ['rpc'] });
    bridge.clock.jump(week);
    app.request(cmd, cmd === 'SET_ACTIVITY' ? { pid: 1, activity: null } : {}, { evt });
    expect(await app.closed()).toEqual(expired);
  });

  it('leaves no timer when it is closed before the expiry', async () => {
    const bridge = await emulatorBridge();
    const before = bridge.clock.pending;
    const app = await bridge.app({ scopes: ['rpc'] });
    expect(bridge.clock.pending).toBe(before + 1);
    const [grant] = (await bridge.run('grants.list')) as { id: string }[];
    await bridge.run('grants.revoke', { id: grant?.id });
    await app.closed();
    await eventually(() => expect(bridge.clock.pending).toBe(before));
  });
});
