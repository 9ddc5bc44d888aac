// What a broken, confused or hostile program sends: each line is answered in the platform's own words, and nothing else happens.
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { watchPort } from './answers.ts';
import { ask, zeros } from './ask.ts';
import { ADDRESSES_REFUSED, ISSUERS_REFUSED } from './bad-addresses.ts';
import { bot, CHALLENGE, json, me, REQUESTS, UNAUTHORIZED, type World } from './bad-lines.ts';
import { APP, codeOf, confidential, startEmulator, story, type Tokens, tokensOf } from './story.ts';

/** All that could have changed: the state, who granted what, and what waits for a person. */
async function everything({ operations }: TestEmulator): Promise<unknown> {
  const { state } = (await operations.call('emulator.export')) as { readonly state: string };
  return [state, await operations.call('grants.list'), await operations.call('requests.list')];
}

describe('bad input', () => {
  let world: World;
  beforeAll(async () => {
    const emulator = await startEmulator();
    watchPort(Number(new URL(emulator.api).port));
    await confidential(emulator);
    // The bot's user is made when it is first used, and somebody allows once.
    await ask(emulator, 'GET /v10/users/@me', { headers: bot });
    const code = () => codeOf(emulator, { scope: 'identify' });
    const boundCode = () => codeOf(emulator, { scope: 'identify', code_challenge: CHALLENGE });
    world = { emulator, tokens: await tokensOf(emulator, { scope: 'identify' }), code, boundCode };
    return () => emulator.close();
  });

  it.each([...REQUESTS, ...ADDRESSES_REFUSED])(
    'is answered with the error of the platform and changes nothing: $what',
    async ({ ask: send, status, body }) => {
      const { emulator, tokens } = world;
      const before = await everything(emulator);
      const answer = await send(world);
      expect({ status: answer.status, body: JSON.parse(answer.text) as unknown }).toEqual({ status, body });
      expect(JSON.stringify(answer.headers)).not.toMatch(/access-control|x-powered-by|"server"/i);
      expect(await everything(emulator)).toEqual(before);
      expect((await me(world, `Bearer ${tokens.access_token}`)).status).toBe(200);
    },
  );

  it.each(ISSUERS_REFUSED)('is refused and changes nothing: the issuer %s', async (issuer, reason) => {
    const { emulator } = world;
    const before = await everything(emulator);
    const patch = { external_issuers: [{ application: APP, issuer }] };
    await expect(emulator.operations.call('emulator.apply', { patch })).rejects.toThrow(reason);
    expect(await everything(emulator)).toEqual(before);
  });
});

describe('a token', () => {
  it('that has expired or was revoked is refused with 401', async () => {
    const emulator = await story();
    const who = async ({ access_token }: Tokens) => {
      const { status, text } = await ask(emulator, 'GET /v10/users/@me', {
        headers: { authorization: `Bearer ${access_token}` },
      });
      return { status, body: JSON.parse(text) as unknown };
    };
    const old = await tokensOf(emulator, { scope: 'identify' });
    await emulator.clock.advance('7d');
    expect(await who(old)).toEqual({ status: 401, body: UNAUTHORIZED });
    const young = await tokensOf(emulator, { scope: 'identify' });
    expect((await who(young)).status).toBe(200);
    await ask(emulator, 'POST /oauth2/token/revoke', { form: { token: young.access_token, client_id: APP } });
    expect(await who(young)).toEqual({ status: 401, body: UNAUTHORIZED });
  });
});

describe('a body that is too large', () => {
  it('is refused with 413 and uses little memory', async () => {
    const emulator = await story();
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 5);
    onTestFinished(() => clearInterval(timer));
    for (let i = 0; i < 3; i += 1) {
      const { status } = await ask(emulator, 'PATCH /v10/users/@me', {
        headers: { ...bot, ...json },
        body: zeros(100),
      });
      expect(status).toBe(413);
    }
    // Three times 100 MiB went by, made in this very process.
    expect(most).toBeLessThan(100 * 1024 * 1024);
  });
});
