import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../src/emulator/accounts/oauth2/storage/store.ts';
import type { EmulatorOptions } from '../../../src/emulator/compose/emulator-options.ts';
import { reachesClient } from '../../../src/protocol/scope.ts';
import type { Limits } from '../../../src/session/limits.ts';
import { allScopes, type EmulatorBridge, emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { eventually } from '../../helpers/eventually.ts';

const client_id = ids.harbourExample;
const game = '310000000000000001';
const SECRET = 'written down';
const credentials = { clientId: client_id, clientSecret: SECRET };

/** What a command or an event asks for, of what the platform gives an application for its secret alone. */
const SCOPES = allScopes
  .filter((scope) => !reachesClient([scope]))
  .map((scope) => (scope === 'identify' ? scope : `identify ${scope}`));

const bridgeOf = (
  consent: 'ask' | 'allow' = 'ask',
  options: Partial<EmulatorOptions> = {},
  limits: Partial<Limits> = {},
) => {
  const applications = [
    { id: client_id, secret: SECRET, consent },
    { id: game, name: 'Game', parent: client_id, consent },
  ];
  return emulatorBridge({ applications }, options, limits);
};

const bySecret = async ({ emulator }: EmulatorBridge, scope: string): Promise<string> => {
  const { signal } = new AbortController();
  const ask = { scopes: scope.split(' '), signal };
  return (await emulator.oauth2.clientCredentials(credentials, ask)).access_token;
};

const ofGame = async (bridge: EmulatorBridge, scope: string): Promise<string> => {
  const { signal } = new AbortController();
  const parent = await bySecret(bridge, scope);
  const answer = await bridge.emulator.oauth2.issueChild({
    parent,
    parentId: client_id,
    childId: game,
    signal,
  });
  return answer?.access_token ?? '';
};

const waiting = async ({ run }: EmulatorBridge) => (await run('requests.list')) as { id: string }[];

/** A session that asks for what a token gives, and the request that waits for the user. */
async function asked(bridge: EmulatorBridge, access_token: string, clientId: string = client_id) {
  const app = await bridge.app({ clientId });
  app.request('AUTHENTICATE', { access_token });
  expect(await app.rest()).toEqual([]);
  const [request] = await waiting(bridge);
  return { app, request, id: request?.id };
}

describe('AUTHENTICATE with a token of client credentials', () => {
  it.each(SCOPES)('requests consent once, and grants nothing before the answer: %s', async (scope) => {
    const bridge = await bridgeOf();
    const access_token = await bySecret(bridge, scope);
    expect(await waiting(bridge)).toEqual([]);
    const { app, request, id } = await asked(bridge, access_token);
    expect(request).toMatchObject({
      clientId: client_id,
      scopes: scope.split(' ').map((name) => ({ name })),
      peer: { transport: 'ipc' },
    });
    for (const cmd of ['GET_GUILDS', 'GET_RELATIONSHIPS', 'USER_SETTINGS_GET_LOCALE']) {
      expect((await app.call(cmd)).data.code).toBe(4006);
    }
    await bridge.run('requests.approve', { id });
    expect(await app.answer()).toMatchObject({ evt: null, data: { scopes: scope.split(' '), access_token } });
    expect((await app.call('USER_SETTINGS_GET_LOCALE')).evt).toBeNull();
    expect(await bridge.run('grants.list')).toMatchObject([
      { transport: 'client credentials', decidedBy: { kind: 'secret' } },
      { transport: 'ipc', scopes: scope.split(' '), decidedBy: { kind: 'person' } },
    ]);
    const later = await bridge.app();
    expect((await later.call('AUTHENTICATE', { access_token })).evt).toBeNull();
    // Another token of the same scopes rests on the same answer.
    const again = await bridge.app();
    const another = await bySecret(bridge, scope);
    expect((await again.call('AUTHENTICATE', { access_token: another })).evt).toBeNull();
    // A web page is another matter.
    const page = await bridge.app({ via: 'web' });
    page.request('AUTHENTICATE', { access_token });
    expect(await page.rest()).toEqual([]);
    expect(await waiting(bridge)).toMatchObject([{ peer: { transport: 'websocket http://localhost:3000' } }]);
  });

  it('fails with ERROR 5000 and grants nothing when the user denies the request', async () => {
    const bridge = await bridgeOf();
    const { app, id } = await asked(bridge, await bySecret(bridge, 'identify guilds'));
    await bridge.run('requests.deny', { id });
    expect((await app.answer()).data).toMatchObject({
      code: 5000,
      message: expect.stringContaining('access_denied'),
    });
    expect((await app.call('GET_GUILDS')).data.code).toBe(4006);
  });

  it('fails with ERROR 5000 under the policy "deny", although the token was issued before', async () => {
    const bridge = await bridgeOf();
    const access_token = await bySecret(bridge, 'identify');
    await bridge.emulator.apply({ applications: [{ id: client_id, consent: 'deny' }] });
    expect((await (await bridge.app()).call('AUTHENTICATE', { access_token })).data.code).toBe(5000);
  });

  it('requests consent after a restart as well', async () => {
    const storage = memoryStore();
    const access_token = await bySecret(await bridgeOf('ask', { storage }), 'identify');
    const { request } = await asked(await bridgeOf('ask', { storage }), access_token);
    expect(request).toMatchObject({ clientId: client_id });
  });

  it('waits for the user beyond the timeout of answers, and does not delay other sessions', async () => {
    const bridge = await bridgeOf('ask', {}, { answerMs: 20 });
    const { app, id } = await asked(bridge, await bySecret(bridge, 'identify'));
    // Longer than the core may take that asks nobody.
    await new Promise((resolve) => setTimeout(resolve, 60));
    const other = await bridge.app();
    expect((await other.call('AUTHENTICATE', { access_token: 'x' })).data.code).toBe(4009);
    await bridge.run('requests.approve', { id });
    expect((await app.answer()).evt).toBeNull();
  });

  it('fails with ERROR 4009 when the token is revoked while its request waits', async () => {
    const bridge = await bridgeOf();
    const access_token = await bySecret(bridge, 'identify');
    const { app } = await asked(bridge, access_token);
    await bridge.emulator.oauth2.revoke(credentials, access_token);
    expect((await app.answer()).data.code).toBe(4009);
  });

  it.each<[string, (bridge: EmulatorBridge) => Promise<string>, string]>([
    ['token', (bridge) => bySecret(bridge, 'identify'), client_id],
    ["token of the game's publisher", (bridge) => ofGame(bridge, 'identify'), game],
  ])('withdraws its request when the %s is revoked', async (_, tokenOf, clientId) => {
    const bridge = await bridgeOf();
    const { app } = await asked(bridge, await tokenOf(bridge), clientId);
    await bridge.emulator.oauth2.revokeAll(bridge.emulator.me().id, client_id);
    expect(await waiting(bridge)).toEqual([]);
    expect((await app.answer()).data.code).toBe(4009);
    expect(await bridge.run('grants.list')).not.toContainEqual(expect.objectContaining({ transport: 'ipc' }));
  });

  it('requests consent for a token that an earlier release stored without its approver', async () => {
    const storage = memoryStore();
    const access_token = await bySecret(await bridgeOf('ask', { storage }), 'identify');
    const loaded = await storage.load();
    if (loaded.kind !== 'loaded') throw new Error(loaded.kind);
    const tokens = loaded.state.tokens.map((family) => {
      const { deputy, ...rest } = family;
      expect(deputy).toBe('secret');
      return rest;
    });
    expect(tokens).toHaveLength(1);
    await storage.save({ ...loaded.state, tokens });
    const { request } = await asked(await bridgeOf('ask', { storage }), access_token);
    expect(request).toMatchObject({ clientId: client_id });
  });

  it('withdraws its request when the app disconnects', async () => {
    const bridge = await bridgeOf();
    const { app } = await asked(bridge, await bySecret(bridge, 'identify'));
    app.end();
    await eventually(async () => expect(await waiting(bridge)).toEqual([]));
  });

  it('requests no consent where the user approved the token itself, or the policy is "allow"', async () => {
    const ask = await bridgeOf();
    const given = bySecret(ask, 'identify rpc');
    await eventually(async () => expect(await waiting(ask)).toHaveLength(1));
    await ask.run('requests.approve', { id: (await waiting(ask))[0]?.id, always: true });
    const access_token = await given;
    const app = await ask.app();
    expect((await app.call('AUTHENTICATE', { access_token })).evt).toBeNull();
    // What was allowed for good covers less of the same.
    const less = await ask.app();
    const args = { access_token: await bySecret(ask, 'identify') };
    expect((await less.call('AUTHENTICATE', args)).evt).toBeNull();
    const allow = await bridgeOf('allow');
    const allowed = await allow.app();
    const named = { access_token: await bySecret(allow, 'identify guilds') };
    expect((await allowed.call('AUTHENTICATE', named)).evt).toBeNull();
  });
});

describe('AUTHENTICATE with a game token that the publisher issued', () => {
  it('requests consent in the name of the game, and ends when the grant of the game is revoked', async () => {
    const bridge = await bridgeOf();
    const access_token = await ofGame(bridge, 'identify relationships.read');
    const { app, request, id } = await asked(bridge, access_token, game);
    expect(request).toMatchObject({ clientId: game, applicationName: 'Game' });
    await bridge.run('requests.approve', { id });
    expect((await app.answer()).evt).toBeNull();
    expect((await app.call('GET_RELATIONSHIPS')).evt).toBeNull();
    const grants = (await bridge.run('grants.list')) as { id: string; clientId: string }[];
    expect(grants).toMatchObject([
      { clientId: client_id, decidedBy: { kind: 'secret' } },
      { clientId: game, transport: 'child token', decidedBy: { kind: 'publisher' } },
      { clientId: game, transport: 'ipc', decidedBy: { kind: 'person' } },
    ]);
    await bridge.run('grants.revoke', { id: grants[1]?.id });
    expect(await app.closed()).toEqual({ code: 4003, message: 'Token revoked' });
    expect(await bridge.run('grants.list')).toMatchObject([{ clientId: client_id }]);
  });

  it('grants nothing when the user denies the request', async () => {
    const bridge = await bridgeOf();
    const { app, id } = await asked(bridge, await ofGame(bridge, 'identify guilds'), game);
    await bridge.run('requests.deny', { id });
    expect((await app.answer()).data.code).toBe(5000);
    expect((await app.call('GET_GUILDS')).data.code).toBe(4006);
  });
});
