import { resolve } from 'node:path';
import { isLocalError } from '../../base/local-error.ts';
import { addressOf } from '../../client/http.ts';
import { controlClient } from '../../control/client.ts';
import type { ControlStatus } from '../../control/routes.ts';
import type { Io } from '../../daemon/io.ts';
import type { AppConnection, AppFlags } from '../app/connection.ts';
import { STEP_MS } from '../app/time-limit.ts';
import { currentHost } from '../daemon-client.ts';
import { usage } from '../parse.ts';

const VARIABLE = 'FOOTBRIDGE_API';

/**
 * Base address from the flag or variable. Throws `LocalError` FOOTBRIDGE_USAGE if codes and secrets must not be sent
 * there.
 */
export function requestedApi(flag: string | undefined, command: string, io: Io): string | undefined {
  const variable = io.env[VARIABLE] === '' ? undefined : io.env[VARIABLE];
  const address = flag ?? variable;
  if (address === undefined) return undefined;
  try {
    addressOf(address, '');
    return address;
  } catch {
    throw usage(
      `${flag === undefined ? VARIABLE : '--api'}: ${JSON.stringify(withoutPassword(address))} is not an https address, ` +
        'or http on this machine, without a user name.',
      { name: command },
    );
  }
}

/** Address without a password. */
function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/?#]*@/, '//…@').slice(0, 100);
}

/**
 * Base address of a connection's token endpoint: from READY if READY names an address on this machine, else from the
 * bridge that serves the endpoint. Throws `LocalError` FOOTBRIDGE_USAGE when neither has an address.
 */
export async function apiOf({ client, path }: AppConnection, flags: AppFlags, io: Io): Promise<string> {
  const { limit, command } = flags;
  const announced = localApi(client.config?.api_endpoint);
  if (announced !== undefined) return announced;
  limit.next('answer of the bridge about its token endpoint');
  const statusRequest = controlClient({ folder: currentHost(), env: io.env, timeoutMs: STEP_MS }).status();
  const aborted = new Promise<undefined>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const status = await Promise.race([statusRequest.catch(unlessSilent), aborted]);
  limit.signal.throwIfAborted();
  // An older bridge has no further endpoints in its status.
  const { endpoints = [], further = [] } = (status ?? {}) as Partial<ControlStatus>;
  const own = [...endpoints.filter(({ kind }) => kind === 'ipc'), ...further].some(
    (endpoint) => endpoint.path === resolve(path),
  );
  const api = own ? status?.core.api : undefined;
  if (typeof api === 'string') return api;
  throw usage(
    `The token endpoint that belongs to ${path} is not known. Give its base address with --api or ${VARIABLE}, such as ` +
      'http://127.0.0.1:6481/api.',
    { name: command },
  );
}

/**
 * Ignores a bridge that does not answer: the endpoint belongs to another server, or no bridge runs; then the user must
 * name the address.
 */
function unlessSilent(error: unknown): undefined {
  if (!isLocalError(error)) throw error;
}

/** A remote service gets no code unless the user names it: any server may announce any address. */
function localApi(announced: unknown): string | undefined {
  if (typeof announced !== 'string') return undefined;
  const text = announced.startsWith('//') ? `http:${announced}` : announced;
  try {
    const { protocol } = addressOf(text, '');
    return protocol === 'http:' ? text : undefined;
  } catch {
    return undefined;
  }
}
