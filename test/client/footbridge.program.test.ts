import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, connect } from '../../src/client/index.ts';
import { authorize, refreshTokens, revokeToken, type TokenSet } from '../../src/client/oauth2.ts';
import { createRuntime, type Daemon, startDaemon } from '../helpers/daemon.ts';
import { ids } from '../helpers/emulator-world.ts';
import { eventually } from '../helpers/eventually.ts';

const clientId = ids.harbourExample;
const scopes = ['identify', 'rpc', 'rpc.voice.read', 'rpc.voice.write'];
const runtime = createRuntime();
let daemon: Daemon;

beforeAll(async () => {
  daemon = await startDaemon({ runtime });
});
afterAll(async () => {
  await daemon.stop();
  runtime.remove();
});

async function app(options: Partial<Parameters<typeof connect>[0]> = {}): Promise<Client> {
  const client = await connect({ clientId, paths: [daemon.endpoint], ...options });
  onTestFinished(() => client.close());
  return client;
}

async function restart(client: Client): Promise<void> {
  const lost = new Promise((resolve) => client.on('disconnected', resolve));
  await daemon.stop();
  await lost;
  const ready = new Promise((resolve) => client.on('ready', resolve));
  daemon = await startDaemon({ runtime });
  await ready;
}

describe('the client with the daemon', () => {
  it('has the user, sets presence and reads data that needs no scope', async () => {
    const client = await app();
    expect(client.user).toMatchObject({ id: ids.river, username: 'river' });
    const activity = { details: 'By the river', buttons: [{ label: 'Join', url: 'https://example.test/' }] };
    expect(await client.setActivity(activity)).toMatchObject({
      application_id: clientId,
      details: 'By the river',
    });
    expect(await client.request('GET_USER', { id: ids.heron })).toMatchObject({ username: 'heron' });
    await client.clearActivity();
  });

  it('receives the documented errors', async () => {
    const client = await app();
    await expect(client.request('GET_GUILDS')).rejects.toMatchObject({ code: 4006, cmd: 'GET_GUILDS' });
    await expect(client.requestRaw('NO_SUCH_COMMAND')).rejects.toMatchObject({ code: 4002 });
    await expect(client.subscribeRaw('NO_SUCH_EVENT', {}, () => {})).rejects.toMatchObject({ code: 4004 });
  });

  it('is refused with the code and message of the server', async () => {
    const refused = connect({ clientId: '99999999999999999999', paths: [daemon.endpoint] });
    await expect(refused).rejects.toMatchObject({
      attempts: [{ path: daemon.endpoint, reason: 'rejected', code: 4000, message: 'Invalid Client ID' }],
    });
  });

  it('authorizes, uses voice, reconnects after a restart, refreshes and revokes', async () => {
    let tokens: TokenSet | undefined;
    const client = await app({
      token: async ({ rejected }) => {
        if (rejected) tokens = undefined;
        return tokens?.accessToken;
      },
    });
    const api = (): { api: string; clientId: string } => ({ api: daemon.ready.api, clientId });
    tokens = await authorize(client, { ...api(), scopes });
    expect(tokens.scopes).toEqual(scopes);

    const heard: boolean[] = [];
    await client.subscribe('VOICE_SETTINGS_UPDATE', {}, ({ mute }) => heard.push(mute));
    await eventually(() => expect(heard).toEqual([false]));
    expect((await client.request('SET_VOICE_SETTINGS', { mute: true })).mute).toBe(true);
    await eventually(() => expect(heard).toEqual([false, true]));

    await restart(client);
    // The subscription needs the scope that only the renewed token gives.
    await eventually(() => expect(heard.length).toBe(3));
    await daemon.json('emulator', 'voice', 'set', 'mute', 'true');
    await eventually(() => expect(heard.at(-1)).toBe(true));
    expect((await client.request('GET_GUILDS')).guilds.map(({ id }) => id)).toContain(ids.riverBank);

    const fresh = await refreshTokens(api(), tokens.refreshToken ?? '');
    expect((await client.authenticate(fresh.accessToken)).access_token).toBe(fresh.accessToken);

    const lost = new Promise((resolve) => client.on('disconnected', resolve));
    const ready = new Promise((resolve) => client.on('ready', resolve));
    await revokeToken(api(), fresh.accessToken);
    expect(await lost).toMatchObject({ reason: { code: 4003 } });
    await ready;
    await expect(client.request('GET_GUILDS')).rejects.toMatchObject({ code: 4006 });
    await expect(refreshTokens(api(), fresh.refreshToken ?? '')).rejects.toMatchObject({
      code: 'invalid_grant',
    });
  });

  it('receives AUTHORIZE_REQUEST after a restart [V-2]', async () => {
    const client = await app();
    let asked = 0;
    await client.subscribe('AUTHORIZE_REQUEST', {}, () => {
      asked += 1;
    });
    await restart(client);
    await eventually(async () => {
      expect(await daemon.json('emulator', 'ask-link', clientId)).toMatchObject({
        linked: false,
        sessions: 1,
      });
    });
    await eventually(() => expect(asked).toBeGreaterThan(0));
  });
});
