import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { corsFor } from '../../../loopback/cors.ts';
import { ERROR_CODES } from '../../api/error-codes.ts';
import { noContent, type Reply } from '../../api/reply.ts';

/** Whether the user let pages of this origin in; it is compared exactly, as a browser sends it. */
export type PageRule = (origin: string) => boolean;

/** The same answer for every path, so that a page cannot tell what is here; it says what a program may have sent by mistake. */
export const FORBIDDEN: Reply = {
  status: 403,
  body: {
    message:
      '403: Forbidden: not for web pages (Origin, Sec-Fetch-Site) but those of “footbridge origins” and rpc_origins; Host must be 127.0.0.1, and a form needs the Origin of its page',
    code: ERROR_CODES.GeneralError[0],
  },
};

/**
 * Whether a request comes from a web page: it names its origin when it posts, and its site otherwise. Programs send neither.
 * The Host header has been checked before, which betrays a name that was rebound to this machine.
 */
function isFromPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin !== undefined || (site !== undefined && site !== 'none');
}

/** Whether a request may ask for data: a program's, or one of a page that the user let in. */
export function mayAsk(headers: IncomingHttpHeaders, isLetIn: PageRule): boolean {
  return !isFromPage(headers) || (headers.origin !== undefined && isLetIn(headers.origin));
}

/** What lets the page of a request read its answer; undefined for a program, and for a page that the user did not let in. */
export function readableBy(
  { origin }: IncomingHttpHeaders,
  isLetIn: PageRule,
): Readonly<Record<string, string>> | undefined {
  if (origin === undefined || !isLetIn(origin)) return undefined;
  return { ...corsFor(origin), 'access-control-expose-headers': '*' };
}

/** How long a browser need not ask again (s). What it asks for is judged each time. */
const PREFLIGHT_SECONDS = '600';

/** The answer to what a browser asks before a page may send a token or JSON; undefined for any other request. */
export function preflight({ method, headers }: IncomingMessage): Reply | undefined {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  return {
    ...noContent(),
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      // The asterisk is for all but the token.
      'access-control-allow-headers': '*, authorization',
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
  };
}

/**
 * Whether a page of ours may be shown, or its form be sent: where a person goes there themselves or is led there, as the
 * whole window; and from a form only when the page is ours.
 */
export function mayReachPage(method: string, headers: IncomingHttpHeaders): boolean {
  const {
    host,
    origin,
    'sec-fetch-site': fetchSite,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
  } = headers;
  // A browser says all three; some programs say that they fetch, and no more.
  if (fetchSite !== undefined && (mode !== 'navigate' || dest !== 'document')) return false;
  return method === 'GET' ? origin === undefined : origin === `http://${host}`;
}
