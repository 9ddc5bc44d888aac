import type { IncomingMessage } from 'node:http';
import { LOOPBACK } from '../loopback/host.ts';

/** Result of the admission of a request; `refused` gets a constant answer. */
export type Admission =
  /** Request for a one-time address. */
  | { readonly kind: 'entering'; readonly secret: string }
  /** User whose browser has no session, or whose request comes from another page. */
  | { readonly kind: 'stranger' }
  /** Request within a session, with the processes that requested the session's address. */
  | {
      readonly kind: 'page';
      readonly path: string;
      readonly query: string;
      readonly requesters: readonly number[];
    }
  | { readonly kind: 'refused' };

/** Path of a one-time address. */
export const ENTRY = '/enter';

/**
 * Header that only a script of the page itself can send: another origin would need a preflight request, which is not
 * answered.
 */
const OWN_HEADER = 'footbridge-console';

const ONCE = [
  'host',
  'origin',
  'cookie',
  'content-type',
  OWN_HEADER,
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
];

const REFUSED = { kind: 'refused' } as const;

/** Checks a request before it has any effect. `session` looks up the secret of its cookie. */
export function admit(
  request: IncomingMessage,
  port: number,
  session: (secret: string) => readonly number[] | undefined,
): Admission {
  const { method = '', headers, headersDistinct, url = '' } = request;
  const origin = `http://${LOOPBACK}:${port}`;
  // Only the host of the issued address is accepted, because a foreign page can make its own name resolve to this
  // machine.
  if (request.httpVersion !== '1.1' || `http://${headers.host}` !== origin) return REFUSED;
  // A repeated header is refused, because an intermediary may have checked the other one of two values.
  if (ONCE.some((name) => (headersDistinct[name]?.length ?? 0) > 1)) return REFUSED;
  // A HEAD must not consume an address, and the page sends no other methods.
  if ((method !== 'GET' && method !== 'POST') || !url.startsWith('/')) return REFUSED;
  if (isFramed(request) || isPrefetch(request)) return REFUSED;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  // The origin is not checked for a one-time address: a redirecting file or a program that opens links counts as
  // another site, so the secret alone decides.
  if (path === ENTRY) return method === 'GET' ? { kind: 'entering', secret: secretIn(query) } : REFUSED;
  if (headers.origin !== undefined && headers.origin !== origin) return REFUSED;
  const isOwn = ['same-origin', 'none', undefined].includes(text(headers['sec-fetch-site']));
  const requesters = isOwn ? session(cookieOf(headers.cookie, cookieName(port)) ?? '') : undefined;
  if (method === 'POST') {
    if (requesters === undefined || headers.origin !== origin || headers[OWN_HEADER] !== '1') return REFUSED;
    return { kind: 'page', path, query, requesters };
  }
  if (requesters !== undefined) return { kind: 'page', path, query, requesters };
  return path === '/' && isNavigation(request) ? { kind: 'stranger' } : REFUSED;
}

/** Name of the session cookie. All ports share their cookies, so the name contains the port of the console. */
export function cookieName(port: number): string {
  return `footbridge-console-${port}`;
}

/** Value of a cookie; undefined unless exactly one cookie has the name. */
function cookieOf(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
}

function secretIn(query: string): string {
  return /^key=([\w-]{1,64})$/.exec(query)?.[1] ?? '';
}

/** Whether the browser requests the page for a frame of another page. */
function isFramed({ headers }: IncomingMessage): boolean {
  const destination = text(headers['sec-fetch-dest']);
  return (
    destination !== undefined && ['iframe', 'frame', 'embed', 'object', 'fencedframe'].includes(destination)
  );
}

/** Whether the browser prefetches a link before a click; a prefetch would consume an address. */
function isPrefetch({ headers }: IncomingMessage): boolean {
  return headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined;
}

/** Whether a user navigates to the page; older browsers send only `accept`. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const mode = text(headers['sec-fetch-mode']);
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}

function text(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value.join(',');
}
