import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../api/reply.ts';

/** The same answer for every path, so that a page cannot tell what is here; it says what a program may have sent by mistake. */
export const FORBIDDEN: Reply = {
  status: 403,
  body: {
    message:
      '403: Forbidden: not for web pages (Origin, Sec-Fetch-Site); Host must be 127.0.0.1, and a form needs the Origin of its page',
    code: 0,
  },
};

/**
 * Whether a request comes from a web page: it names its origin when it posts, and its site otherwise. Programs send neither.
 * The Host header has been checked before, which betrays a name that was rebound to this machine.
 */
export function isFromPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin !== undefined || (site !== undefined && site !== 'none');
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
