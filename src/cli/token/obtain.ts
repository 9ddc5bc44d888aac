import { isLocalError, LocalError } from '../../base/local-error.ts';
import { RpcError } from '../../client/index.ts';
import { ApiError, exchangeCode, type TokenSet } from '../../client/oauth2.ts';
import { requestCode } from '../../client/request-code.ts';
import type { Io } from '../../daemon/io.ts';
import type { AppConnection, AppFlags } from '../app/connection.ts';
import { withDelayedHint } from '../app/input.ts';
import { asRefusal } from '../app/refusal.ts';
import { USER_MS } from '../app/time-limit.ts';
import { apiOf } from './api-address.ts';

const WAITING = 'waiting for the user to allow this; "footbridge requests" shows it';

/** Error code of a request for which scopes or rights are missing. */
const NOT_PERMITTED = 4006;

/** Time that a server has to say whether the rights of its endpoint permit an authorization (ms). */
const RIGHTS_MS = 2000;

/** Parameters of an authorization. */
export interface TokenRequest {
  readonly scopes: readonly string[];
  /** Base address of the service, if the user named one. */
  readonly api: string | undefined;
  /** Secret of a confidential application; any other application uses PKCE alone. */
  readonly clientSecret: string | undefined;
}

/**
 * Requests authorization on a connection and exchanges the code. Throws `LocalError`, or the abort reason of the limit.
 */
export async function obtainToken(
  connection: AppConnection,
  flags: AppFlags,
  { scopes, api: requestedApiAddress, clientSecret }: TokenRequest,
  io: Io,
): Promise<TokenSet> {
  const { limit, clientId } = flags;
  const { signal } = limit;
  // The address is determined first, so that a failure comes before the user is prompted.
  const api =
    requestedApiAddress ??
    (await apiOf(connection, flags, io).catch(async (error: unknown) => {
      throw (await notPermitted(connection, scopes)) ?? error;
    }));
  limit.next('answer to AUTHORIZE', USER_MS);
  const authorization = requestCode(connection.client, { clientId, scopes, signal });
  try {
    const { code, verifier } = await withDelayedHint(authorization, WAITING, io);
    limit.next(`answer of ${api}/oauth2/token`);
    const service = { api, clientId, clientSecret, signal, timeoutMs: 2 ** 31 - 1 };
    return await exchangeCode(service, { code, verifier });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof RpcError || isLocalError(error)) throw await asRefusal(error);
    throw error instanceof ApiError || error instanceof TypeError ? asTokenError(api, error) : error;
  }
}

/**
 * The refusal of an endpoint whose rights do not permit the authorization, which an address would not help.
 * Without an application in the request no server prompts the user (protocol 5.1: error 4007).
 */
async function notPermitted({ client }: AppConnection, scopes: readonly string[]): Promise<unknown> {
  try {
    await client.request('AUTHORIZE', { scopes: [...scopes] }, { timeoutMs: RIGHTS_MS });
  } catch (error) {
    if (error instanceof RpcError && error.code === NOT_PERMITTED) return asRefusal(error);
  }
  return undefined;
}

/** Converts an error of the exchange; its message contains neither code nor secret. */
function asTokenError(api: string, error: ApiError | TypeError): LocalError {
  const code = error instanceof ApiError ? error.code : '';
  const remedy =
    code === 'invalid_client'
      ? ' Give the secret of the application in FOOTBRIDGE_CLIENT_SECRET or with --client-secret-file.'
      : '';
  const text = error.message.replace(/\.$/, '');
  return new LocalError('FOOTBRIDGE_REFUSED', `No token from ${api}: ${text}.${remedy}`, { cause: error });
}

/** Token response as the token endpoint wrote it. */
export function tokenResponse(set: TokenSet): Readonly<Record<string, unknown>> {
  const { tokenType, accessToken, expiresIn, refreshToken, scopes, idToken } = set;
  return {
    token_type: tokenType,
    access_token: accessToken,
    expires_in: expiresIn,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
    id_token: idToken,
  };
}
