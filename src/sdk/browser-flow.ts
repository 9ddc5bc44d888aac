import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { parseUrl } from '../../platform/url.ts';
import { printable } from '../client/errors.ts';
import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';

/** What is asked of the user on the web site. */
export interface BrowserRequest {
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly nonce: string | undefined;
  readonly code_challenge: string | undefined;
  readonly code_challenge_method: string | undefined;
  readonly integration_type: number | undefined;
}

const LOOPBACK = 'http://127.0.0.1';
const DONE = 'Authorization is done. You may close this page and go back to the game.';
const REFUSED = 'This is not the answer that the game waits for.';

/**
 * Asks the user in the browser: opens the site's authorization page and waits on loopback for its redirect. An answer
 * with another state is turned away and not waited out, so that no page can end the wait. Rejects with the signal's
 * reason, or with Failed when the user said no.
 */
export async function authorizeInBrowser(
  webBase: string,
  request: BrowserRequest,
  openUrl: (url: string) => void,
  signal: AbortSignal,
): Promise<{ readonly code: string; readonly redirectUri: string }> {
  const page = pageOf(webBase);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  try {
    signal.throwIfAborted();
    const answer = answerTo(server, request.state, signal);
    open(openUrl, addressOf(page, request, redirectUri));
    return { code: await answer, redirectUri };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function open(openUrl: (url: string) => void, address: string): void {
  try {
    openUrl(address);
  } catch (error) {
    const reason = error instanceof Error ? error.message : inspect(error);
    throw new Failed(ErrorType.AuthorizationFailed, `settings.openUrl: threw: ${reason}`);
  }
}

function answerTo(
  server: ReturnType<typeof createServer>,
  state: string,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? '';
      const address = parseUrl(path, LOOPBACK);
      const given = address?.searchParams;
      const expected =
        request.method === 'GET' && address?.pathname === '/callback' && given?.get('state') === state;
      response.statusCode = expected ? 200 : 400;
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(expected ? DONE : REFUSED, () => {
        const code = given?.get('code');
        if (!expected) return;
        if (code) resolve(code);
        else reject(new Failed(ErrorType.AuthorizationFailed, refusalOf(given)));
      });
    });
  });
}

function refusalOf(answer: URLSearchParams | undefined): string {
  const told = [answer?.get('error'), answer?.get('error_description')].filter(Boolean).join(' ');
  return printable(told) || 'The answer of the web site holds neither a code nor an error';
}

function pageOf(webBase: string): URL {
  const page = parseUrl(webBase) && new URL(`${webBase.replace(/\/+$/, '')}/oauth2/authorize`);
  if (page?.protocol === 'https:' || page?.protocol === 'http:') return page;
  throw new Failed(ErrorType.ValidationError, 'webBase: must be the http(s) address of the web site');
}

function addressOf(page: URL, request: BrowserRequest, redirectUri: string): string {
  const { integration_type: integrationType } = request;
  const query = {
    client_id: request.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: request.scopes.join(' '),
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.code_challenge,
    code_challenge_method: request.code_challenge_method,
    integration_type: integrationType === undefined ? undefined : String(integrationType),
  };
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) page.searchParams.set(name, value);
  return page.href;
}
