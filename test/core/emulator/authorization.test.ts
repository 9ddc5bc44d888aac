import { expect, it } from 'vitest';
import { asAnswer } from '../../helpers/app-peer.ts';
import { allScopes, type EmulatorBridge, emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

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

it('AUTHENTICATE names the application, the user and the scopes, and gives them to the session', async () => {
  const bridge = await emulatorBridge();
  const access_token = await tokenFor(bridge, client_id, ['rpc', 'identify', 'identify.premium'].slice(0, 2));
  const app = await bridge.app({ via: 'web' });
  expect((await app.call('GET_GUILDS')).data.code).toBe(4006);
  expect(await app.call('AUTHENTICATE', { access_token })).toMatchObject({
    evt: null,
    data: {
      application: { id: client_id, name: 'Harbour Example', rpc_origins: ['http://localhost:3000'] },
      user: { username: 'river', premium_type: 0 },
      scopes: ['rpc', 'identify'],
      access_token,
    },
  });
  expect((await app.call('GET_GUILDS')).evt).toBeNull();
  expect((await app.call('AUTHENTICATE', { access_token })).data.code).toBe(4002);
  expect((await app.call('AUTHORIZE', { client_id, scopes: ['rpc'] })).data.code).toBe(4002);
});

it('AUTHENTICATE refuses what is no token of this application and user', async () => {
  const bridge = await emulatorBridge();
  const app = await bridge.app();
  const codeOf = async (access_token: string | null) =>
    (await app.call('AUTHENTICATE', { access_token })).data.code;
  expect(await codeOf(null)).toBe(4009);
  expect(await codeOf('made up')).toBe(4009);
  expect(await codeOf(await tokenFor(bridge, client_id, ['rpc']))).toBe(4009);
  expect(await codeOf(await tokenFor(bridge, ids.lighthouse, ['identify']))).toBe(4007);
  const rivers = await tokenFor(bridge, client_id, ['identify']);
  await bridge.run('user.switch', { id: 'otter' });
  await app.closed();
  const otters = await bridge.app();
  expect((await otters.call('AUTHENTICATE', { access_token: rivers })).data.code).toBe(4009);
});

it.each([
  [4007, {}],
  [4007, { client_id: ids.lighthouse }],
  [4002, { client_id, response_type: 'token', scopes: ['rpc'] }],
  [5000, { client_id, scopes: ['rpc'], redirect_uri: 'http://localhost' }],
  [5000, { client_id, scopes: ['no.such.scope'] }],
  [5000, { client_id, scopes: ['identify.premium'] }],
])('AUTHORIZE answers %i to %j', async (code, args) => {
  const { app } = await emulatorBridge();
  const peer = await app();
  expect((await peer.call('AUTHORIZE', args)).data.code).toBe(code);
});

it('AUTHORIZE answers 5000 when the person says no', async () => {
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

it('a token that is revoked ends its sessions with 4003, and no others', async () => {
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

it('premium_type is shown only with identify.premium, in answers and in events', async () => {
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
