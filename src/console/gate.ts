import type { IncomingMessage } from 'node:http';
import { LOOPBACK } from '../loopback/host.ts';

/** What a request is let in as; `refused` is answered with a constant. */
export type Admission =
  /** Somebody opens a one-time address. */
  | { readonly kind: 'entering'; readonly secret: string }
  /** A person whose browser has no session, or came here from another page. */
  | { readonly kind: 'stranger' }
  /** A session, whose address those processes asked for. */
  | {
      readonly kind: 'page';
      readonly path: string;
      readonly query: string;
      readonly askedBy: readonly number[];
    }
  | { readonly kind: 'refused' };

/** Where a one-time address leads. */
export const ENTRY = '/enter';

/** What only a script of the page itself can send: another origin would have to ask first, and is not answered. */
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

/** Judges a request before anything of it has an effect. `session` is asked for the secret of its cookie. */
export function admit(
  request: IncomingMessage,
  port: number,
  session: (secret: string) => readonly number[] | undefined,
): Admission {
  const { method = '', headers, headersDistinct, url = '' } = request;
  const origin = `http://${LOOPBACK}:${port}`;
  // The address that is handed out, and no other name of this machine: a page elsewhere can have its own name lead here.
  if (request.httpVersion !== '1.1' || `http://${headers.host}` !== origin) return REFUSED;
  // Of two, somebody in between could have judged the other one.
  if (ONCE.some((name) => (headersDistinct[name]?.length ?? 0) > 1)) return REFUSED;
  // A HEAD must not use an address up, and nothing else is ever sent by the page.
  if ((method !== 'GET' && method !== 'POST') || !url.startsWith('/')) return REFUSED;
  if (isFramed(request) || isPrefetch(request)) return REFUSED;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  // A file of ours and a program that opens links count as another site: nothing but the secret is asked for there.
  if (path === ENTRY) return method === 'GET' ? { kind: 'entering', secret: secretIn(query) } : REFUSED;
  if (headers.origin !== undefined && headers.origin !== origin) return REFUSED;
  const isOwn = ['same-origin', 'none', undefined].includes(text(headers['sec-fetch-site']));
  const askedBy = isOwn ? session(cookieOf(headers.cookie, cookieName(port)) ?? '') : undefined;
  if (method === 'POST') {
    if (askedBy === undefined || headers.origin !== origin || headers[OWN_HEADER] !== '1') return REFUSED;
    return { kind: 'page', path, query, askedBy };
  }
  if (askedBy !== undefined) return { kind: 'page', path, query, askedBy };
  return path === '/' && isNavigation(request) ? { kind: 'stranger' } : REFUSED;
}

/** Cookies know no ports: the console of another port must not take ours for its own. */
export function cookieName(port: number): string {
  return `footbridge-console-${port}`;
}

/** The value of a cookie; undefined unless there is exactly one of that name. */
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

/** A browser says what it wants a page for: a frame of another page is none of ours. */
function isFramed({ headers }: IncomingMessage): boolean {
  const destination = text(headers['sec-fetch-dest']);
  return (
    destination !== undefined && ['iframe', 'frame', 'embed', 'object', 'fencedframe'].includes(destination)
  );
}

/** What a browser fetches ahead of a click would use an address up. */
function isPrefetch({ headers }: IncomingMessage): boolean {
  return headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined;
}

/** A person at a browser; older ones do not say so, but what they take. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const mode = text(headers['sec-fetch-mode']);
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}

function text(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value.join(',');
}
