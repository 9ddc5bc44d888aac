import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

describe('the requester', () => {
  it('is a bot by a token derived from its id, or by the token of the fixture [U-1]', async () => {
    const { call, bot } = await testPlatform((fixture) => ({
      ...fixture,
      applications: fixture.applications.map((one, index) =>
        index === 1 ? { ...one, bot_token: 'MzAwMDAwMDAwMDAwMDAwMDAy.abc.def' } : one,
      ),
    }));
    const first = Buffer.from(APP).toString('base64url');
    expect(bot().authorization).toBe(`Bot ${first}.emulator.bot`);
    expect((await call('GET /users/@me', { headers: bot() })).body).toMatchObject({ id: APP, bot: true });
    const second = { authorization: 'Bot MzAwMDAwMDAwMDAwMDAwMDAy.abc.def' };
    expect((await call('GET /applications/@me', { headers: second })).body).toMatchObject({
      name: 'Lighthouse Example',
    });
    for (const wrong of [
      'MzAwMDAwMDAwMDAwMDAwMDAy.abc.deg',
      `${first}.emulator.bo`,
      `${first}`,
      'x.y.z',
      '..',
    ]) {
      const answer = await call('GET /users/@me', { headers: { authorization: `Bot ${wrong}` } });
      expect(answer).toMatchObject({ status: 401, body: { message: '401: Unauthorized', code: 0 } });
    }
  });

  it('gets one bot user, which others can see, too', async () => {
    const { call, bot, emulator } = await testPlatform();
    const before = emulator.tables.users.size;
    for (let i = 0; i < 3; i += 1) await call('GET /users/@me', { headers: bot() });
    expect(emulator.tables.users.size).toBe(before + 1);
    expect((await call(`GET /users/${APP}`, { headers: bot() })).body).toMatchObject({ id: APP, bot: true });
  });

  it('is refused with the platform error for a wrong kind of token or a missing scope [U-1, R-8]', async () => {
    const { call, bot, bearer } = await testPlatform();
    expect(await call('GET /oauth2/@me', { headers: bot() })).toMatchObject({
      status: 403,
      body: { code: 20001 },
    });
    expect(await call('GET /applications/@me', { headers: await bearer() })).toMatchObject({
      status: 403,
      body: { code: 20002 },
    });
    expect(await call('GET /users/@me', { headers: await bearer(['rpc']) })).toMatchObject({
      status: 403,
      body: { code: 50026 },
    });
  });
});

describe('a bot with a guessable token, whose application is not in the fixture,', () => {
  const GUESSED = '912345678901234567';

  it('can read, and changes nothing of the state', async () => {
    const { call, bot, emulator } = await testPlatform();
    const headers = bot(GUESSED);
    const before = emulator.exportState();
    expect((await call('GET /users/@me', { headers })).body).toMatchObject({ id: GUESSED, bot: true });
    expect((await call('GET /applications/@me', { headers })).body).toMatchObject({ id: GUESSED });
    const metadata = `/applications/${GUESSED}/role-connections/metadata`;
    for (const [what, json] of [
      ['PATCH /applications/@me', { description: 'mine now' }],
      ['PATCH /applications/@me', { event_webhooks_url: 'http://127.0.0.1:9/' }],
      [`PATCH /applications/${GUESSED}`, { flags: 1 << 19 }],
      ['PATCH /users/@me', { username: 'somebody' }],
      [`PUT ${metadata}`, []],
    ] as const) {
      const { status, body } = await call(what, { headers, json });
      expect([what, status, body.message]).toEqual([
        what,
        403,
        expect.stringContaining('not in the fixture'),
      ]);
    }
    expect(emulator.exportState()).toBe(before);
    expect(emulator.tables.webhook_deliveries.size).toBe(0);
  });

  it('can change its own data once the application is in the fixture', async () => {
    const { call, bot, emulator } = await testPlatform();
    await emulator.apply({ applications: [{ id: GUESSED, name: 'Known' }] });
    const headers = bot(GUESSED);
    const answer = await call('PATCH /applications/@me', { headers, json: { description: 'x' } });
    expect(answer).toMatchObject({ status: 200, body: { description: 'x', bot: { id: GUESSED } } });
    expect(emulator.tables.users.has(GUESSED)).toBe(true);
  });
});

describe('an unsupported field', () => {
  it('is refused with 501 and its name, and is counted [W-1]', async () => {
    const { call, bot, missing } = await testPlatform();
    for (let i = 0; i < 2; i += 1) {
      expect(await call('PATCH /applications/@me', { headers: bot(), json: { tags: ['x'] } })).toMatchObject({
        status: 501,
        body: {
          message:
            '501: Not Implemented: the field "tags" of update_my_application is not offered by this emulator',
        },
      });
    }
    expect([...missing()]).toEqual([['the field "tags" of update_my_application', 2]]);
    expect((await call('GET /applications/1/activity-instance', { headers: bot() })).status).toBe(404);
  });
});

describe('a malformed request', () => {
  it('is refused at the field of an invalid id [R-7, R-8]', async () => {
    const { call, bot } = await testPlatform();
    expect(await call('GET /users/otter', { headers: bot() })).toMatchObject({
      status: 400,
      body: {
        code: 50035,
        message: 'Invalid Form Body',
        errors: {
          user_id: { _errors: [{ code: 'NUMBER_TYPE_COERCE', message: 'Value "otter" is not snowflake.' }] },
        },
      },
    });
    expect(await call('GET /users/9', { headers: bot() })).toMatchObject({
      status: 404,
      body: { code: 10013 },
    });
  });
});

describe('rate limits', () => {
  it('are reported, and enforced only when the state enforces them [L-12]', async () => {
    const { call } = await testPlatform();
    for (let i = 0; i < 60; i += 1) {
      const { status, headers } = await call('GET /gateway');
      expect(status).toBe(200);
      expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
    }
  });

  it('return 429 with the fields that a client needs, and end with their window [L-12]', async () => {
    const clock = new ManualClock();
    const { call } = await testPlatform((fixture) => ({ ...fixture, rate_limits: 'enforced' }), {
      clock,
    });
    const answers = [];
    for (let i = 0; i < 51; i += 1) answers.push(await call('GET /gateway'));
    const last = answers.pop();
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(
      answers.map((_, index) => String(49 - index)),
    );
    expect(last).toMatchObject({
      status: 429,
      body: { message: 'You are being rate limited.', retry_after: 1, global: false },
    });
    expect(last?.headers.get('retry-after')).toBe('1');
    expect(last?.headers.get('x-ratelimit-scope')).toBe('user');
    expect(last?.headers.get('x-ratelimit-remaining')).toBe('0');
    const elsewhere = await call('GET /oauth2/keys');
    expect(elsewhere).toMatchObject({ status: 429, body: { global: true } });
    expect(elsewhere.headers.get('x-ratelimit-global')).toBe('true');
    expect(elsewhere.headers.get('x-ratelimit-bucket')).toBeNull();
    clock.advance(1000);
    expect((await call('GET /gateway')).status).toBe(200);
  });

  it('are neither reported nor enforced for answers to interactions and for tokens', async () => {
    const { call } = await testPlatform((fixture) => ({ ...fixture, rate_limits: 'enforced' }));
    for (const path of ['/interactions/1/x/callback', '/oauth2/token', '/oauth2/token/revoke']) {
      for (let i = 0; i < 51; i += 1) {
        const { status, headers } = await call(`POST ${path}`, { form: { type: '1', grant_type: 'x' } });
        expect(status, path).not.toBe(429);
        expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
      }
    }
  });

  it('last no longer than their window when the clock is set back [L-12]', async () => {
    const { call, emulator } = await testPlatform((fixture) => ({ ...fixture, rate_limits: 'enforced' }));
    emulator.clock.freeze();
    for (let i = 0; i < 51; i += 1) await call('GET /gateway');
    emulator.clock.set(Date.parse('2020-01-01T00:00:00Z'));
    const answer = await call('GET /gateway');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-reset-after')).toBe('1.000');
  });
});

describe('a change of an account', () => {
  it('reports every invalid field, and applies nothing of the request [R-7]', async () => {
    const { call, bot, emulator } = await testPlatform();
    const answer = await call('PATCH /users/@me', {
      headers: bot(),
      json: { username: 'x', avatar: 'a.png' },
    });
    expect(answer.body).toEqual({
      code: 50035,
      message: 'Invalid Form Body',
      errors: {
        username: {
          _errors: [{ code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be between 2 and 32 in length.' }],
        },
        avatar: { _errors: [{ code: 'IMAGE_INVALID', message: 'Unsupported image type given' }] },
      },
    });
    expect(emulator.tables.users.get(APP)?.username).toBe('Harbour Example');
    const banner = await call('PATCH /users/@me', {
      headers: bot(),
      json: { username: 'tug', banner: 'data:image/png;base64,AAAA' },
    });
    expect(banner).toMatchObject({ status: 501, body: { message: expect.stringContaining('"banner"') } });
    expect(emulator.tables.users.get(APP)?.username).toBe('Harbour Example');
    for (const json of [[], 'x', 7, null]) {
      expect((await call('PATCH /users/@me', { headers: bot(), json })).body).toMatchObject({ code: 50035 });
    }
    const list = await call(`PUT /applications/${APP}/role-connections/metadata`, {
      headers: bot(),
      json: [{ type: 9, key: 'a b', name: 'x' }],
    });
    expect(list.body).toMatchObject({
      errors: {
        '0': {
          type: { _errors: [{ code: 'BASE_TYPE_CHOICES' }] },
          key: { _errors: [{ code: 'STRING_TYPE_REGEX' }] },
          description: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] },
        },
      },
    });
  });

  it('does not affect other applications [R-8]', async () => {
    const { call, bot } = await testPlatform();
    const other = await call('PATCH /applications/300000000000000002', {
      headers: bot(),
      json: { description: 'mine' },
    });
    expect(other).toMatchObject({ status: 404, body: { code: 10002 } });
  });
});
