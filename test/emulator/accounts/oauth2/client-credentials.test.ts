import { describe, expect, it } from 'vitest';
import { anybodyMayAnswer } from '../../../../src/emulator/api/waiting-request.ts';
import type { ConsentPolicy } from '../../../../src/emulator/applications/records.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

const SECRET = 'written down';
const answerer = { via: 'test', program: 'a terminal' };

async function platformOf(policy: ConsentPolicy): Promise<TestPlatform> {
  return testPlatform(
    (fixture) => ({
      ...fixture,
      applications: fixture.applications.map((one) => ({ ...one, secret: SECRET })),
    }),
    { consent: { policy } },
  );
}

const grant = (platform: TestPlatform, scope: string) =>
  platform.call('POST /oauth2/token', {
    form: { grant_type: 'client_credentials', client_id: APP, client_secret: SECRET, scope },
  });

const settle = ({ emulator }: TestPlatform, decision: { answer: 'allow' | 'deny'; always?: boolean }) => {
  const [request] = emulator.requests.list();
  return emulator.requests.answer(request?.id ?? '', { ...decision, by: answerer }, anybodyMayAnswer);
};

async function asked(platform: TestPlatform, scope: string) {
  const answer = grant(platform, scope);
  await expect.poll(() => platform.emulator.requests.list().length).toBe(1);
  return { answer, request: platform.emulator.requests.list()[0] };
}

const RPC_SCOPES = ['rpc', 'identify rpc.voice.write', 'messages.read', 'sdk.social_layer_presence'];

describe('client credentials for scopes that reach into the client', () => {
  it.each(RPC_SCOPES)(
    'display the scopes to the user, wait for the decision, and record it: %s',
    async (scope) => {
      const platform = await platformOf('ask');
      const { oauth2 } = platform.emulator;
      const { answer, request } = await asked(platform, scope);
      expect(request).toMatchObject({
        kind: 'authorization',
        clientId: APP,
        scopes: scope.split(' ').map((name) => ({ name })),
        peer: { transport: 'client credentials', program: expect.stringContaining('over HTTP') },
      });
      settle(platform, { answer: 'allow' });
      const { status, body } = await answer;
      expect(status).toBe(200);
      expect(oauth2.grants()).toMatchObject([
        { clientId: APP, transport: 'client credentials', scopes: scope.split(' '), decidedBy: answerer },
      ]);
      await oauth2.revokeGrant(oauth2.grants()[0]?.id ?? '');
      expect(oauth2.introspect(body.access_token)).toEqual({ state: 'invalid', reason: 'unknown' });
      expect(oauth2.grants()).toEqual([]);
    },
  );

  it('are refused when the user denies the request, without a token and a grant', async () => {
    const platform = await platformOf('ask');
    const { answer } = await asked(platform, 'rpc identify');
    settle(platform, { answer: 'deny' });
    expect(await answer).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    expect(platform.emulator.oauth2.grants()).toEqual([]);
    expect(platform.emulator.oauth2.holds('200000000000000001', APP)).toBe(false);
  });

  it('need consent again after "once", and not after "always"', async () => {
    const platform = await platformOf('ask');
    for (const always of [false, true]) {
      const { answer } = await asked(platform, 'rpc');
      settle(platform, { answer: 'allow', always });
      expect((await answer).status).toBe(200);
    }
    expect((await grant(platform, 'rpc')).status).toBe(200);
    // More than was allowed asks, and what an app was allowed on a socket is another grant.
    const { answer } = await asked(platform, 'rpc rpc.voice.write');
    settle(platform, { answer: 'deny' });
    expect((await answer).body.error).toBe('access_denied');
  });

  it('do not use a grant of the same application on a socket', async () => {
    const platform = await platformOf('ask');
    const { oauth2 } = platform.emulator;
    const { signal } = new AbortController();
    const peer = { transport: 'ipc' };
    const authorized = oauth2.authorize({ clientId: APP, scopes: ['rpc'], peer, signal });
    settle(platform, { answer: 'allow', always: true });
    await authorized;
    const { answer } = await asked(platform, 'rpc');
    settle(platform, { answer: 'deny' });
    expect((await answer).body.error).toBe('access_denied');
  });

  it('return no token when the secret changes while the request waits', async () => {
    const platform = await platformOf('ask');
    const { answer } = await asked(platform, 'rpc');
    await platform.emulator.apply({ applications: [{ id: APP, secret: 'another' }] });
    settle(platform, { answer: 'allow' });
    expect(await answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(platform.emulator.oauth2.holds('200000000000000001', APP)).toBe(false);
  });

  it('are allowed by the policy "allow", which the grant records', async () => {
    const platform = await platformOf('allow');
    expect((await grant(platform, 'rpc identify')).status).toBe(200);
    expect(platform.emulator.oauth2.grants()).toMatchObject([
      { transport: 'client credentials', scopes: ['rpc', 'identify'], decidedBy: { kind: 'policy' } },
    ]);
  });
});

describe('client credentials for other scopes', () => {
  it('need no consent, and the grant names the secret as its decider and can be revoked', async () => {
    const platform = await platformOf('ask');
    const { oauth2 } = platform.emulator;
    const { body } = await grant(platform, 'identify applications.commands.update');
    const again = await grant(platform, 'identify');
    expect(oauth2.grants()).toMatchObject([
      { transport: 'client credentials', always: false, decidedBy: { kind: 'secret' } },
    ]);
    await oauth2.revokeGrant(oauth2.grants()[0]?.id ?? '');
    for (const { access_token } of [body, again.body]) {
      expect(oauth2.introspect(access_token).state).toBe('invalid');
    }
  });

  it('do not replace a later request for consent', async () => {
    const platform = await platformOf('ask');
    await grant(platform, 'identify');
    const { signal } = new AbortController();
    const refused = platform.emulator.oauth2.authorize({
      clientId: APP,
      scopes: ['identify'],
      prompt: 'none',
      peer: { transport: 'client credentials' },
      signal,
    });
    settle(platform, { answer: 'deny' });
    await expect(refused).rejects.toMatchObject({ error: 'access_denied' });
  });
});

it.each([...RPC_SCOPES, 'identify'])('the policy "deny" refuses client credentials for %s', async (scope) => {
  const platform = await platformOf('deny');
  expect(await grant(platform, scope)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  expect(platform.emulator.oauth2.grants()).toEqual([]);
  expect(platform.emulator.oauth2.holds('200000000000000001', APP)).toBe(false);
});
