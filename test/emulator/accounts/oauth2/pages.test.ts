import { describe, expect, it } from 'vitest';
import {
  address,
  asking,
  CHALLENGE,
  located,
  open,
  press,
  REDIRECT,
  signIn,
  site,
  tokenIn,
  VERIFIER,
} from '../../../helpers/browser-pages.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

describe('the authorization page', () => {
  it('describes the request in plain text, and cannot run or load anything or be framed', async () => {
    const platform = await testPlatform(undefined, asking);
    const { status, body, headers } = await open(platform, address());
    expect(status).toBe(200);
    expect(body).toContain('Harbour Example wants to act for river');
    expect(body).toContain('<small>identify</small>');
    expect(body).not.toContain('<script');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://localhost:3000");
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('escapes the name of an application', async () => {
    const platform = await testPlatform(
      (fixture) => ({
        ...fixture,
        applications: fixture.applications.map((one) => ({ ...one, name: `<img src=x onerror='a("b")'>` })),
      }),
      asking,
    );
    const { body } = await open(platform, address());
    expect(body).not.toContain('<img');
    expect(body).toContain('&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;');
  });

  it('redirects with a code when the user allows the request in a signed-in browser [K-1]', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const page = await open(platform, address(), browser);
    expect(page.body).not.toContain('not signed in');
    const token = tokenIn(page.body);
    const pressed = await press(platform, '/oauth2/authorize', { token, decision: 'allow' }, browser);
    const back = located(await open(platform, located(pressed).pathname + located(pressed).search, browser));
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
    expect(back.searchParams.get('state')).toBe('s 1');
    const form = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      client_id: APP,
      client_secret: 'x',
    };
    const wrong = { ...form, redirect_uri: 'http://127.0.0.1:3000/callback' };
    expect(await platform.call('POST /oauth2/token', { form: wrong })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect(await platform.call('POST /oauth2/token', { form })).toMatchObject({
      status: 200,
      body: { scope: 'identify rpc' },
    });
    expect(platform.emulator.oauth2.grants()).toMatchObject([
      { transport: 'web http://localhost:3000', decidedBy: { kind: 'person', via: 'browser' } },
    ]);
  });

  it('only files a request for Allow in a browser without a sign-in, and waits for the decision', async () => {
    const platform = await testPlatform(undefined, asking);
    const token = tokenIn((await open(platform, address())).body);
    const pressed = located(await press(platform, '/oauth2/authorize', { token, decision: 'allow' }));
    const wait = `${pressed.pathname}${pressed.search}`;
    const waiting = await open(platform, wait);
    const [request] = platform.emulator.requests.list();
    expect(request).toMatchObject({ kind: 'authorization', clientId: APP });
    expect(waiting.body).toContain(`footbridge approve ${request?.id}`);
    expect(waiting.body).toContain('http-equiv="refresh"');
    // Again does not ask again.
    await press(platform, '/oauth2/authorize', { token, decision: 'allow' });
    expect(platform.emulator.requests.list()).toHaveLength(1);
    platform.emulator.requests.answer(
      request?.id ?? '',
      { answer: 'deny', by: { via: 'test' } },
      () => undefined,
    );
    const back = located(await open(platform, wait));
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect((await open(platform, wait)).status).toBe(400);
    expect(platform.emulator.oauth2.grants()).toEqual([]);
  });

  /** Presses Allow on a fresh page; gives where it waits. */
  const waitsAt = async (platform: TestPlatform, more: Readonly<Record<string, string>> = {}) => {
    const token = tokenIn((await open(platform, address(more))).body);
    const { pathname, search } = located(
      await press(platform, '/oauth2/authorize', { token, decision: 'allow' }),
    );
    return `${pathname}${search}`;
  };

  it('withdraws its request ten seconds after its last reload, and can file a new request then', async () => {
    const clock = new ManualClock();
    const platform = await testPlatform(undefined, { ...asking, clock });
    const { requests } = platform.emulator;
    const wait = await waitsAt(platform);
    for (let times = 0; times < 5; times += 1) {
      clock.advance(9_000);
      expect((await open(platform, wait)).status).toBe(200);
    }
    expect(requests.list()).toHaveLength(1);
    clock.advance(9_999);
    expect(requests.list()).toHaveLength(1);
    clock.advance(1);
    expect(requests.list()).toEqual([]);
    await waitsAt(platform);
    const [request] = requests.list();
    requests.answer(request?.id ?? '', { answer: 'allow', by: { via: 'test' } }, () => undefined);
    // One that was away all the same, such as in a machine that slept, is led back.
    const back = located(await open(platform, wait));
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('s 1');
  });

  it('redirects with its code, however late the browser returns', async () => {
    const clock = new ManualClock();
    const platform = await testPlatform(undefined, { ...asking, clock });
    const wait = await waitsAt(platform);
    const [request] = platform.emulator.requests.list();
    const by = { via: 'test' };
    platform.emulator.requests.answer(request?.id ?? '', { answer: 'allow', by }, () => undefined);
    clock.advance(60_000);
    expect(located(await open(platform, wait)).searchParams.get('code')).toMatch(/./);
  });

  it('gives way to a newer page of the same application and redirect address, and to no other', async () => {
    const platform = await testPlatform(
      (fixture) => ({
        ...fixture,
        applications: fixture.applications.map((one) => ({
          ...one,
          redirect_uris: [REDIRECT, 'http://localhost:4000/callback'],
        })),
      }),
      asking,
    );
    const { requests } = platform.emulator;
    const first = await waitsAt(platform, { state: 'first' });
    const [before] = requests.list();
    const elsewhere = await waitsAt(platform, { redirect_uri: 'http://localhost:4000/callback' });
    expect(located(await open(platform, elsewhere)).searchParams.get('error_description')).toMatch(
      /already waiting/,
    );
    expect(requests.list()).toEqual([before]);
    const second = await waitsAt(platform, { state: 'second' });
    const back = located(await open(platform, first));
    expect([back.searchParams.get('state'), back.searchParams.get('error')]).toEqual([
      'first',
      'access_denied',
    ]);
    expect((await open(platform, second)).status).toBe(200);
    expect(requests.list()).toHaveLength(1);
    expect(requests.list()[0]?.id).not.toBe(before?.id);
  });

  it('redirects with access_denied when the user denies, and files no request', async () => {
    const platform = await testPlatform(undefined, asking);
    const token = tokenIn((await open(platform, address())).body);
    const pressed = located(await press(platform, '/oauth2/authorize', { token, decision: 'deny' }));
    const back = located(await open(platform, `${pressed.pathname}${pressed.search}`));
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('s 1');
    expect(platform.emulator.requests.list()).toEqual([]);
  });

  it('refuses a form from a page of another origin, from a frame, or with an invalid token', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const token = tokenIn((await open(platform, address(), browser)).body);
    const form = { token, decision: 'allow' };
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-mode': 'cors' },
    ]) {
      expect((await press(platform, '/oauth2/authorize', form, { ...browser, ...headers })).status).toBe(403);
    }
    expect((await open(platform, address(), { 'sec-fetch-dest': 'iframe' })).status).toBe(403);
    expect((await press(platform, '/oauth2/authorize', { ...form, token: 'x' }, browser)).status).toBe(400);
    expect(platform.emulator.requests.list()).toEqual([]);
    expect(platform.emulator.oauth2.grants()).toEqual([]);
  });

  it.each([
    [
      'another address',
      { redirect_uri: 'https://evil.example/callback' },
      'Invalid &quot;redirect_uri&quot;',
    ],
    ['the address with a slash more', { redirect_uri: `${REDIRECT}/` }, 'Invalid &quot;redirect_uri&quot;'],
    ['another port', { redirect_uri: 'http://localhost:3001/callback' }, 'Invalid &quot;redirect_uri&quot;'],
    ['no application', { client_id: 'x' }, 'Unknown application'],
    ['another response type', { response_type: 'id_token' }, 'Invalid &quot;response_type&quot;'],
  ])('displays an error, and does not redirect, for a request with %s', async (_, more, words) => {
    const platform = await testPlatform(undefined, asking);
    const { status, body, headers } = await open(platform, address(more));
    expect(status).toBe(400);
    expect(body).toContain(words);
    expect(headers.get('location')).toBeNull();
  });

  it('describes the remedy for an unregistered redirect address', async () => {
    const platform = await testPlatform(undefined, asking);
    const { body } = await open(platform, address({ redirect_uri: `${REDIRECT}/` }));
    expect(body).toContain('It has to stand in redirect_uris of the application, letter by letter');
  });

  it.each([
    ['an unknown scope', { scope: 'identify nope' }, 'invalid_scope'],
    ['a scope for partners', { scope: 'identify.premium' }, 'invalid_scope'],
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['plain PKCE', { code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'invalid_request'],
    ['an own scheme without PKCE', { redirect_uri: `discord-${APP}:/authorize/callback` }, 'invalid_request'],
  ])('redirects with the reason for %s', async (_, more, error) => {
    const platform = await testPlatform();
    expect(located(await open(platform, address(more))).searchParams.get('error')).toBe(error);
  });

  it('redirects at once where the policy decides, also to a custom scheme with PKCE [A-7]', async () => {
    const platform = await testPlatform();
    const redirect_uri = `discord-${APP}:/authorize/callback`;
    const given = await open(
      platform,
      address({ redirect_uri, code_challenge: CHALLENGE, code_challenge_method: 'S256' }),
    );
    const back = located(given);
    expect(back.protocol).toBe(`discord-${APP}:`);
    const form = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri,
      client_id: APP,
      code_verifier: VERIFIER,
    };
    expect((await platform.call('POST /oauth2/token', { form })).status).toBe(200);
    const denying = await testPlatform(undefined, { consent: { policy: 'deny' } });
    expect(located(await open(denying, address())).searchParams.get('error')).toBe('access_denied');
  });

  it('returns an access token in the fragment for the implicit grant, and no refresh token', async () => {
    const platform = await testPlatform();
    const back = located(await open(platform, address({ response_type: 'token' })));
    const fields = new URLSearchParams(back.hash.slice(1));
    expect([...fields.keys()].sort()).toEqual(['access_token', 'expires_in', 'scope', 'state', 'token_type']);
    const authorization = `Bearer ${fields.get('access_token')}`;
    expect((await platform.call('GET /users/@me', { headers: { authorization } })).status).toBe(200);
  });

  it('accepts a sign-in address once, and not after its expiry', async () => {
    const clock = new ManualClock();
    const platform = await testPlatform(undefined, { ...asking, clock });
    const key = new URL(platform.emulator.signInAddress() ?? '').search;
    expect((await open(platform, `/sign-in${key}`)).status).toBe(200);
    expect((await open(platform, `/sign-in${key}`)).status).toBe(400);
    const late = new URL(platform.emulator.signInAddress() ?? '').search;
    clock.advance(10 * 60_000);
    expect((await open(platform, `/sign-in${late}`)).status).toBe(400);
    const browser = await signIn(platform);
    expect((await open(platform, address(), browser)).body).not.toContain('not signed in');
    clock.advance(12 * 3_600_000);
    expect((await open(platform, address(), browser)).body).toContain('not signed in');
  });
});

describe('POST /oauth2/authorize', () => {
  it('waits for consent, and returns the redirect address', async () => {
    const platform = await testPlatform(undefined, asking);
    const answer = platform.call(`POST /api/v10${address()}`, { json: { authorize: true } });
    await expect.poll(() => platform.emulator.requests.list().length).toBe(1);
    const [request] = platform.emulator.requests.list();
    platform.emulator.requests.answer(
      request?.id ?? '',
      { answer: 'allow', by: { via: 'test' } },
      () => undefined,
    );
    const { url } = (await answer).body as { url: string };
    expect(new URL(url).searchParams.get('code')).toMatch(/^\w{30}$/);
    const denied = await platform.call(`POST /api/v10${address()}`, { json: { authorize: false } });
    expect(denied.body.url).toContain('error=access_denied');
  });

  it('is refused to web pages', async () => {
    const platform = await testPlatform();
    const origin = site(platform);
    const headers = { origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
    expect((await platform.call(`POST /api/v10${address()}`, { headers, json: {} })).status).toBe(403);
  });
});

describe('the device flow', () => {
  const begin = (platform: TestPlatform, scope = 'identify') =>
    platform.call('POST /oauth2/device/authorize', { form: { client_id: APP, scope } });
  const look = (platform: TestPlatform, device_code: string) =>
    platform.call('POST /oauth2/token', {
      form: { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code, client_id: APP },
    });

  it('requests consent in a browser, and issues the tokens to the device once', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const { body } = await begin(platform);
    expect(body).toMatchObject({
      expires_in: 300,
      interval: 5,
      verification_uri: `${site(platform)}/activate`,
    });
    expect(body.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    expect((await look(platform, body.device_code)).body.error).toBe('authorization_pending');
    const { pathname, search } = new URL(body.verification_uri_complete);
    const page = await open(platform, `${pathname}${search}`, browser);
    expect(page.body).toContain('Harbour Example on a device wants to act for river');
    const token = tokenIn(page.body);
    expect((await press(platform, '/activate', { token, decision: 'allow' }, browser)).body).toContain(
      'Done',
    );
    expect(await look(platform, body.device_code)).toMatchObject({
      status: 200,
      body: { scope: 'identify' },
    });
    expect((await look(platform, body.device_code)).body.error).toBe('invalid_grant');
  });

  it('answers a device that polls too early, is denied, is too late, or is of another application', async () => {
    const clock = new ManualClock();
    const platform = await testPlatform(undefined, { clock });
    const { body } = await begin(platform);
    const errors: string[] = [];
    for (const wait of [0, 5_000, 4_999, 9_999, 15_000]) {
      clock.advance(wait);
      errors.push((await look(platform, body.device_code)).body.error);
    }
    expect(errors).toEqual([
      'authorization_pending',
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
    ]);
    const finish = (user_code: string, result: string) =>
      platform.call('POST /oauth2/device/finish', { json: { user_code, result } });
    expect((await finish(body.user_code.toLowerCase(), 'denied')).status).toBe(204);
    clock.advance(20_000);
    expect((await look(platform, body.device_code)).body.error).toBe('access_denied');
    const late = (await begin(platform)).body;
    clock.advance(300_000);
    expect((await look(platform, late.device_code)).body.error).toBe('expired_token');
    const granted = (await begin(platform)).body;
    const verify = await platform.call('POST /oauth2/device/verify', {
      json: { user_code: granted.user_code },
    });
    expect(verify.body).toMatchObject({ scopes: ['identify'], client_id: APP });
    const other = await platform.call('POST /oauth2/token', {
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: granted.device_code,
        client_id: '300000000000000002',
      },
    });
    expect(other.body.error).toBe('invalid_grant');
    expect((await finish(granted.user_code, 'granted')).status).toBe(204);
    expect((await look(platform, granted.device_code)).status).toBe(200);
    expect((await finish('BCDF-GHJK', 'granted')).body.error).toBe('invalid_request');
  });
});

describe('client credentials', () => {
  const grant = (platform: TestPlatform, client_secret: string, scope = 'identify') =>
    platform.call('POST /oauth2/token', {
      form: { grant_type: 'client_credentials', client_id: APP, client_secret, scope },
    });

  it('return a token of the owner, without a refresh token, for the configured secret', async () => {
    const platform = await testPlatform((fixture) => ({
      ...fixture,
      applications: fixture.applications.map((one) => ({ ...one, secret: 'right' })),
    }));
    const { status, body } = await grant(platform, 'right');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await platform.call('GET /users/@me', { headers })).body).toMatchObject({ username: 'river' });
    expect(await grant(platform, 'wrong')).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect((await grant(platform, 'right', 'nope')).body.error).toBe('invalid_scope');
  });

  it('are refused where the application accepts any secret', async () => {
    expect((await grant(await testPlatform(), 'any')).body.error).toBe('unauthorized_client');
  });
});

describe('a public client', () => {
  it('authenticates with a verifier and no secret, and is refused with a wrong secret [A-5, K-2]', async () => {
    const platform = await testPlatform((fixture) => ({
      ...fixture,
      applications: fixture.applications.map((one) => ({ ...one, secret: 'right', public_client: true })),
    }));
    const exchange = async (more: Readonly<Record<string, string>>, challenge: boolean) => {
      const back = located(
        await open(
          platform,
          address(challenge ? { code_challenge: CHALLENGE, code_challenge_method: 'S256' } : {}),
        ),
      );
      const code = back.searchParams.get('code') ?? '';
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT,
        client_id: APP,
        ...more,
      };
      const { status, body } = await platform.call('POST /oauth2/token', { form });
      return status === 200 ? 'ok' : body.error;
    };
    expect(await exchange({ code_verifier: VERIFIER }, true)).toBe('ok');
    expect(await exchange({ code_verifier: VERIFIER, client_secret: 'wrong' }, true)).toBe('invalid_client');
    expect(await exchange({}, false)).toBe('invalid_client');
    expect(await exchange({ client_secret: 'right' }, false)).toBe('ok');
  });
});
