import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { APP, testPlatform } from '../../helpers/platform.ts';

const OWN = ['/applications/@me', `/applications/${APP}`] as const;

async function platform() {
  const started = await testPlatform();
  const { call, bot, emulator } = started;
  // The account of a bot is there from its first request on.
  await call('GET /users/@me', { headers: bot() });
  const patch = (json: unknown, path: string = OWN[0]) => call(`PATCH ${path}`, { headers: bot(), json });
  const stored = () => emulator.tables.applications.get(APP);
  return { ...started, patch, stored, webhook: () => emulator.tables.event_webhooks.get(APP) };
}

/** An endpoint that answers its requests in turn, and what it received. */
async function endpoint(...answers: readonly (readonly [status: number, body?: string])[]) {
  const received: { readonly headers: IncomingHttpHeaders; readonly path: string; readonly text: string }[] =
    [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const [status, body = ''] = answers[received.length % answers.length] ?? [500];
      received.push({
        headers: request.headers,
        path: `${request.method} ${request.url}`,
        text: Buffer.concat(parts).toString('utf8'),
      });
      response.writeHead(status).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?via=test` };
}

const WEBHOOK = [[204], [401]] as const;
const INTERACTIONS = [[200, '{"type":1}'], [401]] as const;

describe('the own application', () => {
  it('is the same by each of its addresses, with every field', async () => {
    const { call, bot, emulator } = await platform();
    const expected = {
      id: APP,
      name: 'Harbour Example',
      type: null,
      verify_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      flags: 0,
      flags_new: '0',
      bot: { id: APP, bot: true, username: 'Harbour Example', discriminator: '0000' },
      bot_public: true,
      bot_require_code_grant: false,
      interactions_endpoint_url: null,
      role_connections_verification_url: null,
      owner: { id: emulator.me().id },
      approximate_guild_count: 0,
      team: null,
      event_webhooks_url: null,
      event_webhooks_status: 1,
      event_webhooks_types: [],
    };
    for (const path of [...OWN, '/oauth2/applications/@me']) {
      const { status, body } = await call(`GET ${path}`, { headers: bot() });
      expect(status).toBe(200);
      expect(body).toMatchObject(expected);
      expect(body).not.toHaveProperty('cover_image');
    }
    const cover_image = 'a'.repeat(32);
    await emulator.apply({
      applications: [
        { id: APP, cover_image, rpc_origins: ['http://a.test'], redirect_uris: ['http://b.test'] },
      ],
    });
    expect((await call(`GET ${OWN[0]}`, { headers: bot() })).body).toMatchObject({
      cover_image,
      rpc_origins: ['http://a.test'],
      redirect_uris: ['http://b.test'],
    });
  });

  it('lists the scopes of partners only when it is a partner', async () => {
    const { call, bot, emulator } = await platform();
    const scopes = async (): Promise<string[]> =>
      (await call(`GET ${OWN[0]}`, { headers: bot() })).body.eligible_oauth2_scopes;
    await emulator.apply({ applications: [{ id: APP, partner: false }] });
    const without = await scopes();
    await emulator.apply({ applications: [{ id: APP, partner: true }] });
    const withThem = await scopes();
    expect(without).toContain('identify');
    expect(withThem.filter((scope) => !without.includes(scope))).toContain('identify.premium');
    expect(withThem).toEqual(expect.arrayContaining(without));
  });

  it('has a flag of an activity with a mapping of its root', async () => {
    const { call, bot, emulator } = await platform();
    const flags = async () => (await call(`GET ${OWN[0]}`, { headers: bot() })).body.flags;
    await emulator.apply({
      url_mappings: [{ application: APP, prefix: '/api', target: 'http://127.0.0.1:9' }],
    });
    expect(await flags()).toBe(0);
    await emulator.apply({ url_mappings: [{ application: APP, prefix: '/', target: 'http://127.0.0.1:9' }] });
    expect(await flags()).toBe(1 << 17);
  });

  it.each([
    'GET /applications/ID',
    'PATCH /applications/ID',
    'GET /applications/ID/role-connections/metadata',
    'PUT /applications/ID/role-connections/metadata',
  ])('is the only one that its bot may ask for: %s', async (what) => {
    const { call, bot, emulator } = await platform();
    const before = emulator.exportState();
    const json = what.startsWith('PUT') ? [] : { description: 'theirs' };
    const request = { headers: bot(), ...(what.startsWith('GET') ? {} : { json }) };
    const { status, body } = await call(what.replace('ID', ids.lighthouse), request);
    expect([status, body.code]).toEqual([404, 10002]);
    expect(emulator.exportState()).toBe(before);
  });
});

describe('a change of the own application', () => {
  const INTENT_BITS = [
    [1 << 13, 'guild_presences'],
    [1 << 15, 'guild_members'],
    [1 << 19, 'message_content'],
  ] as const;
  it.each<[object, object]>([
    [{ description: 'x'.repeat(400) }, { description: 'x'.repeat(400) }],
    [{ description: { default: 'ahoy' } }, { description: 'ahoy' }],
    [{ description: null }, { description: '' }],
    [
      { icon: null, cover_image: null },
      { icon: null, cover_image: null, description: 'old', intents: ['guild_members'] },
    ],
    [{ flags: null }, { intents: ['guild_members'] }],
    [{ flags: 0 }, { intents: [] }],
    ...INTENT_BITS.map(([flags, name]): [object, object] => [
      { flags },
      { intents: [name], description: 'old' },
    ]),
    [{ flags: (1 << 13) | (1 << 19) }, { intents: ['guild_presences', 'message_content'] }],
    [{ interactions_endpoint_url: null }, { interactions_endpoint_url: null, icon: 'b'.repeat(32) }],
    [{ interactions_endpoint_url: '' }, { interactions_endpoint_url: null }],
    [
      {},
      { interactions_endpoint_url: 'http://127.0.0.1:9/', icon: 'b'.repeat(32), cover_image: 'c'.repeat(32) },
    ],
    // The endpoint that it has already is not asked again.
    [
      { interactions_endpoint_url: 'http://127.0.0.1:9/' },
      { interactions_endpoint_url: 'http://127.0.0.1:9/' },
    ],
  ])('stores $1: $0', async (json, expected) => {
    for (const path of OWN) {
      const { patch, stored, emulator } = await platform();
      await emulator.apply({
        applications: [
          {
            id: APP,
            description: 'old',
            intents: ['guild_members'],
            icon: 'b'.repeat(32),
            cover_image: 'c'.repeat(32),
            interactions_endpoint_url: 'http://127.0.0.1:9/',
          },
        ],
      });
      const { status, body } = await patch(json, path);
      expect([status, stored()]).toMatchObject([200, expected]);
      expect(body.description).toBe(stored()?.description);
    }
  });

  it.each([
    [{ description: 'x'.repeat(401) }, 'description'],
    [{ flags: 'x' }, 'flags'],
    [{ event_webhooks_status: 3 }, 'event_webhooks_status'],
    [{ event_webhooks_url: 'http://example.com/' }, 'event_webhooks_url'],
    [{ interactions_endpoint_url: 'http://example.com/' }, 'interactions_endpoint_url'],
    [{ event_webhooks_types: ['NOTHING'] }, 'event_webhooks_types'],
  ])('is refused for its $1', async (json, field) => {
    const { patch, emulator } = await platform();
    const before = emulator.exportState();
    const { status, body } = await patch(json);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 50035, [field]]);
    expect(emulator.exportState()).toBe(before);
  });
});

describe('the event webhook of the own application', () => {
  it('is verified when its address is new or it is switched on, and otherwise changed at once', async () => {
    const { patch, webhook, bot, call } = await platform();
    const { url, received } = await endpoint(...WEBHOOK);
    const set = async (json: object) => {
      const { status, body } = await patch(json);
      expect(status, JSON.stringify(body)).toBe(200);
      return [
        body.event_webhooks_url,
        body.event_webhooks_status,
        body.event_webhooks_types,
        received.length,
      ];
    };
    const types = ['APPLICATION_AUTHORIZED', 'ENTITLEMENT_CREATE'];
    expect(await set({ event_webhooks_url: url, event_webhooks_types: types })).toEqual([url, 2, types, 2]);
    expect(await set({ event_webhooks_url: url })).toEqual([url, 2, types, 2]);
    expect(await set({ event_webhooks_status: 2 })).toEqual([url, 2, types, 2]);
    expect(await set({ event_webhooks_status: 1 })).toEqual([url, 1, types, 2]);
    expect(await set({ event_webhooks_types: types.slice(1) })).toEqual([url, 1, types.slice(1), 2]);
    expect(await set({ event_webhooks_status: null })).toEqual([url, 1, types.slice(1), 2]);
    expect(await set({ event_webhooks_status: 2 })).toEqual([url, 2, types.slice(1), 4]);
    expect(await set({ event_webhooks_types: null })).toEqual([url, 2, [], 4]);
    expect(await set({ description: 'x' })).toEqual([url, 2, [], 4]);
    expect(await set({ event_webhooks_url: `${url}2`, event_webhooks_status: 1 })).toEqual([
      `${url}2`,
      1,
      [],
      6,
    ]);
    expect(await set({ event_webhooks_url: '' })).toEqual([null, 1, [], 6]);
    expect(webhook()).toBeUndefined();
    expect(await set({ event_webhooks_status: 2, event_webhooks_types: types })).toEqual([null, 1, [], 6]);
    await set({ event_webhooks_url: url });
    expect(await set({ event_webhooks_url: null })).toEqual([null, 1, [], 8]);
    expect((await call(`GET ${OWN[0]}`, { headers: bot() })).body.event_webhooks_url).toBeNull();
  });

  it('stays as it was when its new address fails', async () => {
    const { patch, webhook } = await platform();
    const good = await endpoint(...WEBHOOK);
    const bad = await endpoint([200]);
    await patch({ event_webhooks_url: good.url });
    const { status, body } = await patch({ event_webhooks_url: bad.url });
    expect([status, body.errors.event_webhooks_url._errors]).toEqual([
      400,
      [
        {
          code: 'APPLICATION_EVENT_WEBHOOKS_URL_INVALID',
          message: expect.stringContaining('answered the PING with 200, not with 204'),
        },
      ],
    ]);
    expect(webhook()).toMatchObject({ url: good.url, status: 'on' });
  });
});

it.each<[object, string]>([
  [{ parent: APP }, 'parent: is the application itself'],
  [{ parent: '71' }, 'that is a game itself, or for an application that has games'],
  [{ bot_token: `${'x'.repeat(24)}.y.z` }, 'which is the id of the application'],
])('a fixture is refused with the application %j', async (fields, reason) => {
  const { emulator } = await platform();
  await emulator.apply({
    applications: [
      { id: '70', name: 'Publisher' },
      { id: '71', name: 'Game', parent: '70' },
    ],
  });
  const before = emulator.exportState();
  await expect(emulator.apply({ applications: [{ id: APP, ...fields }] })).rejects.toThrow(reason);
  // An application that has games is no game of another.
  await expect(emulator.apply({ applications: [{ id: '70', parent: APP }] })).rejects.toThrow(
    'that has games',
  );
  expect(emulator.exportState()).toBe(before);
});

it('an application that is removed while its webhook is verified is unknown', async () => {
  const { patch, emulator } = await platform();
  await emulator.apply({ strict: true });
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    asked += 1;
    if (asked === 1) return response.writeHead(204).end();
    void emulator
      .apply({ applications: [{ id: APP, remove: true }] })
      .then(() => response.writeHead(401).end());
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { status, body } = await patch({ event_webhooks_url: url });
  expect([status, body.code, emulator.tables.event_webhooks.size]).toEqual([404, 10002, 0]);
});

describe('the interactions endpoint of the own application', () => {
  it('is refused when it hangs up within its answer', async () => {
    const { patch } = await platform();
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setImmediate(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { body } = await patch({ interactions_endpoint_url: url });
    expect(body.errors.interactions_endpoint_url._errors[0].message).toContain('gave no answer to the PING');
  });

  it('receives a PING and one with a wrong signature, as an application expects them', async () => {
    const { patch, stored } = await platform();
    const { url, received } = await endpoint(...INTERACTIONS);
    expect((await patch({ interactions_endpoint_url: url })).status).toBe(200);
    expect(stored()?.interactions_endpoint_url).toBe(url);
    expect(received).toHaveLength(2);
    const [ping, forged] = received;
    const { host } = new URL(url);
    expect(ping).toMatchObject({
      path: 'POST /in?via=test',
      headers: {
        host,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(ping?.text ?? '')),
        'user-agent': 'Footbridge-Webhook/1.0',
        'x-signature-timestamp': expect.stringMatching(/^\d{10}$/),
        'x-signature-ed25519': expect.stringMatching(/^[0-9a-f]{128}$/),
      },
    });
    expect(JSON.parse(ping?.text ?? '')).toEqual({
      id: expect.stringMatching(/^\d+$/),
      application_id: APP,
      type: 1,
      version: 1,
      token: 'ping',
      user: expect.objectContaining({ id: ids.river }),
      entitlements: [],
      authorizing_integration_owners: {},
    });
    expect(forged?.text).toBe(ping?.text);
    expect(forged?.headers['x-signature-ed25519']).not.toBe(ping?.headers['x-signature-ed25519']);
  });

  it.each([
    [[[204]], 'answered the PING with 204, not with 200 and {"type":1}'],
    [[[200]], 'answered the PING with 200, not with 200 and {"type":1}'],
    [[[200, 'no']], 'answered the PING with 200 and "no", not with 200 and {"type":1}'],
    [[[200, 'null']], 'answered the PING with 200 and "null", not'],
    [[[200, '{"type":4}']], 'answered the PING with 200 and "{\\"type\\":4}", not'],
    [[[500, '{"type":1}']], 'answered the PING with 500 and "{\\"type\\":1}", not'],
    [[[200, `"${'x'.repeat(99)}"`]], `with 200 and ${JSON.stringify(`"${'x'.repeat(59)}`)}, not`],
    [[[200, ' '.repeat(1025)]], 'gave no answer to the PING: an answer of more than 1024 bytes'],
    [[[200, '{"type":1}']], 'answered a wrong signature with 200, not with 401'],
    [[[200, '{"type":1}'], [403]], 'answered a wrong signature with 403, not with 401'],
  ] as const)('is refused: $1', async (answers, reason) => {
    const { patch, stored } = await platform();
    const { url } = await endpoint(...answers);
    const { status, body } = await patch({ interactions_endpoint_url: url, description: 'x' });
    expect([status, body.errors.interactions_endpoint_url._errors]).toEqual([
      400,
      [
        {
          code: 'APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID',
          message: expect.stringContaining(`The specified interactions endpoint url could not be verified: `),
        },
      ],
    ]);
    expect(body.errors.interactions_endpoint_url._errors[0].message).toContain(reason);
    expect(stored()).toMatchObject({
      interactions_endpoint_url: null,
      description: expect.stringContaining('An example'),
    });
  });

  it('may fill its answer to the limit', async () => {
    const { patch } = await platform();
    const { url } = await endpoint([200, '{"type":1}'.padEnd(1024)], [401]);
    expect((await patch({ interactions_endpoint_url: url })).status).toBe(200);
  });
});
