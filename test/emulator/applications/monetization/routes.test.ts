import { describe, expect, it, vi } from 'vitest';
import { entitlementChanges } from '../../../../src/emulator/applications/monetization/entitlements.ts';
import { MAX_RECORDS } from '../../../../src/emulator/kernel/limits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { listen } from '../../../helpers/gateway-listener.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';
import { SEASON } from '../../serve/http/asked-store.ts';

const PATH = `/applications/${APP}/entitlements`;
const PASS = '700000000000000001';
const PEBBLES = '700000000000000002';

async function platform() {
  const world = await testPlatform();
  await world.emulator.apply({ ...SEASON, users: [{ id: APP, username: 'tug', bot: true }] });
  const ask: TestPlatform['call'] = (what, request = {}) =>
    world.call(what, { ...request, headers: { ...world.bot(), ...request.headers } });
  const told: string[] = [];
  world.emulator.subscribe({ derive: entitlementChanges }, ({ type }) => void told.push(type), justListening);
  return { ...world, ask, told };
}

const idsOf = (body: readonly { readonly id: string }[]): string[] => body.map(({ id }) => id);

describe('entitlements', () => {
  it('are granted as permanent tests to a user or a guild, and removed', async () => {
    const { ask, told, emulator } = await platform();
    const json = { sku_id: PASS, owner_id: ids.heron, owner_type: 2 };
    const { status, body } = await ask(`POST ${PATH}`, { json });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        sku_id: PASS,
        application_id: APP,
        user_id: ids.heron,
        type: 4,
        deleted: false,
        consumed: false,
        starts_at: null,
        ends_at: null,
      },
    ]);
    const guild = await ask(`POST ${PATH}`, {
      json: { sku_id: '5000', owner_id: ids.harbour, owner_type: 1 },
    });
    expect(guild.body).toMatchObject({ guild_id: ids.harbour, type: 8 });
    // It is of the guild and not of its buyer.
    expect(idsOf(emulator.store.entitlements(APP))).not.toContain(guild.body.id);
    expect((await ask(`DELETE ${PATH}/${body.id}`)).status).toBe(204);
    expect((await ask(`GET ${PATH}/${body.id}`)).body.deleted).toBe(true);
    expect((await ask(`DELETE ${PATH}/${body.id}`)).body.code).toBe(10029);
    expect(told).toEqual(['entitlement-created', 'entitlement-created', 'entitlement-removed']);
  });

  it('are listed by user, SKU and guild, with filters for deleted, ended and future ones', async () => {
    const { ask, emulator } = await platform();
    const at = (ms: number) => new Date(emulator.clock.now() + ms).toISOString();
    const season = { sku: '5000', application: APP, user: ids.otter, type: 8 };
    await emulator.apply({
      entitlements: [
        { ...season, id: '6001', ends_at: at(60_000) },
        { ...season, id: '6002', starts_at: at(60_000) },
        { ...season, id: '6003', deleted: true },
        { ...season, id: '6004', guild: ids.harbour },
      ],
    });
    const list = async (query: string) => idsOf((await ask(`GET ${PATH}?${query}`)).body);
    expect(await list(`user_id=${ids.otter}&sku_ids=5000`)).toEqual(['5001', '6001', '6002', '6004']);
    expect(await list(`sku_ids=5000,${PEBBLES}`)).toEqual(['5001', '5003', '6001', '6002', '6004']);
    expect(await list(`guild_id=${ids.harbour}`)).toEqual(['6004']);
    expect(await list('sku_ids=5000&exclude_deleted=false')).toContain('6003');
    expect(await list('sku_ids=5000&only_active=true')).toEqual(['5001', '6001', '6004']);
    emulator.clock.advance(60_000);
    expect(await list('sku_ids=5000&exclude_ended=true')).toEqual(['5001', '6002', '6004']);
    expect(await list('sku_ids=5000')).toContain('6001');
    expect(await list('sku_ids=5000&limit=2')).toEqual(['5001', '6001']);
    expect(await list('sku_ids=5000&after=6001')).toEqual(['6002', '6004']);
    expect(await list('sku_ids=5000&before=6004&limit=1')).toEqual(['6002']);
    expect(await list('sku_ids=5000&before=6004&after=5001&limit=1')).toEqual(['6001']);
    expect(await list('sku_ids=5000&only_active=true&exclude_deleted=false')).toEqual([
      '5001',
      '6002',
      '6004',
    ]);
    expect(await list('sku_ids=5000&before=6001')).toEqual(['5001']);
    expect(await list(`user_id=${ids.heron}&sku_ids=5000`)).toEqual([]);
    expect(await list('sku_ids=5')).toEqual([]);
    expect(await list('exclude_deleted=false&exclude_ended=true')).toContain('6003');
    const many = Array.from({ length: 101 }, (_, n) => ({ ...season, id: String(7001 + n), sku: '5009' }));
    await emulator.apply({ entitlements: many });
    const all = many.map(({ id }) => id);
    expect(await list('sku_ids=5009')).toEqual(all.slice(0, 100));
    expect(await list('sku_ids=5009&limit=100&before=7102')).toEqual(all.slice(1));
    expect(await list('sku_ids=5009&limit=1')).toEqual(['7001']);
  });

  it('have the times of their record, in the format of the platform', async () => {
    const { ask, emulator } = await platform();
    const times = { starts_at: '2026-01-01T00:00:00Z', ends_at: '2026-02-01T00:00:00Z' };
    await emulator.apply({ entitlements: [{ id: '6001', sku: '5000', application: APP, ...times }] });
    expect((await ask(`GET ${PATH}/6001`)).body).toMatchObject({
      starts_at: '2026-01-01T00:00:00.000000+00:00',
      ends_at: '2026-02-01T00:00:00.000000+00:00',
    });
  });

  it('end for their user at the time of their end, and a guild or another application has its own', async () => {
    const { call, bearer, emulator } = await platform();
    emulator.clock.freeze();
    const ends_at = new Date(emulator.clock.now() + 1000).toISOString();
    const mine = { sku: PEBBLES, application: APP };
    await emulator.apply({
      entitlements: [
        { ...mine, id: '6001', ends_at },
        { ...mine, id: '6002', deleted: true },
        { ...mine, id: '6003', guild: ids.harbour },
        { ...mine, id: '6004', application: ids.lighthouse },
        { ...mine, id: '6005', user: ids.otter },
      ],
    });
    const headers = await bearer(['identify']);
    const own = async () =>
      idsOf(
        (await call(`GET /users/@me/applications/${APP}/entitlements?sku_ids=${PEBBLES}`, { headers })).body,
      );
    emulator.clock.advance(999);
    expect(await own()).toEqual(['6001']);
    expect(idsOf(emulator.store.entitlements(APP))).toContain('6001');
    emulator.clock.advance(1);
    expect(await own()).toEqual([]);
    expect(idsOf(emulator.store.entitlements(APP))).not.toContain('6001');
    expect(idsOf(emulator.store.entitlements(ids.lighthouse))).toEqual(['6004']);
  });

  it('of a full table are refused', async () => {
    const { ask, emulator } = await platform();
    const size = vi.spyOn(emulator.tables.entitlements, 'size', 'get').mockReturnValue(MAX_RECORDS);
    const json = { sku_id: PASS, owner_id: ids.heron, owner_type: 2 };
    expect(await ask(`POST ${PATH}`, { json })).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('Too many entitlements') },
    });
    size.mockReturnValue(MAX_RECORDS - 1);
    expect((await ask(`POST ${PATH}`, { json })).status).toBe(200);
  });

  it.each([`DELETE ${PATH}/6001`, `POST ${PATH}/6001/consume`])(
    'that are deleted are unknown: %s',
    async (what) => {
      const { ask, emulator } = await platform();
      await emulator.apply({
        entitlements: [{ id: '6001', sku: PEBBLES, application: APP, deleted: true, test: true }],
      });
      expect(await ask(what)).toMatchObject({ status: 404, body: { code: 10029 } });
    },
  );

  it.each([`GET ${PATH}`, `GET ${PATH}/5001`, `DELETE ${PATH}/5001`, `POST ${PATH}/5003/consume`])(
    'are refused to a token of another application: %s',
    async (what) => {
      const { call, bearer, emulator } = await platform();
      const headers = await bearer(['applications.entitlements'], ids.lighthouse);
      const before = emulator.exportState();
      expect(await call(what, { headers })).toMatchObject({ status: 403, body: { code: 50001 } });
      expect(emulator.exportState()).toBe(before);
    },
  );

  it.each(['GET', 'DELETE'])('of another application are unknown to the bot: %s', async (method) => {
    const { ask, emulator } = await platform();
    await emulator.apply({
      entitlements: [{ id: '6001', sku: PEBBLES, application: ids.lighthouse, test: true }],
    });
    expect(await ask(`${method} ${PATH}/6001`)).toMatchObject({ status: 404, body: { code: 10029 } });
  });

  it('are consumed when they are consumable, and then the user no longer has them', async () => {
    const { ask, call, bearer, told, emulator } = await platform();
    const mine = { id: '6001', sku: PEBBLES, application: APP };
    await emulator.apply({ entitlements: [mine] });
    const headers = await bearer(['identify']);
    const own = async (query = '') =>
      idsOf((await call(`GET /users/@me/applications/${APP}/entitlements${query}`, { headers })).body);
    expect(await own(`?sku_ids=${PEBBLES}`)).toEqual(['6001']);
    expect((await ask(`POST ${PATH}/6001/consume`)).status).toBe(204);
    expect((await ask(`POST ${PATH}/6001/consume`)).status).toBe(204);
    expect((await ask(`GET ${PATH}/6001`)).body.consumed).toBe(true);
    expect(told).toEqual(['entitlement-created', 'entitlement-updated']);
    expect(await own(`?sku_ids=${PEBBLES}`)).toEqual([]);
    expect(await own('?exclude_consumed=false')).toContain('6001');
  });

  it('are readable with a token that has the scope', async () => {
    const { call, bearer } = await platform();
    const headers = await bearer(['applications.entitlements']);
    expect((await call(`GET ${PATH}/5001`, { headers })).status).toBe(200);
    expect((await call(`GET ${PATH}/5001`, { headers: await bearer(['identify']) })).body.code).toBe(50026);
  });

  it('are accessible to a token of a user other than the owner only when that user owns them', async () => {
    const { call, bearer, emulator } = await platform();
    const headers = await bearer(['applications.entitlements']);
    const given = { sku: PEBBLES, application: APP, test: true };
    await emulator.apply({
      me: ids.heron,
      entitlements: [
        { ...given, id: '6001', user: ids.heron },
        { ...given, id: '6002', user: ids.river },
        { ...given, id: '6003', user: ids.river, guild: ids.harbour },
      ],
    });
    const before = emulator.exportState();
    const listed = idsOf((await call(`GET ${PATH}`, { headers })).body);
    expect(listed).toContain('6002');
    expect(listed.filter((id) => ['6001', '6003'].includes(id))).toEqual([]);
    for (const what of [`GET ${PATH}/6001`, `DELETE ${PATH}/6001`, `POST ${PATH}/6001/consume`]) {
      expect((await call(what, { headers })).body.code, what).toBe(10029);
    }
    expect(emulator.exportState()).toBe(before);
    expect((await call(`GET ${PATH}/6002`, { headers })).status).toBe(200);
  });
});

it('events of purchases go to the bot of the application alone', async () => {
  const { emulator } = await platform();
  const heard = await listen(emulator);
  const lighthouse = emulator.tables.applications.get(ids.lighthouse);
  if (lighthouse === undefined) throw new Error('no application');
  const others = [
    await listen(emulator, { application: lighthouse }),
    await listen(emulator, { kind: 'user', user: ids.otter } as never),
  ];
  const { subscriptions } = emulator.store;
  const { id, entitlements } = subscriptions.start(ids.otter, '5000', ids.harbour);
  const names = () => heard().map(({ event }) => event);
  expect(heard()).toMatchObject([
    { event: 'ENTITLEMENT_CREATE', data: { id: entitlements[0], guild_id: ids.harbour, deleted: false } },
    { event: 'SUBSCRIPTION_CREATE', data: { id, user_id: ids.otter, sku_ids: ['5000'], status: 0 } },
  ]);
  subscriptions.set(id, 'inactive');
  expect(names()).toEqual(['ENTITLEMENT_UPDATE', 'SUBSCRIPTION_UPDATE']);
  await emulator.apply({ subscriptions: [{ id, remove: true }] });
  expect(names()).toEqual(['SUBSCRIPTION_DELETE']);
  await emulator.apply({ entitlements: [{ id: entitlements[0], deleted: true }] });
  expect(heard()).toMatchObject([{ event: 'ENTITLEMENT_DELETE', data: { deleted: true } }]);
  await emulator.apply({ entitlements: [{ id: entitlements[0], consumed: true }] });
  expect(names()).toEqual([]);
  await emulator.apply({ entitlements: [{ id: entitlements[0], deleted: false }] });
  expect(names()).toEqual(['ENTITLEMENT_CREATE']);
  await emulator.apply({ entitlements: [{ id: entitlements[0], remove: true }] });
  expect(heard()).toMatchObject([{ event: 'ENTITLEMENT_DELETE', data: { deleted: true } }]);
  expect(others.map((other) => other())).toEqual([[], []]);
});

it.each([
  ['Season Pass', 'season-pass'],
  ['  A & B!! ', 'a-b'],
  ['Boat2', 'boat2'],
])('the SKU %j has the slug %s', async (name, slug) => {
  const { ask, emulator } = await platform();
  await emulator.apply({ skus: [{ id: '5000', name }] });
  const { body } = await ask(`GET /applications/${APP}/skus`);
  expect(body.find((sku: { id: string }) => sku.id === '5000').slug).toBe(slug);
});

it('SKUs of an application are listed with a slug [W-1]', async () => {
  const { ask } = await platform();
  expect((await ask(`GET /applications/${APP}/skus`)).body).toContainEqual({
    id: '5000',
    type: 5,
    application_id: APP,
    name: 'Season Pass',
    slug: 'season-pass',
    flags: 4,
  });
});

describe('subscriptions', () => {
  it('have the status 1 when inactive and 2 when ending [N-6]', async () => {
    const { ask, emulator } = await platform();
    const told: number[] = [];
    for (const status of ['inactive', 'ending'] as const) {
      emulator.store.subscriptions.set('5002', status);
      told.push((await ask('GET /skus/5000/subscriptions/5002')).body.status);
    }
    expect(told).toEqual([1, 2]);
  });

  it('are listed to the bot by user, and to a user only as their own [O-14]', async () => {
    const { ask, call, bearer, emulator } = await platform();
    const path = '/skus/5000/subscriptions';
    const expected = {
      id: '5002',
      user_id: ids.otter,
      sku_ids: ['5000'],
      renewal_sku_ids: null,
      entitlement_ids: ['5001'],
      current_period_start: '2026-11-01T00:00:00.000000+00:00',
      current_period_end: '2026-12-01T00:00:00.000000+00:00',
      status: 0,
      canceled_at: null,
    };
    expect((await ask(`GET ${path}?user_id=${ids.otter}`)).body).toEqual([expected]);
    expect((await ask(`GET ${path}?user_id=${ids.heron}`)).body).toEqual([]);
    expect((await ask(`GET ${path}?user_id=${ids.otter}&after=5002`)).body).toEqual([]);
    expect((await ask(`GET ${path}/5002`)).body).toEqual(expected);
    const headers = await bearer(['identify']);
    expect((await call(`GET ${path}`, { headers })).body).toEqual([]);
    expect((await call(`GET ${path}/5002`, { headers })).status).toBe(404);
    expect((await call(`GET ${path}?user_id=${ids.otter}`, { headers })).body.code).toBe(50001);
    await emulator.apply({ subscriptions: [{ ...SEASON.subscriptions[0], user: ids.river }] });
    expect(idsOf((await call(`GET ${path}`, { headers })).body)).toEqual(['5002']);
  });
});

describe('subscriptions to a SKU', () => {
  const path = '/skus/5000/subscriptions';
  it('are listed in pages by id', async () => {
    const { ask, emulator } = await platform();
    const [one] = SEASON.subscriptions;
    const more = Array.from({ length: 51 }, (_, n) => ({ ...one, id: String(6001 + n), entitlements: [] }));
    const renewed = { renewal_skus: ['5000'], canceled_at: '2026-11-15T00:00:00Z' };
    await emulator.apply({ subscriptions: [...more, { id: '5002', ...renewed }] });
    const list = async (query: string) =>
      idsOf((await ask(`GET ${path}?user_id=${ids.otter}&${query}`)).body);
    const all = ['5002', ...more.map(({ id }) => id)];
    expect(await list('')).toEqual(all.slice(0, 50));
    expect(await list('limit=1')).toEqual(['5002']);
    expect(await list('after=5002&limit=2')).toEqual(['6001', '6002']);
    expect(await list('before=6003')).toEqual(['5002', '6001', '6002']);
    expect(await list('before=6003&limit=1')).toEqual(['6002']);
    expect(await list('before=6004&after=5002&limit=1')).toEqual(['6001']);
    expect((await ask(`GET ${path}/5002`)).body).toMatchObject({
      renewal_sku_ids: ['5000'],
      canceled_at: '2026-11-15T00:00:00.000000+00:00',
    });
  });

  it('are found by their SKU and user, and sold by the own application alone', async () => {
    const { ask, call, bearer, emulator } = await platform();
    await emulator.apply({
      skus: [
        { id: '5009', name: 'Other', type: 5, application: APP },
        { id: '5010', name: 'Theirs', type: 5, application: ids.lighthouse },
      ],
    });
    const fields = (answer: Awaited<ReturnType<typeof ask>>) => [
      answer.status,
      answer.body.code,
      answer.body.message,
    ];
    const missing = [404, 0, 'Unknown Subscription'];
    expect(fields(await ask('GET /skus/5009/subscriptions/5002'))).toEqual(missing);
    expect(fields(await ask(`GET ${path}/5002?user_id=${ids.heron}`))).toEqual(missing);
    expect((await ask(`GET ${path}/5002?user_id=${ids.otter}`)).status).toBe(200);
    for (const what of ['GET /skus/5010/subscriptions', 'GET /skus/5010/subscriptions/5002']) {
      expect((await ask(`${what}?user_id=${ids.otter}`)).body.code).toBe(10027);
      expect((await call(what, { headers: await bearer(['identify']) })).body.code).toBe(10027);
    }
    const refused = await ask(`GET ${path}`);
    expect(refused.body.errors.user_id._errors).toEqual([
      { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' },
    ]);
  });
});

describe('a monetization request is refused for', () => {
  const test = { sku_id: PASS, owner_id: ids.heron, owner_type: 2 };
  it.each<[string, string, unknown, readonly [number, number]]>([
    ['no SKU of the application', `POST ${PATH}`, { ...test, sku_id: '5' }, [404, 10027]],
    ['no user', `POST ${PATH}`, { ...test, owner_id: '5' }, [404, 10013]],
    ['no guild', `POST ${PATH}`, { ...test, owner_type: 1 }, [404, 10004]],
    ['no kind of owner', `POST ${PATH}`, { ...test, owner_type: 3 }, [400, 50035]],
    ['a field too few', `POST ${PATH}`, { sku_id: PASS, owner_type: 2 }, [400, 50035]],
    ['no id', `POST ${PATH}`, { ...test, sku_id: 'x' }, [400, 50035]],
    ['an unknown one', `GET ${PATH}/5`, undefined, [404, 10029]],
    ['an unknown one', `DELETE ${PATH}/5`, undefined, [404, 10029]],
    ['an unknown one', `POST ${PATH}/5/consume`, undefined, [404, 10029]],
    ['one that was bought', `DELETE ${PATH}/5003`, undefined, [400, 40019]],
    ['what cannot be used up', `POST ${PATH}/5001/consume`, undefined, [400, 40018]],
    [
      'those of another application',
      `GET /applications/${ids.lighthouse}/entitlements`,
      undefined,
      [404, 10002],
    ],
    ['those of another application', `GET /applications/${ids.lighthouse}/skus`, undefined, [404, 10002]],
    ['a page too long', `GET ${PATH}?limit=101`, undefined, [400, 50035]],
    ['ids that are none', `GET ${PATH}?sku_ids=5000,x`, undefined, [400, 50035]],
    ['no user for subscriptions', 'GET /skus/5000/subscriptions', undefined, [400, 50035]],
    ['an unknown SKU', 'GET /skus/5/subscriptions?user_id=5', undefined, [404, 10027]],
    ['an unknown subscription', 'GET /skus/5000/subscriptions/5', undefined, [404, 0]],
    ['a person alone', `GET /users/@me/applications/${APP}/entitlements`, undefined, [403, 20001]],
  ])('%s: %s %j', async (_, what, json, [status, code]) => {
    const { ask, emulator } = await platform();
    const before = emulator.exportState();
    const answer = await ask(what, json === undefined ? {} : { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(emulator.exportState()).toBe(before);
  });

  it('entitlements for another application than that of the token', async () => {
    const { call, bearer } = await platform();
    const headers = await bearer(['identify']);
    const what = `GET /users/@me/applications/${ids.lighthouse}/entitlements`;
    expect((await call(what, { headers })).body.code).toBe(50001);
  });
});
