import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { corsFor } from '../../../loopback/cors.ts';
import { ERROR_CODES } from '../../api/error-codes.ts';
import { noContent, type Reply } from '../../api/reply.ts';

/** Whether the user has allowed pages of this origin; compared exactly, as a browser sends it. */
export type PageRule = (origin: string) => boolean;

/**
 * The same reply for every path, so that a page cannot probe what exists; the message explains frequent mistakes of
 * programs.
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
 * Whether a request comes from a web page: browsers send the origin with a POST, and otherwise the site. Programs send
 * neither. The Host header has been checked before, which detects a name that was rebound to this machine.
 */
function isFromPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin !== undefined || (site !== undefined && site !== 'none');
}

/** Whether a request may read data: one of a program, or of a page that the user has allowed. */
export function mayRequest(headers: IncomingHttpHeaders, isLetIn: PageRule): boolean {
  return !isFromPage(headers) || (headers.origin !== undefined && isLetIn(headers.origin));
}

/** CORS headers for the page of a request; undefined for a program, and for a page that the user has not allowed. */
export function readableBy(
  { origin }: IncomingHttpHeaders,
  isLetIn: PageRule,
): Readonly<Record<string, string>> | undefined {
  if (origin === undefined || !isLetIn(origin)) return undefined;
  return { ...corsFor(origin), 'access-control-expose-headers': '*' };
}

/** Cache time of a preflight reply in seconds. Each actual request is checked all the same. */
const PREFLIGHT_SECONDS = '600';

/** The reply to a browser's preflight request; undefined for any other request. */
export function preflight({ method, headers }: IncomingMessage): Reply | undefined {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  return {
    ...noContent(),
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      // The asterisk covers all headers but Authorization.
      'access-control-allow-headers': '*, authorization',
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
  };
}

/**
 * Whether a page of ours may be displayed or its form submitted: only by a top-level navigation, and a form only from our
 * own origin.
 */
export function mayReachPage(method: string, headers: IncomingHttpHeaders): boolean {
  const {
    host,
    origin,
    'sec-fetch-site': fetchSite,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
  } = headers;
  // A browser sends all three headers; some programs send only Sec-Fetch-Mode.
  if (fetchSite !== undefined && (mode !== 'navigate' || dest !== 'document')) return false;
  return method === 'GET' ? origin === undefined : origin === `http://${host}`;
}
