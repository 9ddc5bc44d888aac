import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppPeer } from '../../helpers/app-peer.ts';
import { type BridgeRun, bridgeRun, runPlace } from '../../helpers/bridge-run.ts';
import { botToken } from '../../helpers/gateway-bot.ts';
import { GatewayConnection } from '../../helpers/gateway-connection.ts';
import { realNodeIpc } from '../../helpers/node-ipc-package.ts';
import { PlainWebSocket } from '../../helpers/plain-web-socket.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';
import { freePort } from '../../helpers/sockets.ts';

const APP = '300000000000000001';
const ORIGIN = 'http://localhost:3000';
const authorize = { client_id: APP, scopes: ['identify'] };

/** A run with that setting. */
const runWith = (setting: Readonly<Record<string, string>>, json = true): Promise<BridgeRun> =>
  bridgeRun({
    json,
    env: Object.fromEntries(
      Object.entries(setting).map(([name, value]) => [`FOOTBRIDGE_${name.toUpperCase()}`, value]),
    ),
  });

/** Addresses that a core reports, by their label. */
async function details({ control }: BridgeRun): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await control.status()).core.details);
}

describe('the setting', () => {
  it.each([
    ['ask', undefined],
    ['allow', { code: expect.stringMatching(/^\w+$/) }],
    ['deny', { code: 5000, message: expect.any(String) }],
  ])('consent = %s decides about an app that asks', async (consent, data) => {
    const run = await runWith({ consent });
    const app = await run.app();
    app.request('AUTHORIZE', authorize);
    if (data === undefined) await expect.poll(() => run.control.call('requests.list')).toHaveLength(1);
    else expect(await app.answer()).toMatchObject({ data });
    const said = (await runWith({ consent }, false)).stdout();
    const texts = { ask: 'wait for you: footbridge requests', allow: 'are allowed without asking' };
    const text = consent === 'deny' ? 'are refused without asking' : texts[consent as 'ask'];
    expect(said).toContain(`\n  apps that ask     ${text}\n`);
  });

  it('consent = ask leaves the user alone for a while after a no', async () => {
    const run = await bridgeRun();
    const app = await run.app();
    const first = app.call('AUTHORIZE', authorize);
    await expect.poll(() => run.control.call('requests.list')).toHaveLength(1);
    const [{ id }] = (await run.control.call('requests.list')) as [{ id: string }];
    await run.control.call('requests.deny', { id });
    expect(await first).toMatchObject({ evt: 'ERROR' });
    expect(await app.call('AUTHORIZE', authorize)).toMatchObject({ evt: 'ERROR' });
    expect(await run.control.call('requests.list')).toEqual([]);
  });

  it('index is the number of the endpoint', async () => {
    const run = await runWith({ index: '3' });
    expect(run.ready().endpoints).toEqual([{ kind: 'ipc', path: join(run.place.folder, 'discord-ipc-3') }]);
  });

  it('http_port is the port of the API', async () => {
    const port = await freePort();
    const run = await runWith({ http_port: String(port) });
    expect(run.ready().api).toBe(`http://127.0.0.1:${port}/api`);
    expect((await fetch(`${run.ready().api}/v10/users/@me`)).status).toBe(401);
  });

  it('gateway_connections is the number of bots that may be connected', async () => {
    const run = await runWith({ gateway_connections: '1' });
    const first = new GatewayConnection(run.ready().api ?? '');
    await first.identify(botToken(APP));
    const second = new GatewayConnection(run.ready().api ?? '');
    await expect(second.identify(botToken(APP))).rejects.toThrow();
    expect(await second.closed).toMatchObject({ code: 4000, reason: expect.stringContaining('No room') });
  });

  it.each([
    ['false', undefined],
    ['true', { id: '200000000000000001' }],
  ])('ws_port opens a port, where READY names the user as ws_ready_user = %s says', async (ready, user) => {
    const port = await freePort();
    const run = await runWith({ ws_port: String(port), ws_ready_user: ready });
    expect(run.ready().endpoints).toContainEqual({ kind: 'websocket', path: `ws://127.0.0.1:${port}` });
    const url = `ws://127.0.0.1:${port}/?v=1&client_id=${APP}&encoding=json`;
    const refused = new PlainWebSocket(url, ORIGIN);
    expect(await refused.closed()).toMatchObject({ code: 4001 });
    expect(run.log('connection refused')).toMatchObject([
      { level: 'warn', reason: expect.stringContaining(ORIGIN) },
    ]);
    expect((await run.control.status()).refused).toMatchObject([
      { over: 'websocket', why: 'origin', origin: ORIGIN, clientId: APP, application: 'Harbour Example' },
    ]);
    await run.control.call('origins.add', { clientId: APP, origin: ORIGIN });
    const page = new PlainWebSocket(url, ORIGIN);
    const { evt, data } = (await page.next()) as { evt: string; data: { user?: object } };
    expect(evt).toBe('READY');
    if (user === undefined) expect(data.user).toBeUndefined();
    else expect(data.user).toMatchObject(user);
  });

  it.each(['true', 'false'])('node_ipc = %s decides about the endpoint of that package', async (node_ipc) => {
    const outcome = await runWith({ node_ipc }).then(
      (run) => run.ready().endpoints.map(({ kind }) => kind),
      ({ code }: { readonly code: string }) => code,
    );
    const served = realNodeIpc() === undefined ? 'FOOTBRIDGE_NODE_IPC' : ['ipc', 'node-ipc'];
    expect(outcome).toEqual(node_ipc === 'true' ? served : ['ipc']);
  });

  it.each(['true', 'false'])(
    'pacing = %s decides whether frames wait until an app has read',
    async (pacing) => {
      let asked = 0;
      const unsentBytes = (): number => {
        asked += 1;
        return 0;
      };
      const run = await bridgeRun({ env: { FOOTBRIDGE_PACING: pacing }, native: { unsentBytes } });
      const app = await run.app();
      for (let i = 0; i < 3; i += 1) app.request('SET_ACTIVITY', { pid: 1 });
      for (let i = 0; i < 3; i += 1) await app.answer();
      expect(asked > 0).toBe(pacing === 'true');
    },
  );

  it('data_dir is where grants are', async () => {
    const place = runPlace();
    const data = join(place.folder, 'kept');
    const run = await bridgeRun({ place, env: { FOOTBRIDGE_DATA_DIR: data, FOOTBRIDGE_CONSENT: 'allow' } });
    expect((await run.control.status()).places).toEqual({
      config: join(place.folders.config, 'footbridge.toml'),
      data,
      log: null,
    });
    await run.control.call('origins.add', { clientId: APP, origin: ORIGIN });
    const app = await run.app();
    const { code } = (await app.call('AUTHORIZE', authorize)).data;
    const form = { grant_type: 'authorization_code', code, client_id: APP, client_secret: 'any' };
    const answer = await fetch(`${run.ready().api}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token } = (await answer.json()) as { readonly access_token: string };
    await run.stop();
    await run.result;
    expect(readdirSync(data).sort()).toEqual(['emulator.json', 'origins.json']);
    expect(existsSync(place.folders.data)).toBe(false);
    // The next bridge knows both.
    const next = await bridgeRun({ place, env: { FOOTBRIDGE_DATA_DIR: data } });
    expect(await (await next.app()).call('AUTHENTICATE', { access_token })).toMatchObject({
      data: { application: { id: APP }, scopes: ['identify'] },
    });
    expect(await next.control.call('origins.list')).toMatchObject({
      origins: [{ clientId: APP, origin: ORIGIN }],
    });
  });

  it.each([
    ['debug', ['listening', 'request refused']],
    ['info', ['listening']],
    ['warn', []],
  ])('log_level = %s decides what is logged', async (log_level, messages) => {
    const run = await runWith({ log_level });
    const app = await run.app();
    await app.call('GET_GUILDS');
    const said = run.log().map(({ msg }) => msg);
    expect(['listening', 'request refused'].filter((one) => said.includes(one))).toEqual(messages);
  });

  it.each([
    [{}, true],
    [{ journal: 'false' }, false],
    // A service manager runs it.
    [{ invocation: 'x' }, false],
  ])('journal records traffic, unless it is off (%o)', async (setting: Record<string, string>, isOn) => {
    const { invocation, ...more } = setting;
    const env = {
      ...(invocation && { INVOCATION_ID: invocation }),
      ...(more['journal'] && { FOOTBRIDGE_JOURNAL: 'false' }),
    };
    const run = await bridgeRun({ env });
    await run.app();
    const { journal } = await run.control.status();
    if (!isOn) {
      expect(journal).toBeNull();
      await expect(run.control.call('journal.read')).rejects.toMatchObject({ code: 'FOOTBRIDGE_JOURNAL' });
      return;
    }
    const { entries } = (await run.control.call('journal.read')) as { entries: { kind: string }[] };
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['connect', 'frame']));
    expect(journal).toEqual({ entries: entries.length, bytes: expect.any(Number) });
  });

  it('fixture may ask for warnings about activities, which the journal has without secrets', async () => {
    const place = runPlace();
    const world = 'me = "7"\nactivity_rules = "warn"\n[[users]]\nid = "7"\nusername = "river"\n';
    const run = await bridgeRun({
      place,
      flags: { fixture: place.file('world.toml', world), journal: 'true' },
    });
    await (await run.app()).call('SET_ACTIVITY', {
      pid: 1,
      activity: { party: { id: 'the-party', size: [5, 2] } },
    });
    const { entries } = (await run.control.call('journal.read', { kinds: ['warning'] })) as {
      entries: object[];
    };
    expect(entries).toEqual([
      expect.objectContaining({
        kind: 'warning',
        session: expect.any(String),
        message: expect.stringMatching(/^activity\.party\.size: \w/),
      }),
    ]);
  });

  it('fixture is the world of the emulator', async () => {
    const place = runPlace();
    const path = place.file('world.toml', 'me = "7"\n[[users]]\nid = "7"\nusername = "river"\n');
    const run = await bridgeRun({ place, env: { FOOTBRIDGE_FIXTURE: path } });
    expect(run.ready()).toMatchObject({ user: { id: '7' }, guilds: [], channels: { text: [], voice: [] } });
  });

  it('limits are those of apps', async () => {
    const run = await bridgeRun({ toml: '[limits]\nsubscriptions = 1\nframe_bytes = 4096\n' });
    const app = await run.app();
    const { data } = await app.subscribe('ACTIVITY_JOIN');
    expect(data).toEqual({ evt: 'ACTIVITY_JOIN' });
    expect(await app.subscribe('ACTIVITY_SPECTATE')).toMatchObject({ evt: 'ERROR', data: { code: 4000 } });
    const second = await run.app();
    second.request('SET_ACTIVITY', { pid: 1, activity: { state: 'x'.repeat(5000) } });
    expect(await second.closed()).toMatchObject({ code: 1003 });
  });
});

describe('the core', () => {
  it('attach waits for a client, at the ports and for the pages of its settings', async () => {
    const run = await runWith({
      core: 'attach',
      attach_port: '0',
      attach_origins: 'https://chat.example',
      bridge_port: '0',
    });
    expect(run.ready()).toMatchObject({ api: null, user: null, guilds: [] });
    const shown = await details(run);
    expect(shown).toEqual({
      'clients attach to': expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+/),
      attached: 'nobody yet',
      bridge: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/),
    });
    const opens = (origin: string) => new PlainWebSocket(shown['clients attach to'] ?? '', origin).opened();
    expect([await opens('https://chat.example'), await opens('https://other.example')]).toEqual([
      true,
      false,
    ]);
    expect(await run.control.call('attach.pair', { name: 'mine' })).toMatchObject({
      code: expect.any(String),
    });
    await run.control.call('attach.list');
  });

  it.each(['false', 'true'])(
    'attach passes join secrets on with bridge_secrets = %s',
    async (bridge_secrets) => {
      const run = await runWith({ core: 'attach', attach_port: '0', bridge_port: '0', bridge_secrets });
      const consumer = new PlainWebSocket((await details(run))['bridge'] ?? '');
      await consumer.opened();
      const activity = { state: 'open', party: { id: 'party', size: [1, 2] }, secrets: { join: 'SECRET' } };
      await (await run.app()).call('SET_ACTIVITY', { pid: 7, activity });
      const { activity: told } = (await consumer.next()) as { activity: { secrets?: object } };
      expect(told.secrets).toEqual(bridge_secrets === 'true' ? { join: 'SECRET' } : undefined);
    },
  );

  it('upstream passes apps on to the endpoint of its setting', async () => {
    const client = await bridgeRun();
    const path = join(client.place.folder, 'discord-ipc-0');
    const run = await runWith({ core: 'upstream', upstream: path });
    expect(await details(run)).toEqual({ upstream: path });
    const app = new AppPeer(await rawPeer(join(run.place.folder, 'discord-ipc-0')));
    expect(await app.handshake(APP)).toMatchObject({
      evt: 'READY',
      data: { user: { id: '200000000000000001' } },
    });
    expect(await run.control.call('upstream.status')).toMatchObject({ present: true });
    expect((await client.control.status()).sessions).toHaveLength(1);
  });

  it('upstream searches the client above its own index with "auto"', async () => {
    const place = runPlace();
    const client = await bridgeRun({ place, env: { FOOTBRIDGE_INDEX: '1' } });
    const other = runPlace();
    expect(client.ready().endpoints[0]?.path).toBe(join(place.folder, 'discord-ipc-1'));
    const run = await bridgeRun({ place: other, env: { FOOTBRIDGE_CORE: 'upstream' } });
    expect(await details(run)).toEqual({ upstream: 'every client that answers above our index' });
    expect(await run.control.call('upstream.status')).toMatchObject({ present: false });
  });

  it.each([
    ['its own endpoint', (folder: string) => join(folder, 'discord-ipc-0')],
    ['a further endpoint of its own', (folder: string) => join(folder, 'box', 'discord-ipc-0')],
  ])('upstream does not connect to %s', async (_, at) => {
    const place = runPlace();
    const further = join(place.folder, 'box', 'discord-ipc-0');
    const run = await bridgeRun({
      place,
      toml: `[[endpoints]]\nname = "box"\npath = "${further}"\n`,
      env: { FOOTBRIDGE_CORE: 'upstream', FOOTBRIDGE_UPSTREAM: at(place.folder) },
    });
    const app = new AppPeer(await rawPeer(join(place.folder, 'discord-ipc-0')));
    app.send(0, { v: 1, client_id: APP });
    const why = `${at(place.folder)} is an endpoint of this bridge itself. Give the path of the chat client with --upstream PATH.`;
    await expect.poll(() => run.control.call('upstream.status')).toMatchObject({ present: false, why });
    expect(run.log('the upstream cannot be used')).toMatchObject([{ level: 'warn', reason: why }]);
  });

  it('upstream lets its fallback answer while no client runs', async () => {
    const run = await runWith({ core: 'upstream', upstream: '/nowhere/at-all', fallback: 'emulator' });
    expect(await details(run)).toEqual({ upstream: '/nowhere/at-all', fallback: 'emulator, 0 sessions' });
    const app = await run.app();
    expect(await details(run)).toMatchObject({ fallback: 'emulator, 1 sessions' });
    const asked = app.call('AUTHORIZE', authorize);
    // The requests of the fallback are those of the bridge.
    await expect.poll(() => run.control.call('requests.list')).toHaveLength(1);
    const [{ id }] = (await run.control.call('requests.list')) as [{ id: string }];
    await run.control.call('requests.deny', { id });
    expect(await asked).toMatchObject({ evt: 'ERROR' });
    // Its data folder is free afterwards.
    await run.stop();
    await run.result;
    await bridgeRun({ env: { FOOTBRIDGE_DATA_DIR: run.place.folders.data } });
  });

  it('two bridges that are upstream of each other open no circle of sessions', async () => {
    const [one, two] = [runPlace(), runPlace()];
    const run = (place: typeof one, upstream: typeof one) =>
      bridgeRun({
        place,
        env: { FOOTBRIDGE_CORE: 'upstream', FOOTBRIDGE_UPSTREAM: join(upstream.folder, 'discord-ipc-0') },
      });
    const first = await run(one, two);
    const second = await run(two, one);
    const app = new AppPeer(await rawPeer(join(one.folder, 'discord-ipc-0')));
    app.send(0, { v: 1, client_id: APP });
    await expect
      .poll(() => first.control.call('upstream.status'))
      .toMatchObject({
        why: expect.stringContaining(`${join(two.folder, 'discord-ipc-0')} leads back to this bridge`),
      });
    expect((await second.control.status()).sessions).toEqual([]);
  });

  it('of a module answers the apps', async () => {
    const place = runPlace();
    const path = place.file(
      'my-core.mjs',
      `export const createCore = () => ({
  name: 'mine',
  start: () => ({ describe: () => [['mood', 'good']] }),
  open: () => { throw new Error('nobody'); },
  stop() {},
});`,
    );
    const run = await bridgeRun({ place, json: false, env: { FOOTBRIDGE_CORE: path } });
    expect(run.stdout()).toContain('is ready, on the core "mine".\n');
    expect(run.stdout()).toContain('\n  mood             good\n');
    expect((await run.control.status()).core).toEqual({
      name: 'mine',
      api: null,
      details: [['mood', 'good']],
    });
  });

  it('is told which flags mean nothing on it', async () => {
    const run = await bridgeRun({ flags: { 'attach-port': '7' } });
    expect(run.log('a flag means nothing here')).toEqual([
      {
        level: 'warn',
        reason: '--attach-port means nothing on the core "emulator": it is for --core attach',
        msg: 'a flag means nothing here',
      },
    ]);
  });
});
