import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseUrl } from '../base/url.ts';
import {
  type AuthorizationRequest,
  authorizationPage,
  codeIn,
  type SiteAnswer,
} from './authorization-page.ts';
import { messageOf } from './call-back.ts';
import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';

const LOOPBACK = 'http://127.0.0.1';
const DONE = 'Authorization is done. You may close this page and go back to the game.';
const REFUSED = 'This is not the answer that the game waits for.';

/**
 * Opens the site's authorization page in the browser and waits on loopback for its redirect. A redirect with another
 * state is rejected and the wait continues, so that no other page can end it. Rejects with the signal's reason, or with
 * Failed when the user refuses.
 */
export async function authorizeInBrowser(
  webBase: string,
  request: AuthorizationRequest,
  openUrl: (url: string) => void,
  signal: AbortSignal,
): Promise<SiteAnswer> {
  // This call validates the address before a server listens; it throws for an invalid address.
  authorizationPage(webBase, request, LOOPBACK);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const redirectUri = `${LOOPBACK}:${(server.address() as AddressInfo).port}/callback`;
  try {
    signal.throwIfAborted();
    const answer = answerTo(server, request.state, signal);
    const opened = open(openUrl, authorizationPage(webBase, request, redirectUri));
    return { code: await Promise.race([answer, opened]), redirectUri };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/**
 * Opens the browser. Rejects when the browser cannot be opened, even if it fails later; otherwise the promise stays
 * pending.
 */
async function open(openUrl: (url: string) => unknown, address: string): Promise<never> {
  try {
    await openUrl(address);
  } catch (error) {
    throw new Failed(ErrorType.AuthorizationFailed, `settings.openUrl: threw: ${messageOf(error)}`);
  }
  return new Promise<never>(() => {});
}

function answerTo(
  server: ReturnType<typeof createServer>,
  state: string,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const address = parseUrl(request.url ?? '', LOOPBACK);
      const query = address?.searchParams;
      const expected =
        request.method === 'GET' && address?.pathname === '/callback' && query?.get('state') === state;
      response.statusCode = expected ? 200 : 400;
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(expected ? DONE : REFUSED, () => {
        if (!expected || query === undefined) return;
        try {
          resolve(codeIn(query));
        } catch (error) {
          reject(error);
        }
      });
    });
  });
}
