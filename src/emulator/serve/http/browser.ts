import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { corsFor } from '../../../loopback/cors.ts';
import { ERROR_CODES } from '../../api/error-codes.ts';
import { noContent, type Reply } from '../../api/operation.ts';

/** Whether the user has allowed pages of an origin. The origin is compared exactly as a browser sends it. */
export type PageRule = (origin: string) => boolean;

/**
 * Reply to refused pages. It is the same for every path, so that a page cannot probe which resources exist. Its message
 * explains frequent mistakes of programs.
 */
export const FORBIDDEN: Reply = {
  status: 403,
  body: {
    message:
      '403: Forbidden: not for web pages (Origin, Sec-Fetch-Site) but those of “footbridge origins” and rpc_origins; Host must be 127.0.0.1, and a form needs the Origin of its page',
    code: ERROR_CODES.GeneralError[0],
  },
};

/**
 * Whether a request comes from a web page. Browsers send the origin with a POST, and the site with other requests;
 * programs send neither. The Host header was checked earlier, which detects a name that was rebound to this machine.
 */
function isFromPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin !== undefined || (site !== undefined && site !== 'none');
}

/** Whether a request may read data: it comes from a program, or from a page that the user has allowed. */
export function mayRequest(headers: IncomingHttpHeaders, isLetIn: PageRule): boolean {
  return !isFromPage(headers) || (headers.origin !== undefined && isLetIn(headers.origin));
}

/**
 * CORS headers for the page that sent a request; undefined for a program, and for a page that the user has not allowed.
 */
export function readableBy(
  { origin }: IncomingHttpHeaders,
  isLetIn: PageRule,
): Readonly<Record<string, string>> | undefined {
  if (origin === undefined || !isLetIn(origin)) return undefined;
  return { ...corsFor(origin), 'access-control-expose-headers': '*' };
}

/** Time for which browsers may cache a preflight reply (seconds). Each actual request is checked nevertheless. */
const PREFLIGHT_SECONDS = '600';

/** The reply to a browser's preflight request; undefined for any other request. */
export function preflight({ method, headers }: IncomingMessage): Reply | undefined {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  return {
    ...noContent(),
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      // The asterisk covers all headers except Authorization.
      'access-control-allow-headers': '*, authorization',
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
  };
}

/**
 * Whether a request may display one of the emulator's pages or submit its form. Only a top-level navigation may do so,
 * and a form only from the emulator's own origin.
 */
export function mayReachPage(method: string, headers: IncomingHttpHeaders): boolean {
  const {
    host,
    origin,
    'sec-fetch-site': fetchSite,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
  } = headers;
  // A browser sends all three Sec-Fetch headers, but some programs send only Sec-Fetch-Mode.
  if (fetchSite !== undefined && (mode !== 'navigate' || dest !== 'document')) return false;
  return method === 'GET' ? origin === undefined : origin === `http://${host}`;
}
