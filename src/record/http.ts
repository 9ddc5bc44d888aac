import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameAddress, partsOf, requestWithoutSecrets } from '../journal/addresses.ts';
import type { HttpPart } from '../journal/entry.ts';
import type { Mismatch } from './compare.ts';

/** The part of a recorded HTTP exchange that the replay serves. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly response: HttpPart;
}

/** An HTTP API that repeats the recorded answers of another API. */
export interface ReplayedApi {
  /** Base address in the format of `FOOTBRIDGE_API`. */
  readonly url: string;
  /**
   * Stops the API. Returns the requests of this run that the record does not contain, and the recorded requests that
   * were not made.
   */
  end(): readonly Mismatch[];
}

/**
 * Answer to a token exchange that the record does not contain: while it was recorded, the app sent this request to its
 * own backend.
 */
const STAND_IN = {
  access_token: '[hidden]',
  token_type: 'Bearer',
  expires_in: 604_800,
  refresh_token: '[hidden]',
  scope: '',
};

/** Serves recorded exchanges on 127.0.0.1: each exchange once, and those of one route in their recorded order. */
export async function playApi(exchanges: readonly Exchange[]): Promise<ReplayedApi> {
  const left = [...exchanges];
  const mismatches: Mismatch[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => answer(request, response, left, mismatches));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api`,
    end() {
      server.close();
      server.closeAllConnections();
      const missing = left.map(({ method, path }) => ({
        what: `HTTP ${method} ${path}`,
        differences: [{ at: '', was: 'asked for', is: undefined }],
      }));
      return [...mismatches, ...missing];
    },
  };
}

function answer(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  left: Exchange[],
  mismatches: Mismatch[],
): void {
  const path = requestWithoutSecrets(url, (segment) => segment === 'api' || segment === 'oauth2');
  const index = left.findIndex((one) => one.method === method && samePath(one.path, url));
  const [found] = index === -1 ? [] : left.splice(index, 1);
  if (found !== undefined) {
    const type = found.response.headers['content-type'] ?? 'application/json';
    response.writeHead(found.status, { 'content-type': type });
    return void response.end(found.response.body ?? '');
  }
  if (/\/oauth2\/token$/.test(partsOf(url).path)) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify(STAND_IN));
  }
  mismatches.push({
    what: `HTTP ${method} ${path}`,
    differences: [{ at: '', was: undefined, is: 'asked for' }],
  });
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ message: 'The record has no answer to this', code: 0 }));
}

/** Whether two paths are equal apart from the version of the API. */
function samePath(a: string, b: string): boolean {
  const plain = (path: string): string => path.replace(/^\/api(?:\/v\d+)?/, '');
  return isSameAddress(plain(a), plain(b));
}
