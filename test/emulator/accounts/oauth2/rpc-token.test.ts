import { describe, expect, it } from 'vitest';
import type { AuthorizeOptions } from '../../../../src/emulator/accounts/oauth2/authorize-options.ts';
import { anybodyMayAnswer } from '../../../../src/emulator/api/waiting-request.ts';
import { asking } from '../../../helpers/browser-pages.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

const SECRET = 'kept';
const approved = { id: APP, partner: true, secret: SECRET };

async function setUp(more: object = {}) {
  const clock = new ManualClock();
  const platform = await testPlatform(undefined, { ...asking, clock });
  await platform.emulator.apply({ applications: [{ ...approved, ...more }] });
  return { ...platform, clock };
}

const ask = ({ call }: TestPlatform, form: Readonly<Record<string, string>>) =>
  call('POST /oauth2/token/rpc', { form });

const tokenOf = async (platform: TestPlatform): Promise<string> =>
  (await ask(platform, { client_id: APP, client_secret: SECRET })).body.rpc_token;

/** Whether an authorization with a token waits for the person. */
async function waits({ emulator }: TestPlatform, options: Partial<AuthorizeOptions>): Promise<boolean> {
  const controller = new AbortController();
  const answer = emulator.oauth2.authorize({
    clientId: APP,
    scopes: ['rpc', 'identify'],
    peer: { transport: 'ipc', pid: 100 },
    signal: controller.signal,
    ...options,
  });
  const waiting = emulator.requests.list().length > 0;
  controller.abort();
  if (waiting) await expect(answer).rejects.toThrow('the app left');
  else expect((await answer).code).toMatch(/^\w{30}$/);
  return waiting;
}

describe('POST /oauth2/token/rpc', () => {
  it('returns to an approved application a token that replaces consent once', async () => {
    const platform = await setUp();
    const answer = await ask(platform, { client_id: APP, client_secret: SECRET });
    expect(answer).toMatchObject({ status: 200, body: { rpc_token: expect.stringMatching(/^\w{30}$/) } });
    const rpcToken: string = answer.body.rpc_token;
    expect(await waits(platform, { rpcToken })).toBe(false);
    expect(platform.emulator.oauth2.grants()).toMatchObject([
      { decidedBy: { kind: 'policy' }, always: false },
    ]);
    expect(await waits(platform, { rpcToken })).toBe(true);
    const authorization = `Basic ${Buffer.from(`${APP}:${SECRET}`).toString('base64')}`;
    const basic = await platform.call('POST /oauth2/token/rpc', {
      headers: { authorization },
      form: { x: '' },
    });
    expect(basic.status).toBe(200);
    expect((await platform.call('POST /oauth2/token/rpc', { json: { client_id: APP } })).status).toBe(400);
  });

  it.each([
    ['no client', {}, {}, 401, 'invalid_client'],
    ['what one library sends', {}, { '{}': '' }, 401, 'invalid_client'],
    ['a wrong secret', {}, { client_id: APP, client_secret: 'x' }, 401, 'invalid_client'],
    ['no secret', {}, { client_id: APP }, 401, 'invalid_client'],
    ['no secret of a public client', { public_client: true }, { client_id: APP }, 400, 'unauthorized_client'],
    [
      'an application that is not approved',
      { partner: false },
      { client_id: APP, client_secret: SECRET },
      400,
      'unauthorized_client',
    ],
    [
      'one that takes any secret',
      { secret: null },
      { client_id: APP, client_secret: 'any' },
      400,
      'unauthorized_client',
    ],
    [
      'one that nobody wrote down',
      {},
      { client_id: '912345678901234567', client_secret: 'any' },
      400,
      'unauthorized_client',
    ],
  ])('refuses %s', async (_, more, form, status, error) => {
    const platform = await setUp(more);
    expect(await ask(platform, form)).toMatchObject({ status, body: { error } });
  });

  it('returns a token that is invalid for an install, messages, another application, and after 100 s', async () => {
    const platform = await setUp();
    const { emulator, clock } = platform;
    expect(
      await waits(platform, { rpcToken: await tokenOf(platform), scopes: ['bot'], guildId: ids.riverBank }),
    ).toBe(true);
    await expect(
      emulator.oauth2.authorize({
        clientId: APP,
        scopes: ['messages.read'],
        rpcToken: await tokenOf(platform),
        peer: { transport: 'ipc' },
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow('invalid_scope');
    const rpcToken = await tokenOf(platform);
    expect(await waits(platform, { rpcToken, clientId: ids.lighthouse })).toBe(true);
    clock.advance(100_000);
    expect(await waits(platform, { rpcToken })).toBe(true);
    expect(await waits(platform, { rpcToken: 'x'.repeat(30) })).toBe(true);
  });

  it('returns a token that does not override the policies "ask" and "deny", an account change or a revocation', async () => {
    expect(
      await setUp({ consent: 'ask' }).then(async (one) => waits(one, { rpcToken: await tokenOf(one) })),
    ).toBe(true);
    const denying = await setUp({ consent: 'deny' });
    await expect(waits(denying, { rpcToken: await tokenOf(denying) })).rejects.toThrow('access_denied');
    const switched = await setUp();
    const rpcToken = await tokenOf(switched);
    await switched.emulator.apply({ me: 'otter' });
    expect(await waits(switched, { rpcToken })).toBe(true);
    const revoked = await setUp();
    const dead = await tokenOf(revoked);
    expect(await waits(revoked, { rpcToken: await tokenOf(revoked) })).toBe(false);
    await revoked.emulator.oauth2.revokeGrant(revoked.emulator.oauth2.grants()[0]?.id ?? '');
    expect(await waits(revoked, { rpcToken: dead })).toBe(true);
  });

  it('returns a token that works once for fifty simultaneous requests', async () => {
    const platform = await setUp();
    const rpcToken = await tokenOf(platform);
    const answers = Array.from({ length: 50 }, (_, pid) =>
      platform.emulator.oauth2
        .authorize({
          clientId: APP,
          scopes: ['identify'],
          rpcToken,
          peer: { transport: 'ipc', pid: pid + 1 },
          signal: new AbortController().signal,
        })
        .then(
          () => true,
          () => false,
        ),
    );
    for (const { id } of platform.emulator.requests.list()) {
      platform.emulator.requests.answer(id, { answer: 'deny', by: { via: 'test' } }, anybodyMayAnswer);
    }
    expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(1);
  });
});
