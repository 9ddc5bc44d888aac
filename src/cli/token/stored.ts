import { isAbsolute, join, resolve } from 'node:path';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { printable } from '../../base/text.ts';
import { RpcError } from '../../client/index.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import type { Io } from '../../daemon/io.ts';
import type { AppConnection, AppFlags } from '../app/connection.ts';
import { authenticate } from '../app/requests.ts';
import { obtainToken, type TokenRequest } from './obtain.ts';
import { type TokenStore, tokenStore } from './token-store.ts';

const INVALID_TOKEN = 4009;

/** Token store of this user's commands; undefined where the system defines no folder for it. */
export function storedTokens(): TokenStore | undefined {
  const folder = tokenFolder();
  return isAbsolute(folder) ? tokenStore(folder) : undefined;
}

function tokenFolder(): string {
  return join(applicationFolders().data, 'tokens');
}

/**
 * Authenticates with the stored token of this endpoint, application and scopes, or with a new one, which is stored.
 * Throws as `obtainToken` does, and RpcError.
 */
export async function authenticateStored(
  connection: AppConnection,
  flags: AppFlags,
  request: TokenRequest,
  io: Io,
): Promise<void> {
  const store = storedTokens();
  const key = { endpoint: resolve(connection.path), clientId: flags.clientId, scopes: request.scopes };
  const present = (token: string) => authenticate(connection.client, token, flags.limit);
  const known = store?.find(key);
  if (known !== undefined) {
    try {
      return await present(known);
    } catch (error) {
      // The token was revoked, or the service was reset: authorize again. The new token replaces the stored one.
      if (!(error instanceof RpcError && error.code === INVALID_TOKEN)) throw error;
    }
  }
  const { accessToken, expiresIn } = await obtainToken(connection, flags, request, io);
  await present(accessToken);
  if (expiresIn <= 0) return;
  try {
    store?.put(key, accessToken, Date.now() + expiresIn * 1000);
  } catch (error) {
    io.err(
      `footbridge: the token is not stored for the next call: ${printable(tokenFolder())} cannot be written: ` +
        `${systemErrorText(error)}. Make room on its disk, or make it writable.\n`,
    );
  }
}
