import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebConsent } from '../../../../src/emulator/accounts/oauth2/pages/web-consent.ts';
import { readWebRequest } from '../../../../src/emulator/accounts/oauth2/pages/web-request.ts';
import { anybodyMayAnswer } from '../../../../src/emulator/api/waiting-request.ts';
import type { ApplicationRecord } from '../../../../src/emulator/applications/records.ts';
import {
  address,
  asking,
  located,
  open,
  press,
  REDIRECT,
  signIn,
  site,
  tokenIn,
} from '../../../helpers/browser-pages.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

const AGENT = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0' };
const NOBODY = '999999999999999991';

/** Where the browser is in the end after a button of a page. */
async function answered(
  platform: TestPlatform,
  token: string,
  decision: 'allow' | 'deny',
  headers: Readonly<Record<string, string>> = {},
) {
  const pressed = await press(platform, '/oauth2/authorize', { token, decision }, headers);
  if (pressed.status !== 303) return pressed;
  const { pathname, search } = located(pressed);
  return open(platform, `${pathname}${search}`, headers);
}

/** A request that its caller can leave. */
function leavable(platform: TestPlatform, path: string, json: unknown) {
  const sent = httpRequest(`${site(platform)}${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' },
  });
  sent.on('error', () => {});
  sent.end(JSON.stringify(json));
  return sent;
}

describe('an open consent page', () => {
  const setUp = async () => {
    const { emulator } = await testPlatform(undefined, asking);
    const { oauth2, requests: people, tables } = emulator;
    const web = new WebConsent({ machine: new ManualClock(), oauth2, requests: people, readingMs: 0 });
    const show = (client_id: string, session?: string): string => {
      const written = tables.applications.get(client_id);
      const record = {
        ...tables.applications.get(APP),
        ...written,
        id: client_id,
        redirect_uris: [REDIRECT],
      } as ApplicationRecord;
      const known = { origin: written === undefined ? 'first-sight' : 'fixture', record } as const;
      return web.addPage(
        readWebRequest({ client_id, redirect_uri: REDIRECT }, () => known, 'a test'),
        session,
      );
    };
    return { web, show };
  };
  const times = <T>(count: number, act: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => act(index));

  it('in a signed-in browser stays valid, whatever pages other clients open', async () => {
    const { web, show } = await setUp();
    const own = show(APP, 'session');
    times(300, (index) => show(String(900000000000000000n + BigInt(index))));
    times(300, () => show(APP));
    expect(web.find(own)).toBeDefined();
    times(300, () => show(APP, 'session'));
    expect(web.find(own)).toBeUndefined();
  });

  it('in any other browser gives way to pages of its own application, and not of others', async () => {
    const { web, show } = await setUp();
    const own = show(APP);
    times(300, () => show('300000000000000002'));
    times(300, (index) => show(String(900000000000000000n + BigInt(index))));
    expect(web.find(own)).toBeDefined();
    times(300, () => show(APP));
    expect(web.find(own)).toBeUndefined();
  });

  it('is found by its token only until it loses its slot, and frees the slot when it is dropped', async () => {
    const { web, show } = await setUp();
    for (const token of times(1000, () => show(APP))) web.drop(token);
    const tokens = times(50, () => show(APP));
    expect(tokens.every((token) => web.find(token) !== undefined)).toBe(true);
  });
});

describe('an HTTP client that disconnects', () => {
  it('withdraws its request: POST /oauth2/authorize, and finishing a device', async () => {
    const platform = await testPlatform(undefined, asking);
    const { requests } = platform.emulator;
    const begun = await platform.call('POST /oauth2/device/authorize', {
      form: { client_id: APP, scope: 'identify' },
    });
    for (const [path, json] of [
      [`/api/v10${address()}`, {}],
      ['/api/v10/oauth2/device/finish', { user_code: begun.body.user_code, result: 'granted' }],
    ] as const) {
      const sent = leavable(platform, path, json);
      await expect.poll(() => requests.list().length).toBe(1);
      sent.destroy();
      await expect.poll(() => requests.list().length).toBe(0);
    }
    expect(platform.emulator.oauth2.grants()).toEqual([]);
  });
});

describe('the requester in a consent request', () => {
  const askers = (platform: TestPlatform) =>
    platform.emulator.requests.list().map((one) => (one.kind === 'authorization' ? one.peer.program : ''));

  it('is a page, with its browser and where it leads', async () => {
    const platform = await testPlatform(undefined, asking);
    const token = tokenIn((await open(platform, address(), AGENT)).body);
    await press(platform, '/oauth2/authorize', { token, decision: 'allow' }, AGENT);
    expect(askers(platform)).toEqual(['a page in Firefox 120 that leads to http://localhost:3000']);
  });

  it('is a program over HTTP, with no control characters in its name', async () => {
    const platform = await testPlatform(undefined, asking);
    const headers = { 'user-agent': `curl/8.5.0 \u{9b}2K ${'x'.repeat(200)}` };
    const answer = platform.call(`POST /api/v10${address()}`, { headers, json: {} });
    await expect
      .poll(() => askers(platform))
      .toEqual([
        `a program over HTTP (curl/8.5.0 2K ${'x'.repeat(49)}…) that leads to http://localhost:3000`,
      ]);
    platform.emulator.requests.withdrawAll('test');
    await answer;
  });

  it('is a device, with the code to compare', async () => {
    const platform = await testPlatform(undefined, asking);
    const { body } = await platform.call('POST /oauth2/device/authorize', {
      form: { client_id: APP, scope: 'identify' },
    });
    const page = await open(platform, `/activate?user_code=${body.user_code}`, AGENT);
    await press(platform, '/activate', { token: tokenIn(page.body), decision: 'allow' }, AGENT);
    expect(askers(platform)).toEqual([
      `a device that shows ${body.user_code}, brought by a page in Firefox 120`,
    ]);
  });
});

describe('prompt=none', () => {
  const allowOnce = async (platform: TestPlatform, more: Readonly<Record<string, string>> = {}) => {
    const browser = await signIn(platform);
    const token = tokenIn((await open(platform, address(more), browser)).body);
    expect(located(await answered(platform, token, 'allow', browser)).searchParams.get('code')).toBeTruthy();
  };

  it('requires no page for scopes that the user allowed before, and displays it for any others', async () => {
    const platform = await testPlatform(undefined, asking);
    const fresh = await open(platform, address({ prompt: 'none' }));
    expect(fresh.status).toBe(200);
    await allowOnce(platform);
    const again = await open(platform, address({ prompt: 'none' }));
    expect(located(again).searchParams.get('code')).toMatch(/^\w{30}$/);
    expect((await open(platform, address({ prompt: 'none', scope: 'identify rpc email' }))).status).toBe(200);
    expect((await open(platform, address())).status).toBe(200);
    const wrong = await open(platform, address({ prompt: 'login' }));
    expect(wrong.status).toBe(200);
  });

  it('does not use the consent of another account, and files no request before a button is pressed', async () => {
    const platform = await testPlatform(undefined, asking);
    await allowOnce(platform);
    const [, other] = [...platform.emulator.tables.users];
    await platform.emulator.apply({ me: other?.id });
    expect((await open(platform, address({ prompt: 'none' }))).status).toBe(200);
    expect(platform.emulator.requests.list()).toEqual([]);
  });
});

describe('the cookie of a signed-in browser', () => {
  it('is not valid at another emulator of the same machine, and does not replace the cookie there', async () => {
    const [one, two] = [await testPlatform(undefined, asking), await testPlatform(undefined, asking)];
    const [first, second] = [await signIn(one), await signIn(two)];
    const nameOf = ({ cookie }: { readonly cookie: string }) => cookie.split('=')[0];
    expect(nameOf(first)).not.toBe(nameOf(second));
    // A browser sends both to both.
    const both = { cookie: `${first.cookie}; ${second.cookie}` };
    for (const platform of [one, two]) {
      expect((await open(platform, address(), both)).body).not.toContain('not signed in');
    }
    expect((await open(two, address(), first)).body).toContain('not signed in');
    const renamed = { cookie: `${nameOf(second)}=${first.cookie.split('=')[1]}` };
    expect((await open(two, address(), renamed)).body).toContain('not signed in');
    const tossed = { cookie: `${nameOf(second)}=x; ${second.cookie}` };
    expect((await open(two, address(), tossed)).body).not.toContain('not signed in');
  });
});

describe('the form of the consent page', () => {
  it('is answered once, also when Allow and Deny arrive repeatedly at the same time', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const token = tokenIn((await open(platform, address(), browser)).body);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        press(
          platform,
          '/oauth2/authorize',
          { token, decision: index % 2 === 0 ? 'allow' : 'deny' },
          browser,
        ),
      ),
    );
    const wait = `/oauth2/authorize/wait?token=${token}`;
    const ends = await Promise.all(Array.from({ length: 5 }, () => open(platform, wait, browser)));
    expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400, 400, 400, 400]);
    expect((await press(platform, '/oauth2/authorize', { token, decision: 'allow' }, browser)).status).toBe(
      400,
    );
    expect(platform.emulator.oauth2.grants().length).toBeLessThanOrEqual(1);
    expect(platform.emulator.requests.list()).toEqual([]);
  });

  it('of one tab is answered independently of the form of another tab', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const [first, second] = await Promise.all([
      open(platform, address({ state: 'one' }), browser),
      open(platform, address({ state: 'two', scope: 'identify' }), browser),
    ]);
    const denied = located(await answered(platform, tokenIn(second?.body), 'deny', browser));
    const allowed = located(await answered(platform, tokenIn(first?.body), 'allow', browser));
    expect([denied.searchParams.get('state'), denied.searchParams.get('error')]).toEqual([
      'two',
      'access_denied',
    ]);
    expect([allowed.searchParams.get('state'), allowed.searchParams.has('code')]).toEqual(['one', true]);
  });

  it('of a device is refused at the authorization page, and the form of that page at the device page', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const { body } = await platform.call('POST /oauth2/device/authorize', {
      form: { client_id: APP, scope: 'identify' },
    });
    const device = tokenIn((await open(platform, `/activate?user_code=${body.user_code}`, browser)).body);
    const page = tokenIn((await open(platform, address(), browser)).body);
    const swapped = [
      await press(platform, '/oauth2/authorize', { token: device, decision: 'allow' }, browser),
      await press(platform, '/activate', { token: page, decision: 'allow' }, browser),
    ];
    expect(swapped.map(({ status }) => status)).toEqual([400, 400]);
    expect(platform.emulator.oauth2.grants()).toEqual([]);
  });
});

describe('an authorization request', () => {
  it.each([
    ['a line break', 'a\r\nSet-Cookie: x=1'],
    ['a code of its own', 'x&code=stolen&error=none'],
    ['a fragment', 'x#access_token=stolen'],
    ['a script', '"><script>alert(1)</script>'],
    ['another alphabet', '\u{202e}\u{1f600}é'],
  ])('returns state unchanged, with %s in it', async (_, state) => {
    const platform = await testPlatform();
    const answer = await open(platform, address({ state }));
    const back = located(answer);
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'state']);
    expect(back.searchParams.get('state')).toBe(state);
    expect(back.searchParams.get('code')).toMatch(/^\w{30}$/);
    expect(back.hash).toBe('');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it.each([
    ['a line break', `${REDIRECT}\r\nSet-Cookie: x=1`],
    ['a user name', 'http://localhost:3000@evil.example/callback'],
    ['a longer path', `${REDIRECT}/../../evil`],
    ['a query', `${REDIRECT}?code=stolen`],
    ['a fragment', `${REDIRECT}#x`],
    ['other letters', 'http://LOCALHOST:3000/callback'],
    ['a back slash', 'http://localhost:3000\\@evil.example/callback'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
  ])('redirects nowhere with a redirect address that has %s', async (_, redirect_uri) => {
    const platform = await testPlatform();
    const { status, headers } = await open(platform, address({ redirect_uri }));
    expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([400, null, null]);
  });

  it('is refused with a second redirect address, client or state', async () => {
    const platform = await testPlatform();
    for (const more of ['redirect_uri=https://evil.example/', `client_id=${NOBODY}`, 'state=2']) {
      const { status, headers } = await open(platform, `${address()}&${more}`);
      expect([status, headers.get('location')]).toEqual([400, null]);
    }
  });

  it('cannot change the response mode, which follows from the response type', async () => {
    const platform = await testPlatform();
    for (const response_mode of ['fragment', 'form_post', 'query']) {
      const code = located(await open(platform, address({ response_mode })));
      expect([code.searchParams.has('code'), code.hash]).toEqual([true, '']);
      const token = located(await open(platform, address({ response_mode, response_type: 'token' })));
      expect(token.searchParams.has('access_token')).toBe(false);
      expect(token.hash).toContain('access_token=');
    }
  });

  it('preserves the query of a registered address, except for the parameters of the answer', async () => {
    const platform = await testPlatform((fixture) => ({
      ...fixture,
      applications: fixture.applications.map((one) => ({
        ...one,
        redirect_uris: ['https://app.example/cb?tenant=7&code=old&state=old', 'https://a;sandbox/cb'],
      })),
    }));
    const redirect_uri = 'https://app.example/cb?tenant=7&code=old&state=old';
    const back = located(await open(platform, address({ redirect_uri })));
    expect(back.searchParams.getAll('tenant')).toEqual(['7']);
    expect(back.searchParams.getAll('state')).toEqual(['s 1']);
    expect(back.searchParams.getAll('code')).toHaveLength(1);
    expect(back.searchParams.get('code')).not.toBe('old');
  });

  it('cannot add to the security policy of the page', async () => {
    const redirect_uri = 'https://a;sandbox/cb';
    const platform = await testPlatform(
      (fixture) => ({
        ...fixture,
        applications: fixture.applications.map((one) => ({ ...one, redirect_uris: [redirect_uri] })),
      }),
      asking,
    );
    const { headers } = await open(platform, address({ redirect_uri }));
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split(';').map((one) => one.trim().split(' ')[0])).toEqual([
      'default-src',
      'style-src',
      'form-action',
      'frame-ancestors',
      'base-uri',
    ]);
  });
});

describe('a browser without a sign-in', () => {
  it('only files a request when a program presses Allow with a forged cookie', async () => {
    const platform = await testPlatform(undefined, asking);
    const browser = await signIn(platform);
    const cookie = `${browser.cookie.split('=')[0]}=${'x'.repeat(40)}`;
    const token = tokenIn((await open(platform, address())).body);
    await press(platform, '/oauth2/authorize', { token, decision: 'allow' }, { cookie });
    expect(platform.emulator.requests.list()).toHaveLength(1);
    expect(platform.emulator.oauth2.grants()).toEqual([]);
    const [waiting] = platform.emulator.requests.list();
    platform.emulator.requests.answer(
      waiting?.id ?? '',
      { answer: 'deny', by: { via: 'test' } },
      anybodyMayAnswer,
    );
  });
});

describe('a device', () => {
  const setUp = async (policy: 'ask' | 'deny') => {
    const platform = await testPlatform(undefined, { consent: { policy, readingMs: 0 } });
    const { body } = await platform.call('POST /oauth2/device/authorize', {
      form: { client_id: APP, scope: 'identify' },
    });
    const allow = async (headers: Readonly<Record<string, string>> = {}) => {
      const token = tokenIn((await open(platform, `/activate?user_code=${body.user_code}`, headers)).body);
      return (await press(platform, '/activate', { token, decision: 'allow' }, headers)).body as string;
    };
    const look = async () => {
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
      const form = { grant_type, device_code: body.device_code, client_id: APP };
      return (await platform.call('POST /oauth2/token', { form })).body.error as string | undefined;
    };
    return { platform, allow, look };
  };

  it('continues to wait when another program blocks its prompt, and its page does not report success', async () => {
    const { platform, allow, look } = await setUp('ask');
    const { oauth2, requests } = platform.emulator;
    const controller = new AbortController();
    const other = oauth2.authorize({
      clientId: APP,
      scopes: ['rpc'],
      peer: { transport: 'ipc', pid: 7 },
      signal: controller.signal,
    });
    const browser = await signIn(platform);
    expect(await allow(browser)).toContain('Not now');
    expect(await look()).toBe('authorization_pending');
    controller.abort();
    await expect(other).rejects.toThrow('the app left');
    expect(requests.list()).toEqual([]);
    expect(await allow(browser)).toContain('Done');
  });

  it('is denied under the policy "deny", and its page reports that', async () => {
    const { allow, look } = await setUp('deny');
    expect(await allow()).toContain('The device gets nothing');
    expect(await look()).toBe('access_denied');
  });

  it('receives no tokens when the request is denied at the terminal', async () => {
    const { platform, allow, look } = await setUp('ask');
    expect(await allow()).toContain('footbridge approve');
    const [waiting] = platform.emulator.requests.list();
    platform.emulator.requests.answer(
      waiting?.id ?? '',
      { answer: 'deny', by: { via: 'test' } },
      anybodyMayAnswer,
    );
    expect(await look()).toBe('access_denied');
  });
});
