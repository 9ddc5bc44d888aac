import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuthorizeOptions } from '../../../../src/emulator/accounts/oauth2/authorize-options.ts';
import type { OAuth2Error } from '../../../../src/emulator/accounts/oauth2/error.ts';
import type { StoredState } from '../../../../src/emulator/accounts/oauth2/storage/state.ts';
import { memoryStore, type Store } from '../../../../src/emulator/accounts/oauth2/storage/store.ts';
import { anybodyMayAnswer } from '../../../../src/emulator/api/waiting-request.ts';
import type { ApplicationRecord } from '../../../../src/emulator/applications/records.ts';
import { createEmulator } from '../../../../src/emulator/compose/create-emulator.ts';
import type { EmulatorOptions } from '../../../../src/emulator/compose/emulator-options.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import type { Fixture } from '../../../../src/emulator/compose/fixture/fixture.ts';
import { recordChanges } from '../../../helpers/emulator-world.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const harbour = '300000000000000001';
const lighthouse = '300000000000000002';
/** Of the logged-in user. */
const guildId = '400000000000000001';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const issuer = 'http://127.0.0.1:1/api';
const by = { via: 'test', pid: 9, program: '/bin/sh' };

function withApplication(fixture: Fixture, id: string, more: Partial<ApplicationRecord>): Fixture {
  return {
    ...fixture,
    applications: fixture.applications.map((application) =>
      application.id === id ? { ...application, ...more } : application,
    ),
  };
}

async function setUp(more: Partial<EmulatorOptions> = {}) {
  const clock = new ManualClock();
  const emulator = await createEmulator({ fixture: defaultFixture(), clock, ...more });
  const changes = recordChanges(emulator);
  const { oauth2, requests } = emulator;
  const authorize = (options: Partial<AuthorizeOptions> = {}) =>
    oauth2.authorize({
      clientId: harbour,
      scopes: ['identify', 'rpc'],
      peer: { transport: 'ipc', pid: 100 },
      signal: new AbortController().signal,
      ...options,
    });
  /** Answers the only open request. */
  const decide = (answer: 'allow' | 'deny', always = false) => {
    const [request] = requests.list();
    return request && requests.answer(request.id, { answer, always, by }, anybodyMayAnswer);
  };
  const approved = async (options: Partial<AuthorizeOptions> = {}, always = false) => {
    const result = authorize(options);
    decide('allow', always);
    return (await result).code;
  };
  const exchange = (code: string, clientId = harbour) =>
    oauth2.exchangeCode({ clientId, clientSecret: 'any' }, { code, issuer });
  const tokens = async (options: Partial<AuthorizeOptions> = {}) =>
    exchange(await approved(options), options.clientId);
  return { clock, changes, emulator, oauth2, requests, authorize, decide, approved, exchange, tokens };
}

const errorOf = (promise: Promise<unknown>): Promise<OAuth2Error> =>
  promise.then(
    () => {
      throw new Error('expected a refusal');
    },
    (error: OAuth2Error) => error,
  );

describe('authorize', () => {
  it('requests consent, and returns a code and the state when the user allows it', async () => {
    const { authorize, decide, changes } = await setUp();
    const result = authorize({ state: 's' });
    expect(changes.map((change) => change.type)).toEqual(['request-added']);
    decide('allow');
    expect(await result).toEqual({ code: expect.stringMatching(/^[A-Za-z0-9]{30}$/), state: 's' });
    expect(changes.map((change) => change.type)).toEqual(['request-added', 'request-settled']);
    expect(changes[1]).toMatchObject({
      settlement: { outcome: 'allowed', always: false, by: { kind: 'person', ...by } },
    });
  });

  it.each<[string, (s: Awaited<ReturnType<typeof setUp>>, controller: AbortController) => unknown, RegExp]>([
    ['denies', (s) => s.decide('deny'), /denied/],
    ['does not answer for 120 s', (s) => s.clock.advance(120_000), /in time/],
    ['loses the app', (_, controller) => controller.abort(), /the app left/],
    ['changes the account', (s) => s.emulator.apply({ me: 'otter' }), /another account/],
    ['stops the emulator', (s) => s.emulator.close(), /closing/],
  ])('leaves no grant and no code when the user %s', async (_, end, description) => {
    const s = await setUp();
    const controller = new AbortController();
    const result = errorOf(s.authorize({ signal: controller.signal }));
    await end(s, controller);
    const error = await result;
    expect(error.error).toBe('access_denied');
    expect(error.description).toMatch(description);
    expect(s.oauth2.grants()).toEqual([]);
    expect(s.requests.list()).toEqual([]);
    expect(s.decide('allow')).toBeUndefined();
  });

  it.each<[string, Partial<AuthorizeOptions>, string]>([
    ['an unknown application', { clientId: 'abc' }, 'unauthorized_client'],
    ['no scope', { scopes: [] }, 'invalid_scope'],
    ['an unknown scope', { scopes: ['rpc.local'] }, 'invalid_scope'],
    ['a partner scope', { scopes: ['identify', 'identify.premium'] }, 'invalid_scope'],
    ['plain PKCE', { codeChallenge: challenge, codeChallengeMethod: 'plain' }, 'invalid_request'],
    ['a bad challenge', { codeChallenge: 'x' }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'login' }, 'invalid_request'],
    ['an unknown integration type', { integrationType: 2 }, 'invalid_request'],
    ['a long state', { state: 'x'.repeat(1025) }, 'invalid_request'],
    ['a long nonce', { nonce: 'x'.repeat(1025) }, 'invalid_request'],
    ['a redirect nobody registered', { redirectUri: 'http://evil.example' }, 'invalid_request'],
    ['a custom scheme without PKCE', { redirectUri: 'game:/authorize/callback' }, 'invalid_request'],
    ['a peer that has left', { signal: AbortSignal.abort() }, 'access_denied'],
  ])('refuses %s without a prompt', async (_, options, error) => {
    const { authorize, changes } = await setUp();
    expect((await errorOf(authorize(options))).error).toBe(error);
    expect(changes).toEqual([]);
  });

  it('accepts a partner scope for a partner', async () => {
    const { tokens, oauth2 } = await setUp();
    const answer = await tokens({ clientId: lighthouse, scopes: ['identify', 'identify.premium'] });
    expect(oauth2.introspect(answer.access_token)).toMatchObject({ user: { premium_type: 2 } });
  });
});

describe('the consent policy', () => {
  it('"allow" grants at once, and records the policy as the decider', async () => {
    const { authorize, oauth2, changes } = await setUp({ consent: { policy: 'allow' } });
    expect((await authorize()).code).toHaveLength(30);
    expect(changes).toEqual([]);
    expect(oauth2.grants()).toMatchObject([
      { clientId: harbour, scopes: ['identify', 'rpc'], decidedBy: { kind: 'policy' }, always: false },
    ]);
  });

  it('"deny" refuses at once, also scopes with a permanent grant', async () => {
    const { approved, authorize, oauth2 } = await setUp();
    await approved({}, true);
    oauth2.setPolicy('deny');
    expect(await errorOf(authorize())).toMatchObject({
      error: 'access_denied',
      description: expect.stringMatching(/policy/),
    });
    expect(oauth2.policyFor(harbour)).toBe('deny');
  });

  it('does not reuse its own grants once it is "ask"', async () => {
    const { authorize, oauth2, decide } = await setUp({ consent: { policy: 'allow' } });
    await authorize();
    oauth2.setPolicy('ask');
    const result = errorOf(authorize({ prompt: 'none' }));
    expect(decide('deny')).toBeDefined();
    expect((await result).error).toBe('access_denied');
  });

  it.each([
    ['allow', 'deny', true],
    ['deny', 'allow', false],
  ] as const)('of the application (%s) overrides that of the emulator (%s)', async (own, policy, yes) => {
    const { authorize } = await setUp({
      fixture: withApplication(defaultFixture(), harbour, { consent: own }),
      consent: { policy },
    });
    const outcome = await authorize().then(
      () => true,
      () => false,
    );
    expect(outcome).toBe(yes);
  });
});

describe('a remembered grant [T61]', () => {
  it.each<[string, boolean, Partial<AuthorizeOptions>, boolean]>([
    ['given once, asked with prompt consent', false, {}, true],
    ['given once, asked with prompt none', false, { prompt: 'none' }, false],
    ['given for good, asked with prompt consent', true, {}, false],
    ['given for good, asked with prompt none', true, { prompt: 'none' }, false],
    ['for less', true, { scopes: ['rpc'] }, false],
    ['for one more scope', true, { scopes: ['identify', 'rpc', 'guilds'], prompt: 'none' }, true],
    ['for another scope', true, { scopes: ['guilds'], prompt: 'none' }, true],
    ['for another application', true, { clientId: lighthouse, prompt: 'none' }, true],
    ['for another transport', true, { peer: { transport: 'websocket http://a' }, prompt: 'none' }, true],
    ['for an install', true, { scopes: ['rpc', 'bot'], guildId, prompt: 'none' }, true],
  ])('%s (always: %s): prompts again: %s', async (_, always, options, prompts) => {
    const { approved, authorize, requests, decide } = await setUp();
    await approved({}, always);
    const result = authorize(options);
    expect(requests.list()).toHaveLength(prompts ? 1 : 0);
    if (prompts) decide('allow');
    expect((await result).code).toHaveLength(30);
  });

  it('does not apply to another account', async () => {
    const { approved, authorize, oauth2, requests, emulator, decide } = await setUp();
    await approved({}, true);
    await emulator.apply({ me: 'otter' });
    const result = authorize({ prompt: 'none' });
    expect(requests.list()).toHaveLength(1);
    decide('allow');
    await result;
    expect(oauth2.grants().map((grant) => grant.userId)).toEqual([
      '200000000000000001',
      '200000000000000003',
    ]);
  });

  it('never replaces consent to an install, even when it is permanent', async () => {
    const { approved, authorize, requests, decide } = await setUp();
    await approved({ scopes: ['bot'], guildId }, true);
    const result = authorize({ scopes: ['bot'], guildId, prompt: 'none' });
    expect(requests.list()).toHaveLength(1);
    decide('allow');
    await result;
  });

  it('records time, transport and decider', async () => {
    const { approved, oauth2, clock } = await setUp();
    await approved({}, true);
    expect(oauth2.grants()).toEqual([
      {
        id: expect.stringMatching(/^[a-z0-9]{5}$/),
        userId: '200000000000000001',
        clientId: harbour,
        transport: 'ipc',
        scopes: ['identify', 'rpc'],
        always: true,
        decidedBy: { kind: 'person', ...by },
        grantedAt: clock.now(),
      },
    ]);
  });
});

describe('the store', () => {
  it.each([
    ['allow', false],
    ['ask', true],
  ] as const)('is not written again for an existing grant (%s)', async (policy, always) => {
    let saves = 0;
    const store = memoryStore();
    const counting = {
      load: () => store.load(),
      save: (state: Parameters<typeof store.save>[0]) => {
        saves += 1;
        return store.save(state);
      },
    };
    const { authorize, decide, oauth2 } = await setUp({ storage: counting, consent: { policy } });
    for (let i = 0; i < 20; i += 1) {
      const result = authorize();
      decide('allow', always);
      await result;
    }
    expect(saves).toBe(1);
    expect(oauth2.grants()).toHaveLength(1);
  });
});

describe('the exchange of a code', () => {
  it('returns tokens for a week', async () => {
    const { approved, exchange } = await setUp();
    expect(await exchange(await approved())).toEqual({
      token_type: 'Bearer',
      access_token: expect.stringMatching(/^[A-Za-z0-9]{30}$/),
      refresh_token: expect.stringMatching(/^[A-Za-z0-9]{30}$/),
      expires_in: 604_800,
      scope: 'identify rpc',
    });
  });

  it.each([
    [99_999, true],
    [100_000, false],
  ])('succeeds after %i ms: %s', async (ms, works) => {
    const { approved, exchange, clock } = await setUp();
    const code = await approved();
    clock.advance(ms);
    const outcome = await exchange(code).then(
      () => 'tokens',
      (error: OAuth2Error) => `${error.error}: ${error.description}`,
    );
    expect(outcome).toBe(works ? 'tokens' : 'invalid_grant: Invalid "code" in request.');
  });

  it('revokes the tokens of a code that any client uses twice, and no others', async () => {
    for (const second of [harbour, lighthouse]) {
      const { approved, exchange, tokens, oauth2, changes } = await setUp();
      const code = await approved();
      const first = await exchange(code);
      const other = await tokens();
      expect((await errorOf(exchange(code, second))).error).toBe('invalid_grant');
      expect(oauth2.introspect(first.access_token)).toEqual({ state: 'invalid', reason: 'unknown' });
      const refreshed = oauth2.refresh(
        { clientId: harbour, clientSecret: 'any' },
        { refreshToken: first.refresh_token },
      );
      expect((await errorOf(refreshed)).error).toBe('invalid_grant');
      expect(oauth2.introspect(other.access_token).state).toBe('active');
      expect(changes.at(-1)).toMatchObject({ type: 'tokens-revoked', family: expect.any(String) });
      // A third time there is nothing left to end.
      const before = changes.length;
      await errorOf(exchange(code));
      expect(changes).toHaveLength(before);
    }
  });

  it('returns no tokens when the code is used again while its tokens are being stored', async () => {
    const { approved, exchange, oauth2 } = await setUp();
    const code = await approved();
    const answers = await Promise.allSettled([exchange(code), exchange(code)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(oauth2.holds('200000000000000001', harbour)).toBe(false);
  });

  it('invalidates a code that another application tries', async () => {
    const { approved, exchange } = await setUp();
    const code = await approved();
    expect((await errorOf(exchange(code, lighthouse))).description).toBe('Invalid "code" in request.');
    expect((await errorOf(exchange(code))).error).toBe('invalid_grant');
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof setUp>>['oauth2']['exchangeCode']>[1], string]>([
    ['a missing verifier', { code: '', issuer }, 'Missing "code_verifier"'],
    ['a wrong verifier', { code: '', issuer, codeVerifier: 'w'.repeat(43) }, 'Invalid "code_verifier"'],
    [
      'a wrong redirect',
      { code: '', issuer, codeVerifier: verifier, redirectUri: 'http://evil.example' },
      'Invalid "redirect_uri" in request.',
    ],
  ])('is refused for %s, and leaves the code valid', async (_, args, description) => {
    const { approved, oauth2 } = await setUp();
    const code = await approved({ codeChallenge: challenge });
    const client = { clientId: harbour, clientSecret: 'any' };
    const error = await errorOf(oauth2.exchangeCode(client, { ...args, code }));
    expect(error).toMatchObject({ error: 'invalid_request', description });
    await oauth2.exchangeCode(client, { code, issuer, codeVerifier: verifier });
  });

  it.each<[string | undefined, boolean]>([
    [undefined, true],
    ['undefined', true],
    ['http://localhost:3000/callback', true],
    ['http://localhost:3000/callback/', false],
    ['http://localhost:3000', false],
    ['http://evil.example', false],
  ])('accepts the redirect address %j: %s', async (redirectUri, works) => {
    const { approved, oauth2 } = await setUp();
    const code = await approved();
    const outcome = await oauth2
      .exchangeCode({ clientId: harbour, clientSecret: 'x' }, { code, issuer, redirectUri })
      .then(
        () => true,
        () => false,
      );
    expect(outcome).toBe(works);
  });

  it('accepts any redirect address of an unlisted application', async () => {
    const { approved, oauth2 } = await setUp();
    const code = await approved({ clientId: '42' });
    await oauth2.exchangeCode(
      { clientId: '42', clientSecret: 'x' },
      { code, issuer, redirectUri: 'http://localhost' },
    );
  });

  it('accepts a custom scheme with PKCE', async () => {
    const redirectUri = 'game:/authorize/callback';
    const { approved, oauth2 } = await setUp({
      fixture: withApplication(defaultFixture(), harbour, { redirect_uris: [redirectUri] }),
    });
    const code = await approved({ redirectUri, codeChallenge: challenge });
    const args = { code, issuer, redirectUri, codeVerifier: verifier };
    expect(await oauth2.exchangeCode({ clientId: harbour }, args)).toMatchObject({ token_type: 'Bearer' });
  });

  it('requires the same redirect address when the request named one', async () => {
    const { approved, oauth2 } = await setUp();
    const redirectUri = 'http://localhost:3000/callback';
    const code = await approved({ redirectUri });
    const client = { clientId: harbour, clientSecret: 'x' };
    for (const other of [undefined, 'http://127.0.0.1:3000/callback']) {
      await errorOf(oauth2.exchangeCode(client, { code, issuer, redirectUri: other }));
    }
    await oauth2.exchangeCode(client, { code, issuer, redirectUri });
  });

  it.each<[string | null, string | undefined, string | undefined, string]>([
    [null, 'anything', undefined, 'tokens'],
    [null, undefined, verifier, 'tokens'],
    [null, undefined, undefined, 'invalid_client'],
    [null, '', undefined, 'invalid_client'],
    ['right', 'right', undefined, 'tokens'],
    ['right', 'wrong', undefined, 'invalid_client'],
    ['right', 'righ', undefined, 'invalid_client'],
    ['right', '', verifier, 'invalid_client'],
    ['right', undefined, verifier, 'invalid_client'],
  ])(
    'with the secret %j, the sent secret %j and verifier %j results in %s',
    async (secret, clientSecret, codeVerifier, outcome) => {
      const { approved, oauth2 } = await setUp({
        fixture: withApplication(defaultFixture(), harbour, { secret }),
      });
      const code = await approved(codeVerifier === undefined ? {} : { codeChallenge: challenge });
      const result = await oauth2
        .exchangeCode({ clientId: harbour, clientSecret }, { code, issuer, codeVerifier })
        .then(
          () => 'tokens',
          (error: OAuth2Error) => error.error,
        );
      expect(result).toBe(outcome);
    },
  );
});

describe('introspection', () => {
  it('contains the user only with identify, or with a scope that includes it', async () => {
    for (const [scopes, visible] of [
      [['rpc'], false],
      [['identify'], true],
      [['openid', 'sdk.social_layer'], true],
      [['sdk.social_layer_presence'], true],
    ] as const) {
      const { tokens, oauth2 } = await setUp();
      const found = oauth2.introspect((await tokens({ scopes })).access_token);
      if (found.state !== 'active') throw new Error(found.reason);
      expect(found.user !== null).toBe(visible);
      expect(found.scopes).toEqual(scopes);
      expect(found.effectiveScopes).toEqual(expect.arrayContaining([...scopes]));
    }
  });

  it('hides premium and e-mail without their scopes', async () => {
    const { tokens, oauth2, emulator } = await setUp();
    expect(emulator.me()).toMatchObject({ premium_type: 2, email: 'river@example.test' });
    const plain = oauth2.introspect((await tokens()).access_token);
    expect(plain).toMatchObject({ user: { username: 'river', premium_type: 0, email: null } });
    const mail = oauth2.introspect((await tokens({ scopes: ['identify', 'email'] })).access_token);
    expect(mail).toMatchObject({ user: { email: 'river@example.test', premium_type: 0 } });
  });

  it('hides premium when the application is no longer a partner', async () => {
    const { tokens, oauth2, emulator } = await setUp();
    const options = { clientId: lighthouse, scopes: ['identify', 'identify.premium'] };
    const { access_token } = await tokens(options);
    await emulator.apply({ applications: [{ id: lighthouse, partner: false }] });
    expect(oauth2.introspect(access_token)).toMatchObject({ user: { premium_type: 0 } });
  });

  it('reports a token as expired after seven days', async () => {
    const { tokens, oauth2, clock } = await setUp();
    const { access_token } = await tokens();
    clock.advance(604_800_000 - 1);
    const found = oauth2.introspect(access_token);
    expect(found).toMatchObject({ state: 'active', clientId: harbour, family: expect.any(String) });
    clock.advance(1);
    expect(oauth2.introspect(access_token)).toEqual({ state: 'invalid', reason: 'expired' });
  });

  it.each(['', 'nope', 'x'.repeat(10_000), '__proto__'])('reports %j as unknown', async (token) => {
    const { oauth2 } = await setUp();
    expect(oauth2.introspect(token)).toEqual({ state: 'invalid', reason: 'unknown' });
  });
});

describe('a refresh', () => {
  const client = { clientId: harbour, clientSecret: 'any' };

  it('returns a new pair with the same scopes', async () => {
    const { tokens, oauth2 } = await setUp();
    const first = await tokens();
    const second = await oauth2.refresh(client, { refreshToken: first.refresh_token });
    expect(second).toMatchObject({ scope: 'identify rpc', expires_in: 604_800 });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(oauth2.introspect(first.access_token).state).toBe('active');
    expect(oauth2.introspect(second.access_token).state).toBe('active');
  });

  it.each<
    [string, (s: Awaited<ReturnType<typeof setUp>>, refreshToken: string, accessToken: string) => unknown]
  >([
    ['rotated', (s, refreshToken) => s.oauth2.refresh(client, { refreshToken })],
    ['revoked', (s, refreshToken) => s.oauth2.revoke(client, refreshToken)],
    ['revoked by its access token', (s, _, accessToken) => s.oauth2.revoke(client, accessToken)],
    ['revoked with its grant', (s) => s.oauth2.revokeGrant(s.oauth2.grants()[0]?.id ?? '')],
    ['expired', (s) => s.clock.advance(90 * 86_400_000)],
    [
      'of a removed user',
      async (s) => {
        await s.emulator.apply({ me: 'otter' });
        await s.emulator.apply({
          users: [{ id: '200000000000000001', remove: true }],
          guilds: [
            { id: '400000000000000001', owner: null },
            { id: '400000000000000002', channels: [{ id: '500000000000000012', deny: [] }] },
          ],
        });
      },
    ],
  ])('refuses a token that was %s', async (_, end) => {
    const s = await setUp();
    const answer = await s.tokens();
    await end(s, answer.refresh_token, answer.access_token);
    const error = await errorOf(s.oauth2.refresh(client, { refreshToken: answer.refresh_token }));
    expect(error).toMatchObject({
      error: 'invalid_grant',
      description: 'Invalid "refresh_token" in request',
    });
  });

  it('reports that a replay revoked a token family', async () => {
    const warnings: string[] = [];
    const { tokens, oauth2, changes } = await setUp({
      log: { info: () => {}, warn: (line) => warnings.push(line) },
    });
    const first = await tokens();
    const second = await oauth2.refresh(client, { refreshToken: first.refresh_token });
    await errorOf(oauth2.refresh(client, { refreshToken: first.refresh_token }));
    expect(changes.at(-1)).toEqual({
      type: 'tokens-revoked',
      clientId: harbour,
      userId: '200000000000000001',
      family: expect.any(String),
    });
    expect(oauth2.introspect(second.access_token).state).toBe('invalid');
    expect(oauth2.grants()).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    for (const secret of [first.access_token, first.refresh_token, second.refresh_token]) {
      expect(warnings.join()).not.toContain(secret);
    }
  });

  it('returns no tokens that are revoked while they are being stored', async () => {
    const { tokens, approved, exchange, oauth2 } = await setUp();
    const first = await tokens();
    const revoke = () => oauth2.revokeGrant(oauth2.grants()[0]?.id ?? '');
    const refreshed = errorOf(oauth2.refresh(client, { refreshToken: first.refresh_token }));
    await revoke();
    expect((await refreshed).error).toBe('invalid_grant');
    const exchanged = errorOf(exchange(await approved()));
    await revoke();
    expect((await exchanged).error).toBe('invalid_grant');
  });

  it('needs the secret when the application has one', async () => {
    const { tokens, oauth2, emulator } = await setUp();
    const { refresh_token } = await tokens();
    await emulator.apply({ applications: [{ id: harbour, secret: 'right' }] });
    const error = await errorOf(oauth2.refresh(client, { refreshToken: refresh_token }));
    expect(error.error).toBe('invalid_client');
    await oauth2.refresh({ clientId: harbour, clientSecret: 'right' }, { refreshToken: refresh_token });
  });
});

describe('a revocation', () => {
  const client = { clientId: harbour, clientSecret: 'any' };

  it('deletes every token, code and grant of the user and the application, and reports it once [U-3]', async () => {
    const { tokens, approved, exchange, oauth2, changes } = await setUp({ consent: { promptsPerMinute: 9 } });
    const first = await tokens();
    const second = await tokens({ peer: { transport: 'websocket http://a' } });
    const other = await tokens({ clientId: lighthouse });
    const code = await approved();
    expect(await oauth2.revoke(client, first.refresh_token)).toBe(true);
    expect(changes.filter((change) => change.type === 'tokens-revoked')).toEqual([
      {
        type: 'tokens-revoked',
        clientId: harbour,
        userId: '200000000000000001',
      },
    ]);
    for (const token of [first.access_token, second.access_token]) {
      expect(oauth2.introspect(token).state).toBe('invalid');
    }
    expect((await errorOf(exchange(code))).error).toBe('invalid_grant');
    expect(oauth2.introspect(other.access_token).state).toBe('active');
    expect(oauth2.grants().map((grant) => grant.clientId)).toEqual([lighthouse]);
    expect(await oauth2.revoke(client, first.refresh_token)).toBe(false);
    expect(await oauth2.revoke(client, 'nope')).toBe(false);
  });

  it('does not affect a token of another application', async () => {
    const { tokens, oauth2 } = await setUp();
    const { access_token } = await tokens();
    expect(await oauth2.revoke({ clientId: lighthouse }, access_token)).toBe(false);
    expect(oauth2.introspect(access_token).state).toBe('active');
  });

  it('by grant has the same effect, and an unknown grant is no error', async () => {
    const { tokens, oauth2, changes } = await setUp();
    const { access_token } = await tokens();
    const id = oauth2.grants()[0]?.id ?? '';
    expect(await oauth2.revokeGrant(id)).toMatchObject({
      stored: true,
      removed: { grants: [id], tokens: 1 },
    });
    expect(oauth2.introspect(access_token).state).toBe('invalid');
    expect(changes.at(-1)).toEqual({
      type: 'tokens-revoked',
      clientId: harbour,
      userId: '200000000000000001',
    });
    expect(await oauth2.revokeGrant('nope')).toEqual({ kind: 'unknown' });
  });

  it('follows the removal of the application', async () => {
    const { tokens, oauth2, emulator, changes } = await setUp();
    const { access_token } = await tokens();
    await emulator.apply({ applications: [{ id: harbour, remove: true }] });
    expect(oauth2.introspect(access_token).state).toBe('invalid');
    expect(changes.slice(-2).map((change) => change.type)).toEqual([
      'applications removed',
      'tokens-revoked',
    ]);
  });
});

async function stateOf(store: Store): Promise<StoredState> {
  const loaded = await store.load();
  if (loaded.kind !== 'loaded') throw new Error(loaded.kind);
  return loaded.state;
}

it('a restart preserves unknown fields of a newer release in the store and in its records [R22]', async () => {
  const store = memoryStore();
  const before = await setUp({ storage: store });
  await before.tokens();
  await before.emulator.close();
  const { grants, tokens: families, keys } = await stateOf(store);
  const noted = <T extends object>(list: readonly T[]) => list.map((record) => ({ ...record, note: 'kept' }));
  await store.save({ keys, grants: noted(grants), tokens: noted(families), links: ['kept'] } as StoredState);
  const { tokens } = await setUp({ storage: store });
  await tokens({ clientId: lighthouse });
  const note = 'kept';
  expect(await stateOf(store)).toMatchObject({
    links: ['kept'],
    grants: [{ clientId: harbour, note }, { clientId: lighthouse }],
    tokens: [{ clientId: harbour, note }, { clientId: lighthouse }],
  });
});

it('a restart preserves grants, tokens and the signing key, and drops codes', async () => {
  const store = memoryStore();
  const before = await setUp({ storage: store });
  const answer = await before.tokens({ scopes: ['openid', 'identify'], nonce: 'n' });
  const code = await before.approved({}, true);
  const keys = await before.oauth2.jwks();
  await before.emulator.close();
  const after = await setUp({ storage: store });
  expect(after.oauth2.grants()).toEqual(before.oauth2.grants());
  expect(after.oauth2.introspect(answer.access_token).state).toBe('active');
  expect(await after.oauth2.jwks()).toEqual(keys);
  expect((await errorOf(after.exchange(code))).error).toBe('invalid_grant');
  await after.oauth2.refresh({ clientId: harbour }, { refreshToken: answer.refresh_token });
});
