import { Failure, NotRun, verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { formatMessage, isError } from '../target/app.ts';
import { IPC_ONLY, runningCase, type ServerCase } from './case.ts';
import type { Context } from './context.ts';
import { hasShape } from './shapes.ts';
import { AuthorizationRefused, DEFAULT_SCOPES, readToken } from './tokens.ts';

const voice = runningCase('together', { profile: 'voice' });
const revocation = runningCase('together', { profile: 'voice', lane: 'revocation' });
const voiceOverIpc = runningCase('together', { profile: 'voice', transports: IPC_ONLY });

/** Verifies that the token endpoint refuses an exchange with an OAuth 2.0 error. */
function verifyRefused(answer: { status: number; body: unknown }, why: string): void {
  const error = isRecord(answer.body) ? answer.body['error'] : undefined;
  const isRefused = answer.status >= 400 && answer.status < 500 && typeof error === 'string';
  verify(
    isRefused,
    `status 4xx with error, because ${why}`,
    () => `status ${answer.status}, error ${formatValue(error)}`,
  );
}

/** Case in which AUTHORIZE itself fails, before any consent prompt. */
function refusedAtOnce(
  id: string,
  title: string,
  codes: number[],
  args: (context: Context) => unknown,
): ServerCase {
  const run = async (context: Context) => {
    const app = await context.ready();
    await app.fail(codes, 'AUTHORIZE', args(context));
  };
  return voice(id, title, run);
}

/** Cases about AUTHORIZE, the token exchange, AUTHENTICATE and revocation. */
export const authorizationCases: readonly ServerCase[] = [
  voice('authorization/1', 'AUTHORIZE answers a code', async (context) => {
    const { code } = await context.tokens.authorize({ scopes: DEFAULT_SCOPES });
    verify(code !== '', 'a code', 'an empty one');
  }),
  refusedAtOnce('authorization/2', 'AUTHORIZE without client_id', [4007], () => ({
    scopes: ['rpc'],
  })),
  refusedAtOnce('authorization/3', "AUTHORIZE with another application's id", [4007], (context) => ({
    client_id: context.settings.otherClientId,
    scopes: ['rpc'],
  })),
  refusedAtOnce('authorization/4', 'response_type token', [4002, 5000], (context) => ({
    client_id: context.settings.clientId,
    scopes: ['rpc'],
    response_type: 'token',
  })),
  refusedAtOnce('authorization/5', 'a scope that does not exist', [4000, 5000], (context) => ({
    client_id: context.settings.clientId,
    scopes: ['rpc', 'no.such.scope'],
  })),
  voice('authorization/6', 'scopes as one string', async (context) => {
    await context.tokens.authorize({ scopes: [], args: { scopes: DEFAULT_SCOPES.join(' ') } });
  }),
  voice('authorization/7', 'the spelling scope', async (context) => {
    await context.tokens.authorize({ scopes: [], args: { scopes: undefined, scope: DEFAULT_SCOPES } });
  }),
  voice('authorization/8', 'the code buys a token with the right verifier', async (context) => {
    const { body } = await context.tokens.exchange(
      await context.tokens.authorize({ scopes: DEFAULT_SCOPES }),
    );
    hasShape('token', body, 'token');
    const scope = String(body['scope']).split(' ');
    const missing = DEFAULT_SCOPES.filter((one) => !scope.includes(one));
    verify(missing.length === 0, `scope ${DEFAULT_SCOPES.join(' ')}`, scope.join(' '));
  }),
  voice('authorization/9', 'a wrong verifier buys nothing', async (context) => {
    const { code } = await context.tokens.authorize({ scopes: DEFAULT_SCOPES });
    const fields = { grant_type: 'authorization_code', code, code_verifier: 'w'.repeat(43) };
    verifyRefused(await context.tokens.post(fields), 'the verifier is wrong');
  }),
  voice('authorization/10', 'a missing verifier buys nothing', async (context) => {
    const { code } = await context.tokens.authorize({ scopes: DEFAULT_SCOPES });
    verifyRefused(
      await context.tokens.post({ grant_type: 'authorization_code', code }),
      'the verifier is missing',
    );
  }),
  voice('authorization/11', 'the challenge method plain is refused', async (context) => {
    const verifier = 'p'.repeat(43);
    const args = { code_challenge: verifier, code_challenge_method: 'plain' };
    let code: string;
    try {
      ({ code } = await context.tokens.authorize({ scopes: DEFAULT_SCOPES, args }));
    } catch (error) {
      // A refusal of AUTHORIZE is as good as a refusal of the exchange.
      if (error instanceof AuthorizationRefused) return;
      throw error;
    }
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier };
    verifyRefused(await context.tokens.post(fields), 'only S256 is allowed');
  }),
  voice('authorization/12', 'a code works once', async (context) => {
    const authorized = await context.tokens.authorize({ scopes: DEFAULT_SCOPES });
    await context.tokens.exchange(authorized);
    const fields = {
      grant_type: 'authorization_code',
      code: authorized.code,
      code_verifier: authorized.verifier,
    };
    verifyRefused(await context.tokens.post(fields), 'the code was used');
  }),
  voice('authorization/13', 'a code that was never given', async (context) => {
    const fields = { grant_type: 'authorization_code', code: 'nocode', code_verifier: 'v'.repeat(43) };
    verifyRefused(await context.tokens.post(fields), 'the code was never issued');
  }),
  voice('authorization/14', 'a refresh token buys the next token', async (context) => {
    const token = await context.tokens.exchange(await context.tokens.authorize({ scopes: DEFAULT_SCOPES }));
    if (token.refreshToken === undefined) throw new Failure('a refresh_token', 'none');
    const fields = { grant_type: 'refresh_token', refresh_token: token.refreshToken };
    const next = readToken(await context.tokens.post(fields));
    const reply = await (await context.ready()).request('AUTHENTICATE', { access_token: next.accessToken });
    verify(reply.value['evt'] === null, 'AUTHENTICATE to accept the next token', () => formatMessage(reply));
  }),
  voice('authorization/15', 'AUTHENTICATE answers application, user, scopes and expiry', async (context) => {
    const app = await context.ready();
    const access_token = await context.tokens.get();
    const data = await app.succeed('AUTHENTICATE', { access_token });
    hasShape('authenticated', data, 'data');
    const { application, scopes } = data as { application: { id: string }; scopes: string[] };
    verify(
      application.id === context.settings.clientId,
      `application ${context.settings.clientId}`,
      application.id,
    );
    verify(scopes.includes('rpc'), 'scopes with rpc', formatValue(scopes));
  }),
  voice('authorization/16', 'AUTHENTICATE answers the token itself', async (context) => {
    const access_token = await context.tokens.get();
    const data = await (await context.ready()).succeed('AUTHENTICATE', { access_token });
    verify(
      isRecord(data) && data['access_token'] === access_token,
      'data.access_token as sent',
      'something else',
    );
  }),
  voice('authorization/17', 'a token that does not exist', async (context) => {
    const app = await context.ready();
    await app.fail([4009], 'AUTHENTICATE', { access_token: 'no-such-token' });
  }),
  voice('authorization/18', 'no token: ERROR 4009, or the client gets one itself', async (context) => {
    const app = await context.ready();
    const reply = await app.request('AUTHENTICATE', { access_token: null });
    if (context.target.transport === 'ipc' && reply.value['evt'] === null) return;
    isError(reply, [4009]);
  }),
  voice('authorization/19', 'a failed AUTHENTICATE opens nothing', async (context) => {
    const app = await context.ready();
    await app.fail([4009], 'AUTHENTICATE', { access_token: 'no-such-token' });
    await app.fail([4006], 'GET_VOICE_SETTINGS', {});
  }),
  voice('authorization/20', 'AUTHENTICATE twice', async (context) => {
    const app = await context.authenticated();
    await app.fail([4002], 'AUTHENTICATE', { access_token: await context.tokens.get() });
  }),
  voice('authorization/21', 'AUTHORIZE after AUTHENTICATE', async (context) => {
    const app = await context.authenticated();
    await app.fail([4002], 'AUTHORIZE', { client_id: context.settings.clientId, scopes: ['rpc'] });
  }),
  voice('authorization/22', "another application's token", async (context) => {
    const access_token = await context.tokens.get();
    const app = await context.ready(context.settings.otherClientId);
    await app.fail([4007, 4009], 'AUTHENTICATE', { access_token });
  }),
  revocation('authorization/23', 'a revoked token closes its sessions with 4003', async (context) => {
    const { app, revoke } = await revocable(context);
    await revoke();
    await app.close([4003]);
  }),
  revocation('authorization/24', 'a revoked token is refused', async (context) => {
    const { accessToken, revoke } = await revocable(context);
    await revoke();
    const app = await context.ready(context.settings.otherClientId);
    await app.fail([4009], 'AUTHENTICATE', { access_token: accessToken });
  }),
  revocation('authorization/25', 'a revoked refresh token is refused', async (context) => {
    const { refreshToken, revoke } = await revocable(context);
    await revoke();
    if (refreshToken === undefined) throw new Failure('a refresh_token', 'none');
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
    verifyRefused(await context.tokens.post(fields, context.settings.otherClientId), 'the grant is revoked');
  }),
  voiceOverIpc('authorization/26', 'a second AUTHORIZE does not wait behind the first', async (context) => {
    const authorizeTwice = async (): Promise<void> => {
      const app = await context.ready();
      const args = { client_id: context.settings.clientId, scopes: DEFAULT_SCOPES };
      await app.sendRequest('AUTHORIZE', args, { nonce: 'first' });
      const second = await app.request('AUTHORIZE', args, { nonce: 'second' });
      // Without a consent prompt the first request is already answered, so the server may grant the second as a new
      // request.
      if (second.value['evt'] === 'ERROR') isError(second, [4002, 5000]);
    };
    try {
      await context.tokens.inTurn(authorizeTwice);
    } catch (error) {
      // The failure proves nothing where nobody can approve a request, because both requests may then wait
      // separately: a test authorization throws NotRun in that case.
      await context.tokens.authorize({ scopes: DEFAULT_SCOPES }).catch((reason: unknown) => {
        if (reason instanceof NotRun) throw reason;
      });
      throw error;
    }
  }),
];

/** Session of the other application with its own token, so that a revocation of the token affects no other case. */
async function revocable(context: Context): Promise<{
  app: Awaited<ReturnType<Context['ready']>>;
  accessToken: string;
  refreshToken: string | undefined;
  revoke: () => Promise<void>;
}> {
  const clientId = context.settings.otherClientId;
  const code = await context.tokens.authorize({ scopes: DEFAULT_SCOPES, clientId });
  const { accessToken, refreshToken } = await context.tokens.exchange(code, clientId);
  const app = await context.ready(clientId);
  await app.succeed('AUTHENTICATE', { access_token: accessToken });
  const revoke = async () => {
    const answer = await context.tokens.post({ token: accessToken }, clientId, '/revoke');
    verify(answer.status === 200, 'status 200 for the revocation', `status ${answer.status}`);
  };
  return { app, accessToken, refreshToken, revoke };
}
