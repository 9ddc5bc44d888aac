import { describe, expect, it } from 'vitest';
import { APP, testPlatform } from '../../helpers/platform.ts';

/** Fields of an application, one of each kind, and a user who connects. */
async function connecting() {
  const { call, bot, bearer, emulator } = await testPlatform();
  const field = (key: string, type: number) => ({ type, key, name: key, description: key });
  await call(`PUT /applications/${APP}/role-connections/metadata`, {
    headers: bot(),
    json: [field('cookieseaten', 2), field('firstcookiebaking', 6), field('allergictonuts', 7)],
  });
  const headers = await bearer(['role_connections.write']);
  const path = `/users/@me/applications/${APP}/role-connection`;
  const send = (json: unknown) => call(`PUT ${path}`, { headers, json });
  const put = (metadata: unknown) => send({ metadata });
  return { put, send, headers, path, call, bot, bearer, emulator };
}

describe('metadata of a role connection', () => {
  it('may be numbers, as linked-roles-sample sends it', async () => {
    const { put, emulator } = await connecting();
    const sent = { cookieseaten: 1483, allergictonuts: 0, firstcookiebaking: '2003-12-20' };
    const stored = { cookieseaten: '1483', allergictonuts: '0', firstcookiebaking: '2003-12-20' };
    expect(await put(sent)).toMatchObject({ status: 200, body: { metadata: stored } });
    emulator.importState(emulator.exportState(), 'x');
  });

  it('is text whatever is sent', async () => {
    const { put } = await connecting();
    const { body } = await put({ allergictonuts: true, other: 1.5, none: null, no: false });
    expect(body.metadata).toEqual({ allergictonuts: 'true', other: '1.5', none: 'null', no: 'false' });
  });

  it.each([
    ['cookieseaten', '-3', 200],
    ['cookieseaten', 'many', 400],
    ['cookieseaten', '1.5', 400],
    ['cookieseaten', 1.5, 400],
    ['cookieseaten', true, 400],
    ['cookieseaten', null, 400],
    ['cookieseaten', '', 400],
    ['firstcookiebaking', '2030-01-31T12:00:00Z', 200],
    ['firstcookiebaking', '2030-01-31T12:00:00.000+02:00', 200],
    ['firstcookiebaking', '2030-02-30', 400],
    ['firstcookiebaking', '2030-13-01', 400],
    ['firstcookiebaking', 'yesterday', 400],
    ['firstcookiebaking', 2030, 400],
    ['allergictonuts', 1, 200],
    ['allergictonuts', 'False', 200],
    ['allergictonuts', 2, 400],
    ['allergictonuts', 'yes', 400],
    ['allergictonuts', 'truest', 400],
    ['allergictonuts', 'untrue', 400],
    ['allergictonuts', '10', 400],
    ['cookieseaten', '12 ', 400],
    ['cookieseaten', 'x12', 400],
    ['cookieseaten', '-', 400],
    ['firstcookiebaking', '2030-01-31 12:00', 400],
    ['firstcookiebaking', 'on 2030-01-31', 400],
    ['firstcookiebaking', '2030-01-31Tx', 400],
    ['other', 'x'.repeat(100), 200],
    ['allergictonuts', [], 400],
    ['other', 'x'.repeat(101), 400],
    ['other', {}, 400],
  ])('with %s %j answers %i', async (key, value, status) => {
    const { put, emulator } = await connecting();
    const before = emulator.exportState();
    const answer = await put({ [key]: value });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 200) return;
    expect(answer.body).toMatchObject({ code: 50035, errors: { metadata: { [key]: expect.anything() } } });
    expect(emulator.exportState()).toBe(before);
  });
});

describe('a role connection', () => {
  const empty = { platform_username: null, metadata: {} };

  it('keeps what a request omits, clears what is null, and ends when it is deleted', async () => {
    const { send, call, headers, path, emulator } = await connecting();
    const get = async () => (await call(`GET ${path}`, { headers })).body;
    expect(await get()).toEqual(empty);
    const whole = { platform_name: 'Bakery', platform_username: 'river', metadata: { cookieseaten: '3' } };
    expect(await send(whole)).toMatchObject({ status: 200, body: whole });
    expect((await send({})).body).toEqual(whole);
    expect((await send({ platform_name: 'Oven' })).body).toEqual({ ...whole, platform_name: 'Oven' });
    expect((await send({ platform_username: 'otter' })).body).toMatchObject({
      platform_name: 'Oven',
      platform_username: 'otter',
    });
    expect((await send({ metadata: null })).body).toEqual({
      platform_name: 'Oven',
      platform_username: 'otter',
      metadata: {},
    });
    expect((await send({ platform_name: null, platform_username: null })).body).toEqual(empty);
    await send(whole);
    expect(await get()).toEqual(whole);
    expect((await call(`DELETE ${path}`, { headers })).status).toBe(204);
    expect(await get()).toEqual(empty);
    expect(emulator.tables.role_connections.size).toBe(0);
    expect((await call(`DELETE ${path}`, { headers })).status).toBe(204);
    expect((await send({})).body).toEqual(empty);
  });

  it.each(['GET', 'PUT', 'DELETE'])('of another application is unknown: %s', async (method) => {
    const { call, headers, emulator } = await connecting();
    const before = emulator.exportState();
    const other = '/users/@me/applications/300000000000000002/role-connection';
    const request = method === 'PUT' ? { headers, json: { platform_name: 'x' } } : { headers };
    expect(await call(`${method} ${other}`, request)).toMatchObject({ status: 404, body: { code: 10002 } });
    expect(emulator.exportState()).toBe(before);
  });

  it('has at most five values, and names and texts of a limited length', async () => {
    const { send } = await connecting();
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
    const rows: readonly [json: object, field: string][] = [
      [{ metadata: values(6) }, 'metadata'],
      [{ metadata: { 'no-key': 'x' } }, 'metadata'],
      [{ platform_name: 'x'.repeat(51) }, 'platform_name'],
      [{ platform_username: 'x'.repeat(101) }, 'platform_username'],
    ];
    for (const [json, field] of rows) {
      expect(await send(json)).toMatchObject({
        status: 400,
        body: { code: 50035, errors: { [field]: expect.anything() } },
      });
    }
    const longest = {
      platform_name: 'x'.repeat(50),
      platform_username: 'x'.repeat(100),
      metadata: values(5),
    };
    expect((await send(longest)).body).toEqual(longest);
  });
});

describe('the metadata fields of an application', () => {
  const item = { type: 1, key: 'k', name: 'n', description: 'd' };

  it('have translations of a limited length, each and all together', async () => {
    const { call, bot } = await connecting();
    const put = async (name_localizations: object) => {
      const json = [{ ...item, name_localizations }];
      const path = `/applications/${APP}/role-connections/metadata`;
      const { status, body } = await call(`PUT ${path}`, { headers: bot(), json });
      return status === 200 ? status : body.errors[0].name_localizations;
    };
    // Each takes 112 characters with its name and the marks around both.
    const many = (count: number, last: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [
          `l${String(n).padStart(5, '0')}`,
          'x'.repeat(n === count - 1 ? last : 100),
        ]),
      );
    const fits = many(147, 100 - (JSON.stringify(many(147, 100)).length - 16_384));
    expect(JSON.stringify(fits)).toHaveLength(16_384);
    expect(await put(fits)).toBe(200);
    const { l00000, ...rest } = fits;
    expect(await put({ ...rest, l000000: l00000 })).toEqual({
      _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 16384 or fewer in length.' }],
    });
    expect(await put({ de: 'x'.repeat(101) })).toHaveProperty('de');
    expect(await put({ ['x'.repeat(16)]: null })).toBe(200);
    expect(await put({ ['x'.repeat(17)]: 'x' })).toBeDefined();
  });

  it('are replaced as a whole, with their translations', async () => {
    const { call, bot } = await connecting();
    const headers = bot();
    const path = `/applications/${APP}/role-connections/metadata`;
    const put = async (json: unknown) => (await call(`PUT ${path}`, { headers, json })).body;
    const translated = { ...item, name_localizations: { de: 'N' }, description_localizations: { de: 'D' } };
    expect(await put([translated, { ...item, key: 'j', type: 8 }])).toEqual([
      translated,
      { ...item, key: 'j', type: 8 },
    ]);
    expect((await call(`GET ${path}`, { headers })).body).toEqual([
      translated,
      { ...item, key: 'j', type: 8 },
    ]);
    expect(await put([{ ...item, name_localizations: null }])).toEqual([item]);
    expect(await put(null)).toEqual([]);
    expect((await call(`GET ${path}`, { headers })).body).toEqual([]);
  });
});
